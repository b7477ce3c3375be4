//go:build linux && cgo && (amd64 || arm64)

package gpu

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
)

// smi-460.xml and the scenario "geforce" of the fake NVML are the same machine: values that
// both sources have must have the same names and units.
func TestSourcesAgree(t *testing.T) {
	t.Parallel()
	o := fakeDriver(t, "-DFAKE_460")("geforce", "none")
	byNVML := probe(t, o)
	o = options(t)
	fakeSMI{show(t, "smi-460.xml"), noField}.install(t, &o)
	bySMI := probe(t, o)
	if byNVML.Source != report.SourceNVML || bySMI.Source != report.SourceNvidiaSMI || len(byNVML.Devices) != 2 || len(bySMI.Devices) != 2 {
		t.Fatalf("%+v\n%+v", byNVML, bySMI)
	}
	for i, d := range byNVML.Devices {
		a, b := flat(t, d), flat(t, bySMI.Devices[i])
		same := 0
		for field, value := range a {
			switch why := whyUnknown(bySMI.Devices[i].Readings, field); {
			case why == report.WhySource, field == "compute", field == "power.draw_w", // which nvidia-smi rounds
				strings.HasPrefix(field, "pcie.") && !strings.HasPrefix(field, "pcie.max"): // which NVML's side reads under load
			case !reflect.DeepEqual(value, b[field]):
				t.Errorf("GPU %d: %s is %v by NVML and %v by nvidia-smi", i, field, value, b[field])
			case whyUnknown(d.Readings, field) != why:
				t.Errorf("GPU %d: %s is null because of %q and %q", i, field, whyUnknown(d.Readings, field), why)
			default:
				same++
			}
		}
		if same < 20 {
			t.Errorf("GPU %d: only %d fields were compared", i, same)
		}
	}
}

// flat returns the values of a device by their names in JSON.
func flat(t *testing.T, d report.Device) map[string]any {
	t.Helper()
	data, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	var walk func(path string, tree map[string]any)
	walk = func(path string, tree map[string]any) {
		for name, v := range tree {
			if inner, ok := v.(map[string]any); ok {
				walk(path+name+".", inner)
			} else if name != "unknown" {
				out[strings.TrimPrefix(path+name, "readings.")] = v
			}
		}
	}
	walk("", tree)
	return out
}
