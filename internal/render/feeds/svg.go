package feeds

import (
	"encoding/xml"
	"fmt"
	"math"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// A status is a colour of badges.
type status int

// The statuses. unknown is the zero value, so that a badge without a result is not green.
const (
	unknown status = iota
	good
	doubtful
	bad
)

// White letters have a contrast of at least 4.5 to 1 on each of them.
var colours = [...]string{unknown: "#4f5f63", good: "#14693a", doubtful: "#855000", bad: "#b0251f"}

const labelColour = "#0e3442"

// A badge is a small SVG of two fields, a label and a status, which other sites can show too. It needs no font, style or
// script, and its colours are attributes, which any content security policy allows. Its title has the whole text for
// screen readers, and its words say what its colour says.
type badge struct {
	// lang is the language of both texts.
	lang, label, message string
	status               status
}

// Sizes in pixels, and the number of letters after which a field is cut.
const (
	height, size, pad = 20, 11, 6
	longest           = 80
)

// svg returns the drawing.
func (b badge) svg() []byte {
	b.label = invisible.Visible(b.label)
	label, message := cut(b.label), cut(b.message)
	left, right := field(label), field(message)
	title := escape(b.label + ": " + b.message)
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" xml:lang="%s" width="%d" height="%d" viewBox="0 0 %[2]d %[3]d"`,
		escape(b.lang), left+right, height)
	fmt.Fprintf(&s, ` role="img" aria-label="%s">`+"\n", title)
	fmt.Fprintf(&s, "<title>%s</title>\n", title)
	fmt.Fprintf(&s, `<path fill="%s" d="M3 0H%d V%d H3A3 3 0 0 1 0 17V3A3 3 0 0 1 3 0z"/>`+"\n", labelColour, left, height)
	fmt.Fprintf(&s, `<path fill="%s" d="M%d 0H%d A3 3 0 0 1 %d 3V17A3 3 0 0 1 %[3]d 20H%[2]dz"/>`+"\n",
		colours[b.status], left, left+right-3, left+right)
	fmt.Fprintf(&s, `<g fill="#fff" font-family="Arial, Helvetica, 'Liberation Sans', sans-serif" font-size="%d">`+"\n", size)
	writeText(&s, pad, label)
	writeText(&s, left+pad, message)
	s.WriteString("</g>\n</svg>\n")
	return []byte(s.String())
}

// field returns the width of a field with this text.
func field(s string) int { return int(math.Ceil(width(s, size))) + 2*pad }

func writeText(s *strings.Builder, x int, t string) {
	if t != "" {
		fmt.Fprintf(s, `<text x="%d" y="14" textLength="%.1f" lengthAdjust="spacingAndGlyphs">%s</text>`+"\n", x, width(t, size), escape(t))
	}
}

func cut(s string) string {
	letters := []rune(s)
	if len(letters) <= longest {
		return s
	}
	return strings.TrimRight(string(letters[:longest-1]), " ") + "…"
}

// escape returns any text as valid XML, also for attributes.
func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder returns no error
	return b.String()
}
