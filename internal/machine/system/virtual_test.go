package system

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestVM(t *testing.T) {
	t.Parallel()
	const dmi = "sys/class/dmi/id/"
	for _, c := range []struct{ vendor, product, cpuinfo, want string }{
		{"QEMU", "Standard PC (Q35 + ICH9, 2009)", "", "kvm"},
		{"VMware, Inc.", "VMware Virtual Platform", "", "vmware"},
		{"innotek GmbH", "VirtualBox", "", "virtualbox"},
		{"Microsoft Corporation", "Virtual Machine", "", "hyper-v"},
		{"Microsoft Corporation", "Surface Laptop", "flags : fpu vme\n", ""},
		{"Amazon EC2", "p4d.24xlarge", "", "amazon"},
		{"Amazon EC2", "p4d.metal", "", ""},
		{"Dell Inc.", "PowerEdge R750", "flags\t\t: fpu hypervisors\n", ""},
		{"", "", "processor : 0\nflags\t\t: fpu hypervisor\n", "other"},
	} {
		got := VM(files(dmi+"sys_vendor", c.vendor+"\n", dmi+"product_name", c.product+"\n", "proc/cpuinfo", c.cpuinfo))
		if got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.vendor, c.product, got, c.want)
		}
	}
}

func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	const gib = 1 << 30
	for _, c := range []struct {
		files fstest.MapFS
		want  uint64
	}{
		{files(), 0},
		{files("proc/self/cgroup", "0::/\n", "sys/fs/cgroup/memory.max", "max\n"), 0},
		{files("proc/self/cgroup", "0::/\n", "sys/fs/cgroup/memory.max", "1073741824\n"), gib},
		{files("proc/self/cgroup", "0::/job/step\n", "sys/fs/cgroup/job/memory.max", "1073741824\n", "sys/fs/cgroup/job/step/memory.max", "2147483648"), gib},
		{files("proc/self/cgroup", "0::/../..\n"), 0},
		{files("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712"), 0},
		{files("sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824"), gib},
	} {
		if got := MemoryLimit(c.files, 8*gib); got != c.want {
			t.Errorf("%v: %d, want %d", c.files, got, c.want)
		}
	}
}

func TestSecureBoot(t *testing.T) {
	t.Parallel()
	const name = "sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
	for data, want := range map[string]*bool{"\x06\x00\x00\x00\x01": new(true), "\x06\x00\x00\x00\x00": new(false), "\x06": nil} {
		if d := cmp.Diff(want, SecureBoot(files(name, data))); d != "" {
			t.Errorf("%q: %s", data, d)
		}
	}
}
