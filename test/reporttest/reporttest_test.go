package reporttest

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
)

// TestText: every field of a reason is there, and no address of one.
func TestText(t *testing.T) {
	r := &report.Reason{}
	fill(reflect.ValueOf(r).Elem())
	exit := 126
	got := Text(report.Check{
		Name: "image", Outcome: report.Failed, Places: []report.Place{{File: "content/pt/a.md", Line: 152}}, Reason: r, Exit: &exit,
		Stderr: &report.Stream{Text: "a < b\n"}, Build: &report.Build{Outcome: report.Passed, Stderr: &report.Stream{Text: "a warning"}},
		Diff: []report.DiffLine{{Op: "-", Text: "yes"}},
	}, report.Check{Name: "fine", Outcome: report.Passed})
	for _, want := range []string{"content/pt/a.md:152 image: failed because: {", "\nexit code 126\n", "\nstderr \"a < b\\n\"\n", "\nbuild passed, stderr \"a warning\"\n",
		`{"op":"-","text":"yes"}`, "\nfine: passed"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	if n := strings.Count(got, "filled"); n < 4 {
		t.Errorf("%d texts of the reason in:\n%s", n, got)
	}
	if address := regexp.MustCompile(`0x[0-9a-f]{6}|0xc0`).FindString(got); address != "" {
		t.Errorf("%s in:\n%s", address, got)
	}
	if got := Reason(nil); got != "no reason" {
		t.Error(got)
	}
}

// fill sets all fields of a struct that are texts, also those behind pointers.
func fill(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() == reflect.Pointer && f.Type().Elem().Kind() == reflect.Struct {
			f.Set(reflect.New(f.Type().Elem()))
			fill(f.Elem())
		}
		if f.Kind() == reflect.String && f.CanSet() {
			f.SetString("filled")
		}
	}
}
