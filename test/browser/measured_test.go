package browser

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"testing"
)

// card is a made-up GPU, with values as NVML reports them.
const card = `{"name": "Made Up RTX", "memory_bytes": 25769803776, "compute": "8.6", "readings": {"sms": 82, "cores": 10496, "bus_bits": 384, "temperature_c": 41, "throttle": [],
	"clocks": {"graphics_mhz": 210, "sm_mhz": 210, "memory_mhz": 405, "max_graphics_mhz": 2100, "max_sm_mhz": 2100, "max_memory_mhz": 9751},
	"power": {"draw_w": 28.5, "limit_w": 350}, "pcie": {"generation": 4, "width": 8, "max_generation": 4, "max_width": 16, "under_load": true},
	"ecc": {"enabled": null, "corrected": null, "uncorrected": null}, "remapped_rows": {"correctable": null, "uncorrectable": null, "pending": null, "failed": null},
	"mig": {"enabled": null}, "nvlink": {"links": 4, "active": 4}, "persistence": true, "virtualization": "none", "unknown": []}}`

// measurements are made up, by the lines of a gpu block: a right and a wrong
// result, one without a peak, and one that could not be measured.
var measurements = map[string]string{
	"matmul n=4096 dtype=fp32": `{"what": "matmul", "n": 4096, "dtype": "fp32", "unit": "TFLOP/s", "gpus": [
		{"device": 0, "backend": "cuBLAS 12.4.5", "runs": 40, "median_ms": 5.75, "min_ms": 5.7, "p90_ms": 6.01, "rate": 23.9, "returned_ms": 0.021, "waited_ms": 5.8,
		 "max_error": 1.2e-7, "tolerance": 1e-5, "clock_mhz": 1905, "power_w": 341.7, "throttle": ["sw-power-cap"], "peak": 39.99},
		{"device": 1, "backend": "gpudocs PTX", "runs": 20, "median_ms": 8.43, "min_ms": 8.4, "p90_ms": 8.5, "rate": 16.3, "max_error": 0.5, "tolerance": 1e-5, "wrong": true}],
		"cpu": {"library": "OpenBLAS 0.3.21", "threads": 8, "n": 2048, "runs": 5, "median_ms": 52.5, "rate": 0.327}}`,
	"memory bandwidth":    `{"what": "bandwidth", "unit": "GB/s", "gpus": [{"device": 0, "runs": 20, "median_ms": 0.66, "min_ms": 0.65, "p90_ms": 0.7, "rate": 812}]}`,
	"copy host-to-device": `{"what": "host-to-device", "unit": "GB/s", "gpus": [{"device": 0, "why": "failed", "detail": "an illegal memory access was encountered"}]}`,
}

// TestMeasured checks the measurements of machines at every width and in both colour schemes: names for
// the parts, contrast, and nothing wider than the window.
func TestMeasured(t *testing.T) {
	t.Parallel()
	site := serve(t, func(string) bool { return false }, func(s *server) {
		block := "```gpu {name=lab}\nmatmul n=4096 dtype=fp32\nmemory bandwidth\ncopy host-to-device\nruns cu124\n```\n"
		for _, lang := range []string{"pt", "es"} {
			s.write(t, path.Join("content", lang, "index.md"), "---\ntitle: GPU\n---\n\n"+block+"\n:::machines\n:::\n")
		}
		s.gpudocs(t, "verify", "--machine", "deepnine")
		measure(t, s)
	})
	tb := openTab(t, site.base)
	for _, lang := range []string{"pt", "es"} {
		tb.visit(lang + "/")
		tb.openDetails()
		is(tb, "document.querySelectorAll('.measured').length", 3)
		is(tb, "document.querySelectorAll('.measured-gpu').length", 4)
		is(tb, "document.querySelectorAll('.measured-gpu.is-failed').length", 1)
		is(tb, "document.querySelectorAll('.measured-bar').length", 1)
		is(tb, "[...document.querySelectorAll('.measured')].every(s => s.ariaLabel)", true)
		is(tb, "document.querySelector('.measured').innerText.includes('n=2048')", true)
		is(tb, "document.querySelectorAll('.software').length", 1)
		for _, fault := range eval[audited](tb, audit).Faults {
			t.Errorf("%s: %s", lang, fault)
		}
		for _, width := range []int64{360, 768, 1440} {
			tb.size(width, 900)
			is(tb, "document.documentElement.scrollWidth <= innerWidth", true)
			is(tb, "(r => Math.abs(r.width / r.peak - 0.598) < 0.01)({width: document.querySelector('.measured-bar .rate').getBoundingClientRect().width, peak: document.querySelector('.measured-bar .peak').getBoundingClientRect().width})", true)
			for _, scheme := range []string{"light", "dark"} {
				tb.scheme(scheme)
				tb.contrast(fmt.Sprint(lang, " at ", width), scheme)
				tb.picture(fmt.Sprintf("measured-%s-%s-%d", lang, scheme, width), true)
			}
		}
	}
}

// measure gives the report of a machine, which may have no GPU, made-up cards and
// measurements.
func measure(t *testing.T, s *server) {
	t.Helper()
	const file = "results/deepnine.json"
	var r map[string]any
	if err := json.Unmarshal([]byte(s.read(t, file)), &r); err != nil {
		t.Fatal(err)
	}
	made := func(text string) (value any) {
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		return value
	}
	machine := r["machine"].(map[string]any)
	machine["gpu"] = made(`{"status": "ok", "source": "nvml", "driver": "460.91.03", "cuda": "11.2", "devices": [` + card + "," + card + `]}`)
	machine["environments"] = made(`[{"name": "", "interpreter": "Python 3.12.4", "frameworks": [{"name": "torch", "version": "2.6.0+cu124", "cuda": "12.4"}]}]`)
	found := 0
	for _, c := range r["checks"].([]any) {
		check := c.(map[string]any)
		if m := measurements[strings.TrimSpace(check["want"].(string))]; m != "" {
			end(r, check, "passed", nil)
			check["measurement"] = made(m)
			found++
		}
	}
	if found != len(measurements) {
		t.Fatalf("the report has %d of the lines", found)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	s.write(t, file, string(data))
}
