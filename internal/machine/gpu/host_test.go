package gpu

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/report"
)

// files returns a file system of alternating names and texts.
func files(pairs ...string) fstest.MapFS {
	root := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		root[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return root
}

const proprietary = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024\nGCC version:  gcc version 12.2.0\n"

func TestPlatform(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		root fstest.MapFS
		env  []string
		want string
	}{
		{"bare", files("proc/self/cgroup", "0::/user.slice/user-1000.slice/session-2.scope\n"), nil, ""},
		{"WSL2", files("dev/dxg", ""), nil, report.PlatformWSL2},
		{"Docker in WSL2", files("usr/lib/wsl/lib/libcuda.so.1", "", ".dockerenv", ""), nil, report.PlatformWSL2},
		{"Docker", files(".dockerenv", ""), nil, "docker"},
		{"Apptainer by variable", files(), []string{"SINGULARITY_CONTAINER=/home/ana/x.sif"}, "apptainer"},
	} {
		if got := (host{root: tt.root, env: tt.env}).platform(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Each failure has its own code, including those that the driver cannot distinguish.
func TestExplain(t *testing.T) {
	t.Parallel()
	eperm := func(string) error { return &fs.PathError{Op: "access", Path: "x", Err: syscall.EPERM} }
	fine := func(string) error { return nil }
	node := []string{"dev/nvidiactl", "", "dev/nvidia0", ""}
	module := []string{"proc/driver/nvidia/version", proprietary}
	docker := []string{".dockerenv", ""}
	join := func(lists ...[]string) (root fstest.MapFS) {
		var all []string
		for _, l := range lists {
			all = append(all, l...)
		}
		return files(all...)
	}
	for _, tt := range []struct {
		name  string
		value int
		root  fstest.MapFS
		open  func(string) error
		want  string
	}{
		{"no library", nvmlLibraryNotFound, files(), fine, "none/no-library"},
		{"no library in a container on a machine without a driver", nvmlLibraryNotFound, join(docker), fine, "none/no-library"},
		{"no library in a container, and the host has a driver", nvmlLibraryNotFound, join(docker, module), fine, "none/container-no-gpu"},
		{"library in a container without device files", nvmlDriverNotLoaded, join(docker, module), fine, "none/container-no-gpu"},
		{"no driver", nvmlDriverNotLoaded, files(), fine, "none/driver-not-loaded"},
		{"device files left behind", nvmlDriverNotLoaded, join(node), fine, "none/driver-not-loaded"},
		{"module without device files", nvmlDriverNotLoaded, join(module), fine, "none/driver-not-loaded"},
		{"module there after all", nvmlDriverNotLoaded, join(module, node), fine, "broken/driver-not-loaded"},
		{"updated", nvmlVersionMismatch, join(module, node), fine, "broken/version-mismatch"},
		{"no permission", nvmlNoPermission, join(module, node), func(string) error { return syscall.EACCES }, "broken/no-permission"},
		{"container lost its devices", nvmlUnknown, join(docker, module, node), eperm, "broken/container-lost"},
		{"container that may not", nvmlNoPermission, join(docker, module, node), eperm, "broken/container-lost"},
		{"unknown error in a container that has its devices", nvmlUnknown, join(docker, module, node), fine, "broken/driver-error"},
		{"unknown error", nvmlUnknown, join(module, node), fine, "broken/driver-error"},
		{"unknown error, off the bus", nvmlUnknown, join(module, node, []string{"sys/bus/pci/devices/x/vendor", "0x10de\n",
			"sys/bus/pci/devices/x/class", "0x030000\n", "sys/bus/pci/devices/x/config", "\xff\xff\xff\xff"}), fine, "broken/gpu-lost"},
		{"unknown error, answering on the bus", nvmlUnknown, join(module, node, []string{"sys/bus/pci/devices/x/vendor", "0x10de\n",
			"sys/bus/pci/devices/x/class", "0x030000\n", "sys/bus/pci/devices/x/config", "\xde\x10\x30\x23"}), fine, "broken/driver-error"},
		{"another's card off the bus", nvmlUnknown, join(module, node, []string{"sys/bus/pci/devices/x/vendor", "0x1002\n",
			"sys/bus/pci/devices/x/class", "0x030000\n", "sys/bus/pci/devices/x/config", "\xff\xff\xff\xff"}), fine, "broken/driver-error"},
		{"lost", nvmlGPUIsLost, files(), fine, "broken/gpu-lost"},
		{"reset", nvmlResetRequired, files(), fine, "broken/reset-required"},
		{"WSL2 without Windows' driver", nvmlLibraryNotFound, files("dev/dxg", ""), fine, "none/wsl-driver"},
		{"WSL2 blocked", nvmlOperatingSystem, files("dev/dxg", ""), fine, "broken/wsl-driver"},
	} {
		f := host{root: tt.root, open: tt.open}.explain(nvmlFault(tt.value, "words"), "")
		if got := f.Status + "/" + f.Code; got != tt.want || f.Detail != "words" {
			t.Errorf("%s: %s %q, want %s", tt.name, got, f.Detail, tt.want)
		}
	}
}

// A mismatch names both versions if both are known.
func TestMismatch(t *testing.T) {
	t.Parallel()
	loaded := host{root: files("proc/driver/nvidia/version", proprietary)}
	for _, tt := range []struct {
		h       host
		library string
		want    string
	}{
		{loaded, "550.54.14", "words: the loaded kernel module is 535.183.01, the installed library 550.54.14"},
		{loaded, "", "words"},
		{loaded, "535.183.01", "words"}, // the versions match
		{host{root: files()}, "550.54.14", "words"},
	} {
		if f := tt.h.explain(nvmlFault(nvmlVersionMismatch, "words"), tt.library); f.Detail != tt.want {
			t.Errorf("%q, want %q", f.Detail, tt.want)
		}
	}
}

// An error that is not NVML's is not explained by the state of the machine.
func TestExplainLeavesAlone(t *testing.T) {
	t.Parallel()
	h := host{root: files("dev/dxg", "", ".dockerenv", "", "dev/nvidia0", ""), open: func(string) error { return syscall.EPERM }}
	for _, f := range []*fault{nil, crashed("words"), {Status: report.GPUBroken, Code: report.CodeDriverFailed, Detail: "cannot be read"}} {
		got := h.explain(f, "")
		if f != nil && *got != *f || f == nil && got != nil {
			t.Errorf("%+v became %+v", f, got)
		}
	}
}

// This process may open a world-readable device, and the error for an inaccessible one is of
// permission.
func TestMayOpen(t *testing.T) {
	t.Parallel()
	h := thisHost(nil)
	if h.has("dev/null") {
		if err := h.open("dev/null"); err != nil {
			t.Error(err)
		}
	}
	if err := h.open("dev/no-such-file-of-nvidia"); h.has("dev") && !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestPCIKey(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"0000:05:00.0": "0:05:00", "00000000:05:00.0": "0:05:00", "0001:C1:00.0": "1:c1:00", "5:00.0": "", "": "", "05:00.0": "0:05:00",
		"0:05:00": "0:05:00", "x0000:05:00.0": "",
	} {
		if got := pciKey(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := pciAt(1, 0xc1, 0); got != pciKey("0001:C1:00.0") {
		t.Error(got)
	}
}

func TestMIGProfiles(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"NVIDIA A100-SXM4-40GB MIG 1g.5gb": "1g.5gb", "NVIDIA A100-SXM4-80GB MIG 1c.3g.40gb": "1c.3g.40gb", "NVIDIA H100 MIG 1g.10gb+me": "1g.10gb+me",
		"NVIDIA B200 MIG 1g.23gb+me.all": "1g.23gb+me.all", "NVIDIA H100 80GB HBM3": "", "NVIDIA H100 MIG \x1b[31m": "", "": "",
	} {
		if got := migProfile(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	const mib = 1 << 20
	for _, tt := range []struct {
		slices, compute uint32
		memory, whole   uint64
		want            string
	}{
		{1, 1, 4864 * mib, 40960 * mib, "1g.5gb"},    // A100 40 GB
		{3, 3, 19968 * mib, 40960 * mib, "3g.20gb"},  // with half of the memory
		{1, 1, 9856 * mib, 81559 * mib, "1g.10gb"},   // H100 80 GB
		{7, 7, 81152 * mib, 81559 * mib, "7g.80gb"},  // all of it
		{1, 1, 16384 * mib, 143771 * mib, "1g.18gb"}, // H200
		{3, 1, 40448 * mib, 81559 * mib, "1c.3g.40gb"},
		{1, 1, 5952 * mib, 0, "1g.6gb"}, // A30, whose memory is unknown
	} {
		if got := workedOut(tt.slices, tt.compute, tt.memory, tt.whole); got != tt.want {
			t.Errorf("%d slices, %d MiB: %s, want %s", tt.slices, tt.memory/mib, got, tt.want)
		}
	}
}

func TestCompleteCores(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		compute    string
		sms, cores int // 0 is unknown
		want       [2]int
	}{
		{"8.6", 82, 0, [2]int{82, 10496}},     // RTX 3090
		{"9.0", 0, 16896, [2]int{132, 16896}}, // H100 SXM
		{"7.5", 36, 0, [2]int{36, 2304}},      // RTX 2070
		{"8.6", 0, 10497, [2]int{0, 10497}},   // no whole number
		{"99.9", 10, 0, [2]int{10, 0}},
		{"8.6", 0, 0, [2]int{0, 0}},
	} {
		r := blank()
		why := func(n int) string {
			if n == 0 {
				return report.WhyOldDriver
			}
			return ""
		}
		put(r, &r.SMs, "sms", tt.sms, why(tt.sms))
		put(r, &r.Cores, "cores", tt.cores, why(tt.cores))
		completeCores(r, tt.compute)
		var got [2]int
		if r.SMs != nil {
			got[0] = *r.SMs
		}
		if r.Cores != nil {
			got[1] = *r.Cores
		}
		if got != tt.want || len(r.Unknown) != btoi(got[0] == 0)+btoi(got[1] == 0) {
			t.Errorf("%s, %d, %d: %v, unknown %v; want %v", tt.compute, tt.sms, tt.cores, got, r.Unknown, tt.want)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
