package ask

import (
	"path"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Facts of any machine. GPU is the model of its GPUs, Cores the number of CPUs.
const (
	Label Fact = "machine"
	GPU   Fact = "gpu"
	OS    Fact = "os"
	Arch  Fact = "arch"
	RAM   Fact = "ram"
	Cores Fact = "cores"
)

var machineFacts = []string{string(Label), string(GPU), string(OS), string(Arch), string(RAM), string(Cores)}

// ofMachine reports whether a machine without a GPU has the fact.
func (f Fact) ofMachine() bool { return f != GPU && slices.Contains(machineFacts, string(f)) }

// isText reports whether the fact is compared with a pattern.
func (f Fact) isText() bool { return f == Label || f == GPU || f == OS || f == Arch }

// Names returns the value of a text: of one or several things, each with the names by which an
// author may call it. The first name is shown.
func Names(things ...[]string) Value {
	v := Value{}
	var shown []string
	for _, names := range things {
		if !slices.Contains(shown, names[0]) {
			shown = append(shown, names[0])
		}
		var lower []string
		for _, n := range names {
			lower = append(lower, asPath(n))
		}
		v.names = append(v.names, lower)
	}
	v.text = strings.Join(shown, ", ")
	return v
}

// Is reports whether it is known, and all things match a pattern.
func (v Value) Is(pattern string) bool { return len(v.names) > 0 && v.matches("==", pattern) }

// matches reports whether all things match a pattern (==), or none does (!=).
func (v Value) matches(op, pattern string) bool {
	for _, names := range v.names {
		one := slices.ContainsFunc(names, func(n string) bool { return matches(pattern, n) })
		if one != (op == "==") {
			return false
		}
	}
	return true
}

func matches(pattern, name string) bool {
	is, _ := path.Match(asPath(pattern), name)
	return is
}

// asPath returns a text or pattern for [path.Match], whose * does not match a slash.
func asPath(s string) string { return strings.ReplaceAll(strings.ToLower(s), "/", "\x00") }

// quotes begin and end a text.
const quotes = `"'`

// text parses a text in quotes, or a word without. In the normal form it is in quotes.
func (p *parser) text(hint diag.Text) (string, error) {
	t := p.peek()
	s, n := t.text, len(t.text)
	switch {
	case n > 0 && strings.IndexByte(quotes, s[0]) >= 0:
		if n < 2 || s[n-1] != s[0] {
			return "", p.fail(diag.Say("blocks.quote-not-closed"), diag.Say("blocks.text-end-hint", "quote", s[:1]))
		}
		s = s[1 : n-1]
	case slices.Contains(operators, s), slices.Contains([]string{"(", ")", ",", "=", "!", "and", "or", "not"}, s):
		s = ""
	}
	if s == "" {
		return "", p.fail(diag.Say("blocks.text-missing"), hint)
	}
	quote := `"`
	if strings.Contains(s, quote) {
		quote = "'"
	}
	p.tokens[p.at].text = quote + s + quote
	p.at++
	return s, nil
}

func (p *parser) pattern(f Fact) (Value, error) {
	t := p.peek()
	s, err := p.text(diag.Say("blocks.text-operator-hint", "word", f))
	if err != nil {
		return Value{}, err
	}
	if _, err := path.Match(asPath(s), ""); err != nil {
		p.at--
		return Value{}, &Error{t.offset, max(1, len(t.text)), diag.Say("blocks.pattern-invalid", "name", s), diag.Say("blocks.pattern-invalid-hint")}
	}
	return Value{text: s}, nil
}
