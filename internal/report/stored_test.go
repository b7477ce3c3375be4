package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
)

// withoutRuns ignores when a run began, which schema 1 does not say.
var withoutRuns = cmp.Options{cmpopts.IgnoreFields(Check{}, "Run"), cmpopts.IgnoreFields(Past{}, "Run"), cmpopts.EquateEmpty()}

func parsed(t *testing.T, machine string, data []byte) *Report {
	t.Helper()
	r, err := Parse(machine+".json", data)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func encodedAs(t *testing.T, r *Report) []byte {
	t.Helper()
	data, err := Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// again returns the report after another run, as verify writes it, in which the chosen checks found the same as before. Clocks and
// temperatures of the GPUs have changed.
func again(r *Report, began time.Time, chosen func(i int) bool) *Report {
	out := *r
	out.Checks = slices.Clone(r.Checks)
	for i, c := range r.Checks {
		if !chosen(i) {
			continue
		}
		now := &out.Checks[i]
		now.Run, now.Ran, now.DurationMS = began, began.Add(time.Duration(i/3)*time.Second), c.DurationMS+0.125
		now.History = append([]Past{c.Past()}, c.History...)
		now.History = now.History[:min(len(now.History), MaxHistory)]
		now.Captures = slices.Clone(c.Captures)
		for k, v := range now.Captures {
			now.Captures[k].Value = v.Value + "1"
			if v.Drift != nil {
				drift := *v.Drift
				drift.N, drift.Median = drift.N+1, drift.Median+0.5
				now.Captures[k].Drift = &drift
			}
		}
		if b := c.Build; b != nil {
			build := *b
			build.DurationMS++
			now.Build = &build
		}
		if len(c.Captures) > 0 && c.Stdout != nil {
			stream := *c.Stdout
			stream.Text += "1"
			now.Stdout = &stream
		}
		if len(c.Captures) > 0 && c.Found != "" {
			now.Found += "1"
		}
		if m := c.Measurement; m != nil {
			measured := *m
			measured.GPUs = slices.Clone(m.GPUs)
			for k := range measured.GPUs {
				measured.GPUs[k].Rate, measured.GPUs[k].Median = measured.GPUs[k].Rate+0.5, measured.GPUs[k].Median+0.5
			}
			now.Measurement = &measured
		}
		now.Tasks = slices.Clone(c.Tasks)
		for k := range now.Tasks {
			now.Tasks[k].DurationMS++
		}
	}
	return &out
}

// changedLines returns how many lines were removed and added, and whether the lines that stayed kept their order.
func changedLines(a, b []byte) (removed, added int) {
	count := map[string]int{}
	for l := range bytes.Lines(a) {
		count[string(l)]++
	}
	for l := range bytes.Lines(b) {
		if count[string(l)] > 0 {
			count[string(l)]--
		} else {
			added++
		}
	}
	for _, n := range count {
		removed += n
	}
	return removed, added
}

func every(int) bool { return true }

// TestFewLinesChange: a run in which nothing changed adds one line to a report, and alters one for each measured value. From the history's limit on, it
// also removes the line of the oldest run.
func TestFewLinesChange(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 3, 1, 2, 0, 0, 0, time.UTC)
	bare := &Report{Schema: Schema, Generator: "gpudocs 0.1.0", Machine: sample().Machine}
	for i := range 24 {
		c := Check{ID: GPULine(fmt.Sprint(i)), Kind: KindPython, Page: "p", Name: fmt.Sprintf("#%d", i), Places: []Place{{File: "content/en/p.md", Line: 7*i + 3}},
			Outcome: Passed, Run: began, Ran: began.Add(time.Duration(i/3) * time.Second), DurationMS: 12.5, Exit: new(int), Stdout: &Stream{Text: "True\n"}, Interpreter: "Python 3.12.4"}
		switch i {
		case 3:
			c.Outcome, c.Reason, c.Stderr = Failed, &Reason{Code: ReasonException, Said: "NameError: ...", Place: &Place{File: "content/en/p.md", Line: 30}}, &Stream{Text: "Traceback\n"}
		case 5:
			c.Outcome, c.Reason, c.Exit, c.Stdout = Skipped, &Reason{Code: ReasonNoGPU}, nil, nil
		case 8:
			c.Kind, c.Build = "cuda", &Build{Outcome: Passed, DurationMS: 1900.5, Tool: "nvcc 12.4.131", Stderr: &Stream{Text: "warning"}}
		}
		bare.Checks = append(bare.Checks, c)
	}
	full := sample()
	for _, tt := range []struct {
		name   string
		from   *Report
		values int // check with measured values, and GPUs that were measured
		chosen func(int) bool
	}{
		{"nothing measured", bare, 0, every},
		{"some checks", bare, 0, func(i int) bool { return i%5 == 1 }},
		{"one check", bare, 0, func(i int) bool { return i == 3 }},
		{"none", bare, 0, func(int) bool { return false }},
		{"with values", full, 1 + 2 + 1, every}, // captures; two GPUs; tasks
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, run := tt.from, began
			if tt.from == full {
				run = full.Checks[0].Run
			}
			before := encodedAs(t, r)
			for night := range 2*MaxHistory + 3 {
				run = run.AddDate(0, 0, 1)
				r = again(parsed(t, r.Machine.Name, before), run, tt.chosen)
				after := encodedAs(t, r)
				if d := cmp.Diff(r, parsed(t, r.Machine.Name, after), cmpopts.EquateEmpty()); d != "" {
					t.Fatalf("night %d (-memory +file)\n%s", night, d)
				}
				removed, added := changedLines(before, after)
				// A list of runs that gets its first or loses its last line moves a comma.
				if added > 1+tt.values+1 || removed > 1+tt.values+1 {
					t.Fatalf("night %d: %d lines removed, %d added\n%s", night, removed, added, cmp.Diff(strings.Split(string(before), "\n"), strings.Split(string(after), "\n")))
				}
				before = after
			}
			old, err := json.MarshalIndent(r, "", "  ")
			if err != nil || len(before) > len(old) {
				t.Errorf("%d bytes, of which schema 1 had %d (%v)", len(before), len(old), err)
			}
			t.Logf("%d bytes, in the form of schema 1 %d", len(before), len(old))
		})
	}
}

// TestOldReports: each committed report of schema 1 reads as it did, and can be written as schema 2 and read again.
func TestOldReports(t *testing.T) {
	t.Parallel()
	var files []string
	for _, pattern := range []string{"../../results/*.json", "../../test/browser/testdata/*/results/*.json"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := parsed(t, nameOf(file), data)
		written := encodedAs(t, r)
		back := parsed(t, nameOf(file), written)
		if d := cmp.Diff(r, back, withoutRuns); d != "" {
			t.Errorf("%s (-read +written and read)\n%.2000s", file, d)
		}
		if !bytes.Equal(encodedAs(t, back), written) {
			t.Errorf("%s: written twice, it differs", file)
		}
		removed, added := changedLines(written, encodedAs(t, again(back, back.Newest().AddDate(0, 0, 1), every)))
		t.Logf("%s: %d checks, %d bytes became %d; a rerun removes %d lines and adds %d", file, len(r.Checks), len(data), len(written), removed, added)
	}
}

// TestRoundTrip: reports with clocks that were set back, runs within one second, and merged histories are written and read without a change.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	base := time.Date(2026, 3, 1, 2, 0, 0, 0, time.UTC)
	for range 300 {
		r := &Report{Schema: Schema, Machine: Machine{Name: "m", GPU: GPU{Status: GPUNone}}, Checks: []Check{}}
		when := func() (run, ran time.Time) {
			ran = base.Add(time.Duration(random.IntN(5)) * time.Hour * time.Duration(random.IntN(50)*random.IntN(50))).Add(time.Duration(random.IntN(3) * random.IntN(1e9)))
			return ran.Add(-time.Duration(random.IntN(2) * random.IntN(1e15) % int(maxRun))), ran
		}
		for i := range random.IntN(6) {
			c := Check{ID: GPULine(fmt.Sprint(i)), Kind: KindBash, Places: []Place{}, Outcome: Passed, DurationMS: random.Float64() * 1e6}
			c.Run, c.Ran = when()
			for range random.IntN(4) {
				p := Past{Outcome: []Outcome{Passed, Failed, Skipped, Errored}[random.IntN(4)], Code: []string{"", "x"}[random.IntN(2)], DurationMS: random.Float64(),
					Unsteady: random.IntN(2) == 0, Changed: random.IntN(2) == 0, SameCode: random.IntN(2) == 0, BuildMS: random.Float64(), Captures: []Capture{{Name: "a", Value: "1", Bound: "> 1", Drift: &Drift{N: 1}}}[:random.IntN(2)]}
				p.Run, p.Ran = when()
				c.History = append(c.History, p)
			}
			r.Checks = append(r.Checks, c)
		}
		data := encodedAs(t, r)
		if d := cmp.Diff(r, parsed(t, "m", data), cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("(-memory +file)\n%s\n%s", d, data)
		}
	}
}

// hostileRuns returns a report with one check and the given runs.
func hostileRuns(runs string) []byte {
	return fmt.Appendf(nil, `{"schema": 2, "generator": "g", "machine": {"name": "m", "os": "", "arch": "", "gpu": {"status": "none"}}, "checks": [{"id": "%s",
"kind": "bash", "page": "p", "name": "n", "places": [], "outcome": "passed"}], "runs": [%s]}`, id(1), runs)
}

func TestHostileRuns(t *testing.T) { // not parallel, because it compares times
	one := `{"id": "` + string(id(1)) + `", "duration_ms": 1}`
	at := func(results ...string) string {
		return `{"at": "2026-01-02T03:04:05Z", "results": [` + strings.Join(results, ", ") + `]}`
	}
	for runs, want := range map[string]string{
		at(one):                  "",
		at(one) + `, ` + at(one): "",
		``:                       `check 1: no time`,
		at(one) + `, ` + at(strings.Replace(one, string(id(1)), string(id(2)), 1)): `run 2: check "` + string(id(2)) + `" is not in the report`,
		at(one, one): `run 1: check "` + string(id(1)) + `" occurs twice`,
		at():         "run 1: it has no results",
		at(strings.Replace(one, `"d`, `"after_ms": -0.5, "d`, 1)):                                                      "run 1: a result -0.5 ms after its start",
		at(strings.Replace(one, `"d`, `"after_ms": 1e300, "d`, 1)):                                                     "run 1: a result 1e+300 ms after its start",
		strings.Replace(at(strings.Replace(one, `"d`, `"after_ms": 604800000, "d`, 1)), "2026-01-02", "9999-12-31", 1): "after its start",
		at(strings.Replace(one, `}`, `, "outcome": "failed", "code": "x"}`, 1)):                                        `the newest result of check "` + string(id(1)) + `" is not that of the check`,
		at(strings.Replace(one, `}`, `, "build_ms": 1}`, 1)):                                                           "is not that of the check",
		at(one) + `, ` + at(strings.Replace(one, `}`, `, "outcome": "x"}`, 1)):                                         `unknown outcome "x"`,
		at(one) + `, ` + at(strings.Replace(one, `}`, `, "build_ms": -1}`, 1)):                                         `a build of -1 ms`,
		at(one) + `, ` + at(strings.Replace(one, `}`, `, "code": "`+strings.Repeat("x", maxShort+1)+`"}`, 1)):          `a text of 1025 bytes`,
		at(strings.Replace(one, `}`, `, "ran": "x"}`, 1)):                                                              `m.json:2:`,
		strings.Repeat(at(one)+", ", MaxHistory) + at(one):                                                             "",
		strings.Repeat(at(one)+", ", MaxHistory+1) + at(one):                                                           `"history" has more than 20 elements`,
	} {
		_, err := Parse("m.json", hostileRuns(runs))
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) {
			t.Errorf("%.300s: %v, want %s", runs, err, want)
		}
	}
	if testing.Short() {
		return
	}
	for _, of := range []func(n int) string{
		func(n int) string { return strings.Repeat(at(one)+",", n) + at(one) },
		func(n int) string { return at(strings.Repeat(one+", ", n) + one) },
		func(n int) string { return strings.Repeat(at()+",", n) + at() },
	} {
		complexitytest.Check(t, "{", 64<<10, func(n int) { _, _ = Parse("m.json", hostileRuns(of(n/64))) })
	}
	// Many checks with long histories are written in a time in proportion to their number.
	complexitytest.Check(t, "c", 4<<10, func(n int) {
		r := &Report{Schema: Schema, Machine: Machine{Name: "m"}}
		for i := range n / 16 {
			c := Check{ID: ID(fmt.Sprint(i)), Outcome: Passed, Ran: time.Unix(int64(i), 0)}
			for k := range MaxHistory {
				c.History = append(c.History, Past{Ran: time.Unix(int64(i-k*3600), 0), Outcome: Passed})
			}
			r.Checks = append(r.Checks, c)
		}
		data, _ := json.Marshal(store(r))
		layout(append(data, '\n'))
	})
}
