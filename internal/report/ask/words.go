package ask

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text"
)

// maxInWords is the number of comparisons up to which an expression is easier to read in words.
const maxInWords = 8

// A phrase is a part of an expression in words: what a machine has, and what it does not have. Choice is set
// if it is one of several things.
type phrase struct {
	with, without []string
	choice        bool
}

// Words returns the expression as a noun phrase for readers, such as "a GPU and PyTorch 1.12 or higher".
// Without is set if it is what a machine must not have. The phrase is empty for the zero Expr and for
// an expression that is too long.
func (e Expr) Words(t text.Catalog) (words string, without bool) {
	n := 0
	if e.root != nil {
		e.each(func(*comparison) { n++ })
	}
	if n == 0 || n > maxInWords {
		return "", false
	}
	p := phraseOf(t, e.root, false)
	if len(p.with) == 0 {
		return joined(t, "words_neither", p.without), true
	}
	return p.inline(t), false
}

func phraseOf(t text.Catalog, n node, negated bool) (p phrase) {
	switch n := n.(type) {
	case *comparison:
		words, without := n.words(t, negated)
		if without {
			return phrase{without: []string{words}}
		}
		return phrase{with: []string{words}}
	case not:
		return phraseOf(t, n.of, !negated)
	case pair:
		l, r := phraseOf(t, n.left, negated), phraseOf(t, n.right, negated)
		if n.or == negated { // not (a or b) is not a and not b
			l, r = l.grouped(l.choice), r.grouped(r.choice)
			return phrase{with: slices.Concat(l.with, r.with), without: slices.Concat(l.without, r.without)}
		}
		one := func(p phrase) string {
			if len(p.with)+len(p.without) > 1 {
				return "(" + p.inline(t) + ")"
			}
			return p.inline(t)
		}
		return phrase{with: []string{t.Get("words_or", "a", one(l), "b", one(r))}, choice: true}
	}
	return p
}

// grouped returns a phrase of one text in parentheses if needed.
func (p phrase) grouped(needed bool) phrase {
	if needed {
		p.with = []string{"(" + p.with[0] + ")"}
	}
	return p
}

// inline returns a phrase as one text.
func (p phrase) inline(t text.Catalog) string {
	parts := []string{}
	if p.with != nil {
		parts = append(parts, joined(t, "words_and", p.with))
	}
	if p.without != nil {
		parts = append(parts, t.Get("words_without", "what", joined(t, "words_neither", p.without)))
	}
	return strings.Join(parts, ", ")
}

// joined joins a list, the last two of which the text of a key joins.
func joined(t text.Catalog, key string, list []string) string {
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return t.Get(key, "a", strings.Join(list[:last], ", "), "b", list[last])
}

// opposites are the operators of negated comparisons.
var opposites = map[string]string{">=": "<", "<": ">=", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}

// words returns the comparison in words. without reports whether it is what a machine must not have.
func (c *comparison) words(t text.Catalog, negated bool) (words string, without bool) {
	op, e := c.op, c.fact.Entry()
	if negated {
		op = opposites[op]
	}
	name, value := c.fact.Name(t), c.value.text
	switch {
	case e.Source == FromRules && toolkit.MatchString(value):
		return t.Get("words_toolkit", "version", value[2:4]+"."+value[4:]), negated
	case e.Source == FromRules:
		return t.Get(e.Words, "name", Fact(value).Name(t)), negated
	case c.op == "":
		return name, negated
	case e.Kind == OfCount:
		return e.count(t, op, int(c.value.Uint64()))
	case e.Kind == OfSize:
		return amount(t, op, t.Get("words_of", "value", t.Amount(value), "name", name)), false
	case e.Kind == OfWord:
		value = strings.Trim(value, "*")
	}
	if key := comparisons[op]; key != "" {
		return t.Get(key, "name", name, "value", value), false
	}
	return name + " " + value, false
}

// comparisons and amounts are the keys of texts for operators; "==" and ">=" need none.
var (
	comparisons = map[string]string{">=": "words_from", ">": "words_above", "<=": "words_to", "<": "words_below", "!=": "words_other"}
	amounts     = map[string]string{">": "words_more", "<=": "words_most", "<": "words_less", "==": "words_exactly", "!=": "words_not"}
)

// count returns a comparison with a count in words.
func (e *Entry) count(t text.Catalog, op string, n int) (words string, without bool) {
	switch {
	case op == ">":
		op, n = ">=", n+1
	case op == "<" && n > 0:
		op, n = "<=", n-1
	case op == "!=" && n == 0:
		op, n = ">=", 1
	}
	switch {
	case n == 0 && op == ">=":
		return t.Get("words_any", "name", string(e.Fact)), false
	case n == 0:
		return t.Count(e.Words, 1), true
	}
	return amount(t, op, t.Count(e.Words, n)), false
}

// amount returns a comparison with an amount in words.
func amount(t text.Catalog, op, what string) string {
	if key := amounts[op]; key != "" {
		return t.Get(key, "what", what)
	}
	return what
}

// Spelling returns the name of software as its makers write it: "PyTorch" for torch.
func Spelling(name string) string { return cmp.Or(Fact(name).Entry().Spelling, name) }

// Name returns the name of a fact in words.
func (f Fact) Name(t text.Catalog) string {
	e := f.Entry()
	_, argument := f.Call()
	if e.Words != "" && e.Kind != OfCount {
		return t.Get(e.Words, "name", argument)
	}
	return cmp.Or(e.Spelling, argument, string(f))
}
