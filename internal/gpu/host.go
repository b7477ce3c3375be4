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

// A host is what the machine shows of its GPUs without the driver's help: files.
type host struct {
	// root is the file system.
	root fs.FS
	env  []string
	// open says why this process may not open a device file, or nil.
	open func(name string) error
}

// thisHost is the machine that the program runs on, in the environment env.
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

// read returns the start of a small file, or nothing.
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

// platform names what stands between the machine and its GPUs, or is empty.
func (h host) platform() string {
	if h.wsl() {
		return report.PlatformWSL2
	}
	return h.container()
}

// wsl tells whether this is Linux in Windows, where /dev/dxg stands for the GPUs
// of Windows, and its driver's libraries are mounted below /usr/lib/wsl.
// https://docs.nvidia.com/cuda/wsl-user-guide/, "CUDA on WSL".
func (h host) wsl() bool { return h.has("dev/dxg", "usr/lib/wsl/lib") }

// containers are the traces of what runs a container, the more special first: in
// Kubernetes they are those of containerd or CRI-O too.
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

// container names what runs the container that this is, or is empty. A name that
// nobody tells is "container".
func (h host) container() string {
	for _, c := range containers {
		if h.has(c.files...) || h.set(c.variables...) {
			return c.name
		}
	}
	// https://systemd.io/CONTAINER_INTERFACE/: "lxc", "systemd-nspawn", ...
	for _, said := range []string{h.read("run/systemd/container"), h.variable("container")} {
		if said = strings.TrimSpace(said); runtimeName.MatchString(said) {
			return said
		}
	}
	// A control group shows its place in the machine's tree where it has no
	// namespace of its own: "/docker/ID", "/kubepods.slice/...", "/libpod-ID.scope".
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

// A node is a device file of one card.
type node struct {
	name string
	err  error // why this process may not open it
}

var cardFile = lazyregexp.New(`^nvidia[0-9]+$`)

// nodes lists the cards' device files; false where there is no such folder.
func (h host) nodes() (list []node, ok bool) {
	names, _ := fs.Glob(h.root, "dev/nvidia*")
	for _, name := range names {
		if cardFile.MatchString(path.Base(name)) && len(list) < maxDevices {
			list = append(list, node{name, h.open(name)})
		}
	}
	return list, runtime.GOOS == "linux"
}

// forbidden tells whether a control group keeps the driver's device files from
// this process. Its refusal is EPERM; that of the file's mode is EACCES.
func (h host) forbidden() bool {
	names, _ := fs.Glob(h.root, "dev/nvidia*")
	return slices.ContainsFunc(names, func(name string) bool { return errors.Is(h.open(name), syscall.EPERM) })
}

// moduleVersion is that of the kernel module: "NVRM version: NVIDIA UNIX x86_64
// Kernel Module  535.183.01  Sun May 12 ...", "NVIDIA UNIX Open Kernel Module for
// x86_64  555.42.02  Release Build ...". A container shows the machine's.
func (h host) moduleVersion() string {
	if m := moduleLine.FindStringSubmatch(h.read("proc/driver/nvidia/version")); m != nil {
		return version(m[1])
	}
	return ""
}

var moduleLine = lazyregexp.New(`Kernel Module.*?\s([0-9]{3,4}\.[0-9.]+)`)

// offBus counts the GPUs of NVIDIA that the kernel lists on the PCI bus and
// that do not answer there: reading their configuration gives only ones
// (PCI Express Base Specification, "Completion Status"; a GPU that "has fallen
// off the bus" in the words of Xid 79,
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

// pciGPUs are the folders of the GPUs of NVIDIA on the PCI bus: vendor 10de,
// class 0300 (VGA) or 0302 (3D).
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
