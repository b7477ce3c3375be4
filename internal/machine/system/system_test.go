package system

import (
	"strings"
	"testing"
	"testing/fstest"
)

// files returns a file system of alternating names and texts.
func files(pairs ...string) fstest.MapFS {
	root := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		root[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return root
}

func TestContainer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		root fstest.MapFS
		env  map[string]string
		want string
	}{
		{"bare", files("proc/self/cgroup", "0::/user.slice/user-1000.slice/session-2.scope\n"), nil, ""},
		{"Docker", files(".dockerenv", ""), nil, "docker"},
		{"Docker without its file", files("proc/self/cgroup", "12:devices:/docker/0123456789ab\n"), nil, "docker"},
		{"a daemon of the host", files("proc/self/cgroup", "1:name=systemd:/system.slice/docker.service\n"), nil, ""},
		{"Podman", files("run/.containerenv", ""), map[string]string{"container": "podman"}, "podman"},
		{"Kubernetes", files("proc/self/cgroup", "0::/\n"), map[string]string{"KUBERNETES_SERVICE_HOST": "10.0.0.1"}, "kubernetes"},
		{"Kubernetes with Docker", files(".dockerenv", ""), map[string]string{"KUBERNETES_SERVICE_HOST": "10.0.0.1"}, "kubernetes"},
		{"Kubernetes by its group", files("proc/self/cgroup", "0::/kubepods.slice/kubepods-pod1.slice/cri-containerd-ab.scope\n"), nil, "kubernetes"},
		{"Apptainer", files(".singularity.d/env/01.sh", ""), nil, "apptainer"},
		{"Apptainer by variable", files(), map[string]string{"SINGULARITY_CONTAINER": "/home/ana/x.sif"}, "apptainer"},
		{"systemd's file", files("run/systemd/container", "systemd-nspawn\n"), nil, "systemd-nspawn"},
		{"variable", files(), map[string]string{"container": "lxc"}, "lxc"},
		{"invalid variables", files(), map[string]string{"container": "/home/ana\x1b[31m"}, ""},
		{"a name with blanks", files(), map[string]string{"container": "My Lab's Box"}, ""},
	} {
		if got := Container(tt.root, func(name string) string { return tt.env[name] }); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestKernelModule(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		version string
		open    bool
	}{
		"NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024\nGCC version:  gcc version 12.2.0\n": {"535.183.01", false},
		"NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.124.06  Release Build  (dvs-builder@U16)":                        {"570.124.06", true},
		"NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  580.65.06":                                                          {"580.65.06", true},
		"NVRM version: NVIDIA UNIX x86_64 Kernel Module  390.87  Tue Aug 21 12:33:05 PDT 2018\n":                                       {"390.87", false},
		"NVRM version: none":      {},
		"GCC version: gcc 11.4.0": {},
		"":                        {},
	} {
		if version, open := KernelModule(files("proc/driver/nvidia/version", text)); version != want.version || open != want.open {
			t.Errorf("%q: %q, %v", text, version, open)
		}
	}
}

func TestMachine(t *testing.T) {
	t.Parallel()
	root := files(
		"etc/os-release", "ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n",
		"proc/cpuinfo", "processor\t: 0\nmodel name\t: AMD EPYC 7313\nflags\t\t: fpu vme hypervisor\n",
		"proc/meminfo", "MemTotal:       16 kB\nMemFree: 1 kB\nMemAvailable:   12 kB\n",
	)
	if got := OS(root); got != "Debian GNU/Linux 12 (bookworm)" {
		t.Error(got)
	}
	if got := CPU(root); got != "AMD EPYC 7313" {
		t.Error(got)
	}
	if !hasCPUFlag(root, "hypervisor") || hasCPUFlag(root, "hyper") || hasCPUFlag(files(), "fpu") {
		t.Error("flags")
	}
	if total, available := Memory(root); total != 16<<10 || available != 12<<10 {
		t.Error(total, available)
	}
	if OS(files())+CPU(files()) != "" {
		t.Error("a machine without files has names")
	}
}

func FuzzFiles(f *testing.F) {
	f.Add("NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.14  Thu", "PRETTY_NAME='x'\n")
	f.Fuzz(func(t *testing.T, module, text string) {
		if v, _ := KernelModule(files("proc/driver/nvidia/version", module)); strings.Trim(v, "0123456789.") != "" {
			t.Errorf("version %q", v)
		}
		root := files("etc/os-release", text, "proc/cpuinfo", text, "proc/meminfo", text, "proc/self/cgroup", text, "run/systemd/container", text,
			"sys/class/dmi/id/sys_vendor", text)
		OS(root)
		CPU(root)
		Memory(root)
		MemoryLimit(root, 1<<30)
		VM(root)
		Container(root, func(string) string { return text })
	})
}
