// Package system reads what the files of this machine's operating system say about it:
// distribution, CPU, memory, the container or virtual machine that this process runs in, and
// NVIDIA's GPUs and kernel module. It runs no program and loads no library. Whatever the files do not
// say is empty or 0, as on systems other than Linux.
//
// All functions read below a root, usually os.DirFS("/"), so that tests can describe a
// machine by a few files.
package system

import (
	"bufio"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// OS returns the name that the distribution gives itself: "Debian GNU/Linux 12 (bookworm)".
func OS(root fs.FS) string { return value(Text(root, "etc/os-release"), "PRETTY_NAME", "=") }

// CPU returns the CPU's model name.
func CPU(root fs.FS) string { return value(Text(root, "proc/cpuinfo"), "model name", ":") }

// hasCPUFlag reports whether the kernel lists a flag for the CPU.
func hasCPUFlag(root fs.FS, flag string) bool {
	return slices.Contains(strings.Fields(value(Text(root, "proc/cpuinfo"), "flags", ":")), flag)
}

// Memory returns the memory of the machine in bytes, and how much of it a new program
// could use without swapping.
func Memory(root fs.FS) (total, available uint64) {
	info := Text(root, "proc/meminfo")
	bytes := func(key string) uint64 {
		kib, _ := strconv.ParseUint(strings.TrimSuffix(value(info, key, ":"), " kB"), 10, 64)
		return kib << 10
	}
	return bytes("MemTotal"), bytes("MemAvailable")
}

// containers are what identifies container runtimes, the more specific first:
// Kubernetes also has the files of containerd or CRI-O.
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

var cgroupOwner = lazyregexp.New(`/(kubepods|docker|libpod|lxc)(?:[-/]|\.slice)`)

// Container returns the runtime of the container that this process runs in, or "".
func Container(root fs.FS, getenv func(string) string) string {
	exists := func(name string) bool { return Exists(root, name) }
	for _, c := range containers {
		if slices.ContainsFunc(c.files, exists) || slices.ContainsFunc(c.variables, func(v string) bool { return getenv(v) != "" }) {
			return c.name
		}
	}
	// https://systemd.io/CONTAINER_INTERFACE/: "lxc", "systemd-nspawn", ...
	for _, declared := range []string{Text(root, "run/systemd/container"), getenv("container")} {
		if declared = strings.TrimSpace(declared); runtimeName.MatchString(declared) {
			return declared
		}
	}
	// /proc/self/cgroup shows the path in the machine's tree if the container has no
	// cgroup namespace: "/docker/ID", "/kubepods.slice/...", "/libpod-ID.scope".
	if m := cgroupOwner.FindStringSubmatch(Text(root, "proc/self/cgroup")); m != nil {
		return map[string]string{"kubepods": "kubernetes", "docker": "docker", "libpod": "podman", "lxc": "lxc"}[m[1]]
	}
	return ""
}

var moduleLine = lazyregexp.New(`Kernel Module.*?\s([0-9]{3,4}(?:\.[0-9]+)+)`)

// KernelModule returns the version of NVIDIA's kernel module, and whether it is the one
// with open source. In a container it is the machine's.
//
//	NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.14  Thu Feb 22 01:44:30 UTC 2024
//	NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.124.06  Release Build  (dvs-builder@...)
func KernelModule(root fs.FS) (version string, open bool) {
	line, _, _ := strings.Cut(Text(root, "proc/driver/nvidia/version"), "\n")
	m := moduleLine.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	return m[1], strings.Contains(line, "Open Kernel Module")
}

// PCIGPUs returns the folders of the NVIDIA GPUs on the PCI bus: vendor 10de, class 03
// (display controllers: VGA and 3D).
func PCIGPUs(root fs.FS) (dirs []string) {
	all, _ := fs.Glob(root, "sys/bus/pci/devices/*")
	for _, dir := range all {
		if Text(root, dir+"/vendor") == "0x10de" && strings.HasPrefix(Text(root, dir+"/class"), "0x03") {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// Exists reports whether there is a file.
func Exists(root fs.FS, name string) bool {
	_, err := fs.Stat(root, name)
	return err == nil
}

// maxText limits what is read of a file, in bytes.
const maxText = 1 << 20

// Text returns the beginning of a file without white space around it, or "" if it
// cannot be read.
func Text(root fs.FS, name string) string {
	f, err := root.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, maxText))
	return strings.TrimSpace(string(data))
}

// value returns the value of the first line with the key, without quotes.
func value(text, key, separator string) string {
	for s := bufio.NewScanner(strings.NewReader(text)); s.Scan(); {
		k, v, ok := strings.Cut(s.Text(), separator)
		if ok && strings.TrimSpace(k) == key {
			return strings.Trim(strings.TrimSpace(v), `"'`)
		}
	}
	return ""
}
