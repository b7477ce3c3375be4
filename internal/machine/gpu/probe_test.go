package gpu

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
)

const (
	validOutput = `{"inventory":{"source":"nvml","driver":"550.54.14","cuda":"12.4","cards":[{"name":"a","compute":"8.6","memory":1,"pci":"0:10:00",` +
		`"readings":{"sms":null,"cores":null,"bus_bits":null,"clocks":{"graphics_mhz":null,"sm_mhz":null,"memory_mhz":null,"max_graphics_mhz":null,"max_sm_mhz":null,"max_memory_mhz":null},` +
		`"power":{"draw_w":1.5,"limit_w":null},"temperature_c":null,"throttle":["gpu-idle"],"pcie":{"generation":1,"width":16,"max_generation":4,"max_width":16,"under_load":false},` +
		`"ecc":{"enabled":null,"corrected":null,"uncorrected":null},"remapped_rows":{"correctable":null,"uncorrectable":null,"pending":null,"failed":null},"mig":{"enabled":true,"instances":[{"profile":"1g.5gb"}]},` +
		`"nvlink":{"links":null,"active":null},"persistence":true,"virtualization":"none","unknown":[{"field":"sms","why":"old-driver"}]}}]}}` + "\n"
	cudaLine = `{"cuda":{"library":"570.124.06","version":12080,"count":1}}` + "\n"
	cardLine = `{"card":{"pci":"0:10:00","sms":82,"generation":4,"width":16}}` + "\n"
)

// Values that came before a crash are used, and implausible ones are not.
func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, data string
		ok         bool
		cuda       bool
		cards      int
	}{
		{"all", validOutput + cudaLine + cardLine, true, true, 1},
		{"no CUDA yet", validOutput, true, false, 0},
		{"cut off", validOutput + cudaLine[:20], true, false, 0},
		{"garbage behind", validOutput + cudaLine + "\x00\xff", true, true, 0},
		{"nothing", "", false, false, 0},
		{"no JSON", "hello", false, false, 0},
		{"another document", `{"status":"ok"}`, false, false, 0},
		{"an empty inventory", `{"inventory":{}}`, false, false, 0},
		{"twice", validOutput + strings.Replace(validOutput, "550.54.14", "1", 1), true, false, 0},
		{"an unknown source", strings.Replace(validOutput, "nvml", "magic", 1), false, false, 0},
		{"an unknown code", `{"inventory":{"source":"nvml","fault":{"status":"broken","code":"magic","detail":""}}}`, false, false, 0},
		{"no status", `{"inventory":{"source":"nvml","fault":{"status":"ok","code":"gpu-lost","detail":""}}}`, false, false, 0},
		{"an unknown reason", strings.Replace(validOutput, "old-driver", "magic", 1), false, false, 0},
		{"an unknown field", strings.Replace(validOutput, `"field":"sms"`, `"field":"\u001b[31m"`, 1), false, false, 0},
		{"an unknown throttle reason", strings.Replace(validOutput, "gpu-idle", "magic", 1), false, false, 0},
		{"an unknown virtualization", strings.Replace(validOutput, `"virtualization":"none"`, `"virtualization":"magic"`, 1), false, false, 0},
		{"an invalid profile", strings.Replace(validOutput, "1g.5gb", "/home/ana", 1), false, false, 0},
		{"a negative power", strings.Replace(validOutput, "1.5", "-1.5", 1), false, false, 0},
		{"a negative width", strings.Replace(validOutput, `"width":16`, `"width":-16`, 1), false, false, 0},
	} {
		got, ok := parse([]byte(tt.data))
		if ok != tt.ok || (got.cuda != nil) != tt.cuda || len(got.gpus) != tt.cards {
			t.Errorf("%s: %v %+v", tt.name, ok, got)
		}
	}
}

// FuzzProbe parses the output of a probe whose memory is corrupted: the result must still be
// valid for a report.
func FuzzProbe(f *testing.F) {
	f.Add([]byte(validOutput+cudaLine+cardLine), "")
	f.Add([]byte(validOutput+`{"cuda":{"error":"cuInit: at /opt/x 0000:10:00.0","code":802}}`), "0")
	f.Add([]byte(`{"inventory":{"source":"nvml","library":"550.54.14","fault":{"status":"broken","code":"version-mismatch","detail":"x","value":18}}}`), "GPU-1")
	f.Add([]byte(validOutput+`{"cuda":{"library":"9.9","version":-1,"count":-5}}{"card":{"pci":"0:10:00","sms":-1,"generation":99,"why":"x"}}`), "")
	// CUDA alone.
	f.Add([]byte(`{"inventory":{"fault":{"status":"none","code":"no-library","detail":"x","value":12}}}`+cudaLine+
		`{"card":{"name":"A MIG 1g.10gb","compute":"9.0","memory":18446744073709551615,"sms":-1,"bus_bits":640,"max_sm":1980}}`), "MIG-1")
	files, err := filepath.Glob("testdata/inventory/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		var g report.GPU
		data, err := os.ReadFile(file)
		if err != nil || json.Unmarshal(data, &g) != nil {
			f.Fatal(file, err)
		}
		inv := inventory{Source: g.Source, Driver: g.Driver, CUDA: g.CUDA}
		for _, d := range g.Devices {
			inv.GPUs = append(inv.GPUs, gpuInfo{Name: d.Name, Memory: d.MemoryBytes, Compute: d.Compute, PCI: "0:10:00", Readings: d.Readings})
		}
		data, err = json.Marshal(document{Inventory: &inv})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(append(data, []byte(cudaLine+cardLine)...), "")
	}
	f.Fuzz(func(t *testing.T, data []byte, mask string) {
		result, ok := parse(data)
		if !ok {
			return
		}
		h := *emptyHost
		h.env = []string{"CUDA_VISIBLE_DEVICES=" + mask}
		g := h.result(result.inventory, result)
		r := report.Report{Schema: report.Schema, Generator: "gpudocs", Machine: report.Machine{Name: "m", OS: "x", Arch: "x", CPU: "x", GPU: g},
			Checks: []report.Check{}}
		encoded, err := report.Encode(&r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := report.Parse("m.json", encoded); err != nil {
			t.Errorf("no report: %v\n%s", err, encoded)
		}
		if found := identifying.Find(encoded); found != nil {
			t.Errorf("the result holds %q", found)
		}
	})
}
