//go:build linux && cgo && (amd64 || arm64) && !static

package bench

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/test/programtest"
)

// withNVML adds the fake NVML, which has the GPUs of the fake CUDA.
func withNVML(t *testing.T, o *MeasureOptions, scenario string) {
	t.Helper()
	programtest.Need(t, "cc")
	source, err := filepath.Abs("../gpu/testdata/fake_nvml.c")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	out, err := exec.Command("cc", "-shared", "-fPIC", "-o", filepath.Join(dir, "libnvidia-ml.so.1"), source).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, e := range o.Env {
		if path, ok := strings.CutPrefix(e, "LD_LIBRARY_PATH="); ok {
			o.Env[i] = "LD_LIBRARY_PATH=" + path + ":" + dir
		}
	}
	o.Env = append(o.Env, "FAKE_NVML="+scenario)
}

// TestSampled: NVML's samples while a GPU works are those of that GPU.
func TestSampled(t *testing.T) {
	t.Parallel()
	_, o := driver(t, "two")
	withNVML(t, &o, "geforce")
	g := measured(t, product128(ask.FP32), o)
	if len(g) != 2 {
		t.Fatalf("%+v", g)
	}
	for i, g := range g {
		clock := []int{139, 1695}[i]
		if g.Why != "" || g.Clock != clock || g.Peak != float64([]int{28 * 256, 82 * 256}[i]*clock)/1e6 || g.PowerDraw != []float64{9.318, 349.87}[i] ||
			strings.Join(g.Throttle, " ") != []string{"", "sw-power-cap sw-thermal"}[i] {
			t.Errorf("GPU %d: %+v", i, g)
		}
	}
}
