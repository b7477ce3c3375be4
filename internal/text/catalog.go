package text

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/pelletier/go-toml/v2"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// A Catalog has the texts of one language. The zero Catalog is English.
// Templates write {{.T.Get "copy"}} and {{.T.Count "passed_on" 2}}.
type Catalog struct{ of *tables }

// tables are the texts of a catalog.
type tables struct {
	code string
	tag  language.Tag
	// chain has the languages to look up a text in, such as pt-br, pt, en.
	chain []string
	// texts are the texts that have a key without the name of a group.
	texts *texts
}

var english = sync.OnceValue(func() Catalog { return Of(fallback) })

// Of returns the texts of the program in a language such as pt or es-MX, or in English if gpudocs does
// not have the language. For the given groups, and the group machine, a key is the name alone:
// Of("pt", "doctor").Get("row_gpu").
func Of(code string, groups ...string) Catalog {
	c, err := load(code, groups, nil)
	if err != nil {
		panic(err) // only files of the program are read
	}
	return c
}

// ForTheme returns the texts of pages in a language: those of the layers, the first of which takes
// precedence, and those of the group machine. A text that the language does not have is English.
// If a file is invalid, the error is a [*FileError].
func ForTheme(code string, layers ...fs.FS) (Catalog, error) { return load(code, nil, layers) }

// machineGroup has the texts about a machine, for pages and the terminal.
const machineGroup = "machine"

func load(code string, names []string, layers []fs.FS) (Catalog, error) {
	primary, _, _ := strings.Cut(code, "-")
	chain := slices.Compact([]string{code, primary, fallback})
	t := &tables{code: code, tag: language.Make(code), chain: chain, texts: &texts{}}
	for _, name := range slices.Backward(t.chain) {
		for _, g := range append([]string{dateGroup, machineGroup}, names...) {
			if f := group(name, g); f != nil {
				t.texts = t.texts.overlaid(f)
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
			t.texts = t.texts.overlaid(f)
		}
	}
	return Catalog{t}, nil
}

// File returns all texts of pages in the form of a theme's i18n/fr.toml. Those that the language lacks are in English, and
// plural forms those that it has.
func (c Catalog) File() ([]byte, error) {
	t := c.tables()
	all := *t.texts
	all.Plurals = map[string]map[string]string{}
	for key, forms := range t.texts.Plurals {
		all.Plurals[key] = map[string]string{"other": forms["other"]}
		for i := range 200 {
			all.Plurals[key][categories[plural.Cardinal.MatchPlural(t.tag, i, 0, 0, 0, 0)]] = t.form(forms, i)
		}
	}
	return toml.Marshal(all)
}

func (c Catalog) tables() *tables {
	if c.of == nil {
		return english().of
	}
	return c.of
}

// Code returns the code of the language that was given to [Of] or [ForTheme].
func (c Catalog) Code() string { return c.tables().code }

// Dir returns "rtl" for a language that is written from right to left, and else "".
func (c Catalog) Dir() string {
	script, _ := c.tables().tag.Script()
	if slices.Contains([]string{"Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Syrc", "Thaa"}, script.String()) {
		return "rtl"
	}
	return ""
}

// find returns a text, or its plural forms.
func (t *tables) find(key string) (text string, forms map[string]string, ok bool) {
	if text, ok = t.texts.Strings[key]; ok {
		return text, nil, true
	}
	if forms, ok = t.texts.Plurals[key]; ok {
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

// Get returns a text with its placeholders filled from pairs of a name and a value. For a key that does not
// exist it returns the key in brackets, for the author of a theme to see.
func (c Catalog) Get(key string, pairs ...string) string {
	text, _, ok := c.tables().find(key)
	if !ok {
		return "[" + key + "]"
	}
	return fillPairs(text, pairs)
}

func fillPairs(text string, pairs []string) string {
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

// Count returns the plural form of a text for n things, with the placeholder {n} filled, and others as by [Catalog.Get].
func (c Catalog) Count(key string, n int, pairs ...string) string {
	t := c.tables()
	_, forms, _ := t.find(key)
	if forms == nil {
		return "[" + key + "]"
	}
	return fillPairs(t.form(forms, n), append(pairs, "n", c.separated(strconv.Itoa(n))))
}

// Has reports whether the language, or English, has a text without plural forms.
func (c Catalog) Has(key string) bool {
	_, forms, ok := c.tables().find(key)
	return ok && forms == nil
}

// Texts returns for a script the texts whose keys begin with a prefix, by the rest of their keys: strings,
// and plural forms by category. They are those of the groups that were given to [Of].
func (c Catalog) Texts(prefix string) map[string]any {
	texts := map[string]any{}
	for key, text := range c.tables().texts.Strings {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			texts[rest] = text
		}
	}
	for key, forms := range c.tables().texts.Plurals {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			texts[rest] = forms
		}
	}
	return texts
}

// Say returns a message in the language.
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

// value returns an argument of a message in the language.
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

// Error returns the text of an error. It is in the language for a [Message], for another error with a method
// In, for an error that wraps one of these and adds nothing, and for common errors of the system. Others of the
// system or of a library are in English.
func (c Catalog) Error(err error) string {
	var in interface {
		error
		In(c Catalog) string
	}
	if errors.As(err, &in) && in.Error() == err.Error() {
		return in.In(c)
	}
	switch err := err.(type) { //nolint:errorlint // what wraps them says more
	case *fs.PathError:
		if why := c.Error(err.Err); why != err.Err.Error() {
			return err.Path + ": " + why
		}
	case syscall.Errno:
		if m := systemError(err); m.Key() != "" {
			return c.Say(m)
		}
	}
	return err.Error()
}

// systemError returns the message for a common error of the system, or an empty one.
func systemError(err syscall.Errno) Message {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Say("diag.system-not-there")
	case errors.Is(err, fs.ErrPermission):
		return Say("diag.system-permission")
	case err == syscall.ENOTDIR:
		return Say("diag.system-no-folder")
	case err == syscall.EISDIR:
		return Say("diag.system-folder")
	case err == syscall.ENOSPC:
		return Say("diag.system-full")
	case err == syscall.EROFS:
		return Say("diag.system-read-only")
	}
	return Message{}
}

// fill replaces {name} and {name:q} if there is a value of that name.
func fill(text string, value func(name string) (string, bool)) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "}")
		if !ok {
			return b.String() + text
		}
		begin := strings.LastIndexByte(before, '{')
		name, quoted := strings.CutSuffix(before[begin+1:], ":q")
		v, known := value(name)
		switch {
		case begin < 0 || !known:
			b.WriteString(before + "}")
		case quoted:
			b.WriteString(before[:begin] + strconv.Quote(v))
		default:
			b.WriteString(before[:begin] + v)
		}
		text = rest
	}
}

// Date returns a day in the language's own form, in UTC.
func (c Catalog) Date(day time.Time) string {
	day = day.UTC()
	d := c.tables().texts.Date
	return strings.NewReplacer(
		"{day}", strconv.Itoa(day.Day()),
		"{month}", d.Months[day.Month()-1],
		"{year}", strconv.Itoa(day.Year()),
	).Replace(d.Format)
}

// Number returns a number with the language's separators.
func (c Catalog) Number(v float64, decimals int) string {
	return c.separated(strconv.FormatFloat(v, 'f', decimals, 64))
}

// separated puts the language's separators into a number. Spanish does not separate the thousands of four digits, and
// in Portuguese "1.024" could be read as about one: no language does.
func (c Catalog) separated(number string) string {
	d := c.tables().texts.Date
	whole, decimals, fraction := strings.Cut(number, ".")
	sign := whole[:len(whole)-len(strings.TrimLeft(whole, "-"))]
	if whole = whole[len(sign):]; len(whole) > 4 {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + d.Thousands + whole[i:]
		}
	}
	if fraction {
		whole += d.Decimal + decimals
	}
	return sign + whole
}

// amountForm matches a number with a unit, "40.0 GiB", that may follow an operator. A number without a unit may be a version.
var amountForm = lazyregexp.New(`^((?:[<>]=? )?)(-?\d+(?:\.\d+)?)((?:e[+-]?\d+)? [^\s\d]\S*)$`)

// Amount returns an amount that a report has in English, such as "40.0 GiB", with the language's separators.
// Anything else stays as it is.
func (c Catalog) Amount(s string) string {
	m := amountForm.FindStringSubmatch(s)
	if m == nil {
		return s
	}
	return m[1] + c.separated(m[2]) + m[3]
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
