package blocks

import (
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Fence is a fenced block with what is known of it only while its page is parsed.
type Fence struct {
	*site.Fence
	// Annotated is set if the author asked for annotations.
	Annotated bool
	// signColumn is set if each line of a diff begins with a sign or a blank.
	signColumn bool
	// lines are the lines of the code on the page.
	lines *text.Segments
}

// Place returns the offsets of bytes of a line of the code, counted from 0, in the page or in the
// file that the code was taken from. ok is false if there is no such line.
func (f *Fence) Place(page *diag.File, line, from, to int) (file *diag.File, start, stop int, ok bool) {
	if f.Origin != nil {
		if line >= len(f.Origin.Lines) {
			return nil, 0, 0, false
		}
		at := f.Origin.File.Offset(f.Origin.Lines[line], 1) + f.Origin.Indent
		return f.Origin.File, at + from, at + to, true
	}
	if line >= f.lines.Len() {
		return nil, 0, 0, false
	}
	segment := f.lines.At(line)
	at := segment.Start - segment.Padding
	if f.signColumn || line < len(f.Signs) && f.Signs[line] != ' ' {
		at++ // after the sign
	}
	return page, max(at+from, segment.Start), min(at+to, segment.Stop), true
}
