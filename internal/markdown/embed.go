package markdown

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// Embed is ![[file|width]], as Obsidian writes an image. In its dialect it is a
// note, a part of one, a sound, a film or a PDF as well.
type Embed struct {
	ast.BaseInline
	NotePath
	// Alt is the author's text for who cannot see it, or empty.
	Alt string
	// Width and Height are in pixels, and 0 where none is given.
	Width, Height int
	// Fragment is what follows the file as written, without its #: "page=3". It is
	// empty outside of the dialect.
	Fragment    string
	Start, Stop int
}

// KindEmbed is the kind of [Embed].
var KindEmbed = ast.NewNodeKind("GpudocsEmbed")

// Kind implements ast.Node.
func (*Embed) Kind() ast.NodeKind { return KindEmbed }

// Dump implements ast.Node.
func (n *Embed) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"File": n.File}, nil)
}

// Apart tells whether what is embedded can stand as blocks where the node is: in
// the text of a paragraph, not in a heading or a link.
func (n *Embed) Apart() bool {
	switch n.Parent().Kind() {
	case ast.KindParagraph, ast.KindTextBlock:
		return true
	}
	return false
}

// A Medium is what a file holds, by its name.
type Medium int

// The media that are shown on a page. A name without a known ending is a note's.
const (
	NoteMedium Medium = iota
	ImageMedium
	AudioMedium
	VideoMedium
	PDFMedium
)

// The endings that Obsidian accepts, https://help.obsidian.md/file-formats. A .webm
// may be a sound; as a film it can be heard too.
var media = map[Medium][]string{
	ImageMedium: {".avif", ".bmp", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp"},
	AudioMedium: {".flac", ".m4a", ".mp3", ".oga", ".ogg", ".opus", ".wav", ".3gp"},
	VideoMedium: {".mkv", ".mov", ".mp4", ".ogv", ".webm"},
	PDFMedium:   {".pdf"},
}

// MediumOf tells by its name what a file holds.
func MediumOf(file string) Medium {
	ending := strings.ToLower(path.Ext(file))
	for m, endings := range media {
		if slices.Contains(endings, ending) {
			return m
		}
	}
	return NoteMedium
}

// embedParser reads ![[file]] and ![[file|300]]. In the dialect of Obsidian a #
// parts the file's name from the place in it.
type embedParser struct{ obsidian bool }

// Extend implements goldmark.Extender. It stands before the link parser (200), which
// also takes "![".
func (p embedParser) Extend(md goldmark.Markdown) {
	md.Parser().AddOptions(parser.WithInlineParsers(util.Prioritized(p, 80)))
}

func (embedParser) Trigger() []byte { return []byte{'!'} }

func (p embedParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	b, ok := readBrackets(line[1:])
	if !ok {
		return nil
	}
	n := &Embed{NotePath: NotePath{File: strings.TrimSpace(b.target)}, Start: segment.Start, Stop: segment.Start + b.end + 3}
	if p.obsidian {
		n.NotePath = parseNotePath(b.target)
		_, n.Fragment, _ = strings.Cut(strings.TrimSpace(b.target), "#")
	}
	if b.bar {
		n.options(string(line[b.from+1 : b.end+1]))
	}
	n.SetPos(segment.Start)
	block.Advance(b.end + 3)
	return n
}

// options reads what follows the bar: "300", "300x200", "text", "text|300".
func (n *Embed) options(s string) {
	s = strings.ReplaceAll(s, `\|`, "|")
	alt, size := "", s
	if i := strings.LastIndexByte(s, '|'); i >= 0 {
		alt, size = s[:i], s[i+1:]
	}
	var ok bool
	if n.Width, n.Height, ok = parseSize(size); !ok {
		alt = s
	}
	n.Alt = strings.TrimSpace(alt)
}

var sizeForm = lazyregexp.New(`^\s*([0-9]{1,5})(?:\s*[xX]\s*([0-9]{1,5}))?\s*$`)

// parseSize reads "300" and "300x200".
func parseSize(s string) (width, height int, ok bool) {
	m := sizeForm.FindStringSubmatch(s)
	if m == nil {
		return 0, 0, false
	}
	width, _ = strconv.Atoi(m[1])
	height, _ = strconv.Atoi(m[2])
	return width, height, true
}
