package results_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/test/rendertest"
)

// shown returns all views of the machines and the pages of a lab, by their names.
func shown(t *testing.T, lab *rendertest.Lab) map[string]string {
	t.Helper()
	var sources []results.Source
	for _, r := range lab.Reports {
		signature := results.Signature{State: results.SignatureState(r.Signature), By: r.Signer}
		sources = append(sources, results.Source{Report: r.Report, Local: r.Local, Signature: signature})
	}
	index, all := results.NewIndex(lab.Site, sources, []string{"unread"}, &results.Cache{}), map[string]string{}
	index.ReportURL = func(_ text.Catalog, p *site.Page, b *site.Block, machine string) string {
		return "report:" + p.Key + "/" + b.Name + "/" + machine
	}
	count, problems := index.Tally(lab.Site)
	all["problems"] = rendertest.Dump(t, count)
	for _, d := range problems {
		all["problems"] += d.Error() + "\n"
	}
	m := &nav.Map{Content: lab.Site}
	list, _ := m.Build()
	at := index.Locate(list)
	for _, of := range index.Machines {
		for c := range of.Checks() {
			if here, stale := at.Of(c); here != nil {
				all["places"] += fmt.Sprintf("%s %s: %s %s %v, %v\n", of.Name, c.Name, here.URL(), here.Block.Name, stale, at.Current(c.ID) != nil)
			}
		}
	}
	for _, row := range index.Rows(lab.Site.Pages) {
		all["rows"] += row.Page + " " + row.Title()
		for _, f := range row.Findings {
			all["rows"] += " " + f.State().Means()
		}
		all["rows"] += "\n"
	}
	for _, m := range index.Machines {
		began, known := m.Began()
		all["changes"] += fmt.Sprintf("%s began %v, %v\n", m.Name, began, known)
		for _, c := range m.Changes() {
			all["changes"] += fmt.Sprintf("%s %s: %v, was %v, %v %v\n", c.Check.Name, c.At.Format(time.DateTime), c.Now, c.Was, c.Latest, results.Since(c.Check))
		}
	}
	for _, p := range lab.Site.Pages {
		v, of := index.Present(rendertest.Texts(t, p.Language.Code), p.URL, index.Included(p)), p.URL
		all["machines"] = rendertest.Dump(t, []any{v.MachineOptions(), v.Table()})
		all[of] = rendertest.Dump(t, map[string]any{"verdicts": v.Verdicts(p), "needs": v.Needs(p), "failing": results.Failing(v, p),
			"measures": results.Measures(v, p), "checks": index.Checks(nil, p)})
		for _, n := range p.LiveValues {
			all[of] += rendertest.Dump(t, v.Live(p, n))
		}
		for _, b := range p.Blocks {
			_, requirements := v.Requirement(b.Needs, b.Environment())
			var expected []any
			for _, e := range b.Expects {
				_, on := v.ExpectedOn(b, e)
				expected = append(expected, on)
			}
			sentences := []string{}
			for _, r := range index.For(b) {
				for _, f := range r.Findings {
					sentences = append(sentences, fmt.Sprintf("%s, %s: %q", r.Name, f.Name, v.Sentences(f)))
				}
			}
			all[of+b.Name] = rendertest.Dump(t, map[string]any{"panel": v.Panel(b), "requirements": requirements, "expected": expected,
				"sentences": sentences, "need": index.Need(b).String()})
		}
	}
	return all
}

// TestGolden: what pages show of the reports in testdata.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no goldens", err)
	}
	for _, name := range names {
		lab := rendertest.Read(t, name)
		lab.Golden(t, shown(t, lab))
	}
}

// unseen are the fields of a report that this package does not use. The status page has what is measured and found over time.
var unseen = strings.Fields(`
	Report.Schema Report.Generator Machine.Limits Machine.Containment Machine.Sandbox Had.Ran
	GPU.Detail GPU.Source Counts.Dev Counts.Detail
	Environment.Interpreter Environment.Modules Environment.Lock Environment.Image Framework.CuDNN Answer.Version
	Readings.BusBits Readings.Temperature Readings.Throttle Readings.Rows Readings.Persistence Readings.Virtualization Readings.Unknown
	Clocks.Graphics Clocks.SM Clocks.Memory Clocks.MaxGraphics Clocks.MaxMemory Power.Draw PCIe.Generation PCIe.Width PCIe.UnderLoad
	ECC.Corrected ECC.Uncorrected Rows.Correctable Rows.Uncorrectable Rows.Pending Rows.Failed Instance.Profile Instance.SMs NVLink.Links
	Unknown.Field Unknown.Why
	Check.Exit Check.Files Check.Places DataFile.Path DataFile.Bytes DataFile.SHA256 Stream.Bytes Stream.SHA256 Build.Cached
	Verdict.Toolkit Verdict.GPU Verdict.Compute Verdict.NeedCompute Verdict.NeedCuDNN
	Measurement.N Measurement.DType MeasuredCPU.Threads MeasuredCPU.Runs MeasuredCPU.Median
	Task.Exit Task.DurationMS Try.DurationMS Try.Exit
	Past.DurationMS Past.BuildMS Past.Captures Past.Changed Past.SameCode Past.Unsteady`)

// TestEveryField: a golden has every field of a report, and each field that pages show changes one.
func TestEveryField(t *testing.T) {
	t.Parallel()
	const golden = "testdata/every-field.txtar"
	want := shown(t, rendertest.Read(t, golden))
	for _, field := range fields(reflect.TypeFor[report.Report](), nil) {
		lab, found := rendertest.Read(t, golden), false
		for _, r := range lab.Reports {
			found = clear(reflect.ValueOf(r.Report).Elem(), field) || found
		}
		changed := found && differs(t, lab, want)
		switch hidden := slices.Contains(unseen, field); {
		case !found:
			t.Errorf("%s is in no report of %s", field, golden)
		case changed == hidden:
			t.Errorf("%s: pages change without it: %v", field, changed)
		}
	}
}

// differs reports whether the views of a lab are others. Those of a report that [report.Parse] would refuse may panic.
func differs(t *testing.T, lab *rendertest.Lab, want map[string]string) (changed bool) {
	defer func() { changed = recover() != nil || changed }()
	return !reflect.DeepEqual(shown(t, lab), want)
}

// fields lists the fields of a type and of those below it: "Check.Outcome".
func fields(of reflect.Type, seen map[reflect.Type]bool) (list []string) {
	if seen == nil {
		seen = map[reflect.Type]bool{reflect.TypeFor[time.Time](): true}
	}
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct || seen[of] {
		return nil
	}
	seen[of] = true
	for f := range of.Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" && f.Tag.Get("schema") == "" {
			list = append(append(list, of.Name()+"."+f.Name), fields(f.Type, seen)...)
		}
	}
	return list
}

// clear sets a field to zero wherever it is in a value, and reports whether it was anything else.
func clear(v reflect.Value, field string) (found bool) {
	switch v.Kind() {
	case reflect.Pointer:
		return !v.IsNil() && clear(v.Elem(), field)
	case reflect.Slice:
		for i := range v.Len() {
			found = clear(v.Index(i), field) || found
		}
	case reflect.Struct:
		for f := range v.Type().Fields() {
			at := v.FieldByIndex(f.Index)
			if !at.CanSet() {
				continue
			}
			if v.Type().Name()+"."+f.Name == field {
				found = found || !at.IsZero()
				at.SetZero()
			}
			found = clear(at, field) || found
		}
	}
	return found
}
