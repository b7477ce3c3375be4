package match

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A parser parses the lines of one expectation.
type parser struct {
	o Tolerance
	// number is the number of the current line, from 0.
	number int
	// captured are the captures so far, and lines the line of each name.
	captured []Captured
	lines    map[string]int
	faults   []Fault
}

func newParser(o Tolerance) *parser { return &parser{o: o, lines: map[string]int{}} }

func (p *parser) fault(from, to int, message diag.Text) {
	p.faults = append(p.faults, Fault{Line: p.number, From: from, To: to, Message: message})
}

// suffix matches the end of a line that is (re) or (glob), with a quantifier or not, or a
// quantifier alone.
var suffix = lazyregexp.New(` \((?:(re|glob)([?*+]?)|([?*+]))\)$`)

// line parses an expected line.
func (p *parser) line(raw string) *line {
	if raw == anyLines {
		return gapLine(raw)
	}
	l := &line{raw: raw}
	captured := len(p.captured)
	text, kind, quantifier := raw, "", ""
	m := suffix.FindStringSubmatch(raw)
	if m != nil {
		text, kind, quantifier = strings.TrimSuffix(raw, m[0]), m[1], m[2]+m[3]
	}
	l.optional, l.repeated = quantifier == "?" || quantifier == "*", quantifier == "*" || quantifier == "+"
	switch {
	case text == "" && kind != "":
		p.fault(0, len(raw), diag.Say("blocks.matcher-alone", "raw", raw[1:]))
	case text == anyLines && m != nil:
		p.fault(len(text)+1, len(raw), diag.Say("blocks.ellipsis-repeated"))
	case kind == "re":
		l.m = p.regexp(text)
	default:
		l.m = p.pattern(text, kind == "glob")
	}
	if l.m == nil {
		*l = line{raw: raw, m: literal(raw)}
		p.captured = p.captured[:captured]
	}
	return l
}

// captureSyntax matches a capture. Name, kind and bound are checked separately, so that a wrong one
// is a fault and not text.
var captureSyntax = lazyregexp.New(`<([\pL_][\pL\pN_-]*):([a-z]+)(?: ([^<>]*?[^<> ]))??(?: ((?:` + ask.BoundOperator + `)[^<>]*))?>`)

// A capture is a value that a line captures.
type capture struct{ name, kind, unit, bound string }

func (c capture) of(value string) report.Capture {
	return report.Capture{Name: c.name, Value: value, Unit: c.unit, Bound: c.bound}
}

var captureKinds = []string{"number", "int", "word", "text"}

const maxName = 64

// capture parses a capture. It returns nil if the kind is unknown, so that it is text. m is a
// match of [captureSyntax].
func (p *parser) capture(text string, m []int) *capture {
	c := &capture{name: text[m[2]:m[3]], kind: text[m[4]:m[5]]}
	if m[6] >= 0 {
		c.unit = text[m[6]:m[7]]
	}
	if m[8] >= 0 {
		c.bound = strings.TrimSpace(text[m[8]:m[9]])
	}
	before, twice := p.lines[c.name]
	_, isBound := ask.ParseBound(c.bound)
	switch {
	case !slices.Contains(captureKinds, c.kind) && c.bound != "":
		return nil
	case !slices.Contains(captureKinds, c.kind):
		p.fault(m[4], m[5], diag.Say("blocks.capture-kind-unknown", "kind", c.kind, "name", text[m[0]:m[1]],
			"capture_kinds", strings.Join(captureKinds, ", ")))
		p.faults[len(p.faults)-1].Warning = true
		return nil
	case c.unit != "" && c.kind != "number" && c.kind != "int":
		p.fault(m[6], m[7], diag.Say("blocks.unit-without-number"))
	case c.bound != "" && c.kind != "number" && c.kind != "int":
		p.fault(m[8], m[9], diag.Say("blocks.bound-without-number"))
	case c.bound != "" && (!isBound || len(c.bound) > maxName):
		p.fault(m[8], m[9], diag.Say("blocks.bound-invalid", "bound", c.bound))
	case len(c.name) > maxName || len(c.unit) > maxName:
		p.fault(m[2], max(m[3], m[7]), diag.Say("blocks.name-too-long", "most", maxName))
	case twice:
		p.fault(m[2], m[3], diag.Say("blocks.capture-duplicate", "name", c.name, "before", before+1).
			WithHint(diag.Say("blocks.name-duplicate-hint")))
	case len(p.lines) == report.MaxCaptures:
		p.fault(m[0], m[1], diag.Say("blocks.expectation-captures-too-many", "most", report.MaxCaptures).
			WithHint(diag.Say("blocks.captures-split-block-hint")))
	default:
		p.lines[c.name] = p.number
	}
	p.captured = append(p.captured, Captured{c.of(""), p.number, c.kind == "word" || c.kind == "text"})
	return c
}

// A Piece is a part of an expectation as its author wrote it. Capture is nil if it is no capture.
type Piece struct {
	Text, Kind string
	Capture    *report.Capture
}

// Words returns what a capture matches, in the language of a catalog: "a number in ms ≥ 2".
func (p Piece) Words(t text.Catalog) string {
	words := t.Get("capture_" + p.Kind)
	if p.Capture.Unit != "" {
		words = t.Get("capture_in", "what", words, "unit", p.Capture.Unit)
	}
	if p.Capture.Bound != "" {
		words += " " + strings.NewReplacer(">=", "≥", "<=", "≤").Replace(t.Amount(p.Capture.Bound))
	}
	return words
}

// Pieces splits an expectation at its captures, for readers.
func Pieces(text string) (list []Piece) {
	end := 0
	for _, at := range captureSyntax.FindAllStringSubmatchIndex(text, -1) {
		p := newParser(Tolerance{})
		c := p.capture(text, at)
		if c == nil || len(p.faults) > 0 {
			continue
		}
		if end < at[0] {
			list = append(list, Piece{Text: text[end:at[0]]})
		}
		value := c.of("")
		list = append(list, Piece{text[at[0]:at[1]], c.kind, &value})
		end = at[1]
	}
	if end < len(text) {
		list = append(list, Piece{Text: text[end:]})
	}
	return list
}

// kindSyntax are the regular expressions of the kinds of captures.
var kindSyntax = map[string]string{
	"number": `[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[-+]?(?i:nan|inf(?:inity)?)`,
	"int":    `[-+]?[0-9]+`,
	"word":   `\S+`,
	"text":   `.+?`,
}

// groupName returns the name of the group of a capture within an author's regular expression.
func groupName(k int) string { return fmt.Sprintf("gpudocs_capture_%d", k) }

// regexp parses a (re) line. It returns nil after a fault.
func (p *parser) regexp(text string) matcher {
	var m regexpLine
	var b strings.Builder
	end := 0
	for _, at := range captureSyntax.FindAllStringSubmatchIndex(text, -1) {
		c := p.capture(text, at)
		if c == nil {
			continue
		}
		fmt.Fprintf(&b, "%s(?P<%s>%s)", text[end:at[0]], groupName(len(m.captures)), kindSyntax[c.kind])
		if c.unit != "" {
			b.WriteString(`[ \t]*` + regexp.QuoteMeta(c.unit))
		}
		m.captures = append(m.captures, *c)
		end = at[1]
	}
	b.WriteString(text[end:])
	if _, err := syntax.Parse(b.String(), syntax.Perl); err != nil {
		p.badRegexp(text, err)
		return nil
	}
	re, err := regexp.Compile(`^(?:` + b.String() + `)$`)
	if err != nil { // it is too large with ^, $ and the group
		p.badRegexp(text, err)
		return nil
	}
	m.re = re
	return m
}

func (p *parser) badRegexp(text string, err error) {
	from, to := 0, len(text)
	message := diag.Plain(err)
	if e, ok := errors.AsType[*syntax.Error](err); ok {
		message = diag.Say("blocks.regexp-invalid", "code", e.Code)
		if i := strings.Index(text, e.Expr); i >= 0 && e.Expr != "" {
			from, to = i, i+len(e.Expr)
			message = diag.Say("blocks.regexp-invalid-at", "code", e.Code, "expr", strings.TrimSpace(e.Expr))
		}
	}
	p.fault(from, to, message.WithHint(diag.Say("blocks.regexp-syntax-hint", "written", quote(text+" (re)"))))
}

// pattern parses the text of a line that is no regular expression.
func (p *parser) pattern(text string, glob bool) matcher {
	t := tokenizer{parser: p, glob: glob}
	t.read(text)
	return t.matcher()
}

// quote returns a regular expression that matches a text, as readable as possible.
func quote(text string) string {
	switch meta := regexp.QuoteMeta(text); {
	case captureSyntax.MatchString(text):
		return strings.ReplaceAll(meta, "<", `\x3c`)
	case meta != text && !strings.Contains(text, `\E`):
		return `\Q` + text + `\E`
	default:
		return meta
	}
}
