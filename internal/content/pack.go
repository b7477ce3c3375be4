package content

import (
	"encoding/binary"
	"slices"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// A packed tree. The nodes that pages have most of are a few bytes each: what kind,
// where, how many children. Of any other the node itself is kept, without its place in
// the tree, and unpacking copies it.
type packed struct {
	// code are the nodes, each before its children.
	code []byte
	// kept are those of [keptNode], in order.
	kept []ast.Node
	// ids are those of nodes that have no other attribute, attributes those of others.
	ids        []string
	attributes [][]ast.Attribute
	meta       map[string]any
	// texts is how many nodes are *ast.Text.
	texts int
}

// What a node begins with in the code: its kind, or for a text its flags too.
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

// The flags of what all other packed nodes have.
const (
	hasPos byte = 1 << iota
	hasID
	hasAttributes
	blankBefore
)

// pack takes a document apart, and tells whether it could: else it is as it was.
func pack(doc *ast.Document) (packed, bool) {
	w := &packer{packable: true}
	w.children(doc)
	if doc.HasBlankPreviousLines() || doc.Lines().Len() > 0 || len(doc.Attributes()) > 0 || !w.packable {
		return packed{}, false
	}
	for _, n := range w.kept { // or they would hold all others
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
	// at is the offset in the page to which the next is relative.
	at int
	// packable is false once there is a node that can be neither packed nor copied.
	packable bool
}

func (w *packer) uint(n int) { w.code = binary.AppendUvarint(w.code, uint64(n)) }

// offset writes a place in the page.
func (w *packer) offset(at int) {
	w.code = binary.AppendVarint(w.code, int64(at-w.at))
	w.at = at
}

func (w *packer) children(n ast.Node) {
	count := 0 // goldmark's own counts twice what InsertAfter puts behind the last
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

// segment writes flags, and to them those of the segment.
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

// begin writes what all nodes have.
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

// onlyID is the id of a node that has no other attribute.
func onlyID(attributes []ast.Attribute) []byte {
	if len(attributes) != 1 || string(attributes[0].Name) != "id" {
		return nil
	}
	id, _ := attributes[0].Value.([]byte)
	return id
}

func (w *packer) keep(n ast.Node) {
	if copied(n) == nil {
		w.packable = false
	}
	w.code = append(w.code, keptNode)
	w.kept = append(w.kept, n)
}

// copied makes another node of the same content, and none of a kind that holds other
// nodes than its children.
func copied(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *Fence:
		return clone(n)
	case *ast.Link:
		return clone(n)
	case *ast.Image:
		return clone(n)
	case *ast.AutoLink:
		return clone(n)
	case *ast.String:
		return clone(n)
	case *ast.RawHTML:
		return clone(n)
	case *ast.HTMLBlock:
		return clone(n)
	case *ast.Blockquote:
		return clone(n)
	case *ast.CodeBlock:
		return clone(n)
	case *ast.ThematicBreak:
		return clone(n)
	case *ast.LinkReferenceDefinition:
		return clone(n)
	}
	if c := copiedExtension(n); c != nil {
		return c
	}
	return copiedOwn(n)
}

func copiedExtension(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *extast.Table:
		return clone(n)
	case *extast.TableHeader:
		return clone(n)
	case *extast.TableRow:
		return clone(n)
	case *extast.Strikethrough:
		return clone(n)
	case *extast.TaskCheckBox:
		return clone(n)
	case *extast.FootnoteLink:
		return clone(n)
	case *extast.FootnoteBacklink:
		return clone(n)
	case *extast.Footnote:
		return clone(n)
	case *extast.FootnoteList:
		return clone(n)
	case *extast.DefinitionTerm:
		return clone(n)
	case *extast.DefinitionDescription:
		return clone(n)
	}
	return nil
}

func copiedOwn(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *markdown.Callout:
		return clone(n)
	case *markdown.CalloutTitle:
		return clone(n)
	case *markdown.Tabs:
		return clone(n)
	case *markdown.Tab:
		return clone(n)
	case *markdown.TabTitle:
		return clone(n)
	case *markdown.Figure:
		return clone(n)
	case *markdown.Caption:
		return clone(n)
	case *markdown.Reference:
		return clone(n)
	case *markdown.Citation:
		return clone(n)
	case *markdown.Live:
		return clone(n)
	case *markdown.Math:
		return clone(n)
	case *markdown.MathBlock:
		return clone(n)
	case *markdown.Emoji:
		return clone(n)
	case *markdown.Keys:
		return clone(n)
	case *markdown.Marked:
		return clone(n)
	case *markdown.Embed:
		return clone(n)
	case *markdown.WikiLink:
		return clone(n)
	case *markdown.Tag:
		return clone(n)
	case *markdown.Anchor:
		return clone(n)
	case *markdown.Abbreviation:
		return clone(n)
	case *markdown.AbbreviationDefinition:
		return clone(n)
	case *markdown.InlineComment:
		return clone(n)
	case *markdown.Element:
		return clone(n)
	case *markdown.Directive:
		return clone(n)
	case *markdown.Contents:
		return clone(n)
	}
	return nil
}

// clone copies what a node is, of one that has no place in a tree.
func clone[T any](n *T) *T {
	c := *n
	return &c
}
