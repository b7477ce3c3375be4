package render

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a page says of one machine is nearly what it says of another: the same elements, with
// another name, date and output. So a file for later has each form of a piece once, and a piece
// names its form and what stands in the form's gaps. That takes a tenth of the HTML,
// and what a theme wrote comes back letter by letter.

// pieces are what a machine has in each place of a page: in those of its text, and in those that
// stand outside of it, which a page of the whole section lacks.
type pieces struct{ text, own []string }

// pack writes the call that hands them over: the forms, which are lists of strings, taken as they
// are, and numbers, 0 for the machine's name and n for the n-th value of a piece; and for each machine
// its two lists of pieces, each 0 for none, or the number of its form with the values behind it.
func pack(found map[string]*pieces) ([]byte, error) {
	names := make([]string, 0, len(found))
	for name := range found {
		names = append(names, name)
	}
	slices.Sort(names)
	p := packer{forms: map[string]*form{}}
	machines := map[string][2][]any{}
	for _, name := range names {
		machines[name] = [2][]any{p.all(name, found[name].text), p.all(name, found[name].own)}
	}
	forms := make([][]any, 0, len(p.order))
	for _, f := range p.order {
		forms = append(forms, f.settle())
	}
	list, err := json.Marshal(forms) // it escapes <, > and &
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(machines)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "gpudocsDeliver(%s,%s);\n", list, data), nil
}

// A packer finds the forms of pieces.
type packer struct {
	forms map[string]*form // by their markup
	order []*form
}

// A form is pieces with the same markup: they differ in their values alone.
type form struct {
	number int
	markup string // with gapMark for each value
	pieces []*filled
}

// filled is one piece of a form.
type filled struct {
	machine string
	form    int
	values  []string // with nameMark for the machine's name; the form settles which are written
}

// MarshalJSON writes the number of the form and the values.
func (f *filled) MarshalJSON() ([]byte, error) {
	list := []any{f.form}
	for _, v := range f.values {
		list = append(list, strings.ReplaceAll(v, nameMark, f.machine))
	}
	return json.Marshal(list)
}

// The marks of a value and of a machine's name. HTML has no such characters: browsers read the first as
// U+FFFD, and the second is an error.
const gapMark, nameMark = "\x00", "\x01"

var unmarked = strings.NewReplacer(gapMark, "\ufffd", nameMark, "\ufffd")

// all takes the pieces of a machine.
func (p *packer) all(machine string, list []string) []any {
	out := make([]any, len(list))
	for i, piece := range list {
		if out[i] = 0; piece == "" {
			continue
		}
		f := &filled{machine: machine}
		var markup string
		markup, f.values = apart(markName(unmarked.Replace(piece), machine))
		known := p.forms[markup]
		if known == nil {
			known = &form{number: len(p.order), markup: markup}
			p.forms[markup] = known
			p.order = append(p.order, known)
		}
		f.form = known.number
		known.pieces = append(known.pieces, f)
		out[i] = f
	}
	return out
}

// markName marks where a piece has the machine's name as a word.
func markName(piece, machine string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(piece, machine)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		first, _ := utf8.DecodeRuneInString(after)
		last, _ := utf8.DecodeLastRuneInString(before)
		if inName(first) || inName(last) {
			b.WriteString(machine)
		} else {
			b.WriteString(nameMark)
		}
		piece = after
	}
}

func inName(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }

// apart cuts a piece into its markup and the values in it: texts, and what attributes but
// classes hold. It need not understand HTML, for the two together are the piece whatever it cuts.
func apart(piece string) (markup string, values []string) {
	var b strings.Builder
	take := func(value string) {
		if strings.TrimSpace(value) == "" {
			b.WriteString(value)
			return
		}
		b.WriteString(gapMark)
		values = append(values, value)
	}
	for piece != "" {
		text, rest, tag := strings.Cut(piece, "<")
		if take(text); !tag {
			break
		}
		b.WriteByte('<')
		for piece = rest; piece != ""; {
			at := strings.IndexAny(piece, `">`)
			if at < 0 {
				b.WriteString(piece)
				return b.String(), values
			}
			b.WriteString(piece[:at+1])
			attribute, end := piece[:at], piece[at] == '>'
			if piece = piece[at+1:]; end {
				break
			}
			value, rest, closed := strings.Cut(piece, `"`)
			if strings.HasSuffix(attribute, " class=") {
				b.WriteString(value)
			} else {
				take(value)
			}
			if piece = rest; closed {
				b.WriteByte('"')
			}
		}
	}
	return b.String(), values
}

// settle is the form as it is written. What is the same in all its pieces becomes a part of it, what
// always equals another value is that one; its pieces keep the others.
func (f *form) settle() []any {
	var parts []any
	text := ""
	add := func(number int) {
		if text != "" {
			parts = append(parts, text)
		}
		parts, text = append(parts, number), ""
	}
	write := func(s string) {
		for i, words := range strings.Split(s, nameMark) {
			if i > 0 {
				add(0)
			}
			text += words
		}
	}
	var kept []int
	for i, markup := range strings.Split(f.markup, gapMark) {
		if i > 0 {
			i-- // the value before it
			if value := f.pieces[0].values[i]; f.same(func(p *filled) bool { return p.values[i] == value }) {
				write(value)
			} else if k := slices.IndexFunc(kept, func(k int) bool { return f.same(func(p *filled) bool { return p.values[i] == p.values[k] }) }); k >= 0 {
				add(k + 1)
			} else {
				kept = append(kept, i)
				add(len(kept))
			}
		}
		write(markup)
	}
	if text != "" {
		parts = append(parts, text)
	}
	for _, p := range f.pieces {
		left := make([]string, len(kept))
		for n, i := range kept {
			left[n] = p.values[i]
		}
		p.values = left
	}
	return parts
}

func (f *form) same(is func(p *filled) bool) bool {
	return !slices.ContainsFunc(f.pieces, func(p *filled) bool { return !is(p) })
}
