package system

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// MemoryLimit returns the lowest limit of the cgroup of this process and those above
// it, if it is below the machine's memory. Inside a container its own cgroup is the
// root.
func MemoryLimit(root fs.FS, total uint64) (least uint64) {
	consider := func(file string) {
		n, err := strconv.ParseUint(Text(root, file), 10, 64) // "max" is none
		if err == nil && n < total && (least == 0 || n < least) {
			least = n
		}
	}
	consider("sys/fs/cgroup/memory/memory.limit_in_bytes") // version 1
	for line := range strings.Lines(Text(root, "proc/self/cgroup")) {
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

// hypervisors are how the firmware of virtual machines names their maker.
var hypervisors = []struct{ words, name string }{
	{"qemu", "kvm"}, {"kvm", "kvm"}, {"openstack", "kvm"}, {"google compute engine", "kvm"}, {"amazon ec2", "amazon"},
	{"vmware", "vmware"}, {"virtualbox", "virtualbox"}, {"innotek", "virtualbox"}, {"xen", "xen"},
	{"microsoft corporation virtual machine", "hyper-v"}, {"parallels", "parallels"}, {"bochs", "bochs"},
}

// OtherVM is a virtual machine whose firmware names no known vendor.
const OtherVM = "other"

// VM names what a virtual machine runs on, and is empty on a real one.
func VM(root fs.FS) string {
	const dmi = "sys/class/dmi/id/"
	firmware := strings.ToLower(Text(root, dmi+"sys_vendor") + " " + Text(root, dmi+"product_name"))
	if strings.Contains(firmware, ".metal") { // Amazon's real machines
		return ""
	}
	for _, h := range hypervisors {
		if strings.Contains(firmware, h.words) {
			return h.name
		}
	}
	if hasCPUFlag(root, "hypervisor") {
		return OtherVM
	}
	return ""
}

// SecureBoot reads the firmware's variable: four bytes of attributes, then 1 or 0
// (UEFI specification, 3.3 "Globally Defined Variables").
func SecureBoot(root fs.FS) *bool {
	const name = "sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
	data, err := fs.ReadFile(root, name)
	if err != nil || len(data) != 5 {
		return nil
	}
	on := data[4] == 1
	return &on
}
