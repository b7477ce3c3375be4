package doctor

import (
	"bufio"
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// askSystem finds out what the machine is, from the file system with the given
// root and the environment.
func askSystem(root fs.FS, getenv func(string) string) System {
	s := System{
		Processors: runtime.NumCPU(), // those of this process's affinity
		Container:  container(root, getenv),
		SecureBoot: secureBoot(root),
		Cards:      cards(root),
	}
	s.Kernel = strings.TrimSpace(kernelName() + " " + fileText(root, "proc/sys/kernel/osrelease"))
	meminfo := fileText(root, "proc/meminfo")
	s.MemoryBytes, s.AvailableBytes = kilobytes(meminfo, "MemTotal"), kilobytes(meminfo, "MemAvailable")
	s.LimitBytes = memoryLimit(root, s.MemoryBytes)
	s.SharedBytes = sharedBytes()
	if s.WSL2 = strings.Contains(strings.ToLower(s.Kernel), "microsoft"); !s.WSL2 {
		s.VM = virtual(root)
	}
	return s
}

func kernelName() string {
	switch runtime.GOOS {
	case "linux":
		return "Linux"
	case "darwin":
		return "Darwin"
	}
	return ""
}

// maxFile bounds what is read of a file of the system.
const maxFile = 1 << 20

// fileText returns the content of a file, or "".
func fileText(root fs.FS, name string) string {
	info, err := fs.Stat(root, name)
	if err != nil || info.IsDir() || info.Size() > maxFile {
		return ""
	}
	data, err := fs.ReadFile(root, name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data[:min(len(data), maxFile)]))
}

// kilobytes finds a value of /proc/meminfo, in bytes.
func kilobytes(meminfo, name string) uint64 {
	for s := bufio.NewScanner(strings.NewReader(meminfo)); s.Scan(); {
		if value, ok := strings.CutPrefix(s.Text(), name+":"); ok {
			n, _ := strconv.ParseUint(strings.TrimSpace(strings.TrimSuffix(value, " kB")), 10, 64)
			return n << 10
		}
	}
	return 0
}

// memoryLimit returns the lowest limit of the cgroup of this process and those above
// it, if it is below the machine's memory. Inside a container its own cgroup is the
// root.
func memoryLimit(root fs.FS, total uint64) (least uint64) {
	consider := func(file string) {
		n, err := strconv.ParseUint(fileText(root, file), 10, 64) // "max" is none
		if err == nil && n < total && (least == 0 || n < least) {
			least = n
		}
	}
	consider("sys/fs/cgroup/memory/memory.limit_in_bytes") // version 1
	for line := range strings.Lines(fileText(root, "proc/self/cgroup")) {
		if current, ok := strings.CutPrefix(strings.TrimSpace(line), "0::/"); ok {
			for dir := path.Clean(current); ; dir = path.Dir(dir) {
				consider(path.Join("sys/fs/cgroup", dir, "memory.max"))
				if dir == "." || dir == ".." {
					break
				}
			}
		}
	}
	return least
}

// container returns the runtime of the container that this runs in. Files and variables
// are documented by systemd-detect-virt and the runtimes.
func container(root fs.FS, getenv func(string) string) string {
	there := func(name string) bool {
		_, err := fs.Stat(root, name)
		return err == nil
	}
	switch {
	case getenv("KUBERNETES_SERVICE_HOST") != "":
		return "kubernetes"
	case getenv("APPTAINER_CONTAINER") != "" || getenv("SINGULARITY_CONTAINER") != "":
		return "apptainer"
	case there("run/.containerenv"):
		return "podman"
	case there(".dockerenv"):
		return "docker"
	}
	name := fileText(root, "run/systemd/container")
	if name == "" {
		name = getenv("container")
	}
	if !plainName.MatchString(name) {
		return ""
	}
	return name
}

var plainName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,31}$`)

// hypervisors are how the firmware of virtual machines names their maker.
var hypervisors = []struct{ words, name string }{
	{"qemu", "kvm"}, {"kvm", "kvm"}, {"openstack", "kvm"}, {"google compute engine", "kvm"}, {"amazon ec2", "amazon"},
	{"vmware", "vmware"}, {"virtualbox", "virtualbox"}, {"innotek", "virtualbox"}, {"xen", "xen"},
	{"microsoft corporation virtual machine", "hyper-v"}, {"parallels", "parallels"}, {"bochs", "bochs"},
}

// otherVM is a virtual machine whose firmware names no known vendor.
const otherVM = "other"

// virtual names what a virtual machine runs on, and is empty on a real one.
func virtual(root fs.FS) string {
	const dmi = "sys/class/dmi/id/"
	firmware := strings.ToLower(fileText(root, dmi+"sys_vendor") + " " + fileText(root, dmi+"product_name"))
	if strings.Contains(firmware, ".metal") { // Amazon's real machines
		return ""
	}
	for _, h := range hypervisors {
		if strings.Contains(firmware, h.words) {
			return h.name
		}
	}
	if hasFlag(fileText(root, "proc/cpuinfo"), "hypervisor") {
		return otherVM
	}
	return ""
}

// hasFlag reports whether the CPU has a feature.
func hasFlag(cpuinfo, flag string) bool {
	for s := bufio.NewScanner(bytes.NewReader([]byte(cpuinfo))); s.Scan(); {
		name, flags, _ := strings.Cut(s.Text(), ":")
		if strings.TrimSpace(name) == "flags" {
			return strings.Contains(flags+" ", " "+flag+" ")
		}
	}
	return false
}

// secureBoot reads the firmware's variable: four bytes of attributes, then 1 or 0
// (UEFI specification, 3.3 "Globally Defined Variables").
func secureBoot(root fs.FS) *bool {
	const name = "sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
	data, err := fs.ReadFile(root, name)
	if err != nil || len(data) != 5 {
		return nil
	}
	on := data[4] == 1
	return &on
}

// nvidiaVendor and displayClass are of the PCI standard's lists: 3D controllers
// and VGA devices have the class 03.
const nvidiaVendor, displayClass = "0x10de", "0x03"

// cards lists the NVIDIA GPUs that the bus knows; their addresses stay here.
func cards(root fs.FS) []Card {
	found := []Card{}
	const bus = "sys/bus/pci/devices"
	devices, _ := fs.ReadDir(root, bus) // no bus, no cards
	for _, d := range devices {
		dir := path.Join(bus, d.Name())
		if fileText(root, dir+"/vendor") != nvidiaVendor || !strings.HasPrefix(fileText(root, dir+"/class"), displayClass) {
			continue
		}
		driver, err := fs.ReadLink(root, dir+"/driver")
		if err != nil {
			driver = ""
		}
		if driver = path.Base(driver); driver == "." {
			driver = ""
		}
		found = append(found, Card{Driver: driver})
	}
	return found
}
