package theme

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/tomlfile"
)

// Dir is the folder of a site that contains its themes, File the name of a theme's own file.
const (
	Dir  = "themes"
	File = "theme.toml"
	// Default is the name of the theme that the program brings.
	Default = "default"
)

// A Theme is a folder below themes/ with those that it extends, without the default theme.
type Theme struct {
	Name, Title, Description, Licence, Extends string
	// Layers are the folders, the theme's own first.
	Layers []Layer
	// Params are those of all layers. A layer overrides those that it extends.
	Params map[string]any
	// Style is CSS that sets the variables of [colours].
	Style string
}

// Over lays the theme over the default theme.
func (t *Theme) Over(base fs.FS) fs.FS {
	var all []fs.FS
	for _, l := range t.Layers {
		all = append(all, l)
	}
	return Overlay(append(all, base)...)
}

// file is the content of theme.toml.
type file struct {
	Name        string         `toml:"name" doc:"Name of the theme for people."`
	Description string         `toml:"description" doc:"One sentence about the theme."`
	Licence     string         `toml:"licence" doc:"Licence of the theme, as SPDX writes it."`
	GPUDocs     string         `toml:"gpudocs" doc:"Oldest version of gpudocs that can read the theme."`
	Extends     string         `toml:"extends" doc:"Theme that this one is laid over. Default: the default theme."`
	Colours     colours        `toml:"colours" doc:"Variables of the style, for light and dark pages."`
	Params      map[string]any `toml:"params" doc:"Values for templates: {{.Site.Params.key}}. A site sets its own in [params] of gpudocs.toml."`
}

// Schema returns the JSON Schema of theme.toml.
func Schema() []byte { return tomlfile.Schema("theme.toml of gpudocs", reflect.TypeFor[file](), false) }

type colours struct {
	Light map[string]string `toml:"light" doc:"Values in the light scheme."`
	Dark  map[string]string `toml:"dark" doc:"Values in the dark scheme."`
}

// Names returns the themes of a site, sorted, without the default.
func Names(site fs.FS) []string {
	entries, err := fs.ReadDir(site, Dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && e.Name() != Default && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names
}

// Open reads a theme and those that it extends. base is the default theme, whose variables can be set;
// version is that of the program. A theme "default" without a folder has no layers.
func Open(site fs.FS, name string, base fs.FS, version string) (*Theme, diag.List) {
	r := reader{site: site, version: version, variables: variables(base)}
	config := diag.NewFile("gpudocs.toml", nil)
	if data, err := fs.ReadFile(site, config.Name); err == nil {
		config = diag.NewFile(config.Name, data)
	}
	out := &Theme{Name: name, Params: map[string]any{}}
	light, dark := map[string]string{}, map[string]string{}
	var seen []string
	for next, by := name, config; next != "" && (next != Default || isDir(site, path.Join(Dir, Default))); {
		dir := path.Join(Dir, next)
		if strings.ContainsAny(next, `/\`) || strings.HasPrefix(next, ".") {
			r.fault(by, "extends", next, diag.Say("theme.extends-invalid", "next", next, "dir", Dir))
			break
		}
		if !isDir(site, dir) {
			key := "extends"
			if by == config {
				key = "theme"
			}
			message := diag.Say("theme.theme-missing", "dir", dir, "next", next)
			r.fault(by, key, next, message.WithHint(diag.Suggest(next, append(Names(site), Default), message.Hint())))
			break
		}
		seen = append(seen, next)
		sub, err := fs.Sub(site, dir)
		if err != nil {
			r.diags.Add(diag.Unreadable(dir, err))
			break
		}
		out.Layers = append(out.Layers, Layer{sub, dir})
		r.files(dir)
		f, source := r.read(path.Join(dir, File))
		if next == name {
			out.Title, out.Description, out.Licence, out.Extends = f.Name, f.Description, f.Licence, f.Extends
		}
		below(out.Params, f.Params)
		below(light, f.Colours.Light)
		below(dark, f.Colours.Dark)
		if slices.Contains(seen, f.Extends) {
			names := strings.Join(append(seen, f.Extends), " → ")
			r.fault(source, "extends", f.Extends, diag.Say("theme.extends-cycle", "extends", f.Extends, "seen", names))
			break
		}
		next, by = f.Extends, source
	}
	out.Style = style(light, dark, r.variables)
	return out, r.diags
}

// below adds the entries of more whose keys are not in over.
func below[V any](over, more map[string]V) {
	for k, v := range more {
		if _, has := over[k]; !has {
			over[k] = v
		}
	}
}

// files reports files that a theme must not publish. The theme's folder may be a link within the site,
// so that two themes share one.
func (r *reader) files(dir string) {
	if d, hidden := sitefile.LinksToHidden(r.site, dir); hidden {
		r.diags.Add(d)
		return
	}
	for _, part := range []string{"assets", "layouts", "i18n"} {
		_ = fs.WalkDir(r.site, path.Join(dir, part), func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil && errors.Is(err, fs.ErrNotExist):
			case err != nil:
				r.diags.Add(diag.Unreadable(name, err))
			case d.IsDir() || d.Type().IsRegular() || strings.HasPrefix(d.Name(), "."):
			default:
				if fault, ok := sitefile.Publishable(r.site, name); !ok {
					r.diags.Add(fault)
				}
			}
			return nil
		})
	}
}

func isDir(fsys fs.FS, name string) bool {
	info, err := fs.Stat(fsys, name)
	return err == nil && info.IsDir()
}

type reader struct {
	site      fs.FS
	version   string
	variables map[string][2]string
	diags     diag.List
	suggest   diag.Suggester
	// byKey are the positions of the keys of the file of.
	of    *diag.File
	byKey map[string][]place
}

// fault adds an error at a value of a key, or at the key if the value is empty.
func (r *reader) fault(f *diag.File, key, value string, message diag.Text) {
	d := diag.About(diag.Error, f.Name, message) // the value is written with escapes, or in an inline table
	for _, at := range slices.Backward(r.places(f)[key]) {
		switch {
		case value == "":
			d = f.Error(at.key, at.key+len(key), message)
		case bytes.HasPrefix(f.Data[at.value:], []byte(value)):
			d = f.Error(at.value, at.value+len(value), message)
		}
	}
	r.diags.Add(d)
}

// A place has the offsets of a key, and of its value without the quotes.
type place struct{ key, value int }

var assignment = lazyregexp.New(`(?m)^[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'=#]+))[ \t]*=[ \t]*["']*`)

// places returns the positions of the keys at the beginnings of the lines of a file.
func (r *reader) places(f *diag.File) map[string][]place {
	if r.of != f {
		r.of, r.byKey = f, map[string][]place{}
		for _, at := range assignment.FindAllSubmatchIndex(f.Data, -1) {
			begin, end := max(at[2], at[4], at[6]), max(at[3], at[5], at[7])
			key := string(f.Data[begin:end])
			r.byKey[key] = append(r.byKey[key], place{begin, at[1]})
		}
	}
	return r.byKey
}

// read reads a theme.toml, which need not exist.
func (r *reader) read(name string) (out file, f *diag.File) {
	data, err := fs.ReadFile(r.site, name)
	f = diag.NewFile(name, bytes.TrimPrefix(data, []byte("\ufeff")))
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			r.diags.Add(diag.Unreadable(name, err))
		}
		return out, f
	}
	read, diags := tomlfile.Decode(f, &out, tomlfile.Hints{
		Unknown: func(known []string) diag.Text {
			return diag.Say("theme.theme-toml-keys-hint", "known", strings.Join(known, ", "))
		},
		Broken: diag.Say("theme.theme-toml-form-hint"),
	})
	r.diags.Add(diags...)
	if !read {
		return file{}, f
	}
	r.versions(f, out.GPUDocs)
	for _, scheme := range []map[string]string{out.Colours.Light, out.Colours.Dark} {
		for _, key := range slices.Sorted(maps.Keys(scheme)) {
			r.colour(f, key, scheme[key])
		}
	}
	return out, f
}

// colourValue matches values that neither end a declaration nor load anything.
var colourValue = lazyregexp.New(`^[#\w(),.%/ +-]+$`)

func (r *reader) colour(f *diag.File, key, value string) {
	switch {
	case r.variables[key] == [2]string{}:
		known := func() []string { return slices.Sorted(maps.Keys(r.variables)) }
		hint := r.suggest.Suggest(key, known, diag.Say("theme.style-variables-list-hint"))
		r.fault(f, key, "", diag.Say("theme.style-variable-unknown", "key", key).WithHint(hint))
	case !colourValue.MatchString(value) || strings.Contains(value, "url("):
		r.fault(f, key, value, diag.Say("theme.colour-invalid", "value", value))
	}
}

// versions reports a program that is older than the theme requires.
func (r *reader) versions(f *diag.File, least string) {
	if least == "" {
		return
	}
	want, err := number(least)
	if err != nil {
		r.fault(f, "gpudocs", least, diag.Say("theme.version-invalid", "least", least))
		return
	}
	if have, err := number(r.version); err == nil && have.Less(want) {
		r.fault(f, "gpudocs", least, diag.Say("theme.version-too-old", "least", least, "version", r.version))
	}
}

// number returns the numbers of a version; suffixes such as "-dev" are ignored.
func number(version string) (ask.Value, error) {
	version, _, _ = strings.Cut(strings.TrimPrefix(version, "v"), "-")
	version, _, _ = strings.Cut(version, "+")
	return ask.Version(version)
}

var (
	variable = lazyregexp.New(`(?m)^\s*--([a-z][a-z-]*): *([^;]*)`)
	both     = lazyregexp.New(`^light-dark\((.+), (.+)\)$`)
)

// variables returns the variables at the beginning of the default theme's style, by their names
// without --, each with its light and its dark value. The dark value is empty if one value applies to
// both.
func variables(base fs.FS) map[string][2]string {
	values := map[string][2]string{}
	data, err := fs.ReadFile(base, "assets/style.css/00-colours.css")
	if err != nil {
		return values
	}
	for _, m := range variable.FindAllStringSubmatch(string(data), -1) {
		if _, known := values[m[1]]; known {
			continue // the fallback for old browsers
		}
		values[m[1]] = [2]string{m[2]}
		if two := both.FindStringSubmatch(m[2]); two != nil {
			values[m[1]] = [2]string{two[1], two[2]}
		}
	}
	return values
}

// style returns the CSS that sets variables, as the default theme does. If a theme sets one for one
// scheme only, the other keeps the default.
func style(light, dark map[string]string, defaults map[string][2]string) string {
	values := maps.Clone(light)
	maps.Copy(values, dark)
	if len(values) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(":root {")
	for _, name := range slices.Sorted(maps.Keys(values)) {
		l, d := cmp.Or(light[name], defaults[name][0]), cmp.Or(dark[name], defaults[name][1])
		if d == "" || d == l {
			fmt.Fprintf(&b, " --%s: %s;", name, l)
			continue
		}
		fmt.Fprintf(&b, " --%s: light-dark(%s, %s);", name, l, d)
	}
	b.WriteString(" }\n")
	return b.String()
}

// Override overrides the theme's parameters by a site's [params]. A key that the theme does not have,
// or of another type, is an error in gpudocs.toml.
func (t *Theme) Override(site fs.FS, params map[string]any) (diags diag.List) {
	if len(params) == 0 {
		return nil
	}
	r := reader{site: site}
	f := diag.NewFile("gpudocs.toml", nil)
	if data, err := fs.ReadFile(site, f.Name); err == nil {
		f = diag.NewFile(f.Name, data)
	}
	merged := maps.Clone(t.Params)
	known := sync.OnceValue(func() []string { return slices.Sorted(maps.Keys(t.Params)) })
	for _, key := range slices.Sorted(maps.Keys(params)) {
		was, has := t.Params[key]
		switch {
		case !has:
			hint := r.suggest.Suggest(key, known, diag.Say("theme.parameters-listed-hint"))
			r.fault(f, key, "", diag.Say("theme.parameter-unknown", "name", t.Name, "key", key).WithHint(hint))
		case reflect.TypeOf(was) != reflect.TypeOf(params[key]):
			r.fault(f, key, "", diag.Say("theme.parameter-kind-wrong", "key", key, "was", kind(was)))
		}
		merged[key] = params[key]
	}
	t.Params = merged
	return r.diags
}

// kind returns the name of a type of TOML.
func kind(v any) diag.Text {
	switch v.(type) {
	case string:
		return diag.Say("diag.kind-text")
	case bool:
		return diag.Say("diag.kind-boolean")
	case int64, float64:
		return diag.Say("theme.kind-number")
	case []any:
		return diag.Say("theme.kind-list")
	case map[string]any:
		return diag.Say("theme.kind-table")
	}
	return diag.Plain(fmt.Sprintf("%T", v))
}
