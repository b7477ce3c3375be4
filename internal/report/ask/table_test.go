package ask

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text"
)

// The tests below range over the table. Each names the facts that lack something.

func each(t *testing.T, do func(*testing.T, *Entry)) {
	for i := range table {
		name := table[i].Fact
		if table[i].Argument != "" {
			name += "()"
		}
		t.Run(string(name), func(t *testing.T) { do(t, &table[i]) })
	}
}

func TestTableEntries(t *testing.T) {
	seen := map[string]bool{}
	each(t, func(t *testing.T, e *Entry) {
		if l, err := ParseLine(e.Example); err != nil || !strings.HasPrefix(l.String(), string(e.Fact)) || e.Kind != OfRate && l.Fact().Entry() != e {
			t.Errorf("the example is %q, %v", l, err)
		}
		if _, err := Parse(e.Example); (err == nil) != e.inExpressions() {
			t.Errorf("needs= takes it: %v", err)
		}
		if key := string(e.Fact) + "(" + e.Argument; seen[key] {
			t.Errorf("%s is in the table twice", e.Fact)
		} else {
			seen[key] = true
		}
		reads := e.read != nil || e.device != nil
		if known := e.Source == FromGPUs || e.Source == FromMachine; known != reads || (e.sensor.value != nil) != (e.Source == FromSensors) {
			t.Errorf("it is not said how %s is read from a report", e.Fact)
		}
	})
}

// TestTableWords: pages, terminal and doctor have words for each fact, in each language.
func TestTableWords(t *testing.T) {
	each(t, func(t *testing.T, e *Entry) {
		if !e.inExpressions() {
			return
		}
		for _, language := range []string{"en", "es", "pt"} {
			c := text.Of(language)
			switch {
			case e.Words == "" && e.Spelling == "" && e.Argument == "":
				t.Errorf("%s has neither words nor a spelling", e.Fact)
			case e.Kind == OfCount && c.Count(e.Words, 7) == c.Count(e.Words, 8), e.Kind != OfCount && e.Words != "" && !c.Has(e.Words):
				t.Errorf("%s: %s has no text %s", language, e.Fact, e.Words)
			}
			expression, err := Parse(e.Example)
			if err != nil {
				t.Fatal(err)
			}
			if words, _ := expression.Words(c); words == "" || strings.Contains(words, string(e.Fact)+" ") && e.Spelling == "" && e.Words == "" {
				t.Errorf("%s: %s in words is %q", language, e.Example, words)
			}
		}
	})
}

// TestTableManual: the manual has a row for each fact.
func TestTableManual(t *testing.T) {
	const file = "../../../docs/content/en/reference.md"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Join(regexp.MustCompile(`(?m)^\| [^|]*`).FindAllString(string(data), -1), "\n")
	each(t, func(t *testing.T, e *Entry) {
		name := "`" + string(e.Fact)
		if !strings.Contains(rows, name+"`") && !strings.Contains(rows, name+"(") && !strings.Contains(rows, "`"+e.Example+"`") {
			t.Errorf("%s has no row for %s", file, e.Fact)
		}
	})
}

// TestTableFields: the schema of reports has the field of each fact.
func TestTableFields(t *testing.T) {
	data, err := os.ReadFile("../../../docs/report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	var field func(at map[string]any, path []string) bool
	field = func(at map[string]any, path []string) bool {
		if ref, ok := at["$ref"].(string); ok {
			at = root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
		}
		if items, ok := at["items"].(map[string]any); ok && len(path) > 0 {
			return field(items, path)
		}
		if len(path) == 0 {
			return true
		}
		for _, key := range []string{"anyOf", "oneOf"} {
			list, _ := at[key].([]any)
			for _, o := range list {
				if field(o.(map[string]any), path) {
					return true
				}
			}
		}
		properties, _ := at["properties"].(map[string]any)
		next, ok := properties[path[0]].(map[string]any)
		return ok && field(next, path[1:])
	}
	each(t, func(t *testing.T, e *Entry) {
		if e.Field == "" || !field(root, strings.Split(e.Field, ".")) {
			t.Errorf("docs/report.schema.json has no field %q of %s", e.Field, e.Fact)
		}
		if e.sensor.mostField != "" && !field(root, strings.Split("machine.gpu.devices.readings."+e.sensor.mostField, ".")) {
			t.Errorf("docs/report.schema.json has no field %q of %s", e.sensor.mostField, e.Fact)
		}
	})
}

// TestTableReads: each fact of a report is known of a machine that says everything, and unknown of one that says nothing.
func TestTableReads(t *testing.T) {
	all := report.Machine{Name: "lab", OS: "Debian GNU/Linux 12", Arch: "amd64", MemoryBytes: 64 << 30, Cores: 8, GPU: report.GPU{Status: report.GPUOk,
		Driver: "580.65.06", CUDA: "13.0", Devices: []report.Device{{Name: "NVIDIA A100", MemoryBytes: 40 << 30, Compute: "8.0"}}}}
	each(t, func(t *testing.T, e *Entry) {
		if e.Source != FromGPUs && e.Source != FromMachine {
			return
		}
		l, err := ParseLine(e.Example)
		if err != nil {
			t.Fatal(err)
		}
		if v := l.Judge(MachineOf(all)); v.Answer == Unknown || v.Found == "" {
			t.Errorf("%s of a machine that says it: %+v", e.Fact, v)
		}
		if v := l.Judge(MachineOf(report.Machine{})); v.Answer != Unknown {
			t.Errorf("%s of a machine that does not say it: %+v", e.Fact, v)
		}
	})
}
