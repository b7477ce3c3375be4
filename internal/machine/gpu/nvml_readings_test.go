//go:build linux && cgo && (amd64 || arm64)

package gpu

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
)

// fakeDriver builds both libraries, NVML with flags, and returns options that use them.
func fakeDriver(t *testing.T, flags ...string) func(nvml, cuda string, env ...string) ProbeOptions {
	t.Helper()
	fake := fakeNVML(t, fakeSource, flags...)
	dir := t.TempDir()
	compile(t, filepath.Join(dir, "libcuda.so.1"), "testdata/fake_cuda.c")
	return func(nvml, cuda string, env ...string) ProbeOptions {
		o := fake(nvml)
		path, _ := lookup(o.Env, "LD_LIBRARY_PATH")
		o.Env = append(o.Env, "LD_LIBRARY_PATH="+dir+":"+path, "FAKE_CUDA="+cuda)
		o.Env = append(o.Env, env...)
		o.host = &host{root: device(deviceFilesOf(nvml)), env: o.Env, open: func(string) error { return nil }}
		return o
	}
}

// deviceFilesOf is how many device files the machine of a scenario has.
func deviceFilesOf(scenario string) int {
	switch scenario {
	case "node":
		return 8
	case "sentinels", "refused", "modern":
		return 1
	}
	return 2
}

// device returns the files of a machine with n GPUs.
func device(n int) fstest.MapFS {
	root := fstest.MapFS{"dev/nvidiactl": &fstest.MapFile{}}
	for i := range n {
		root["dev/nvidia"+string(rune('0'+i))] = &fstest.MapFile{}
	}
	return root
}

// Whole inventories, in the form of reports.
func TestInventory(t *testing.T) {
	t.Parallel()
	modern, old := fakeDriver(t), fakeDriver(t, "-DFAKE_460")
	for _, tt := range []struct {
		file string
		o    ProbeOptions
	}{
		{"geforce-460.json", old("geforce", "2")},
		{"geforce-460-without-cuda.json", old("geforce", "unknown")},
		{"node.json", modern("node", "8")},
		{"sentinels.json", modern("sentinels", "1")},
		{"refused.json", modern("refused", "1")},
		{"falling.json", modern("falling", "2")},
	} {
		t.Run(tt.file, func(t *testing.T) {
			got, err := json.MarshalIndent(probe(t, tt.o), "", "\t")
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, '\n')
			checkPrivate(t, got)
			file := filepath.Join("testdata", "inventory", tt.file)
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("differs from %s (-update writes it):\n%s", file, got)
			}
		})
	}
}

// checkPrivate checks that a result names no GPU, bus address or folder.
func checkPrivate(t *testing.T, result []byte) {
	t.Helper()
	if found := identifying.Find(result); found != nil {
		t.Errorf("the result holds %q", found)
	}
	for _, word := range []string{"uuid", "serial", "parts", "pci\"", "MIG-1", "0:10:00", "/opt"} {
		if strings.Contains(string(result), word) {
			t.Errorf("the result holds %q", word)
		}
	}
}

// Whatever CUDA does, NVML's values are kept, and the reason is recorded.
func TestCUDAFails(t *testing.T) {
	t.Parallel()
	fake := fakeDriver(t)
	for _, tt := range []struct{ cuda, why, detail string }{
		{"unknown", report.DifferCUDA, "cuInit: fake error at fake of  (CUDA_ERROR_FAKE, 999)"},
		{"compat", report.DifferCUDA, "cuInit: fake error at fake of  (CUDA_ERROR_FAKE, 804)"},
		{"segfault", report.DifferCUDA, "exit status 2: SIGSEGV: segmentation violation"},
		{"hang", report.DifferCUDA, "no answer in time (limit 2s)"},
		{"hang-late", "", ""},
	} {
		t.Run(tt.cuda, func(t *testing.T) {
			o := fake("geforce", tt.cuda)
			o.Timeout = 2 * time.Second
			g := probe(t, o)
			if g.Status != report.GPUOk || len(g.Devices) != 2 || g.Driver == "" || *g.Counts.NVML != 2 {
				t.Fatalf("got %+v", g)
			}
			if g.Counts.Why != tt.why || g.Counts.Detail != clean(tt.detail, maxDetail) || (g.Counts.CUDA == nil) != (tt.why != "") {
				t.Errorf("counts %+v", g.Counts)
			}
			// CUDA's GPU 0 is NVML's 1, and its values come before the other GPU hangs.
			r := g.Devices[1].Readings
			if r.PCIe.UnderLoad != (tt.cuda == "hang-late") || g.Devices[0].Readings.PCIe.UnderLoad {
				t.Errorf("under load: %v, %v", g.Devices[0].Readings.PCIe.UnderLoad, r.PCIe.UnderLoad)
			}
		})
	}
}

// The bus is read while data is copied. If that is impossible it is read idle, with the reason.
func TestUnderLoad(t *testing.T) {
	t.Parallel()
	fake := fakeDriver(t)
	for _, tt := range []struct {
		cuda       string
		generation int
		why        string
	}{
		{"2", 4, ""},
		{"full", 1, report.WhyNoMemory},
		{"no-context", 1, report.WhyNoMemory},
		{"bad-copy", 1, report.WhyFailed},
		{"unknown", 1, report.WhyFailed},
		{"0", 1, report.WhyHidden}, // by CUDA_VISIBLE_DEVICES
	} {
		p := probe(t, fake("geforce", tt.cuda)).Devices[1].Readings
		if *p.PCIe.Generation != tt.generation || *p.PCIe.MaxGeneration != 4 || p.PCIe.UnderLoad != (tt.why == "") {
			t.Errorf("%s: %d of %d, under load %v", tt.cuda, *p.PCIe.Generation, *p.PCIe.MaxGeneration, p.PCIe.UnderLoad)
		}
		if why := reasonOf(p, "pcie.under_load"); why != tt.why {
			t.Errorf("%s: reason %q, want %q", tt.cuda, why, tt.why)
		}
	}
	// Without libcuda, the folder of the fake NVML alone.
	g := probe(t, fakeNVML(t, fakeSource)("geforce"))
	if why := reasonOf(g.Devices[0].Readings, "pcie.under_load"); why != report.WhyFailed && why != report.WhyNoLibrary {
		t.Errorf("without a library: %q", why)
	}
}

// A GPU that is in use, or that others could not use meanwhile, is left alone: no context is
// created on it.
func TestLeftAlone(t *testing.T) {
	t.Parallel()
	fake := fakeDriver(t)
	for _, tt := range []struct{ env, why string }{
		{"FAKE_USED=10", ""}, // a screen
		{"FAKE_USED=11", report.WhyInUse},
		{"FAKE_USED=100", report.WhyInUse},
		{"FAKE_MODE=3", report.WhyInUse}, // for one process
		{"FAKE_MODE=2", report.WhyInUse}, // for no process
		{"FAKE_FREE=1023", report.WhyNoMemory},
		{"FAKE_FREE=1024", ""},
	} {
		contexts := filepath.Join(t.TempDir(), "contexts")
		g := probe(t, fake("geforce", "2", tt.env, "FAKE_CONTEXTS="+contexts))
		opened, _ := os.ReadFile(contexts)
		if (len(opened) == 0) != (tt.why != "") {
			t.Errorf("%s: contexts on %q", tt.env, opened)
		}
		for i, d := range g.Devices {
			if p := d.Readings.PCIe; p.UnderLoad != (tt.why == "") || p.Generation == nil || reasonOf(d.Readings, "pcie.under_load") != tt.why {
				t.Errorf("%s: GPU %d: under load %v, reason %q", tt.env, i, p.UnderLoad, reasonOf(d.Readings, "pcie.under_load"))
			}
		}
	}
}

// A GPU that CUDA_VISIBLE_DEVICES hides is not touched, and what was allocated on another is
// freed. The libcuda is a strict one, which keeps a list.
func TestLoadIsTidy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	compile(t, filepath.Join(dir, "libcuda.so.1"), "../cuda/testdata/fake_cuda.c", "-std=gnu11", "-fvisibility=hidden", "-lpthread")
	for mask, want := range map[string][]string{
		"CUDA_VISIBLE_DEVICES=0": {"retain 0", "alloc 16777216", "hostalloc 16777216", "hostfree 16777216", "free 16777216", "release 0"},
		"CUDA_VISIBLE_DEVICES=":  nil,
	} {
		list := filepath.Join(t.TempDir(), "list")
		o := fakeNVML(t, fakeSource)("geforce")
		path, _ := lookup(o.Env, "LD_LIBRARY_PATH")
		o.Env = append(o.Env, "LD_LIBRARY_PATH="+dir+":"+path, "FAKE_CUDA=two", "FAKE_CUDA_LOG="+list, mask)
		g := probe(t, o)
		data, _ := os.ReadFile(list)
		var got []string
		for line := range strings.Lines(string(data)) {
			if line = strings.TrimSpace(line); !strings.Contains(line, "load ") {
				got = append(got, line)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", mask, got, want)
		}
		if n := len(g.Devices); n != len(want)/6 || *g.Counts.CUDA != n {
			t.Errorf("%s: %d devices, counts %+v", mask, n, g.Counts)
		}
		// CUDA counts the faster GPU first, and NVML this one.
		for _, d := range g.Devices {
			if d.Name != gtx1080ti.Name || !d.Readings.PCIe.UnderLoad {
				t.Errorf("%s: %s, under load %v", mask, d.Name, d.Readings.PCIe.UnderLoad)
			}
		}
	}
}

func reasonOf(r *report.Readings, field string) string {
	for _, u := range r.Unknown {
		if u.Field == field {
			return u.Why
		}
	}
	return ""
}

// What is only in the machine's files is reported together with the driver's answers.
func TestExplained(t *testing.T) {
	t.Parallel()
	fake := fakeDriver(t)
	for _, tt := range []struct{ nvml, code, detail string }{
		{"failed", report.CodeContainer, "Unknown Error"},
		{"mismatch", report.CodeMismatch, "Driver/library version mismatch: the loaded kernel module is 535.183.01, the installed library 550.54.14"},
	} {
		o := fake(tt.nvml, "unknown")
		o.host.root = files("proc/driver/nvidia/version", proprietary, ".dockerenv", "", "dev/nvidiactl", "")
		o.host.open = func(string) error { return syscall.EPERM }
		if g := probe(t, o); g.Code != tt.code || g.Detail != tt.detail || g.Platform != "docker" || g.Status != report.GPUBroken {
			t.Errorf("%s: %+v", tt.nvml, g)
		}
	}
}

// A missing fabric manager shows in CUDA, or in NVML if CUDA cannot be queried.
func TestFabric(t *testing.T) {
	t.Parallel()
	fake := fakeDriver(t)
	for _, tt := range []struct{ nvml, cuda, code string }{
		{"node", "fabric", report.CodeFabric},
		{"fabric", "unknown", report.CodeFabric},
		{"fabric", "2", ""}, // a working CUDA is set up
		{"geforce", "mismatch", report.CodeMismatch},
		{"reset", "1", report.CodeReset},
		{"lost", "1", report.CodeLost},
	} {
		g := probe(t, fake(tt.nvml, tt.cuda))
		if g.Code != tt.code || (g.Status == report.GPUBroken) != (tt.code != "") {
			t.Errorf("%s, %s: %s/%s (%s)", tt.nvml, tt.cuda, g.Status, g.Code, g.Detail)
		}
		if len(g.Devices) == 0 || g.Driver == "" {
			t.Errorf("%s, %s: NVML's answer is lost: %+v", tt.nvml, tt.cuda, g)
		}
	}
}

func TestCountsDiffer(t *testing.T) {
	t.Parallel()
	fake := fakeDriver(t)
	refuse := func(err error) func(string) error {
		return func(name string) error {
			if name == "dev/nvidia1" {
				return err
			}
			return nil
		}
	}
	for _, tt := range []struct {
		name       string
		nvml, cuda string
		env        string
		root       fstest.MapFS
		open       func(string) error
		want       string
	}{
		{"all the same", "geforce", "2", "", device(2), nil, ""},
		{"visible devices", "geforce", "1", "CUDA_VISIBLE_DEVICES=1", device(2), nil, report.DifferVisible},
		{"hidden", "geforce", "0", "CUDA_VISIBLE_DEVICES=", device(2), nil, report.DifferVisible},
		{"MIG", "node", "1", "", device(8), nil, report.DifferMIG},
		{"a control group", "geforce", "2", "", device(4), refuse(syscall.EPERM), report.DifferContainer},
		{"modes of the files", "geforce", "1", "", device(2), refuse(syscall.EACCES), report.DifferPermission},
		{"container", "geforce", "2", "", with(device(1), ".dockerenv", ""), nil, report.DifferContainer},
		{"lost", "lost", "1", "", device(2), nil, report.DifferLost},
		{"off the bus", "geforce", "2", "", with(device(3), "sys/bus/pci/devices/a/vendor", "0x10de\n", "sys/bus/pci/devices/a/class", "0x030200\n",
			"sys/bus/pci/devices/a/config", "\xff\xff\xff\xff\xff\xff"), nil, report.DifferLost},
		{"WSL2", "geforce", "2", "", with(fstest.MapFS{}, "dev/dxg", ""), nil, report.DifferWSL},
		{"CUDA failed", "geforce", "unknown", "", device(2), nil, report.DifferCUDA},
		{"unknown reason", "geforce", "1", "", device(2), nil, report.DifferUnknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var env []string
			if tt.env != "" {
				env = []string{tt.env}
			}
			o := fake(tt.nvml, tt.cuda, env...)
			o.host.root, o.host.env = tt.root, o.Env
			if tt.open != nil {
				o.host.open = tt.open
			}
			g := probe(t, o)
			if g.Counts == nil || g.Counts.Why != tt.want {
				t.Errorf("counts %+v, want %q", g.Counts, tt.want)
			}
			if nodes, _ := fs.Glob(tt.root, "dev/nvidia[0-9]"); *g.Counts.Dev != len(nodes) {
				t.Errorf("%d device files, want %d", *g.Counts.Dev, len(nodes))
			}
		})
	}
}

// with adds files, given as alternating names and texts.
func with(root fstest.MapFS, files ...string) fstest.MapFS {
	for f := range slices.Chunk(files, 2) {
		root[f[0]] = &fstest.MapFile{Data: []byte(f[1])}
	}
	return root
}

// A library with a newer version in its name than the module is a forward-compatibility
// package.
func TestCompat(t *testing.T) {
	t.Parallel()
	fake := fakeNVML(t, fakeSource)
	for _, tt := range []struct{ file, cuda, want string }{
		{"libcuda.so.550.54.14", "2", "12.4"},
		{"libcuda.so.460.91.03", "2", ""}, // the driver's own
		{"libcuda.so.418.39", "2", ""},
		{"libcuda.so.1.1", "2", ""},            // WSL2's
		{"libcuda.so.550.54.14", "compat", ""}, // not on this GPU
	} {
		o := fake("geforce")
		dir := t.TempDir()
		compile(t, filepath.Join(dir, tt.file), "testdata/fake_cuda.c")
		if err := os.Symlink(tt.file, filepath.Join(dir, "libcuda.so.1")); err != nil {
			t.Fatal(err)
		}
		path, _ := lookup(o.Env, "LD_LIBRARY_PATH")
		o.Env = append(o.Env, "LD_LIBRARY_PATH="+dir+":"+path, "FAKE_CUDA="+tt.cuda)
		if g := probe(t, o); g.Compat != tt.want || g.Driver != "460.91.03" {
			t.Errorf("%s: compat %q, want %q", tt.file, g.Compat, tt.want)
		}
	}
}

// Old drivers lack functions, which must not be called; FAKE_460 lacks four, and there is a
// reason for each.
func TestReadingsOldDriver(t *testing.T) {
	t.Parallel()
	g := probe(t, fakeDriver(t, "-DFAKE_460")("geforce", "unknown"))
	for _, field := range []string{"sms", "cores", "bus_bits"} {
		if why := reasonOf(g.Devices[0].Readings, field); why != report.WhyOldDriver {
			t.Errorf("%s: %q", field, why)
		}
	}
	if got := g.Devices[1].Readings.Throttle; !slices.Equal(got, []string{"sw-power-cap", "sw-thermal"}) {
		t.Errorf("throttle %q", got)
	}
}

// A sampler finds its GPU by the PCI address in CUDA's form.
func TestSampler(t *testing.T) {
	t.Parallel()
	o := fakeDriver(t)("geforce", "2")
	for pci, want := range map[string]string{"0000:20:00.0": `"draw_w":349.87`, "00000000:10:00.0": `"draw_w":9.318`, "0000:99:00.0": "", "": ""} {
		c := exec.Command(o.Executable, sampleArg, pci)
		c.Env = o.Env
		out, err := c.Output()
		if err != nil || (len(out) == 0) != (want == "") || !strings.Contains(string(out), want) {
			t.Errorf("%q: %v %s", pci, err, out)
		}
	}
}

// BenchmarkInventory measures a probe of eight GPUs, without the time of the drivers, which
// answer at once.
func BenchmarkInventory(b *testing.B) {
	dir := b.TempDir()
	for lib, source := range map[string]string{"libnvidia-ml.so.1": fakeSource, "libcuda.so.1": "testdata/fake_cuda.c"} {
		compile(b, filepath.Join(dir, lib), source)
	}
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	for _, cuda := range []string{"unknown", "8"} {
		b.Run("cuda="+cuda, func(b *testing.B) {
			env := append(os.Environ(), "LD_LIBRARY_PATH="+dir, "FAKE_NVML=node", "FAKE_CUDA="+cuda)
			for b.Loop() {
				if g := Probe(b.Context(), ProbeOptions{Executable: self, Args: []string{probeArg}, Env: env}); len(g.Devices) != 8 {
					b.Fatalf("%+v", g)
				}
			}
		})
	}
}
