package text

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

//go:embed en es pt
var files embed.FS

// fallback is the language that has every text.
const fallback = "en"

// texts are the texts of one or more files.
type texts struct {
	// Strings are the texts without plural forms.
	Strings map[string]string `toml:"strings"`
	// Plurals have a text for each plural category of the language.
	Plurals map[string]map[string]string `toml:"plurals"`
	Date    date                         `toml:"date"`
}

// A date describes how a language writes days and numbers.
type date struct {
	// Months are the twelve short names, Format has {day} {month} {year}.
	Months []string `toml:"months"`
	Format string   `toml:"format"`
	// Decimal separates the decimals of a number, Thousands its thousands.
	Decimal   string `toml:"decimal"`
	Thousands string `toml:"thousands"`
}

// overlaid returns f with the texts of over in place of its own.
func (f *texts) overlaid(over *texts) *texts {
	out := &texts{Strings: map[string]string{}, Plurals: map[string]map[string]string{}, Date: f.Date}
	for _, from := range []*texts{f, over} {
		maps.Copy(out.Strings, from.Strings)
		maps.Copy(out.Plurals, from.Plurals)
	}
	if over.Date.Months != nil {
		out.Date.Months = over.Date.Months
	}
	out.Date.Format = cmp.Or(over.Date.Format, out.Date.Format)
	out.Date.Decimal = cmp.Or(over.Date.Decimal, out.Date.Decimal)
	out.Date.Thousands = cmp.Or(over.Date.Thousands, out.Date.Thousands)
	return out
}

// groups caches the groups that were used, by file. A run without messages about links never reads
// links.toml.
var groups sync.Map

// group returns the texts of a group in one language, or nil if there is no such file.
func group(language, name string) *texts {
	file := language + "/" + name + ".toml"
	if f, ok := groups.Load(file); ok {
		return f.(*texts)
	}
	f, err := readGroup(file)
	if err != nil {
		panic(fmt.Errorf("%s: %w", file, err)) // it is part of the program
	}
	groups.Store(file, f)
	return f
}

func readGroup(file string) (*texts, error) {
	data, err := files.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	f := &texts{Strings: map[string]string{}, Plurals: map[string]map[string]string{}}
	if strings.HasSuffix(file, "/"+dateGroup+".toml") {
		return f, toml.Unmarshal(data, &f.Date)
	}
	var entries map[string]any
	if err := toml.Unmarshal(data, &entries); err != nil {
		return nil, err
	}
	return f, f.add("", entries)
}

// add adds the entries of a file, or of a table in it.
func (f *texts) add(prefix string, entries map[string]any) error {
	for name, entry := range entries {
		name = prefix + name
		switch entry := entry.(type) {
		case string:
			f.Strings[name] = entry
		case map[string]any:
			if _, counts := entry["other"]; !counts {
				if err := f.add(name+".", entry); err != nil {
					return err
				}
				continue
			}
			forms := map[string]string{}
			for category, form := range entry {
				s, ok := form.(string)
				if !ok {
					return fmt.Errorf("%s.%s is not a text", name, category)
				}
				forms[category] = s
			}
			f.Plurals[name] = forms
		default:
			return fmt.Errorf("%s is neither a text nor a table", name)
		}
	}
	return nil
}

// dateGroup is the file of a language for days and numbers.
const dateGroup = "date"

// A FileError is a fault in a theme's file of texts.
type FileError struct {
	// Name is the file's path in the theme: i18n/pt.toml.
	Name string
	// Line and Column count from 1; 0 means that the place is not known.
	Line, Column int
	// Err is a [Message], or an error of the TOML decoder.
	Err error
}

func (e *FileError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Name, e.Err)
	}
	return fmt.Sprintf("%s:%d:%d: %v", e.Name, e.Line, e.Column, e.Err)
}

func (e *FileError) Unwrap() error { return e.Err }

// readLayer reads the texts of a theme in a language: [strings], [plurals.NAME] and [date].
func readLayer(layer fs.FS, code string) (*texts, error) {
	name := "i18n/" + code + ".toml"
	data, err := fs.ReadFile(layer, name)
	if err != nil {
		return nil, err
	}
	f := &texts{}
	if err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(f); err != nil {
		return nil, withPosition(name, err)
	}
	if n := len(f.Date.Months); n != 0 && n != 12 {
		return nil, &FileError{Name: name, Err: Say("theme.texts-months", "n", n)}
	}
	return f, nil
}

// withPosition adds the line and column of a TOML error.
func withPosition(name string, err error) error {
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok && len(unknown.Errors) > 0 {
		first := &unknown.Errors[0]
		row, col := first.Position()
		return &FileError{name, row, col, Say("theme.texts-key-unknown", "key", strings.Join(first.Key(), "."))}
	}
	if invalid, ok := errors.AsType[*toml.DecodeError](err); ok {
		row, col := invalid.Position()
		return &FileError{name, row, col, errors.New(strings.TrimPrefix(err.Error(), "toml: "))}
	}
	return &FileError{Name: name, Err: err}
}
