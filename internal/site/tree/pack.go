package tree

import (
	"encoding/binary"
	"reflect"
	"slices"
	"sync"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// packed is a compact form of a tree. The most frequent nodes take a few bytes each: their kind,
// position and number of children. Other nodes are kept without their links to others, and
// unpacking copies them.
type packed struct {
	// code contains the nodes, each before its children.
	code []byte
	// kept are the nodes of kind keptNode, in order.
	kept []ast.Node
	// ids are the ids of nodes that have no other attribute; attributes are those of the others.
	ids        []string
	attributes [][]ast.Attribute
	meta       map[string]any
	// texts is the number of nodes of type *ast.Text.
	texts int
}

// The first byte of a node: its kind, and for a text also its flags.
const (
	textNode byte = 1 << 7
	keptNode byte = iota
	codeSpanNode
	emphasisNode
	paragraphNode
	textBlockNode
	headingNode
	listNode
	itemNode
	cellNode
)

// The flags of a text.
const (
	softBreak byte = 1 << iota
	hardBreak
	rawText
	newlineText
	paddedText
)

// The flags of all other packed nodes.
const (
	hasPos byte = 1 << iota
	hasID
	hasAttributes
	blankBefore
)

// pack packs a document. It returns false, and leaves the document unchanged, if that is not
// possible.
func pack(doc *ast.Document) (packed, bool) {
	w := &packer{packable: true}
	w.children(doc)
	if doc.HasBlankPreviousLines() || doc.Lines().Len() > 0 || len(doc.Attributes()) > 0 || !w.packable {
		return packed{}, false
	}
	for _, n := range w.kept { // else they would keep all others in memory
		n.RemoveChildren(n)
		n.SetParent(nil)
		n.SetPreviousSibling(nil)
		n.SetNextSibling(nil)
	}
	w.code, w.kept, w.ids = slices.Clip(slices.Clone(w.code)), slices.Clip(w.kept), slices.Clip(w.ids)
	if len(doc.Meta()) > 0 {
		w.meta = doc.Meta()
	}
	return w.packed, true
}

type packer struct {
	packed
	// at is the offset in the page to which the next one is relative.
	at int
	// packable is set to false by a node that can be neither packed nor copied.
	packable bool
}

func (w *packer) uint(n int) { w.code = binary.AppendUvarint(w.code, uint64(n)) }

// offset writes an offset in the page.
func (w *packer) offset(at int) {
	w.code = binary.AppendVarint(w.code, int64(at-w.at))
	w.at = at
}

func (w *packer) children(n ast.Node) {
	count := 0 // goldmark's ChildCount counts nodes twice that InsertAfter appends
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		count++
	}
	w.uint(count)
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.node(c)
	}
}

func (w *packer) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		w.text(n)
		return
	case *ast.CodeSpan:
		w.begin(codeSpanNode, n)
	case *ast.Emphasis:
		w.begin(emphasisNode, n)
		w.uint(n.Level)
	case *ast.Paragraph:
		w.begin(paragraphNode, n)
	case *ast.TextBlock:
		w.begin(textBlockNode, n)
	case *ast.Heading:
		w.begin(headingNode, n)
		w.uint(n.Level)
	case *ast.List:
		tight := 0
		if n.IsTight {
			tight = 1
		}
		w.begin(listNode, n)
		w.code = append(w.code, n.Marker)
		w.uint(tight)
		w.uint(n.Start)
	case *ast.ListItem:
		w.begin(itemNode, n)
		w.uint(n.Offset)
	case *extast.TableCell:
		w.begin(cellNode, n)
		w.uint(int(n.Alignment))
	default:
		w.keep(n)
	}
	w.children(n)
}

func (w *packer) text(n *ast.Text) {
	flags := textNode
	if n.SoftLineBreak() {
		flags |= softBreak
	}
	if n.HardLineBreak() {
		flags |= hardBreak
	}
	if n.IsRaw() {
		flags |= rawText
	}
	if n.HasChildren() || n.Attributes() != nil {
		w.packable = false
	}
	w.segment(flags, n.Segment)
	w.texts++
}

// segment writes flags, with those of the segment added.
func (w *packer) segment(flags byte, s text.Segment) {
	if s.ForceNewline {
		flags |= newlineText
	}
	if s.Padding != 0 {
		flags |= paddedText
	}
	w.code = append(w.code, flags)
	w.offset(s.Start)
	w.uint(s.Stop - s.Start)
	if s.Padding != 0 {
		w.uint(s.Padding)
	}
	w.at = s.Stop
}

// begin writes the properties that all nodes have.
func (w *packer) begin(kind byte, n ast.Node) {
	block := n.Type() == ast.TypeBlock
	attributes := n.Attributes()
	id := onlyID(attributes)
	flags := byte(0)
	if n.Pos() >= 0 {
		flags |= hasPos
	}
	switch {
	case id != nil:
		flags |= hasID
		w.ids = append(w.ids, string(id))
	case len(attributes) > 0:
		flags |= hasAttributes
		w.attributes = append(w.attributes, slices.Clip(slices.Clone(attributes)))
	}
	if block && n.HasBlankPreviousLines() {
		flags |= blankBefore
	}
	w.code = append(w.code, kind, flags)
	if n.Pos() >= 0 {
		w.offset(n.Pos())
	}
	if !block {
		return
	}
	lines := n.Lines()
	w.uint(lines.Len())
	for i := range lines.Len() {
		w.segment(0, lines.At(i))
	}
}

// onlyID returns the id of a node that has no other attribute.
func onlyID(attributes []ast.Attribute) []byte {
	if len(attributes) != 1 || string(attributes[0].Name) != "id" {
		return nil
	}
	id, _ := attributes[0].Value.([]byte)
	return id
}

func (w *packer) keep(n ast.Node) {
	if copyNode(n) == nil {
		w.packable = false
	}
	w.code = append(w.code, keptNode)
	w.kept = append(w.kept, n)
}

// copyNode copies a node. It returns nil if the node refers to nodes other than its children,
// because the copy would still refer to those of the old tree.
func copyNode(n ast.Node) ast.Node {
	of := reflect.TypeOf(n).Elem()
	if refersToNodes(of) {
		return nil
	}
	c := reflect.New(of)
	c.Elem().Set(reflect.ValueOf(n).Elem())
	return c.Interface().(ast.Node)
}

// referring caches the results of refersToNodes by type.
var referring sync.Map

var (
	nodeType  = reflect.TypeFor[ast.Node]()
	baseTypes = []reflect.Type{reflect.TypeFor[ast.BaseBlock](), reflect.TypeFor[ast.BaseInline]()}
)

// refersToNodes reports whether a struct has a field with a node, other than those that all nodes
// have.
func refersToNodes(t reflect.Type) bool {
	if known, ok := referring.Load(t); ok {
		return known.(bool)
	}
	found := false
	for f := range t.Fields() {
		of := f.Type
		switch {
		case slices.Contains(baseTypes, of):
		case of.Kind() == reflect.Slice, of.Kind() == reflect.Map, of.Kind() == reflect.Array:
			found = found || of.Elem() == nodeType
		case of.Kind() == reflect.Struct:
			found = found || refersToNodes(of)
		default:
			found = found || of == nodeType // a pointer, such as the text of an ast.AutoLink, refers to a part of the node
		}
	}
	referring.Store(t, found)
	return found
}
