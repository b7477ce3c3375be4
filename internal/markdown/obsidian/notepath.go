package obsidian

import (
	"bytes"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

var blockSuffix = lazyregexp.New(`^(.*)\^([A-Za-z0-9-]+)$`)

func parseNotePath(s string) markdown.NotePath {
	file, rest, deep := strings.Cut(strings.TrimSpace(s), "#")
	if m := blockSuffix.FindStringSubmatch(file); m != nil && !deep {
		return markdown.NotePath{File: strings.TrimSpace(m[1]), Block: m[2]}
	}
	p := markdown.NotePath{File: strings.TrimSpace(file)}
	if !deep {
		return p
	}
	for part := range strings.SplitSeq(rest, "#") {
		part = strings.TrimSpace(part)
		if id, ok := strings.CutPrefix(part, "^"); ok {
			p.Block = id
		} else if part != "" {
			p.Headings = append(p.Headings, part)
		}
	}
	return p
}

// brackets describes [[target|text]] at the beginning of a line. The offsets are relative to the
// end of the opening brackets: the end of the target, and the begin and end of the text. Without a
// bar the text is empty.
type brackets struct {
	target    string
	bar       bool
	from, end int // of the text after the bar; the closing brackets are at end
}

// readBrackets searches only up to the next opening pair, so that a line full of them takes linear
// time.
func readBrackets(line []byte) (b brackets, ok bool) {
	if !bytes.HasPrefix(line, []byte("[[")) {
		return b, false
	}
	for at := 2; at+1 < len(line); at++ {
		switch c := line[at]; {
		case c == '\n' || c == 0:
			return b, false
		case c == '[' && (!b.bar || line[at+1] == '['):
			return b, false
		case c == '|' && !b.bar:
			b.bar, b.from = true, at+1
			// In a table's cell the bar is written \|.
			b.target = string(bytes.TrimSuffix(line[2:at], []byte(`\`)))
		case c == ']' && line[at+1] == ']':
			b.end = at
			if !b.bar {
				b.target = string(line[2:at])
			}
			return b, strings.TrimSpace(b.target) != ""
		case c == ']' && !b.bar:
			return b, false
		}
	}
	return b, false
}
