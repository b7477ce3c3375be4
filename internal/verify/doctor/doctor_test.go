package doctor

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
	facts "github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

var update = flag.Bool("update", false, "write the goldens anew")

// written returns the text of a whole diagnosis.
func written(t *testing.T, d *Diagnosis, o TextOptions) string {
	t.Helper()
	var b strings.Builder
	text := NewText(&b, o)
	for _, s := range []Section{Machine, GPUs, Software, Pythons, Cluster, Tools, TheSite, Found} {
		text.Section(s, d)
	}
	if err := text.Err(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestText compares the text for invented machines with golden files in all languages: at most
// 80 columns wide, no text missing, no trailing blanks.
func TestText(t *testing.T) {
	for name, machine := range machines() {
		for _, language := range []string{"en", "es", "pt"} {
			t.Run(name+"/"+language, func(t *testing.T) {
				d := machine()
				golden(t, filepath.Join("testdata", name+"."+language+".txt"), written(t, d, TextOptions{Language: language}))
				check(t, written(t, d, TextOptions{Language: language, Verbose: true}))
			})
		}
	}
}

var missing = regexp.MustCompile(`\[[a-z]+_[a-z_-]+\]|\{[a-z_]+\}`)

func check(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if n := terminal.Columns(line); n > usualWidth {
			t.Errorf("%d columns: %s", n, line)
		}
		if strings.TrimRight(line, " ") != line {
			t.Errorf("trailing blanks in %q", line)
		}
		if m := missing.FindString(line); m != "" {
			t.Errorf("missing text %s", m)
		}
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	check(t, got)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := gocmp.Diff(string(want), got); d != "" {
		t.Errorf("%s differs; go test -update writes it (-want +got):\n%s", file, d)
	}
}

// TestColour: colours change no character, and each mark is followed by words.
func TestColour(t *testing.T) {
	escape := regexp.MustCompile(`\x1b\[[0-9;]*m`)
	for name, machine := range machines() {
		d := machine()
		bare := written(t, d, TextOptions{Language: "en"})
		colour := written(t, d, TextOptions{Language: "en", Color: true})
		if strings.Contains(bare, "\x1b") || !strings.Contains(colour, "\x1b[") || escape.ReplaceAllString(colour, "") != bare {
			t.Errorf("%s: colour changes the text", name)
		}
	}
}

// TestCodes: every code of the schema has a text in every language.
func TestCodes(t *testing.T) {
	for _, language := range []string{"en", "es", "pt"} {
		text := NewText(&bytes.Buffer{}, TextOptions{Language: language})
		for prefix, codes := range codesOfReport(t) {
			for _, c := range codes {
				if !text.Has(prefix + c) {
					t.Errorf("%s: no text %s%s", language, prefix, c)
				}
			}
		}
		for _, c := range codesOfReport(t)["gpu_"] {
			// The text is cut there: the problem; the hint.
			if what, mend, ok := strings.Cut(text.Get("gpu_"+c), "; "); what == "" || ok && mend == "" {
				t.Errorf("%s: gpu_%s has no hint", language, c)
			}
		}
	}
}

// codesOfReport returns the values that docs/report.schema.json allows, and the findings of
// docs/doctor.schema.json, by the prefix of their texts.
func codesOfReport(t *testing.T) map[string][]string {
	t.Helper()
	var doc struct {
		Defs map[string]struct {
			Properties map[string]struct {
				Enum  []string
				Items struct{ Enum []string }
			}
		} `json:"$defs"`
	}
	read(t, "../../../docs/report.schema.json", &doc)
	codes := map[string][]string{
		"gpu_":    doc.Defs["gpu"].Properties["code"].Enum,
		"differ_": doc.Defs["counts"].Properties["why"].Enum,
		"why_":    doc.Defs["unknown"].Properties["why"].Enum,
		"throttle_": {"gpu-idle", "app-clocks", "sw-power-cap", "hw-slowdown", "sync-boost", "sw-thermal", "hw-thermal",
			"hw-power-brake", "display-clocks"},
	}
	read(t, "../../../docs/doctor.schema.json", &doc)
	codes["finding_"] = doc.Defs["finding"].Properties["code"].Enum
	codes["tool_"] = doc.Defs["tool"].Properties["name"].Enum
	codes["kind_"] = doc.Defs["python"].Properties["kind"].Enum
	for prefix, c := range codes {
		if len(c) < 3 {
			t.Fatalf("no codes of %s", prefix)
		}
	}
	return codes
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestFindings(t *testing.T) {
	for name, machine := range machines() {
		d := machine()
		if !slices.IsSortedFunc(d.Findings, func(a, b Finding) int { return rank(a) - rank(b) }) {
			t.Errorf("%s: the worst finding is not the first", name)
		}
		want := name == "broken" || name == "node"
		if d.Broken() != want {
			t.Errorf("%s: Broken is %v", name, d.Broken())
		}
	}
	d := &Diagnosis{Machine: report.Machine{GPU: report.GPU{Status: report.GPUOk, Driver: "580.65.06", CUDA: "13.0", Devices: []report.Device{{Name: "X"}}}},
		CUDA: CUDA{Library: "/lib/libcuda.so.1"}}
	if f := findings(d); f == nil || len(f) != 0 {
		t.Errorf("a machine without problems: %v", f)
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want []string
	}{
		{"", 10, []string{""}},
		{"uma ação não cabe", 10, []string{"uma ação", "não cabe"}},
		{"/opt/toolkits/bin", 10, []string{"/opt/", "toolkits/", "bin"}},
		{"aaaaaaaaaaaaaaa b", 10, []string{"aaaaaaaaaa", "aaaaa b"}},
		{"漢字漢字漢字 x", 10, []string{"漢字漢字漢", "字 x"}},
		{"é́é́", 10, []string{"é́é́"}},
	} {
		got := terminal.Wrap(c.text, c.most)
		if d := gocmp.Diff(c.want, got); d != "" {
			t.Errorf("%q: %s", c.text, d)
		}
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("a b/c 漢字 ação", 12)
	f.Add("\u05b5 0", 122) // a word of width zero was lost
	f.Add("\x80\xff aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 0)
	f.Fuzz(func(t *testing.T, text string, most int) {
		most = most & 127
		lines := terminal.Wrap(text, most)
		for _, l := range lines {
			if terminal.Columns(l) > max(most, 10) {
				t.Errorf("%d columns in %d: %q", terminal.Columns(l), most, l)
			}
		}
		if strings.Join(strings.Fields(strings.Join(lines, "")), "") != strings.Join(strings.Fields(text), "") {
			t.Errorf("%q became %q", text, lines)
		}
	})
}

// TestFacts: doctor has a line for each fact that a requirement may name and that it knows without being asked: without its field in the
// report the text is another one.
func TestFacts(t *testing.T) {
	full := node()
	full.CUDA.Module = "" // nothing stands in for the driver and the clocks
	for _, d := range full.Machine.GPU.Devices {
		d.Readings.Clocks.Graphics, d.Readings.Clocks.MaxGraphics = nil, nil
	}
	data, err := json.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	// A diagnosis has these in more detail than a report.
	elsewhere := map[facts.Fact]string{facts.RAM: "system.memory_bytes", facts.Cores: "system.processors", facts.Slurm: "slurm.version", facts.Python: "pythons.interpreter",
		facts.NVCC: "cuda.installed.nvcc", facts.Label: "-"}
	for _, e := range facts.Table() {
		field := cmp.Or(elsewhere[e.Fact], e.Field)
		if e.Source == facts.FromPython && e.Fact != facts.Python {
			field = "pythons.frameworks"
		}
		if field == "-" || e.Argument != "" || e.Source == facts.FromMeasuring {
			continue
		}
		var root map[string]any
		if err := json.Unmarshal(data, &root); err != nil {
			t.Fatal(err)
		}
		removed := remove(root, strings.Split(field, "."))
		var less Diagnosis
		if changed, err := json.Marshal(root); err != nil {
			t.Fatal(err)
		} else if err := json.Unmarshal(changed, &less); err != nil {
			t.Fatal(err)
		}
		o := TextOptions{Language: "en", Verbose: true}
		if !removed || written(t, &less, o) == written(t, full, o) {
			t.Errorf("doctor has no line for %s (%s)", e.Fact, field)
		}
	}
}

// remove removes a field from a value of JSON, in lists from each item.
func remove(v any, path []string) (removed bool) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			removed = remove(item, path) || removed
		}
	case map[string]any:
		if len(path) > 1 {
			return remove(v[path[0]], path[1:])
		}
		_, removed = v[path[0]]
		delete(v, path[0])
	}
	return removed
}
