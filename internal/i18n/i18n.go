// Package i18n holds what gpudocs says to people in their language: texts with
// {holes}, plurals, dates and numbers.
//
// Texts stand in i18n/<code>.toml of one or more layers, such as a site's theme
// over the default theme. Below all of them lie the texts of this package: what
// gpudocs says of a machine, on a page and in a terminal alike (why it has no
// usable GPU and what mends that, what a driver can run, what was measured).
// A language without a file of its own, or a file that lacks a text, takes it
// from English, which has every text.
package i18n

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// Strings are the texts of one language. Templates write {{.T.Get "copy"}} and {{.T.Count "passed_on" 2}}.
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

//go:embed i18n
var common embed.FS

// Load reads the texts of a language: English below, the language over it, and
// of each first those of this package and then those of the layers, of which
// the first wins. An error names the file and the line in it.
func Load(code string, layers ...fs.FS) (Strings, error) {
	primary, _, _ := strings.Cut(code, "-")
	s := Strings{tag: language.Make(code), file: &stringsFile{}}
	for _, name := range []string{fallbackLanguage, primary, code} {
		for _, layer := range slices.Backward(append(slices.Clip(layers), common)) {
			own, err := readStrings(layer, name)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return Strings{}, err
			}
			s.file = s.file.overlaid(own)
		}
	}
	return s, nil
}

func readStrings(layer fs.FS, code string) (*stringsFile, error) {
	name := "i18n/" + code + ".toml"
	data, err := fs.ReadFile(layer, name)
	if err != nil {
		return nil, err
	}
	f := &stringsFile{}
	if err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(f); err != nil {
		return nil, fmt.Errorf("%s%w", name, at(err))
	}
	if n := len(f.Date.Months); n != 0 && n != 12 {
		return nil, fmt.Errorf("%s: date.months has %d names, not 12", name, n)
	}
	return f, nil
}

// at puts the line and column of a TOML error before it.
func at(err error) error {
	var unknown *toml.StrictMissingError
	var broken *toml.DecodeError
	switch {
	case errors.As(err, &unknown) && len(unknown.Errors) > 0:
		row, col := unknown.Errors[0].Position()
		return fmt.Errorf(":%d:%d: unknown key %q; there are [strings], [plurals.NAME] and [date]", row, col, strings.Join(unknown.Errors[0].Key(), "."))
	case errors.As(err, &broken):
		row, col := broken.Position()
		return fmt.Errorf(":%d:%d: %w", row, col, err)
	}
	return fmt.Errorf(": %w", err)
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
		out.Date.Months = own.Date.Months
	}
	out.Date.Format = cmp.Or(own.Date.Format, out.Date.Format)
	out.Date.Decimal = cmp.Or(own.Date.Decimal, out.Date.Decimal)
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
	if len(pairs) == 2 {
		return strings.ReplaceAll(text, "{"+pairs[0]+"}", pairs[1])
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
