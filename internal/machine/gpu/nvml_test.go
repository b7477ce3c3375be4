//go:build linux && cgo && (amd64 || arm64)

package gpu

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/NVIDIA/go-nvml/pkg/nvml"

	"github.com/gpudocs/gpudocs/internal/report"
)

// fakeNVML builds a libnvidia-ml.so.1 and returns options that use it.
func fakeNVML(t *testing.T, source string, flags ...string) func(scenario string, env ...string) ProbeOptions {
	t.Helper()
	dir := t.TempDir()
	compile(t, filepath.Join(dir, "libnvidia-ml.so.1"), source, flags...)
	return func(scenario string, env ...string) ProbeOptions {
		return options(t, append([]string{"LD_LIBRARY_PATH=" + dir, "FAKE_NVML=" + scenario}, env...)...)
	}
}

const fakeSource = "testdata/fake_nvml.c"

var (
	gtx1080ti = report.Device{Name: "GeForce GTX 1080 Ti", MemoryBytes: 11178 << 20, Compute: "6.1"}
	rtx3090   = report.Device{Name: "GeForce RTX 3090", MemoryBytes: 24268 << 20, Compute: "8.6"}
)

func TestNVML(t *testing.T) {
	t.Parallel()
	fake := fakeNVML(t, fakeSource)
	bad := func(status, code, detail string) report.GPU {
		return report.GPU{Status: status, Code: code, Detail: detail}
	}
	for _, tt := range []struct {
		scenario string
		env      []string
		want     report.GPU
	}{
		{"two", nil, report.GPU{Status: report.GPUOk, Driver: "460.91.03", CUDA: "11.2", Devices: []report.Device{gtx1080ti, rtx3090}}},
		{"two", []string{"LD_BIND_NOW=1"}, report.GPU{Status: report.GPUOk, Driver: "460.91.03", CUDA: "11.2", Devices: []report.Device{gtx1080ti, rtx3090}}},
		{"two", []string{"CUDA_VISIBLE_DEVICES=GPU-2a3b,0"}, report.GPU{Status: report.GPUOk, Driver: "460.91.03", CUDA: "11.2", Devices: []report.Device{rtx3090, gtx1080ti}}},
		{"two", []string{"CUDA_VISIBLE_DEVICES="}, report.GPU{Status: report.GPUNone, Code: report.CodeNoDevice,
			Detail: "CUDA_VISIBLE_DEVICES hides 2 GPUs", Driver: "460.91.03", CUDA: "11.2"}},
		{"modern", nil, report.GPU{Status: report.GPUOk, Driver: "580.65.06", CUDA: "13.0",
			Devices: []report.Device{{Name: "NVIDIA H100 80GB HBM3", MemoryBytes: 81559 << 20, Compute: "9.0"}}}},
		{"mismatch", nil, bad(report.GPUBroken, report.CodeMismatch, "Driver/library version mismatch")},
		{"permission", nil, bad(report.GPUBroken, report.CodeNoPermission, "Insufficient Permissions")},
		{"unloaded", nil, bad(report.GPUNone, report.CodeNotLoaded, "Driver Not Loaded")},
		{"failed", nil, bad(report.GPUBroken, report.CodeDriverFailed, "Unknown Error")},
		{"empty", nil, report.GPU{Status: report.GPUNone, Code: report.CodeNoDevice, Driver: "550.54.14", CUDA: "12.4"}},
		{"lost", nil, report.GPU{Status: report.GPUBroken, Code: report.CodeLost, Detail: "GPU 1: GPU is lost",
			Driver: "460.91.03", CUDA: "11.2", Devices: []report.Device{gtx1080ti}}},
		{"lost-late", nil, report.GPU{Status: report.GPUBroken, Code: report.CodeLost, Detail: "GPU 1: GPU is lost",
			Driver: "460.91.03", CUDA: "11.2", Devices: []report.Device{gtx1080ti}}},
		{"forbidden", nil, report.GPU{Status: report.GPUOk, Driver: "460.91.03", CUDA: "11.2", Devices: []report.Device{rtx3090}}},
		{"all-forbidden", nil, report.GPU{Status: report.GPUBroken, Code: report.CodeNoPermission, Detail: "Insufficient Permissions", Driver: "460.91.03", CUDA: "11.2"}},
		{"unsupported", nil, report.GPU{Status: report.GPUOk, Driver: "580.65.06", CUDA: "13.0", Devices: []report.Device{{Name: "NVIDIA GB10", MemoryShared: true}}}},
		{"divided", nil, report.GPU{Status: report.GPUOk, Driver: "550.54.14", CUDA: "12.4", Devices: []report.Device{{Name: "NVIDIA A100-SXM4-40GB", Compute: "8.0"}}}},
		{"odd", nil, report.GPU{Status: report.GPUBroken, Code: report.CodeDriverFailed, Detail: "GPU 0: Unknown Error", Driver: "550.54.14", CUDA: "12.4"}},
	} {
		t.Run(strings.Join(append([]string{tt.scenario}, tt.env...), " "), func(t *testing.T) {
			tt.want.Source = report.SourceNVML
			checkGPU(t, probe(t, fake(tt.scenario, tt.env...)), tt.want)
		})
	}
}

func TestNVMLGarbage(t *testing.T) {
	t.Parallel()
	g := probe(t, fakeNVML(t, fakeSource)("garbage"))
	if g.Status != report.GPUOk || g.Driver != "460 91 .03" || g.CUDA != "" || len(g.Devices) != 1 {
		t.Fatalf("got %+v", g)
	}
	d := g.Devices[0]
	if !strings.HasPrefix(d.Name, "[31m A [31m A") || len(d.Name) > maxName || d.MemoryBytes != rtx3090.MemoryBytes {
		t.Errorf("device %+v", d)
	}
}

// An old library has few functions; those that it lacks must not be called.
func TestNVMLOldLibrary(t *testing.T) {
	t.Parallel()
	fake := fakeNVML(t, fakeSource, "-DFAKE_OLD")
	checkGPU(t, probe(t, fake("two")), report.GPU{Status: report.GPUOk, Source: report.SourceNVML, Driver: "460.91.03",
		Devices: []report.Device{{Name: gtx1080ti.Name}, {Name: rtx3090.Name}}})
	checkGPU(t, probe(t, fake("permission")), report.GPU{Status: report.GPUBroken, Source: report.SourceNVML,
		Code: report.CodeNoPermission, Detail: "NVML error 4"})
}

func TestNVMLCrash(t *testing.T) {
	t.Parallel()
	for scenario, want := range map[string]string{
		"abort":    "exit status 2: SIGABRT: abort",
		"segfault": "exit status 2: SIGSEGV: segmentation violation",
	} {
		t.Run(scenario, func(t *testing.T) {
			g := probe(t, fakeNVML(t, fakeSource)(scenario))
			checkGPU(t, g, report.GPU{Status: report.GPUBroken, Code: report.CodeProbeCrashed, Detail: want})
		})
	}
}

// A library that lacks every function crashes nothing.
func TestNVMLHollowLibrary(t *testing.T) {
	t.Parallel()
	source := filepath.Join(t.TempDir(), "hollow.c")
	write(t, source, "int hollow;\n", 0o644)
	checkGPU(t, probe(t, fakeNVML(t, source)("")), report.GPU{Status: report.GPUBroken, Source: report.SourceNVML,
		Code: report.CodeDriverFailed, Detail: "NVML error 13"})
}

// LD_BIND_NOW makes the dynamic linker resolve every function before main; one that it does not
// find ends the process with 127.
func TestBindNow(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{nil, {"-DFAKE_OLD"}} {
		o := fakeNVML(t, fakeSource, flags...)("two", "LD_BIND_NOW=1")
		c := exec.Command(o.Executable, o.Args...)
		c.Env = o.Env
		out, err := c.CombinedOutput()
		if result, ok := parse(out); err != nil || !ok || len(result.inventory.GPUs) != 2 {
			t.Errorf("%v: %v\n%s", flags, err, out)
		}
	}
}

// defined returns the functions of nvml_linux.S.
func defined(t *testing.T) (names []string) {
	t.Helper()
	text, err := os.ReadFile("nvml_linux.S")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range regexp.MustCompile(`(?m)^\tFUNCTIONS (nvml.*)$`).FindAllStringSubmatch(string(text), -1) {
		names = append(names, strings.Split(line[1], ", ")...)
	}
	if len(names) < 300 {
		t.Fatalf("%d functions were found", len(names))
	}
	return names
}

// The program has each NVML function that go-nvml calls.
func TestSymbols(t *testing.T) {
	t.Parallel()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/NVIDIA/go-nvml").Output()
	if err != nil {
		t.Skip("no go command to find go-nvml with")
	}
	calls, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "pkg", "nvml", "nvml.go"))
	if err != nil {
		t.Fatal(err)
	}
	table, n := defined(t), 0
	for _, m := range regexp.MustCompile(`\bC\.(nvml[A-Z]\w*)\(`).FindAllSubmatch(calls, -1) {
		n++
		if !slices.Contains(table, string(m[1])) {
			t.Errorf("nvml_linux.S lacks %s", m[1])
		}
	}
	if n < 300 {
		t.Errorf("%d calls were found", n)
	}
}

// If NVML crashed, nvidia-smi may answer; if NVML answered, nvidia-smi is not queried.
func TestNVMLThenNvidiaSMI(t *testing.T) {
	t.Parallel()
	fake := fakeNVML(t, fakeSource)
	for scenario, source := range map[string]string{
		"abort": report.SourceNvidiaSMI, "two": report.SourceNVML, "mismatch": report.SourceNVML, "unloaded": report.SourceNVML,
	} {
		o := fake(scenario)
		fakeSMI{show(t, "smi-460.xml"), noField}.install(t, &o)
		if g := probe(t, o); g.Source != source {
			t.Errorf("%s: %q answered, want %q: %+v", scenario, g.Source, source, g)
		}
	}
}

func TestNVMLHangs(t *testing.T) {
	t.Parallel()
	pids := filepath.Join(t.TempDir(), "pids")
	o := fakeNVML(t, fakeSource)("hang", "FAKE_PIDS="+pids)
	o.Timeout = 2 * time.Second
	fakeSMI{show(t, "smi-460.xml"), noField}.install(t, &o) // which must not be queried
	start := time.Now()
	checkGPU(t, probe(t, o), report.GPU{Status: report.GPUBroken, Code: report.CodeProbeTimeout, Detail: "no answer in time (limit 2s)"})
	if took := time.Since(start); took < o.Timeout || took > patience {
		t.Errorf("took %v", took)
	}
	checkGone(t, pids, 2)
}

// A machine of many GPUs that all have to wake first is slow, but does not time out.
func TestNVMLIsSlow(t *testing.T) {
	t.Parallel()
	o := fakeNVML(t, fakeSource)("node", "FAKE_SLOW=500")
	o.Timeout = 3 * time.Second
	if g := probe(t, o); g.Status != report.GPUOk || len(g.Devices) != 8 {
		t.Errorf("%s/%s (%s)", g.Status, g.Code, g.Detail)
	}
}

func TestNVMLHangsUntilCancelled(t *testing.T) {
	t.Parallel()
	pids := filepath.Join(t.TempDir(), "pids")
	o := fakeNVML(t, fakeSource)("hang", "FAKE_PIDS="+pids)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if g := Probe(ctx, o); g.Code != report.CodeProbeTimeout {
		t.Errorf("got %+v", g)
	}
	checkGone(t, pids, 2)
}

// A program that is not the probe, or does not exist, counts as a crash of the probe.
func TestWrongExecutable(t *testing.T) {
	t.Parallel()
	echo, err := exec.LookPath("echo")
	if err != nil {
		t.Skip("no echo")
	}
	missing := filepath.Join(t.TempDir(), "a b", "gpudocs")
	for _, tt := range []struct{ executable, arg, want string }{
		{echo, "hello", "the probe ended without an answer"},
		{echo, "{}", "the probe ended without an answer"},
		{missing, "x", "fork/exec gpudocs: no such file or directory"},
		{"", "x", "exec: no command"},
	} {
		o := options(t)
		o.Executable, o.Args = tt.executable, []string{tt.arg}
		checkGPU(t, probe(t, o), report.GPU{Status: report.GPUBroken, Code: report.CodeProbeCrashed, Detail: tt.want})
	}
}

// fault.go has its own copy of NVML's return values.
func TestReturnValues(t *testing.T) {
	t.Parallel()
	for ours, theirs := range map[int]nvml.Return{
		nvmlNoPermission:    nvml.ERROR_NO_PERMISSION,
		nvmlNotFound:        nvml.ERROR_NOT_FOUND,
		nvmlDriverNotLoaded: nvml.ERROR_DRIVER_NOT_LOADED,
		nvmlLibraryNotFound: nvml.ERROR_LIBRARY_NOT_FOUND,
		nvmlGPUIsLost:       nvml.ERROR_GPU_IS_LOST,
		nvmlResetRequired:   nvml.ERROR_RESET_REQUIRED,
		nvmlOperatingSystem: nvml.ERROR_OPERATING_SYSTEM,
		nvmlVersionMismatch: nvml.ERROR_LIB_RM_VERSION_MISMATCH,
		nvmlGPUNotFound:     nvml.ERROR_GPU_NOT_FOUND,
		nvmlUnknown:         nvml.ERROR_UNKNOWN,
	} {
		if ours != int(theirs) {
			t.Errorf("%d is not %d", ours, theirs)
		}
	}
}

// BenchmarkProbe measures starting the probe and reading its answer.
func BenchmarkProbe(b *testing.B) {
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		Probe(context.Background(), ProbeOptions{Executable: self, Args: []string{probeArg}})
	}
}

// TestNVMLNonsense: a library whose functions return anything, and write anything where they are
// given a pointer, as one of another version may do. The answer is short and has a reason (probe).
func TestNVMLNonsense(t *testing.T) {
	t.Parallel()
	var source strings.Builder
	source.WriteString(`#include <stdint.h>
#include <stdlib.h>
static uint64_t state;
static uint64_t next(void)
{
	if (!state)
		state = 88172645463325252u * (1 + atoi(getenv("FAKE_NVML")));
	state ^= state << 13, state ^= state >> 7, state ^= state << 17;
	return state;
}
static void fill(uint32_t *p)
{
	if ((uintptr_t)p > 1 << 16)
		*p = next() % 2 ? next() % 4 : next() % 1000 ? next() % 60000 : next();
}
static int nonsense(void *a, void *b)
{
	fill(a), fill(b);
	return next() % 8 ? 0 : next() % 4 ? next() % 30 : next();
}
const char *nvmlErrorString(int code) { return next() % 2 ? "\x1b[31m/home/user" : 0; }
`)
	for _, name := range defined(t) {
		if name != "nvmlErrorString" {
			source.WriteString("int " + name + "(void *a, void *b) { return nonsense(a, b); }\n")
		}
	}
	file := filepath.Join(t.TempDir(), "nonsense.c")
	write(t, file, source.String(), 0o644)
	fake := fakeNVML(t, file)
	codes := map[string]int{}
	for seed := range 40 {
		g := probe(t, fake(strconv.Itoa(seed)))
		codes[g.Status+" "+g.Code]++
	}
	if len(codes) < 3 {
		t.Errorf("only %v", codes)
	}
	t.Log(codes)
}
