package text

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"github.com/gpudocs/gpudocs/internal/memo"
)

// A Catalog has the texts of one language. The zero Catalog is English.
// Templates write {{.T.Get "copy"}} and {{.T.Count "passed_on" 2}}.
type Catalog struct{ of *tables }

// tables are what a catalog looks texts up in.
type tables struct {
	code string
	tag  language.Tag
	// chain are the languages in which a text is looked for: pt-br, pt, en.
	chain []string
	// own are the texts that are known without the name of a group.
	own *texts
}

var english = sync.OnceValue(func() Catalog { return Of(fallback) })

// Of returns the texts of the program in a language such as pt or es-MX; one that gpudocs does
// not know is English. Texts of the groups named, and of the group machine, are known by
// their names alone: Of("pt", "doctor").Get("row_gpu").
func Of(code string, groups ...string) Catalog {
	c, err := load(code, groups, nil)
	if err != nil {
		panic(err) // there are no files but those of the program
	}
	return c
}

// ForTheme returns the texts of pages in a language: those of the layers, of which the first
// wins, over those of the group machine. A text that the language lacks is English.
// If a file is broken, the error is a [*FileError].
func ForTheme(code string, layers ...fs.FS) (Catalog, error) { return load(code, nil, layers) }

// machineGroup has what pages and terminals alike say of a machine.
const machineGroup = "machine"

func load(code string, names []string, layers []fs.FS) (Catalog, error) {
	primary, _, _ := strings.Cut(code, "-")
	t := &tables{code: code, tag: language.Make(code), own: &texts{}}
	t.chain = append(t.chain, slices.Compact([]string{code, primary, fallback})...)
	for _, name := range slices.Backward(t.chain) {
		for _, g := range append([]string{dateGroup, machineGroup}, names...) {
			if f := group(name, g); f != nil {
				t.own = t.own.overlaid(f)
			}
		}
		for _, layer := range slices.Backward(layers) {
			f, err := readLayer(layer, name)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return Catalog{}, err
			}
			t.own = t.own.overlaid(f)
		}
	}
	return Catalog{t}, nil
}

func (c Catalog) tables() *tables {
	if c.of == nil {
		return english().of
	}
	return c.of
}

// Code is the code of the language, as it was given to [Of] or [ForTheme].
func (c Catalog) Code() string { return c.tables().code }

// find returns a text, or its plural forms.
func (t *tables) find(key string) (text string, forms map[string]string, ok bool) {
	if text, ok = t.own.Strings[key]; ok {
		return text, nil, true
	}
	if forms, ok = t.own.Plurals[key]; ok {
		return "", forms, true
	}
	name, rest, ok := strings.Cut(key, ".")
	if !ok {
		return "", nil, false
	}
	for _, code := range t.chain {
		f := group(code, name)
		if f == nil {
			continue
		}
		if text, ok = f.Strings[rest]; ok {
			return text, nil, true
		}
		if forms, ok = f.Plurals[rest]; ok {
			return "", forms, true
		}
	}
	return "", nil, false
}

// form returns the plural form for n things.
func (t *tables) form(forms map[string]string, n int) string {
	if text, ok := forms[categories[plural.Cardinal.MatchPlural(t.tag, n, 0, 0, 0, 0)]]; ok {
		return text
	}
	return forms["other"]
}

var categories = map[plural.Form]string{
	plural.Zero: "zero", plural.One: "one", plural.Two: "two",
	plural.Few: "few", plural.Many: "many", plural.Other: "other",
}

// HashTo implements [memo.Hasher]: catalogs of the same language count as the same.
func (c Catalog) HashTo(h *memo.Hash) { h.Add(c.Code()) }

// Get returns a text with pairs of a placeholder's name and its value put in. A key that does not exist
// shows as itself, so that the author of a theme sees it.
func (c Catalog) Get(key string, pairs ...string) string {
	text, ok := c.tables().own.Strings[key]
	if !ok {
		if text, _, ok = c.tables().find(key); !ok {
			return "[" + key + "]"
		}
	}
	if len(pairs) == 0 {
		return text
	}
	return fill(text, func(name string) (string, bool) {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	})
}

// Count returns the form of a text that the language uses for n things, which fills the placeholder {n}.
func (c Catalog) Count(key string, n int) string {
	t := c.tables()
	forms, ok := t.own.Plurals[key]
	if !ok {
		if _, forms, _ = t.find(key); forms == nil {
			return "[" + key + "]"
		}
	}
	return strings.ReplaceAll(t.form(forms, n), "{n}", strconv.Itoa(n))
}

// Has reports whether the language, or English, has a text that does not count.
func (c Catalog) Has(key string) bool {
	_, forms, ok := c.tables().find(key)
	return ok && forms == nil
}

// Texts returns the texts whose keys begin with a prefix, by the rest of their keys, for a
// script: strings, and plural forms by category. It knows the groups that were named to [Of].
func (c Catalog) Texts(prefix string) map[string]any {
	texts := map[string]any{}
	for key, text := range c.tables().own.Strings {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			texts[rest] = text
		}
	}
	for key, forms := range c.tables().own.Plurals {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			texts[rest] = forms
		}
	}
	return texts
}

// Say words a message.
func (c Catalog) Say(message Message) string {
	m, t := message.m, c.tables()
	if m == nil {
		return ""
	}
	if m.key == "" {
		parts := make([]string, len(m.args))
		for i, a := range m.args {
			parts[i] = c.value(a)
		}
		return strings.Join(parts, m.separator)
	}
	text, forms, ok := t.find(m.key)
	if !ok {
		return fmt.Sprint("[", m.key, "]", m.args)
	}
	if forms != nil {
		n, _ := m.arg("n")
		count, _ := n.(int)
		text = t.form(forms, count)
	}
	return fill(text, func(name string) (string, bool) {
		a, ok := m.arg(name)
		if !ok {
			return "", false
		}
		return c.value(a), true
	})
}

// value words an argument of a message.
func (c Catalog) value(a any) string {
	switch a := a.(type) {
	case string:
		return a
	case int:
		return strconv.Itoa(a)
	case Message:
		return c.Say(a)
	case error:
		return c.Error(a)
	}
	return fmt.Sprint(a)
}

// Error words an error: in the language if it is a [Message] or another error that can be worded,
// or wraps one and adds nothing to it; in English if it comes from the system or a library.
func (c Catalog) Error(err error) string {
	var in interface {
		error
		In(c Catalog) string
	}
	if errors.As(err, &in) && in.Error() == err.Error() {
		return in.In(c)
	}
	return err.Error()
}

// fill replaces {name} and {name:q} by the values of those names that there are.
func fill(text string, value func(name string) (string, bool)) string {
	var b strings.Builder
	for {
		from := strings.IndexByte(text, '{')
		if from < 0 {
			break
		}
		b.WriteString(text[:from])
		text = text[from:]
		n := strings.IndexAny(text[1:], "{}") + 1
		if n == 0 {
			break
		}
		if text[n] == '{' { // the first one stands for itself
			b.WriteString(text[:n])
			text = text[n:]
			continue
		}
		name, quoted := strings.CutSuffix(text[1:n], ":q")
		switch v, ok := value(name); {
		case !ok:
			b.WriteString(text[:n+1])
		case quoted:
			b.WriteString(strconv.Quote(v))
		default:
			b.WriteString(v)
		}
		text = text[n+1:]
	}
	b.WriteString(text)
	return b.String()
}

// Date returns a day in the language's own form, in UTC.
func (c Catalog) Date(day time.Time) string {
	day = day.UTC()
	d := c.tables().own.Date
	return strings.NewReplacer(
		"{day}", strconv.Itoa(day.Day()),
		"{month}", d.Months[day.Month()-1],
		"{year}", strconv.Itoa(day.Year()),
	).Replace(d.Format)
}

// Number returns a number with the language's decimal separator.
func (c Catalog) Number(v float64, decimals int) string {
	return strings.Replace(strconv.FormatFloat(v, 'f', decimals, 64), ".", c.tables().own.Date.Decimal, 1)
}

// Duration returns a span of milliseconds in a unit that fits it.
func (c Catalog) Duration(ms float64) string {
	switch {
	case ms < 10:
		return c.Number(ms, 1) + " ms"
	case ms < 1000:
		return c.Number(ms, 0) + " ms"
	case ms < 60_000:
		return c.Number(ms/1000, 1) + " s"
	default:
		return fmt.Sprintf("%d min %02d s", int(ms)/60_000, int(ms)/1000%60)
	}
}
