package bench

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
)

var update = flag.Bool("update", false, "write testdata/text.txt anew")

// TestText compares every sentence, in each language, with testdata/text.txt. go test -update
// writes the file. The numbers are invented.
func TestText(t *testing.T) {
	t.Parallel()
	devices := []report.Device{{Name: "NVIDIA A100-SXM4-40GB"}, {Name: "GeForce GTX 1080 Ti"}}
	good := report.Measured{Backend: "cuBLAS 12.8.4", Runs: 60, Median: 8.5, Min: 8.25, P90: 9.5, Rate: 16.17, Returned: 0.018, Waited: 8.62,
		MaxError: 1.2e-7, Tolerance: 6.1e-5, Clock: 1410, PowerDraw: 250.5, Throttle: []string{"sw-power-cap", "code-of-tomorrow"}, Peak: 19.5}
	slow := report.Measured{Device: 1, Backend: "gpudocs PTX", Runs: 20, Median: 0.0213, Min: 0.02, P90: 1234, Rate: 0.01234, Returned: 0.004, Waited: 0.05, MaxError: 2e-7, Tolerance: 6.1e-5}
	wrong, odd := good, slow
	wrong.Wrong, wrong.MaxError, wrong.Throttle = true, 0.013, nil
	odd.Wrong, odd.MaxError = true, 0
	matmul := func(dtype string, gpus ...report.Measured) *report.Measurement {
		return &report.Measurement{What: "matmul", N: 4096, DType: dtype, Unit: "TFLOP/s", GPUs: gpus}
	}
	none := report.Measured{Device: 1, Why: report.WhyNotSupported, Detail: "bf16 needs compute capability 8.0, and this GPU has 6.1"}
	copied := report.Measured{Runs: 20, Median: 1.4, Min: 1.3, P90: 1.5, Rate: 1533, Returned: 0.01, Waited: 1.45, Peak: 1555, Wrong: true}
	var b strings.Builder
	for _, language := range []string{"en", "pt", "es"} {
		b.WriteString("== " + language + "\n")
		text := NewText(&b, language, devices)
		for _, all := range [][]*report.Measurement{
			{matmul("fp32", good, slow), matmul("bf16", good, none)},
			{matmul("fp32", wrong, odd)},
			{matmul("fp16", report.Measured{Why: report.WhyNoLibrary, Detail: "cuBLAS"}, report.Measured{Device: 7, Why: report.WhyNoMemory})},
			{{What: "bandwidth", Unit: "GB/s", GPUs: []report.Measured{copied}}},
			{{What: "host-to-device", Unit: "GB/s"}}, {{What: "device-to-host", Unit: "GB/s"}},
		} {
			if err := text.Write(all...); err != nil {
				t.Error(err)
			}
			b.WriteString("\n")
		}
		if err := text.NoGPU(report.GPU{Status: report.GPUNone, Code: report.CodeNoLibrary}); err != nil {
			t.Error(err)
		}
		b.WriteString(text.Began(1) + "\n\n")
	}
	if left := regexp.MustCompile(`\[[a-z_-]+\]|\{[a-z_]+\}`).FindString(b.String()); left != "" {
		t.Errorf("a missing text or an unfilled placeholder: %s", left)
	}
	file := filepath.Join("testdata", "text.txt")
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Error(d)
	}
}
