package render

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/test/rendertest"
)

const evil = "<script>alert(1)</script>\"'><img src=x onerror=y>&lt;\x1b[31m\x1b]8;;javascript:x\x07\u202e\u2066\x00\x7f\u2028\u061c\u200f\U000e0041"

// acts reports whether a text has a character that texts of a machine may not have.
func acts(c rune) bool {
	return unicode.IsControl(c) && c != '\n' && c != '\t' || unicode.Is(unicode.Bidi_Control, c) || c == '\u2028' || c == '\u2029' || c >= 0xe0000 && c <= 0xe007f
}

// TestHostileReports checks that texts from reports are escaped in every file of the site, and have no invisible
// or bidirectional characters.
func TestHostileReports(t *testing.T) {
	t.Run("texts", func(t *testing.T) {
		hostileReports(t, func(r *report.Report) { rendertest.Spoil(reflect.ValueOf(r), evil, rendertest.Codes...) })
	})
	t.Run("names", func(t *testing.T) { // of what is captured and installed, codes, units
		hostileReports(t, func(r *report.Report) {
			machine, checks := r.Machine.Name, slices.Clone(r.Checks)
			rendertest.Spoil(reflect.ValueOf(r), evil, "ID", "Kind", "Page", "Status", "Outcome", "Op", "Schema", "File", "Limits", "Sandbox", "Containment", "SVG")
			r.Machine.Name = machine
			for i, c := range checks {
				r.Checks[i].Name = c.Name
			}
			data, err := report.Encode(r)
			if err == nil {
				_, err = report.Parse(machine+".json", data)
			}
			if err != nil {
				t.Errorf("the report is rejected, so the test checks nothing: %v", err)
			}
		})
	})
}

func hostileReports(t *testing.T, spoil func(*report.Report)) {
	s := labSite(t, everyField, Options{BaseURL: "https://example.org/"}, spoil)
	shown := 0
	for _, name := range s.Paths() {
		if !slices.ContainsFunc([]string{".html", ".md", ".txt", ".xml", ".svg", ".json"}, func(e string) bool { return strings.HasSuffix(name, e) }) {
			continue
		}
		text := get(t, s, name)
		if strings.Contains(text, "alert(1)") {
			shown++
		}
		if strings.HasPrefix(name, "_results/") {
			continue // the report itself, for programs
		}
		if i := strings.IndexFunc(text, acts); i >= 0 {
			t.Errorf("%s: %q", name, text[max(0, i-80):min(len(text), i+20)])
		}
		if !utf8.ValidString(text) {
			t.Errorf("%s is not UTF-8", name)
		}
		if !strings.HasSuffix(name, ".md") && !strings.HasSuffix(name, ".txt") && !strings.HasSuffix(name, ".json") && (strings.Contains(text, "<script>alert") || strings.Contains(text, "<img src=x")) {
			t.Errorf("%s has a tag of a report's", name)
		}
	}
	if shown == 0 {
		t.Error("no text of the reports is shown anywhere")
	}
}

// overflow replaces every number in a value that may have any size.
func overflow(v reflect.Value, float float64, whole int64) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			overflow(v.Elem(), float, whole)
		}
	case reflect.Slice:
		for i := range v.Len() {
			overflow(v.Index(i), float, whole)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && !slices.Contains([]string{"Schema", "DurationMS", "BuildMS", "Index", "Line", "Cell", "Cut", "Bytes", "Taken"}, f.Name) {
				overflow(v.Field(i), float, whole)
			}
		}
	case reflect.Float64:
		v.SetFloat(float)
	case reflect.Int, reflect.Int64:
		v.SetInt(whole)
	case reflect.Uint64:
		v.SetUint(uint64(whole))
	}
}

// TestHostileNumbers checks that impossible numbers are shown or omitted, and that every file of the site can
// still be generated.
func TestHostileNumbers(t *testing.T) {
	for _, n := range []struct {
		float float64
		whole int64
	}{{math.MaxFloat64, math.MaxInt64}, {-math.MaxFloat64, math.MinInt64 + 1}, {math.SmallestNonzeroFloat64, -1}, {0, 0}} {
		s := labSite(t, everyField, Options{BaseURL: "https://example.org/"}, func(r *report.Report) {
			overflow(reflect.ValueOf(r), n.float, n.whole)
			data, err := report.Encode(r)
			if err == nil {
				_, err = report.Parse(r.Machine.Name+".json", data)
			}
			if err != nil {
				t.Fatalf("%v: the report is rejected, so the test checks nothing: %v", n, err)
			}
		})
		for _, name := range s.Paths() {
			text := get(t, s, name)
			if i := strings.Index(text, "NaN"); i >= 0 && strings.HasSuffix(name, ".html") {
				t.Errorf("%v: %s: %q", n, name, text[max(0, i-80):min(len(text), i+20)])
			}
		}
	}
}
