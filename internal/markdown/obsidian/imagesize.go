package obsidian

import (
	"bytes"
	"strconv"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// imageSizes reads ![text|300](image) and ![300x200](image) as Obsidian does,
// https://help.obsidian.md/syntax#External+images: the size is moved from the text to the
// attributes width and height of the image.
type imageSizes struct{}

// Transform implements parser.ASTTransformer.
func (imageSizes) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	for _, image := range markdown.Find[*ast.Image](doc) {
		sizeImage(image, reader.Source())
	}
}

func sizeImage(image *ast.Image, source []byte) {
	t, ok := image.LastChild().(*ast.Text)
	if !ok {
		return
	}
	value := t.Segment.Value(source)
	bar := bytes.LastIndexByte(value, '|')
	if bar < 0 && image.ChildCount() > 1 {
		return
	}
	width, height, ok := parseSize(string(value[bar+1:]))
	if !ok {
		return
	}
	image.SetAttributeString("width", strconv.AppendInt(nil, int64(width), 10))
	if height > 0 {
		image.SetAttributeString("height", strconv.AppendInt(nil, int64(height), 10))
	}
	end := t.Segment.Start + max(bar, 0)
	if bar > 0 && value[bar-1] == '\\' { // in a table's cell
		end--
	}
	if t.Segment = t.Segment.WithStop(end); t.Segment.IsEmpty() {
		image.RemoveChild(image, t)
	}
}
