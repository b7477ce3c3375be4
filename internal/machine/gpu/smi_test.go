package gpu

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A fakeSMI is a nvidia-smi that is a shell script: its commands for the query of everything,
// and for that of compute capabilities.
type fakeSMI struct{ all, compute string }

// noField is the answer of older drivers to compute_cap.
const noField = `echo 'Field "compute_cap" is not a valid field to query.'; exit 2`

// install writes the program where o finds it; it lists the GPUs as in list.
func (f fakeSMI) install(t *testing.T, o *ProbeOptions, list ...string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fake nvidia-smi is a shell script")
	}
	o.NvidiaSMI = filepath.Join(t.TempDir(), "nvidia-smi")
	write(t, o.NvidiaSMI, fmt.Sprintf(`#!/bin/sh
case "$*" in
"-q -x") %s ;;
"--query-gpu=compute_cap --format=csv,noheader") %s ;;
"-L") printf '%%s' '%s' ;;
*) echo "unexpected arguments: $*" >&2; exit 99 ;;
esac
`, f.all, f.compute, strings.Join(list, "")), 0o755)
}

// show returns a shell command that writes a file of testdata.
func show(t *testing.T, file string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return "cat '" + path + "'"
}

const couldNot = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running."

const noLibrary = "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system. Please make sure that the NVIDIA Display Driver is properly installed and present in your system."

func TestNvidiaSMI(t *testing.T) {
	t.Parallel()
	old := []report.Device{
		{Name: "GeForce GTX 1080 Ti", MemoryBytes: 11178 << 20},
		{Name: "GeForce RTX 3090", MemoryBytes: 24268 << 20},
	}
	withCompute := []report.Device{old[0], old[1]}
	withCompute[0].Compute, withCompute[1].Compute = "6.1", "8.6"
	ok := func(driver, cuda string, devices ...report.Device) report.GPU {
		return report.GPU{Status: report.GPUOk, Driver: driver, CUDA: cuda, Devices: devices}
	}
	bad := func(status, code, detail string) report.GPU {
		return report.GPU{Status: status, Code: code, Detail: detail}
	}
	for _, tt := range []struct {
		name string
		fake fakeSMI
		want report.GPU
	}{
		{"driver 460", fakeSMI{show(t, "smi-460.xml"), noField}, ok("460.91.03", "11.2", old...)},
		{"driver 570, one card divided by MIG", fakeSMI{show(t, "smi-570.xml"), `printf '8.0\n9.0\n'`}, ok("570.124.06", "12.8",
			report.Device{Name: "NVIDIA A100-SXM4-40GB", Compute: "8.0"},
			report.Device{Name: "NVIDIA H100 80GB HBM3", MemoryBytes: 81559 << 20, Compute: "9.0"})},
		{"compute", fakeSMI{show(t, "smi-460.xml"), `printf '6.1\r\n8.6\r\n'`}, ok("460.91.03", "11.2", withCompute...)},
		{"compute of fewer GPUs", fakeSMI{show(t, "smi-460.xml"), "echo 6.1"}, ok("460.91.03", "11.2", old...)},
		{"compute of more GPUs", fakeSMI{show(t, "smi-460.xml"), `printf '6.1\n8.6\n9.0\n'`}, ok("460.91.03", "11.2", old...)},
		{"bytes that XML forbids", fakeSMI{show(t, "smi-460.xml") + ` | sed "s/GTX 1080/GTX$(printf '\001\377')1080/"`, noField}, ok("460.91.03", "11.2", old...)},
		{"names that are going", fakeSMI{show(t, "smi-460.xml") + " | sed 's|</driver_version>| [Deprecated; will be removed in CUDA 14.0. Use KMD Version instead]&|; s|</cuda_version>| [Deprecated]&|'", noField}, ok("460.91.03", "11.2", old...)},
		{"names that have come", fakeSMI{show(t, "smi-460.xml") + " | sed 's|driver_version>|kmd_version>|g; s|cuda_version>|cuda_umd_version>|g'", noField}, ok("460.91.03", "11.2", old...)},
		{"compute not known", fakeSMI{show(t, "smi-460.xml"), `printf '[N/A]\nx\n'`}, ok("460.91.03", "11.2", old...)},
		{"warnings around, exit 14", fakeSMI{"echo 'a & <b'; " + show(t, "smi-460.xml") + "; echo 'WARNING: infoROM is corrupted at gpu 0000:05:00.0'; exit 14", noField},
			ok("460.91.03", "11.2", old...)},
		{"lost card", fakeSMI{show(t, "smi-460.xml") + " | sed 's/GeForce RTX 3090/GPU is lost/; s/24268 MiB/GPU is lost/'", noField},
			report.GPU{Status: report.GPUBroken, Code: report.CodeLost, Detail: "GPU 1: GPU is lost", Driver: "460.91.03", CUDA: "11.2", Devices: old[:1]}},
		{"card that must be reset", fakeSMI{show(t, "smi-460.xml") + " | sed 's/GeForce GTX 1080 Ti/[GPU requires reset]/'", noField},
			report.GPU{Status: report.GPUBroken, Code: report.CodeReset, Detail: "GPU 0: GPU requires reset", Driver: "460.91.03", CUDA: "11.2", Devices: old[1:]}},
		{"card with an unknown error", fakeSMI{show(t, "smi-460.xml") + " | sed 's/GeForce GTX 1080 Ti/[Unknown Error]/'", noField},
			report.GPU{Status: report.GPUBroken, Code: report.CodeDriverFailed, Detail: "GPU 0: Unknown Error", Driver: "460.91.03", CUDA: "11.2", Devices: old[1:]}},
		{"card left out", fakeSMI{show(t, "smi-460.xml") + " | sed 's/gpus>2</gpus>3</'", noField},
			report.GPU{Status: report.GPUBroken, Code: report.CodeDriverFailed, Detail: "nvidia-smi counts 3 GPUs and lists 2", Driver: "460.91.03", CUDA: "11.2"}},
		{"no GPUs", fakeSMI{"echo '<nvidia_smi_log><driver_version>460.91.03</driver_version><cuda_version>N/A</cuda_version><attached_gpus>0</attached_gpus></nvidia_smi_log>'", noField},
			report.GPU{Status: report.GPUNone, Code: report.CodeNoDevice, Driver: "460.91.03"}},
		{"exit 6", fakeSMI{"echo 'No devices were found'; exit 6", noField}, bad(report.GPUNone, report.CodeNoDevice, "No devices were found")},
		{"exit 0 without a GPU", fakeSMI{"echo 'No devices were found'", noField}, bad(report.GPUNone, report.CodeNoDevice, "No devices were found")},
		{"exit 0, silent", fakeSMI{"exit 0", noField}, bad(report.GPUBroken, report.CodeDriverFailed, "nvidia-smi's answer cannot be read: there is no nvidia_smi_log in it")},
		{"a missing library", fakeSMI{"echo 'nvidia-smi: error while loading shared libraries: libz.so.1: cannot open shared object file' >&2; exit 127", noField},
			bad(report.GPUBroken, report.CodeDriverFailed, "nvidia-smi: error while loading shared libraries: libz.so.1: cannot open shared object file")},
		{"exit 9", fakeSMI{`echo "` + couldNot + `"; echo; exit 9`, noField}, bad(report.GPUNone, report.CodeNotLoaded, couldNot)},
		{"exit 12", fakeSMI{`printf "` + noLibrary + `\nPlease also try more.\n"; exit 12`, noField}, bad(report.GPUNone, report.CodeNoLibrary, noLibrary)},
		{"exit 15", fakeSMI{"echo 'Unable to determine the device handle for GPU 0000:06:00.0: GPU is lost.' >&2; exit 15", noField},
			bad(report.GPUBroken, report.CodeLost, "Unable to determine the device handle for GPU : GPU is lost.")},
		{"exit 18", fakeSMI{"echo 'Failed to initialize NVML: Driver/library version mismatch'; exit 18", noField},
			bad(report.GPUBroken, report.CodeMismatch, "Failed to initialize NVML: Driver/library version mismatch")},
		{"exit 255, silent", fakeSMI{"exit 255", noField}, bad(report.GPUBroken, report.CodeDriverFailed, "nvidia-smi: exit status 255")},
		{"killed", fakeSMI{"kill -9 $$", noField}, bad(report.GPUBroken, report.CodeProbeCrashed, "nvidia-smi: signal: killed")},
		{"cut off", fakeSMI{show(t, "smi-460.xml") + " | head -c 900", noField},
			bad(report.GPUBroken, report.CodeDriverFailed, "nvidia-smi's answer cannot be read: XML syntax error on line 1: unexpected EOF")},
		{"cut off between GPUs", fakeSMI{show(t, "smi-460.xml") + " | sed '/06:00.0/,$d'", noField},
			bad(report.GPUBroken, report.CodeDriverFailed, "nvidia-smi's answer cannot be read: XML syntax error on line 1: unexpected EOF")},
		{"no XML", fakeSMI{"echo hello", noField}, bad(report.GPUBroken, report.CodeDriverFailed, "nvidia-smi's answer cannot be read: there is no nvidia_smi_log in it")},
		{"endless", fakeSMI{"echo '<nvidia_smi_log>'; exec yes '<gpu></gpu>'", noField},
			bad(report.GPUBroken, report.CodeDriverFailed, "nvidia-smi's answer cannot be read: the answer is too long")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := options(t)
			tt.fake.install(t, &o)
			tt.want.Source = report.SourceNvidiaSMI
			checkGPU(t, probe(t, o), tt.want)
		})
	}
}

func TestNvidiaSMIVisible(t *testing.T) {
	t.Parallel()
	o := options(t, "CUDA_VISIBLE_DEVICES=GPU-2a3b")
	fakeSMI{show(t, "smi-460.xml"), `printf '6.1\n8.6\n'`}.install(t, &o)
	checkGPU(t, probe(t, o), report.GPU{Status: report.GPUOk, Source: report.SourceNvidiaSMI, Driver: "460.91.03", CUDA: "11.2",
		Devices: []report.Device{{Name: "GeForce RTX 3090", MemoryBytes: 24268 << 20, Compute: "8.6"}}})
}

// What nvidia-smi does not report of a GPU comes from CUDA: they are matched by PCI address,
// also in a program that was built without cgo.
func TestNvidiaSMIWithCUDA(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("no libcuda here")
	}
	o := options(t, "FAKE_CUDA=2")
	dir, _ := lookup(o.Env, "LD_LIBRARY_PATH")
	compile(t, filepath.Join(dir, "libcuda.so.1"), "testdata/fake_cuda.c")
	fakeSMI{show(t, "smi-460.xml") + " | sed 's/:05:00.0/:10:00.0/; s/:06:00.0/:20:00.0/'", `printf '6.1\n8.6\n'`}.install(t, &o)
	g := probe(t, o)
	if g.Source != report.SourceNvidiaSMI || len(g.Devices) != 2 || g.Counts == nil || g.Counts.CUDA == nil || *g.Counts.CUDA != 2 || *g.Counts.NVML != 2 {
		t.Fatalf("got %+v, counts %+v", g, g.Counts)
	}
	for i, want := range []int{28, 82} {
		r := g.Devices[i].Readings
		if r.SMs == nil || *r.SMs != want || r.Cores == nil || *r.Cores != want*128 || r.PCIe.UnderLoad {
			t.Errorf("GPU %d: %+v", i, r)
		}
	}
}

// A script that only says which package to install for nvidia-smi is not nvidia-smi.
func TestNvidiaSMIStub(t *testing.T) {
	t.Parallel()
	o := options(t)
	fakeSMI{"echo \"Command 'nvidia-smi' not found, but can be installed with: apt install nvidia-utils-535\" >&2; exit 127", noField}.install(t, &o)
	if g := probe(t, o); g.Status != report.GPUNone || g.Source != "" {
		t.Errorf("%+v", g)
	}
}

// patience is less than the sleep of a program that is not waited for, and far more than a busy
// machine takes for anything else.
const patience = time.Minute

func TestNvidiaSMIHangs(t *testing.T) {
	t.Parallel()
	o := options(t)
	pids := filepath.Join(t.TempDir(), "pids")
	fakeSMI{"sleep 1000 & echo $! $$ > '" + pids + "'; wait", noField}.install(t, &o)
	o.Timeout = 2 * time.Second
	start := time.Now()
	checkGPU(t, probe(t, o), report.GPU{Status: report.GPUBroken, Code: report.CodeProbeTimeout, Source: report.SourceNvidiaSMI,
		Detail: "no answer in time (limit 2s)"})
	if took := time.Since(start); took > patience {
		t.Errorf("took %v", took)
	}
	checkGone(t, pids, 2)
}

// The GPU's values must be kept when the program does not answer the second query in time.
func TestNvidiaSMIComputeHangs(t *testing.T) {
	t.Parallel()
	o := options(t)
	fakeSMI{show(t, "smi-460.xml"), "sleep 1000"}.install(t, &o)
	o.Timeout = 2 * time.Second
	g := probe(t, o)
	if g.Status != report.GPUOk || len(g.Devices) != 2 || g.Devices[0].Compute != "" {
		t.Errorf("got %+v", g)
	}
}

// A subprocess that holds standard output open must not delay Probe.
func TestNvidiaSMILeavesChild(t *testing.T) {
	t.Parallel()
	o := options(t)
	fakeSMI{show(t, "smi-460.xml") + "; sleep 100 &", noField}.install(t, &o)
	start := time.Now()
	g := probe(t, o)
	if took := time.Since(start); took > patience || len(g.Devices) != 2 {
		t.Errorf("took %v: %+v", took, g)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	o := options(t)
	fakeSMI{"exec sleep 1000", noField}.install(t, &o)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	g := Probe(ctx, o)
	if g.Code != report.CodeProbeTimeout || g.Detail != "cancelled before there was an answer" {
		t.Errorf("got %+v", g)
	}
}

// checkGone checks that the n processes whose numbers are in the file have ended.
func checkGone(t *testing.T, file string, n int) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pids := strings.Fields(string(text))
	if len(pids) != n {
		t.Fatalf("%d processes were started, want %d", len(pids), n)
	}
	deadline := time.Now().Add(patience)
	for _, pid := range pids {
		for running(pid) {
			if time.Now().After(deadline) {
				t.Fatalf("process %s still runs", pid)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// running reports whether a process runs; one that waits to be reaped does not.
func running(pid string) bool {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return false
	}
	_, state, _ := bytes.Cut(stat, []byte(") "))
	return !bytes.HasPrefix(state, []byte("Z"))
}

func FuzzSMI(f *testing.F) {
	for _, file := range smiFiles(f) {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, []byte("6.1\n8.6\n"), "0,1")
		f.Add(data[:len(data)/2], []byte("[N/A]\n"), "")
		f.Add(data, []byte("GPU 0: A (UUID: GPU-a1000000-0000-4000-8000-000000000100)\n  MIG 1g.5gb Device 0: (UUID: MIG-1)\n"), "0")
	}
	f.Add([]byte("<nvidia_smi_log><attached_gpus>1</attached_gpus><gpu><product_name>\x01\xff</product_name></gpu></nvidia_smi_log>"), []byte("8.6"), "GPU-")
	f.Fuzz(func(t *testing.T, data, csv []byte, mask string) {
		inv, err := parseSMI(data)
		if err != nil {
			return
		}
		inv.addCompute(csv)
		inv.addProfiles(csv)
		all := inv.gpu(nil)
		checkPublishable(t, all)
		some := inv.gpu([]string{"CUDA_VISIBLE_DEVICES=" + mask})
		checkPublishable(t, some)
		if len(some.Devices) > len(all.Devices) {
			t.Errorf("CUDA_VISIBLE_DEVICES=%q shows %d of %d devices", mask, len(some.Devices), len(all.Devices))
		}
		for _, d := range all.Devices {
			if d.MemoryBytes%(1<<20) != 0 || d.Compute != "" && !capability.MatchString(d.Compute) {
				t.Errorf("device %+v", d)
			}
		}
	})
}
