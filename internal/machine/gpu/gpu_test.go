package gpu

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/test/programtest"
)

// probeArg makes the test binary act as the probe.
const probeArg = "internal-probe"

// sampleArg, and a PCI address, make it sample that GPU once.
const sampleArg = "internal-sample"

func TestMain(m *testing.M) {
	// Most tests wait for a fake that hangs.
	_ = flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0)))
	if len(os.Args) == 2 && os.Args[1] == probeArg {
		if err := RunProbe(os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if len(os.Args) == 3 && os.Args[1] == sampleArg {
		if s := NewSampler(os.Args[2]); s != nil {
			json.NewEncoder(os.Stdout).Encode(s.Sample())
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// options make Probe use this binary and neither the driver nor the nvidia-smi of the machine
// that runs the tests: an unreadable library ends the linker's search.
func options(t *testing.T, env ...string) ProbeOptions {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "libnvidia-ml.so.1"), "not a library\n", 0o644)
	write(t, filepath.Join(dir, "libcuda.so.1"), "not a library\n", 0o644)
	return ProbeOptions{
		host:       emptyHost,
		Executable: self,
		Args:       []string{probeArg},
		// With -race, a process sleeps for a second at its end by default.
		Env:       append([]string{"PATH=" + os.Getenv("PATH"), "LD_LIBRARY_PATH=" + dir, "GORACE=atexit_sleep_ms=0"}, env...),
		NvidiaSMI: filepath.Join(dir, "no-nvidia-smi"),
	}
}

// emptyHost is a machine without any of the files.
var emptyHost = &host{root: fstest.MapFS{}}

// compile compiles C to a library.
func compile(t testing.TB, library, source string, flags ...string) {
	t.Helper()
	programtest.Need(t, "cc")
	if out, err := exec.Command("cc", append([]string{"-shared", "-fPIC", "-o", library, source}, flags...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func write(t *testing.T, file, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// probe calls Probe and checks what holds for every result.
func probe(t *testing.T, o ProbeOptions) report.GPU {
	t.Helper()
	g := Probe(context.Background(), o)
	checkPublishable(t, g)
	return g
}

var identifying = regexp.MustCompile(`GPU-[0-9a-f]{8}|[0-9A-F]{4}:[0-9A-F]{2}:[0-9A-F]{2}\.|/(home|tmp|root|usr)/`)

// checkPublishable checks what package report requires of a GPU: short, clean, anonymous texts,
// and a reason if the status is not "ok".
func checkPublishable(t *testing.T, g report.GPU) {
	t.Helper()
	texts := []string{g.Detail, g.Driver, g.CUDA}
	for _, d := range g.Devices {
		texts = append(texts, d.Name, d.Compute)
	}
	for _, s := range texts {
		if len(s) > maxDetail || !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
			t.Errorf("text is not clean: %q", s)
		}
	}
	if (g.Status == report.GPUOk) != (g.Code == "") || g.Code == "" && g.Detail != "" {
		t.Errorf("status %q with code %q and detail %q", g.Status, g.Code, g.Detail)
	}
	for i, d := range g.Devices {
		if d.Readings != nil {
			checkReasons(t, i, *d.Readings)
		}
	}
	if len(g.Devices) > maxDevices {
		t.Errorf("%d devices", len(g.Devices))
	}
	if _, err := json.Marshal(g); err != nil {
		t.Error(err)
	}
}

// checkReasons checks that each null has one reason, and that no value has one, except the bus
// that could not be measured under load.
func checkReasons(t *testing.T, number int, r report.Readings) {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	for _, u := range r.Unknown {
		if _, twice := reasons[u.Field]; twice || u.Why == "" {
			t.Errorf("GPU %d: %s has the reasons %q and %q", number, u.Field, reasons[u.Field], u.Why)
		}
		reasons[u.Field] = u.Why
	}
	if r.PCIe.UnderLoad == (reasons["pcie.under_load"] != "") {
		t.Errorf("GPU %d: under load is %v, with the reason %q", number, r.PCIe.UnderLoad, reasons["pcie.under_load"])
	}
	delete(reasons, "pcie.under_load")
	delete(reasons, "mig.instances") // some of the list may be known
	if tree["unknown"] == nil {
		t.Errorf("GPU %d: unknown is null", number)
	}
	for _, field := range nulls("", tree) {
		if reasons[field] == "" {
			t.Errorf("GPU %d: %s is null without a reason", number, field)
		}
		delete(reasons, field)
	}
	for field, why := range reasons {
		t.Errorf("GPU %d: %s is %s, but it is known, or an unknown field", number, field, why)
	}
}

// nulls returns the names of the fields of a JSON tree that are null.
func nulls(path string, tree map[string]any) (names []string) {
	for name, v := range tree {
		switch v := v.(type) {
		case nil:
			names = append(names, path+name)
		case map[string]any:
			names = append(names, nulls(path+name+".", v)...)
		}
	}
	return names
}

// checkGPU compares results. Counts, platform and readings that want does not have are ignored.
func checkGPU(t *testing.T, got, want report.GPU) {
	t.Helper()
	if want.Counts == nil {
		got.Counts = nil
	}
	if want.Platform == "" {
		got.Platform = ""
	}
	got.Devices = slices.Clone(got.Devices)
	for i := range min(len(got.Devices), len(want.Devices)) {
		if want.Devices[i].Readings == nil {
			got.Devices[i].Readings = nil
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if text := fmt.Sprintf("%+v", got); identifying.MatchString(text) {
		t.Errorf("result identifies the machine: %s", text)
	}
}

func TestVisible(t *testing.T) {
	t.Parallel()
	inv := inventory{Source: report.SourceNVML, Driver: "550.54.14", GPUs: []gpuInfo{
		{Name: "a", UUID: "GPU-8932f937-d72c"}, {Name: "b", UUID: "GPU-8932aaaa-0000"}, {Name: "c", UUID: "GPU-1234bbbb-0000"},
	}}
	for _, tt := range []struct {
		name string
		env  []string
		want string // names of the devices
		code string
	}{
		{"not set", nil, "abc", ""},
		{"empty", []string{"CUDA_VISIBLE_DEVICES="}, "", report.CodeNoDevice},
		{"minus one", []string{"CUDA_VISIBLE_DEVICES=-1"}, "", report.CodeNoDevice},
		{"Slurm without GPUs", []string{"CUDA_VISIBLE_DEVICES=NoDevFiles"}, "", report.CodeNoDevice},
		{"one", []string{"CUDA_VISIBLE_DEVICES=1"}, "b", ""},
		{"order", []string{"CUDA_VISIBLE_DEVICES=2,0"}, "ca", ""},
		{"spaces", []string{"CUDA_VISIBLE_DEVICES= 0, 2 "}, "ac", ""},
		{"invalid in the middle", []string{"CUDA_VISIBLE_DEVICES=0,2,-1,1"}, "ac", ""},
		{"out of range first", []string{"CUDA_VISIBLE_DEVICES=3,0"}, "", report.CodeNoDevice},
		{"word in the middle", []string{"CUDA_VISIBLE_DEVICES=1,x,0"}, "b", ""},
		{"trailing comma", []string{"CUDA_VISIBLE_DEVICES=1,"}, "b", ""},
		{"twice", []string{"CUDA_VISIBLE_DEVICES=0,0"}, "", report.CodeNoDevice},
		{"UUID", []string{"CUDA_VISIBLE_DEVICES=GPU-1234bbbb-0000"}, "c", ""},
		{"UUID prefixes", []string{"CUDA_VISIBLE_DEVICES=GPU-1,GPU-8932f"}, "ca", ""},
		{"ambiguous UUID", []string{"CUDA_VISIBLE_DEVICES=GPU-8932"}, "", report.CodeNoDevice},
		{"unknown UUID ends", []string{"CUDA_VISIBLE_DEVICES=GPU-1,GPU-ffff,GPU-8932a"}, "c", ""},
		{"same gpuInfo twice", []string{"CUDA_VISIBLE_DEVICES=GPU-1,GPU-12"}, "", report.CodeNoDevice},
		{"MIG", []string{"CUDA_VISIBLE_DEVICES=MIG-1234bbbb-0000"}, "", report.CodeUnsupported},
		{"last entry wins", []string{"CUDA_VISIBLE_DEVICES=", "CUDA_VISIBLE_DEVICES=1"}, "b", ""},
		{"other variable", []string{"CUDA_VISIBLE_DEVICES_OLD=1"}, "abc", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := inv.gpu(tt.env)
			checkPublishable(t, g)
			names := ""
			for _, d := range g.Devices {
				names += d.Name
			}
			if names != tt.want || g.Code != tt.code {
				t.Errorf("got devices %q, code %q (%s); want %q, %q", names, g.Code, g.Detail, tt.want, tt.code)
			}
			if (g.Status == report.GPUNone) != (tt.want == "") {
				t.Errorf("status %q", g.Status)
			}
			if g.Driver != "550.54.14" {
				t.Errorf("driver %q is not kept", g.Driver)
			}
		})
	}
	g := inv.gpu([]string{"CUDA_VISIBLE_DEVICES="})
	if want := "CUDA_VISIBLE_DEVICES hides 3 GPUs"; g.Detail != want {
		t.Errorf("detail %q, want %q", g.Detail, want)
	}
}

// A job that was given a MIG device has the memory of that device.
func TestVisiblePart(t *testing.T) {
	t.Parallel()
	r := blank()
	r.MIG.Instances = []report.Instance{{Profile: "3g.40gb", MemoryBytes: 40 << 30}, {Profile: "1g.10gb", MemoryBytes: 10 << 30}}
	inv := inventory{Source: report.SourceNVML, GPUs: []gpuInfo{
		{Name: "whole", Memory: 80 << 30, UUID: "GPU-1"},
		{Name: "divided", Memory: 80 << 30, UUID: "GPU-2", Readings: r, Parts: []string{"MIG-11aa", "MIG-11bb"}},
	}}
	for mask, want := range map[string]string{
		"MIG-11bb": "1g.10gb", "MIG-11a": "3g.40gb", " MIG-11bb,MIG-11aa": "1g.10gb", "MIG-33": "", "MIG-": "", "1": "3g.40gb",
	} {
		g := inv.gpu([]string{"CUDA_VISIBLE_DEVICES=" + mask})
		if want == "" {
			if g.Code != report.CodeNoDevice {
				t.Errorf("%q: %+v", mask, g)
			}
			continue
		}
		d := g.Devices[0]
		if d.Name != "divided" || d.Readings.MIG.Instances[0].Profile != want || (d.MemoryBytes == 80<<30) != (mask == "1") {
			t.Errorf("%q: %s, %d bytes, %+v", mask, d.Name, d.MemoryBytes, d.Readings.MIG.Instances)
		}
	}
	if len(r.MIG.Instances) != 2 {
		t.Error("the inventory has changed")
	}
}

func TestTooManyCards(t *testing.T) {
	t.Parallel()
	g := inventory{GPUs: make([]gpuInfo, maxDevices+1)}.gpu(nil)
	if len(g.Devices) != maxDevices {
		t.Errorf("%d devices, want %d", len(g.Devices), maxDevices)
	}
}

func TestVisibleWithoutCards(t *testing.T) {
	t.Parallel()
	g := inventory{Source: report.SourceNVML}.gpu([]string{"CUDA_VISIBLE_DEVICES="})
	if g.Code != report.CodeNoDevice || strings.Contains(g.Detail, "CUDA_VISIBLE_DEVICES") {
		t.Errorf("a machine without GPUs: %+v", g)
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in    string
		limit int
		want  string
	}{
		{"GeForce RTX 3090", 96, "GeForce RTX 3090"},
		{" a\tb\r\nc\x00 ", 96, "a b c"},
		{"a\xff\xc3b", 96, "ab"},
		{"\x1b[31mred", 96, "[31mred"},
		{"a\u202eb\u200b", 96, "ab"},
		{"\ufffd", 96, ""},
		{"ação", 2, "a"},  // not half of ç
		{"ação", 4, "aç"}, // nor half of ã
		{"ab cd", 3, "ab"},
		{"ab", 0, ""},
	} {
		if got := clean(tt.in, tt.limit); got != tt.want {
			t.Errorf("clean(%q, %d) = %q, want %q", tt.in, tt.limit, got, tt.want)
		}
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"460.91.03": "460.91.03", " 11.2\n": "11.2", "N/A": "", "[N/A]": "", "": "", "\xff": "",
	} {
		if got := version(in); got != want {
			t.Errorf("version(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestAnonymous(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Driver/library version mismatch": "Driver/library version mismatch",
		"NVML: and/or 11:30":              "NVML: and/or 11:30",
		"Unable to determine the device handle for GPU 0000:02:00.0: GPU is lost.":              "Unable to determine the device handle for GPU : GPU is lost.",
		"Unable to determine the device handle for GPU0000:0A:00.0: Unknown Error":              "Unable to determine the device handle for GPU: Unknown Error",
		"GPU-8932f937-d72c-4106-c12f-20bd9faed9f6 failed":                                       " failed",
		"MIG-GPU-8932f937-d72c-4106-c12f-20bd9faed9f6/1/0 failed":                               " failed",
		"/home/ana/bin/gpudocs: symbol lookup error: /home/ana/bin/gpudocs: undefined symbol x": "gpudocs: symbol lookup error: gpudocs: undefined symbol x",
		"fork/exec /home/ana/gpudocs: permission denied":                                        "fork/exec gpudocs: permission denied",
		`exec: "/opt/x/nvidia-smi": not found`:                                                  `exec: "nvidia-smi": not found`,
	} {
		if got := anonymous(in); got != want {
			t.Errorf("anonymous(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"cannot load /home/ana/env/lib/libcublas.so.12: no\n such file": "cannot load libcublas.so.12: no such file",
		"GPU 0000:65:00.0 GPU-8932f937-d72c fell":                       "GPU fell",
	} {
		if got := Redact(in); got != want {
			t.Errorf("Redact(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestNVMLFault(t *testing.T) {
	t.Parallel()
	for value, want := range map[int]string{
		4: "broken/no-permission", 17: "broken/no-permission", 6: "none/no-device", 28: "none/no-device",
		12: "none/no-library", 15: "broken/gpu-lost", 18: "broken/version-mismatch",
		1: "broken/driver-error", 16: "broken/reset-required", 999: "broken/driver-error",
	} {
		f := nvmlFault(value, "words")
		if got := f.Status + "/" + f.Code; got != want || f.Detail != "words" {
			t.Errorf("%d: got %s %q, want %s", value, got, f.Detail, want)
		}
	}
}

func TestNobodyToAsk(t *testing.T) {
	t.Parallel()
	g := probe(t, options(t))
	want := report.GPU{Status: report.GPUNone, Code: report.CodeNoLibrary}
	if why := whyNoNVML(t); why != "" {
		want.Code, want.Detail = report.CodeUnsupported, why
	}
	checkGPU(t, g, want)
}

// whyNoNVML returns the probe's detail in a program that cannot load NVML.
func whyNoNVML(t *testing.T) string {
	t.Helper()
	o := options(t)
	probe := exec.Command(o.Executable, o.Args...)
	probe.Env = o.Env
	out, err := probe.Output()
	if err != nil {
		t.Fatal(err)
	}
	result, ok := parse(out)
	if !ok {
		t.Fatalf("the probe wrote %q", out)
	}
	if f := result.inventory.Fault; f.Code == report.CodeUnsupported {
		return f.Detail
	}
	return ""
}
