package render

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// Strings are the interface texts of one language, read from i18n/<code>.toml
// of the theme. Templates write {{.T.Get "copy"}} and {{.T.Count "passed_on" 2}}.
type Strings struct {
	tag  language.Tag
	file *stringsFile
}

// stringsFile is the form of an i18n file.
type stringsFile struct {
	// Strings hold {name} where Get's arguments go.
	Strings map[string]string `toml:"strings"`
	// Plurals hold, by the plural categories of the language (one, few, many,
	// other), a text with {n}.
	Plurals map[string]map[string]string `toml:"plurals"`
	Date    struct {
		// Months are the twelve short names, Format has {day} {month} {year}.
		Months []string `toml:"months"`
		Format string   `toml:"format"`
		// Decimal separates the decimals of a number.
		Decimal string `toml:"decimal"`
	} `toml:"date"`
}

// fallbackLanguage has every text: a language without a file of its own, or a
// file that lacks a text, takes it from here.
const fallbackLanguage = "en"

func loadStrings(theme fs.FS, code string) (Strings, error) {
	base, err := readStrings(theme, fallbackLanguage)
	if err != nil {
		return Strings{}, err
	}
	s := Strings{tag: language.Make(code), file: base}
	primary, _, _ := strings.Cut(code, "-")
	for _, name := range []string{primary, code} {
		own, err := readStrings(theme, name)
		if isNotExist(err) {
			continue
		}
		if err != nil {
			return Strings{}, err
		}
		s.file = s.file.overlaid(own)
	}
	return s, nil
}

func readStrings(theme fs.FS, code string) (*stringsFile, error) {
	name := "i18n/" + code + ".toml"
	data, err := fs.ReadFile(theme, name)
	if err != nil {
		return nil, err
	}
	f := &stringsFile{}
	if err := toml.Unmarshal(data, f); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if n := len(f.Date.Months); n != 0 && n != 12 {
		return nil, fmt.Errorf("%s: date.months has %d names, not 12", name, n)
	}
	return f, nil
}

// overlaid returns f with what own has in its place.
func (f *stringsFile) overlaid(own *stringsFile) *stringsFile {
	out := &stringsFile{Strings: map[string]string{}, Plurals: map[string]map[string]string{}, Date: f.Date}
	for _, from := range []*stringsFile{f, own} {
		for k, v := range from.Strings {
			out.Strings[k] = v
		}
		for k, v := range from.Plurals {
			out.Plurals[k] = v
		}
	}
	if own.Date.Months != nil {
		out.Date = own.Date
	}
	return out
}

// Get returns a text with pairs of {name} and value put in. An unknown name
// shows as itself, so that a theme's author sees it.
func (s Strings) Get(name string, pairs ...string) string {
	text, ok := s.file.Strings[name]
	if !ok {
		return "[" + name + "]"
	}
	if len(pairs) == 0 {
		return text
	}
	marked := make([]string, len(pairs))
	for i, p := range pairs {
		if i%2 == 0 {
			p = "{" + p + "}"
		}
		marked[i] = p
	}
	return strings.NewReplacer(marked...).Replace(text)
}

// Count returns the form of a text that the language uses for n things.
func (s Strings) Count(name string, n int) string {
	forms, ok := s.file.Plurals[name]
	if !ok {
		return "[" + name + "]"
	}
	text, ok := forms[categories[plural.Cardinal.MatchPlural(s.tag, n, 0, 0, 0, 0)]]
	if !ok {
		text = forms["other"]
	}
	return strings.ReplaceAll(text, "{n}", strconv.Itoa(n))
}

var categories = map[plural.Form]string{
	plural.Zero: "zero", plural.One: "one", plural.Two: "two",
	plural.Few: "few", plural.Many: "many", plural.Other: "other",
}

// Date returns a day in the language's own form, in UTC.
func (s Strings) Date(t time.Time) string {
	t = t.UTC()
	d := s.file.Date
	return strings.NewReplacer(
		"{day}", strconv.Itoa(t.Day()),
		"{month}", d.Months[t.Month()-1],
		"{year}", strconv.Itoa(t.Year()),
	).Replace(d.Format)
}

// Number returns a number with the language's decimal separator.
func (s Strings) Number(v float64, decimals int) string {
	return strings.Replace(strconv.FormatFloat(v, 'f', decimals, 64), ".", s.file.Date.Decimal, 1)
}

// Duration returns a span of milliseconds in a unit that fits it.
func (s Strings) Duration(ms float64) string {
	switch {
	case ms < 10:
		return s.Number(ms, 1) + " ms"
	case ms < 1000:
		return s.Number(ms, 0) + " ms"
	case ms < 60_000:
		return s.Number(ms/1000, 1) + " s"
	default:
		return fmt.Sprintf("%d min %02d s", int(ms)/60_000, int(ms)/1000%60)
	}
}

// Has tells whether the language or its fallback has a text.
func (s Strings) Has(name string) bool {
	_, ok := s.file.Strings[name]
	return ok
}
