package gpu

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/report"
)

// computeOnly builds a libcuda, and returns options of a machine that has no other part of the
// driver.
func computeOnly(t *testing.T) func(cuda string, root fstest.MapFS, env ...string) ProbeOptions {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("CUDA is asked on Linux only")
	}
	dir := t.TempDir()
	compile(t, filepath.Join(dir, "libcuda.so.1"), "testdata/fake_cuda.c")
	return func(cuda string, root fstest.MapFS, env ...string) ProbeOptions {
		o := options(t)
		path, _ := lookup(o.Env, "LD_LIBRARY_PATH")
		o.Env = append(o.Env, "LD_LIBRARY_PATH="+dir+":"+path, "FAKE_CUDA="+cuda)
		o.Env = append(o.Env, env...)
		o.host = &host{root: root, env: o.Env, open: func(string) error { return nil }}
		return o
	}
}

// driverFiles returns the files of a machine with a driver and n GPUs.
func driverFiles(n int) fstest.MapFS {
	root := fstest.MapFS{"dev/nvidiactl": {}, "proc/driver/nvidia/version": {Data: []byte(proprietary)}}
	for i := range n {
		root["dev/nvidia"+string(rune('0'+i))] = &fstest.MapFile{}
	}
	return root
}

// Without NVML and nvidia-smi, for example in a container, the inventory comes from CUDA.
func TestCUDAIsTheSource(t *testing.T) {
	t.Parallel()
	contexts := filepath.Join(t.TempDir(), "contexts")
	root := driverFiles(2)
	root[".dockerenv"] = &fstest.MapFile{}
	g := probe(t, computeOnly(t)("2", root, "FAKE_CONTEXTS="+contexts))
	if g.Status != report.GPUOk || g.Source != report.SourceCUDA || g.Driver != "535.183.01" || g.CUDA != "12.4" || g.Platform != "docker" {
		t.Errorf("got %+v", g)
	}
	if c := g.Counts; c == nil || c.NVML != nil || *c.CUDA != 2 || *c.Dev != 2 || c.Why != "" {
		t.Errorf("counts %+v", g.Counts)
	}
	if len(g.Devices) != 2 {
		t.Fatalf("devices %+v", g.Devices)
	}
	d := g.Devices[0]
	r := d.Readings
	if d.Name != "GeForce RTX 3090" || d.MemoryBytes != 24265<<20 || d.Compute != "8.6" || *r.SMs != 82 || *r.Cores != 10496 ||
		*r.BusBits != 384 || *r.Clocks.MaxSM != 1695 || *r.Clocks.MaxMemory != 9751 || r.Clocks.SM != nil || r.MIG.Enabled != nil {
		t.Errorf("%+v %+v", d, r)
	}
	if _, err := os.Stat(contexts); err == nil {
		t.Error("a context was created although the bus cannot be read")
	}
	// What CUDA does not report of a GPU is null, too.
	r = probe(t, computeOnly(t)("silent", driverFiles(2))).Devices[1].Readings
	if r.BusBits != nil || r.Clocks.MaxMemory != nil || *r.SMs != 28 {
		t.Errorf("%+v", r)
	}
}

// CUDA shows a MIG device of a divided GPU, and its values are not the GPU's.
func TestCUDAShowsAPart(t *testing.T) {
	t.Parallel()
	g := probe(t, computeOnly(t)("part", driverFiles(1)))
	d := g.Devices[0]
	want := report.Instance{Profile: "1g.10gb", MemoryBytes: 9856 << 20, SMs: 16}
	if d.MemoryBytes != want.MemoryBytes || d.Readings.SMs != nil || !*d.Readings.MIG.Enabled || d.Readings.MIG.Instances[0] != want {
		t.Errorf("%+v %+v", d, d.Readings)
	}
}

// nvidia-smi is the preferred source, except for MIG devices, whose UUIDs it does not report.
func TestCUDAOrNvidiaSMI(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, env, source, driver string
		smi                       fakeSMI
	}{
		{"it answers", "X=1", report.SourceNvidiaSMI, "460.91.03", fakeSMI{show(t, "smi-460.xml"), noField}},
		{"it knows why not", "X=1", report.SourceNvidiaSMI, "", fakeSMI{"echo 'Failed to initialize NVML: Driver/library version mismatch'\nexit 18", noField}},
		{"it lacks NVML", "X=1", report.SourceCUDA, "535.183.01", fakeSMI{"echo \"NVIDIA-SMI couldn't find libnvidia-ml.so library in your system.\"\nexit 12", noField}},
		{"it crashes", "X=1", report.SourceCUDA, "535.183.01", fakeSMI{"kill -SEGV $$", noField}},
		{"MIG", "CUDA_VISIBLE_DEVICES=MIG-1234bbbb-0000", report.SourceCUDA, "460.91.03", fakeSMI{show(t, "smi-460.xml"), noField}},
	} {
		o := computeOnly(t)("2", driverFiles(2), tt.env)
		tt.smi.install(t, &o)
		if g := probe(t, o); g.Source != tt.source || g.Driver != tt.driver || (g.Status == report.GPUOk) != (tt.name != "it knows why not") {
			t.Errorf("%s: %+v", tt.name, g)
		}
	}
}

// If CUDA is the only source, its errors are the errors of the machine.
func TestCUDAFailsAlone(t *testing.T) {
	t.Parallel()
	fake, code := computeOnly(t), "no-library"
	if whyNoNVML(t) != "" {
		code = "unsupported"
	}
	for _, tt := range []struct {
		name, cuda string
		root       fstest.MapFS
		env        string
		want       string // status, code, source
		detail     string
	}{
		{"hidden", "0", driverFiles(2), "CUDA_VISIBLE_DEVICES=", "none no-device cuda", "CUDA_VISIBLE_DEVICES"},
		{"none", "0", driverFiles(0), "", "none no-device cuda", ""},
		{"fabric", "fabric", driverFiles(2), "", "broken fabric-manager cuda", "cuInit: fake error"},
		{"mismatch", "mismatch", driverFiles(2), "", "broken version-mismatch cuda", "cuInit: fake error"},
		{"unknown", "unknown", driverFiles(2), "", "broken driver-error cuda", "cuInit: fake error"},
		{"no module", "0", files(), "", "none driver-not-loaded cuda", ""},
		{"no driver, in a container", "0", files(".dockerenv", ""), "", "none ? ", ""},
		{"no driver, another error", "unknown", files(), "", "none ? ", ""},
		{"a container without GPUs", "0", files(".dockerenv", "", "proc/driver/nvidia/version", proprietary), "", "none container-no-gpu ", ""},
	} {
		g := probe(t, fake(tt.cuda, tt.root, tt.env))
		got := strings.Join([]string{g.Status, g.Code, g.Source}, " ")
		if got != strings.Replace(tt.want, "?", code, 1) || !strings.Contains(g.Detail, tt.detail) || len(g.Devices) > 0 {
			t.Errorf("%s: %s (%s), want %s", tt.name, got, g.Detail, tt.want)
		}
	}
}

// CUDA itself applies CUDA_VISIBLE_DEVICES, so it is not applied again.
func TestCUDAIsMaskedOnce(t *testing.T) {
	t.Parallel()
	g := probe(t, computeOnly(t)("1", driverFiles(2), "CUDA_VISIBLE_DEVICES=1"))
	if len(g.Devices) != 1 || g.Counts.Why != report.DifferVisible || *g.Counts.Dev != 2 {
		t.Errorf("%+v %+v", g, g.Counts)
	}
}

// A probe that ends before it has reported each GPU gives no complete inventory.
func TestCUDAIsCutOff(t *testing.T) {
	t.Parallel()
	n := 2
	g := emptyHost.result(inventory{Fault: nvmlFault(nvmlLibraryNotFound, "none")},
		probeOutput{cuda: &cudaAnswer{Count: &n, Version: 12040}, gpus: []cudaGPU{{Name: "a"}}})
	if g.Code != report.CodeDriverFailed || g.Detail != "CUDA counts 2 GPUs and describes 1" {
		t.Errorf("%+v", g)
	}
}

// A MIG device of a GPU that does not report MIG mode is recognized by its name.
func TestPartByName(t *testing.T) {
	t.Parallel()
	c := gpuInfo{Compute: "9.0", Readings: blank()}
	unknown(c.Readings, "mig.enabled", report.WhyPermission)
	for _, field := range []string{"sms", "cores", "bus_bits"} {
		unknown(c.Readings, field, report.WhyPermission)
	}
	c.join(cudaGPU{Name: "NVIDIA H100 80GB HBM3 MIG 1g.10gb", SMs: 16, BusBits: 640, Why: report.WhyNoMemory})
	if r := c.Readings; r.SMs != nil || r.Cores != nil || r.BusBits != nil {
		t.Errorf("the MIG device has the values of its GPU: %+v", r)
	}
}
