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
	"github.com/gpudocs/gpudocs/internal/machine/system"
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
	return slices.ContainsFunc(names, func(name string) bool { return system.Exists(h.root, name) })
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

// container returns the runtime of the container that this process runs in, or "".
func (h host) container() string {
	return system.Container(h.root, func(name string) string {
		value, _ := lookup(h.env, name)
		return value
	})
}

// moduleVersion returns the version of the loaded kernel module, or "".
func (h host) moduleVersion() string {
	v, _ := system.KernelModule(h.root)
	return v
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

// offBus counts the NVIDIA GPUs that the kernel lists on the PCI bus and that do not
// respond there: reading their configuration returns only ones (PCI Express Base
// Specification, "Completion Status"; Xid 79, "GPU has fallen off the bus",
// https://docs.nvidia.com/deploy/xid-errors/). No privilege is needed for that.
func (h host) offBus() int {
	n := 0
	for _, dir := range system.PCIGPUs(h.root) {
		if strings.HasPrefix(system.Text(h.root, dir+"/config"), "\xff\xff\xff\xff") {
			n++
		}
	}
	return n
}
