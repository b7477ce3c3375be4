// Package rendertest makes sites and reports of machines for tests, from archives, and compares what is shown of them with
// goldens.
package rendertest

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/themes"
)

// Update is the flag -update.
var Update = flag.Bool("update", false, "write the goldens anew")

// A Lab is the site and the reports of an archive: files of the site, results/NAME.json, and signed/NAME with the state of a
// signature and the signer. The IDs of checks in reports may be the names of blocks and lines.
type Lab struct {
	Site    *site.Site
	Reports []Report
	archive *txtar.Archive
	name    string
}

// A Report is one of a lab. Local is set for results/local.json.
type Report struct {
	*report.Report
	Local             bool
	Signature, Signer string
}

// Read reads an archive.
func Read(t testing.TB, name string) *Lab {
	t.Helper()
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lab := Make(t, a)
	lab.name = name
	return lab
}

// Make returns the lab of an archive.
func Make(t testing.TB, a *txtar.Archive) *Lab {
	t.Helper()
	lab, files := &Lab{archive: a}, map[string]string{}
	for _, f := range a.Files {
		folder, rest, _ := strings.Cut(f.Name, "/")
		switch folder {
		case "results":
			r := Report{Report: &report.Report{}, Local: rest == "local.json"}
			if err := json.Unmarshal(f.Data, r.Report); err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
			lab.Reports = append(lab.Reports, r)
		case "signed":
			for i, r := range lab.Reports {
				if r.Machine.Name == rest {
					lab.Reports[i].Signature, lab.Reports[i].Signer, _ = strings.Cut(strings.TrimSpace(string(f.Data)), " ")
				}
			}
		case "want":
		default:
			files[f.Name] = string(f.Data)
		}
	}
	s, diags := load.Load(sitetest.FS(files), load.Options{})
	if diags.HasErrors() {
		t.Fatal(sitetest.Print(diags))
	}
	lab.Site = s
	ids := IDs(s)
	for _, r := range lab.Reports {
		for i, c := range r.Checks {
			if id, ok := ids[string(c.ID)]; ok {
				r.Checks[i].ID = id
			}
		}
	}
	return lab
}

// IDs returns the ID of each check of a site by its name, and by its language and name: "pt:hello".
func IDs(s *site.Site) map[string]report.ID {
	ids := map[string]report.ID{}
	for _, p := range s.Pages {
		for _, b := range p.Blocks {
			for _, of := range b.Runs() {
				for _, c := range of.Checks() {
					ids[c.Name], ids[p.Language.Code+":"+c.Name] = c.ID, c.ID
				}
			}
		}
	}
	return ids
}

var catalogs sync.Map // by the code of a language

// Texts returns the interface texts of the default theme.
func Texts(t testing.TB, language string) text.Catalog {
	t.Helper()
	c, ok := catalogs.Load(language)
	if !ok {
		read, err := text.ForTheme(language, themes.Default())
		if err != nil {
			t.Fatal(err)
		}
		c, _ = catalogs.LoadOrStore(language, read)
	}
	return c.(text.Catalog)
}

// Golden compares texts with those of the archive, want/NAME.
func (l *Lab) Golden(t testing.TB, got map[string]string) {
	t.Helper()
	want := map[string]string{}
	rest := slices.DeleteFunc(slices.Clone(l.archive.Files), func(f txtar.File) bool {
		name, is := strings.CutPrefix(f.Name, "want/")
		if is {
			want[name] = string(f.Data)
		}
		return is
	})
	if *Update {
		for _, name := range slices.Sorted(maps.Keys(got)) {
			rest = append(rest, txtar.File{Name: "want/" + name, Data: []byte(got[name])})
		}
		l.archive.Files = rest
		if err := os.WriteFile(l.name, txtar.Format(l.archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got; write it anew with -update):\n%s", l.name, d)
	}
}

// Codes are the names of fields of a report that are no free text.
var Codes = strings.Fields("Name ID Kind Page Status Outcome Op Code Schema File Limits Sandbox " +
	"Containment Why DType Unit Quantity What SVG")

// Spoil replaces every text in a value, but those in fields of some names and of older schemas.
func Spoil(v reflect.Value, with string, keep ...string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			Spoil(v.Elem(), with, keep...)
		}
	case reflect.Slice:
		for i := range v.Len() {
			Spoil(v.Index(i), with, keep...)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.IsExported() && f.Tag.Get("schema") == "" && (f.Type.Kind() != reflect.String || !slices.Contains(keep, f.Name)) {
				Spoil(v.Field(i), with, keep...)
			}
		}
	case reflect.String:
		if v.Len() > 0 {
			v.SetString(with)
		}
	}
}

// Dump returns what is set in a view, one field a line.
func Dump(t testing.TB, view any) string {
	t.Helper()
	var data bytes.Buffer
	e := json.NewEncoder(&data)
	e.SetEscapeHTML(false)
	if err := e.Encode(view); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(&data)
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	dump(&b, "\n", v)
	return strings.TrimLeft(b.String(), "\n") + "\n"
}

// dump writes a value. Each field begins with line, a line break and blanks, but the first of an element of a list.
func dump(b *strings.Builder, line string, v any) {
	switch v := v.(type) {
	case map[string]any:
		begin := line
		if strings.HasSuffix(b.String(), "-") {
			begin = " "
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if set(v[key]) {
				b.WriteString(begin + key + ":")
				dump(b, line+"  ", v[key])
				begin = line
			}
		}
	case []any:
		for _, e := range v {
			b.WriteString(line + "-")
			dump(b, line+"  ", e)
		}
	case string:
		b.WriteString(" " + strings.ReplaceAll(strings.TrimRight(v, "\n"), "\n", line))
	default:
		fmt.Fprint(b, " ", v)
	}
}

// set reports whether a value is not the zero value of its type.
func set(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), set)
	case []any:
		return len(v) > 0
	case json.Number:
		return v != "0"
	}
	return v != nil && v != "" && v != false
}
