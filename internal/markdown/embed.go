package markdown

import (
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// An Embed is ![[file|width]], Obsidian's syntax for an image. In its dialect it can also be a
// note, a part of one, audio, video or a PDF.
type Embed struct {
	InlineNode
	NotePath
	// Alt is the alternative text, or empty.
	Alt string
	// Width and Height are in pixels, or 0 if not given.
	Width, Height int
	// Fragment is the text after the file, without #: "page=3". It is empty outside of the dialect.
	Fragment    string
	Start, Stop int
}

// KindEmbed is the kind of [Embed].
var KindEmbed = ast.NewNodeKind("GpudocsEmbed")

// Kind implements ast.Node.
func (*Embed) Kind() ast.NodeKind { return KindEmbed }

// Apart reports whether the embedded content can be shown as blocks where the node is: in the text
// of a paragraph, but not in a heading or a link.
func (n *Embed) Apart() bool {
	switch n.Parent().Kind() {
	case ast.KindParagraph, ast.KindTextBlock:
		return true
	}
	return false
}

// A Medium is a type of embedded file.
type Medium int

// The media. A name without a known extension is that of a note.
const (
	NoteMedium Medium = iota
	ImageMedium
	AudioMedium
	VideoMedium
	PDFMedium
)

// The extensions that Obsidian accepts, https://help.obsidian.md/file-formats. A .webm may be audio
// only; a video element plays that too.
var media = map[Medium][]string{
	ImageMedium: {".avif", ".bmp", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp"},
	AudioMedium: {".flac", ".m4a", ".mp3", ".oga", ".ogg", ".opus", ".wav", ".3gp"},
	VideoMedium: {".mkv", ".mov", ".mp4", ".ogv", ".webm"},
	PDFMedium:   {".pdf"},
}

// MediumOf returns the medium of a file with that name.
func MediumOf(file string) Medium {
	ending := strings.ToLower(path.Ext(file))
	for m, endings := range media {
		if slices.Contains(endings, ending) {
			return m
		}
	}
	return NoteMedium
}

// A NotePath is the target of a wiki link or an embed of Obsidian, https://help.obsidian.md/links.
type NotePath struct {
	// File is the name or the path as written, with or without ".md". If empty, it is the page
	// itself.
	File string
	// Headings are the texts of nested headings, the outermost first: page#A#B.
	Headings []string
	// Block is the id of a block: page#^id, page^id.
	Block string
}

// Subpath returns the part after the file as readable text: "A > B", "^id", or "".
func (p NotePath) Subpath() string {
	if p.Block != "" {
		return "^" + p.Block
	}
	return strings.Join(p.Headings, " > ")
}

// String returns the path as Obsidian writes it.
func (p NotePath) String() string {
	s := p.File
	for _, h := range p.Headings {
		s += "#" + h
	}
	if p.Block != "" {
		s += "#^" + p.Block
	}
	return s
}
