package theme

import (
	"errors"
	"html/template"
	"io/fs"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Faults are the errors of a theme, with their positions.
type Faults struct{ List diag.List }

// Error returns the first line of each.
func (e *Faults) Error() string {
	var lines []string
	for _, d := range e.List {
		lines = append(lines, d.Error())
	}
	return strings.Join(lines, "\n")
}

// Unwrap makes errors.Is(err, ErrFault) true.
func (e *Faults) Unwrap() error { return ErrFault }

// templateError matches Go's errors of templates: the file and line, a column counted from 0 if it is
// known, and the text there.
var (
	templateError = lazyregexp.New(`(?s)^(?:html/)?template: ?([^:\s]+):(\d+)(?::(\d+))?: (?:executing ".*?" at <(.*?)>: )?(.*)$`)
	noField       = lazyregexp.New(`^can't evaluate field (\w+) in type \*?(?:\w+\.)?(\w+)$`)
	noEntry       = lazyregexp.New(`^map has no entry for key "(.*)"$`)
	noFunction    = lazyregexp.New(`^function "(.*)" not defined$`)
	noTemplate    = lazyregexp.New(`^(?:no such template|template) "(.*?)"(?: not defined)?$`)
)

// functions are the functions and keywords of templates:
// https://pkg.go.dev/text/template#hdr-Functions.
var functions = []string{"and", "call", "html", "index", "slice", "js", "len", "not", "or", "print", "printf", "println", "urlquery",
	"eq", "ge", "gt", "le", "lt", "ne", "if", "else", "end", "range", "with", "define", "template", "block", "break", "continue"}

var viewHint = diag.Say("theme.template-data-hint")

// templateFault returns the diagnostic for an error of Go, with a hint. data is the data of the
// template, or nil if it was only parsed.
func templateFault(theme fs.FS, err error, set *template.Template, data any) diag.Diagnostic {
	m := templateError.FindStringSubmatch(err.Error())
	if m == nil {
		return diag.Diagnostic{File: defaultDir, Message: diag.Plain(err)}
	}
	name := "layouts/" + m[1]
	message := explain(m[5], m[4], set, data)
	text, err := fs.ReadFile(theme, name)
	if err != nil { // a template without a file
		return diag.About(diag.Error, winningFile(theme, name), message)
	}
	f := diag.NewFile(winningFile(theme, name), text)
	line, _ := strconv.Atoi(m[2])
	from := f.Offset(line, 1)
	source := f.Text(line)
	column, e := strconv.Atoi(m[3])
	width := len(strings.TrimSuffix(m[4], "..."))
	if e != nil { // the whole line
		column = len(source) - len(strings.TrimLeft(source, " \t"))
		width = len(source) - column
	} else if at := strings.Index(source, strings.TrimSuffix(m[4], "...")); width > 0 && at >= 0 {
		if near := strings.Index(source[min(max(0, column-width), len(source)):], strings.TrimSuffix(m[4], "...")); near >= 0 {
			at = near + min(max(0, column-width), len(source))
		}
		column = at
	}
	return f.Error(from+column, from+column+max(width, 1), message)
}

// unknownTemplate says that there is no template of that name.
func unknownTemplate(name string, set *template.Template) diag.Text {
	hint := diag.Suggest(name, names(set), diag.Say("theme.template-define-hint", "name", name))
	return diag.Say("theme.template-unknown", "name", name).WithHint(hint)
}

// explain returns the text for a message of Go, with a hint.
func explain(message, at string, set *template.Template, data any) diag.Text {
	if m := noField.FindStringSubmatch(message); m != nil {
		known := fields(reflect.TypeOf(data), m[2])
		return diag.Say("theme.field-missing", "name", m[1], "other", m[2]).WithHint(diag.Suggest(m[1], known, viewHint))
	}
	if m := noEntry.FindStringSubmatch(message); m != nil {
		var keys []string
		if site := reflect.Indirect(reflect.ValueOf(data)); site.Kind() == reflect.Struct && site.FieldByName("Site").IsValid() {
			if view, ok := site.FieldByName("Site").Interface().(SiteView); ok {
				for key := range view.Params {
					keys = append(keys, key)
				}
			}
		}
		slices.Sort(keys)
		hint := diag.Suggest(m[1], keys, diag.Say("theme.style-variable-hint"))
		return diag.Say("theme.field-missing-at", "at", at, "name", m[1]).WithHint(hint)
	}
	if m := noFunction.FindStringSubmatch(message); m != nil {
		hint := diag.Suggest(m[1], functions, diag.Say("theme.template-function-hint"))
		return diag.Say("theme.function-unknown", "function", m[1]).WithHint(hint)
	}
	if m := noTemplate.FindStringSubmatch(message); m != nil {
		return unknownTemplate(m[1], set)
	}
	if strings.HasPrefix(message, "nil pointer evaluating") {
		return diag.Say("theme.field-absent-on-page", "at", at).WithHint(diag.Say("theme.template-with-hint"))
	}
	if at != "" {
		return diag.Say("diag.message-at", "place", at, "what", message).WithHint(viewHint)
	}
	return diag.Plain(message).WithHint(diag.Say("theme.template-syntax-hint"))
}

// fields returns the fields of the type with that name within the data of a template.
func fields(t reflect.Type, name string) (found []string) {
	seen := map[reflect.Type]bool{reflect.TypeFor[text.Catalog](): true}
	var walk func(t reflect.Type)
	walk = func(t reflect.Type) {
		for t != nil && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map) {
			t = t.Elem()
		}
		if t == nil || t.Kind() != reflect.Struct || seen[t] {
			return
		}
		seen[t] = true
		for f := range t.Fields() {
			if t.Name() == name && f.IsExported() {
				found = append(found, f.Name)
			}
			walk(f.Type)
		}
	}
	walk(t)
	return found
}

// names returns the names of all templates of a set.
func names(set *template.Template) (list []string) {
	for _, t := range set.Templates() {
		if t.Name() != "" {
			list = append(list, t.Name())
		}
	}
	slices.Sort(list)
	return list
}

// textFault returns the diagnostic for a file of texts that is invalid or cannot be read.
func textFault(theme fs.FS, err error) diag.Diagnostic {
	var f *text.FileError
	if !errors.As(err, &f) {
		var unread *fs.PathError
		if errors.As(err, &unread) {
			return diag.Unreadable(winningFile(theme, unread.Path), unread)
		}
		return diag.Diagnostic{File: defaultDir, Message: diag.Plain(err)}
	}
	message := diag.Plain(f.Err).WithHint(diag.Say("theme.texts-form-hint"))
	data, e := fs.ReadFile(theme, f.Name)
	if f.Line == 0 || e != nil {
		return diag.About(diag.Error, winningFile(theme, f.Name), message)
	}
	source := diag.NewFile(winningFile(theme, f.Name), data)
	at := min(source.Offset(f.Line, 1)+max(f.Column, 1)-1, len(data))
	return source.Error(at, at+1, message)
}
