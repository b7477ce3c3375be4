package markdown

import (
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Embed is ![[file|width]], as Obsidian writes an image. In its dialect it is a
// note, a part of one, a sound, a film or a PDF as well.
type Embed struct {
	ast.BaseInline
	NotePath
	// Alt is the author's text for readers who cannot see it, or empty.
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

// Apart reports whether what is embedded can stand as blocks where the node is: in
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

// MediumOf returns what a file holds, by its name.
func MediumOf(file string) Medium {
	ending := strings.ToLower(path.Ext(file))
	for m, endings := range media {
		if slices.Contains(endings, ending) {
			return m
		}
	}
	return NoteMedium
}

// A NotePath is where a wiki link or an embed of Obsidian leads,
// https://help.obsidian.md/links.
type NotePath struct {
	// File is the name or the path as written, ".md" or not; empty is the page itself.
	File string
	// Headings are the texts of headings, each below the one before: page#A#B.
	Headings []string
	// Block is the id of a block: page#^id, page^id.
	Block string
}

// Subpath is what follows the file, as one text to show: "A > B", "^id", or nothing.
func (p NotePath) Subpath() string {
	if p.Block != "" {
		return "^" + p.Block
	}
	return strings.Join(p.Headings, " > ")
}

// String is the path as Obsidian writes it.
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
