package gpu

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/report"
)

// A host is what files of the machine show about its GPUs, without the driver.
type host struct {
	// root is the file system.
	root fs.FS
	env  []string
	// open returns why this process may not open a device file, or nil.
	open func(name string) error
}

// thisHost returns the machine of this process, with the environment env.
func thisHost(env []string) host {
	return host{os.DirFS("/"), env, mayOpen}
}

func (h host) has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, err := fs.Stat(h.root, name)
		return err == nil
	})
}

func (h host) set(variables ...string) bool {
	return slices.ContainsFunc(variables, func(name string) bool {
		value, _ := lookup(h.env, name)
		return value != ""
	})
}

// read returns the beginning of a small file, or "".
func (h host) read(name string) string {
	f, err := h.root.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	b := make([]byte, 4096)
	n, _ := f.Read(b)
	return string(b[:max(n, 0)])
}

// platform returns the platform between the machine and its GPUs, or "".
func (h host) platform() string {
	if h.wsl() {
		return report.PlatformWSL2
	}
	return h.container()
}

// wsl reports whether this is Linux in Windows: /dev/dxg represents the GPUs of
// Windows, and the libraries of its driver are mounted below /usr/lib/wsl.
// https://docs.nvidia.com/cuda/wsl-user-guide/, "CUDA on WSL".
func (h host) wsl() bool { return h.has("dev/dxg", "usr/lib/wsl/lib") }

// containers are files that identify container runtimes, the more specific first:
// Kubernetes also has those of containerd or CRI-O.
var containers = []struct {
	name      string
	files     []string
	variables []string
}{
	{"apptainer", []string{".singularity.d"}, []string{"APPTAINER_CONTAINER", "SINGULARITY_CONTAINER"}},
	{"kubernetes", []string{"var/run/secrets/kubernetes.io"}, []string{"KUBERNETES_SERVICE_HOST"}},
	{"podman", []string{"run/.containerenv"}, nil},
	{"docker", []string{".dockerenv"}, nil},
}

var runtimeName = lazyregexp.New(`^[a-z][a-z0-9-]{1,31}$`)

// container returns the runtime of the container that this process runs in, "container"
// if it is not known, or "" if there is none.
func (h host) container() string {
	for _, c := range containers {
		if h.has(c.files...) || h.set(c.variables...) {
			return c.name
		}
	}
	// https://systemd.io/CONTAINER_INTERFACE/: "lxc", "systemd-nspawn", ...
	for _, declared := range []string{h.read("run/systemd/container"), h.variable("container")} {
		if declared = strings.TrimSpace(declared); runtimeName.MatchString(declared) {
			return declared
		}
	}
	// /proc/self/cgroup shows the path in the machine's tree if the container has no
	// cgroup namespace: "/docker/ID", "/kubepods.slice/...", "/libpod-ID.scope".
	if m := groupName.FindStringSubmatch(h.read("proc/self/cgroup")); m != nil {
		return map[string]string{"kubepods": "kubernetes", "docker": "docker", "libpod": "podman", "lxc": "lxc"}[m[1]]
	}
	return ""
}

var groupName = lazyregexp.New(`/(kubepods|docker|libpod|lxc)(?:[-/]|\.slice)`)

func (h host) variable(name string) string {
	value, _ := lookup(h.env, name)
	return value
}

// A node is a device file of one GPU.
type node struct {
	name string
	err  error // why this process may not open it
}

var deviceFile = lazyregexp.New(`^nvidia[0-9]+$`)

// nodes returns the device files of the GPUs. ok is false if there is no such folder.
func (h host) nodes() (list []node, ok bool) {
	names, _ := fs.Glob(h.root, "dev/nvidia*")
	for _, name := range names {
		if deviceFile.MatchString(path.Base(name)) && len(list) < maxDevices {
			list = append(list, node{name, h.open(name)})
		}
	}
	return list, runtime.GOOS == "linux"
}

// forbidden reports whether a control group denies access to the driver's device files.
// It fails with EPERM, and the file's mode with EACCES.
func (h host) forbidden() bool {
	names, _ := fs.Glob(h.root, "dev/nvidia*")
	return slices.ContainsFunc(names, func(name string) bool { return errors.Is(h.open(name), syscall.EPERM) })
}

// moduleVersion returns the version of the kernel module: "NVRM version: NVIDIA UNIX
// x86_64 Kernel Module  535.183.01  Sun May 12 ...", "NVIDIA UNIX Open Kernel Module
// for x86_64  555.42.02  Release Build ...". In a container it is the machine's.
func (h host) moduleVersion() string {
	if m := moduleLine.FindStringSubmatch(h.read("proc/driver/nvidia/version")); m != nil {
		return version(m[1])
	}
	return ""
}

var moduleLine = lazyregexp.New(`Kernel Module.*?\s([0-9]{3,4}\.[0-9.]+)`)

// offBus counts the NVIDIA GPUs that the kernel lists on the PCI bus and that do not
// respond there: reading their configuration returns only ones (PCI Express Base
// Specification, "Completion Status"; Xid 79, "GPU has fallen off the bus",
// https://docs.nvidia.com/deploy/xid-errors/). No privilege is needed for that.
func (h host) offBus() int {
	n := 0
	for _, dir := range h.pciGPUs() {
		if strings.HasPrefix(h.read(dir+"/config"), "\xff\xff\xff\xff") {
			n++
		}
	}
	return n
}

// pciGPUs returns the folders of the NVIDIA GPUs on the PCI bus: vendor 10de, class
// 0300 (VGA) or 0302 (3D).
func (h host) pciGPUs() (dirs []string) {
	all, _ := fs.Glob(h.root, "sys/bus/pci/devices/*")
	for _, dir := range all {
		class := h.read(dir + "/class")
		if strings.TrimSpace(h.read(dir+"/vendor")) == "0x10de" &&
			(strings.HasPrefix(class, "0x0300") || strings.HasPrefix(class, "0x0302")) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}
