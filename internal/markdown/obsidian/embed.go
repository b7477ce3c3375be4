package obsidian

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// embedParser reads ![[file]] and ![[file|300]]. In the dialect of Obsidian a # separates the
// file's name from the place in it.
type embedParser struct{ obsidian bool }

func (embedParser) Trigger() []byte { return []byte{'!'} }

func (p embedParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	b, ok := readBrackets(line[1:])
	if !ok {
		return nil
	}
	n := &markdown.Embed{NotePath: markdown.NotePath{File: strings.TrimSpace(b.target)}, Start: segment.Start, Stop: segment.Start + b.end + 3}
	if p.obsidian {
		n.NotePath = parseNotePath(b.target)
		_, n.Fragment, _ = strings.Cut(strings.TrimSpace(b.target), "#")
	}
	if b.bar {
		embedOptions(n, string(line[b.from+1:b.end+1]))
	}
	n.SetPos(segment.Start)
	block.Advance(b.end + 3)
	return n
}

// embedOptions reads the text after the bar: "300", "300x200", "text", "text|300".
func embedOptions(n *markdown.Embed, s string) {
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
