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

// packed is a compact form of a tree. The most frequent nodes take a few bytes each: kind, position
// and number of children. Other nodes are stored without their links to others, and unpacking copies
// them.
type packed struct {
	// code contains the nodes, each before its children.
	code []byte
	// others are the nodes of kind otherNode, in order.
	others []ast.Node
	meta   map[string]any
	// texts is the number of nodes of kind textNode.
	texts int
}

// The kinds of nodes. The first byte of a node holds its kind and, above it, its flags.
const (
	otherNode byte = iota
	textNode
	codeSpanNode
	emphasisNode
	paragraphNode
	textBlockNode
	headingNode
	itemNode
	cellNode
	kindMask byte = 1<<4 - 1
)

// The flags of a text.
const (
	softBreak byte = 1 << (4 + iota)
	hardBreak
	rawText
)

// The flags of a node of any other kind.
const (
	hasID byte = 1 << (4 + iota)
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
	for _, n := range w.others { // else they would keep all others in memory
		n.RemoveChildren(n)
		n.SetParent(nil)
		n.SetPreviousSibling(nil)
		n.SetNextSibling(nil)
	}
	w.code, w.others = slices.Clone(w.code), slices.Clone(w.others) // without spare capacity
	if len(doc.Meta()) > 0 {
		w.meta = doc.Meta()
	}
	return w.packed, true
}

type packer struct {
	packed
	// at is the offset in the page to which the next one is relative.
	at int
	// packable is set to false by a node that cannot be copied.
	packable bool
}

func (w *packer) uint(n int) { w.code = binary.AppendUvarint(w.code, uint64(n)) }

// offset writes an offset in the page.
func (w *packer) offset(at int) {
	w.code = binary.AppendVarint(w.code, int64(at-w.at))
	w.at = at
}

// segment writes a plain segment.
func (w *packer) segment(s text.Segment) {
	w.offset(s.Start)
	w.uint(s.Len())
	w.at = s.Stop
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
	switch kind, number := kindOf(n); kind {
	case textNode:
		w.text(n.(*ast.Text))
		return
	case otherNode:
		w.packable = w.packable && copyNode(n) != nil
		w.code = append(w.code, otherNode)
		w.others = append(w.others, n)
	default:
		w.begin(kind, number, n)
	}
	w.children(n)
}

// kindOf returns the kind of a node and the number that nodes of this kind have, or 0.
func kindOf(n ast.Node) (kind byte, number int) {
	if !hasPlainAttributes(n) || !hasPlainLines(n) {
		return otherNode, 0
	}
	switch n := n.(type) {
	case *ast.Text:
		if isPlain(n.Segment) && !n.HasChildren() && len(n.Attributes()) == 0 {
			return textNode, 0
		}
	case *ast.CodeSpan:
		return codeSpanNode, 0
	case *ast.Emphasis:
		return emphasisNode, n.Level
	case *ast.Paragraph:
		return paragraphNode, 0
	case *ast.TextBlock:
		return textBlockNode, 0
	case *ast.Heading:
		return headingNode, n.Level
	case *ast.ListItem:
		return itemNode, n.Offset
	case *extast.TableCell:
		return cellNode, int(n.Alignment)
	}
	return otherNode, 0
}

// hasPlainAttributes reports whether a node has no attribute or only an id.
func hasPlainAttributes(n ast.Node) bool {
	switch all := n.Attributes(); len(all) {
	case 0:
		return true
	case 1:
		_, isText := all[0].Value.([]byte)
		return isText && string(all[0].Name) == "id"
	}
	return false
}

// hasPlainLines reports whether all lines of a node are plain.
func hasPlainLines(n ast.Node) bool {
	if n.Type() == ast.TypeBlock {
		for i := range n.Lines().Len() {
			if !isPlain(n.Lines().At(i)) {
				return false
			}
		}
	}
	return true
}

// isPlain reports whether a segment is determined by its offsets.
func isPlain(s text.Segment) bool { return s.Padding == 0 && !s.ForceNewline }

func (w *packer) text(n *ast.Text) {
	first := textNode
	if n.SoftLineBreak() {
		first |= softBreak
	}
	if n.HardLineBreak() {
		first |= hardBreak
	}
	if n.IsRaw() {
		first |= rawText
	}
	w.code = append(w.code, first)
	w.segment(n.Segment)
	w.texts++
}

// begin writes a node without its children.
func (w *packer) begin(kind byte, number int, n ast.Node) {
	block := n.Type() == ast.TypeBlock
	if block && n.HasBlankPreviousLines() {
		kind |= blankBefore
	}
	attributes := n.Attributes()
	if len(attributes) > 0 {
		kind |= hasID
	}
	w.code = append(w.code, kind)
	w.uint(number)
	w.offset(n.Pos())
	if len(attributes) > 0 {
		id := attributes[0].Value.([]byte)
		w.uint(len(id))
		w.code = append(w.code, id...)
	}
	if block {
		w.uint(n.Lines().Len())
		for i := range n.Lines().Len() {
			w.segment(n.Lines().At(i))
		}
	}
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
