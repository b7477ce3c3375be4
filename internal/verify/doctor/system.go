package doctor

import (
	"io/fs"
	"path"
	"runtime"
	"strings"

	"github.com/gpudocs/gpudocs/internal/machine/system"
)

// askSystem finds out what the machine is, from the file system with the given
// root and the environment.
func askSystem(root fs.FS, getenv func(string) string) System {
	s := System{
		Processors: runtime.NumCPU(), // those of this process's affinity
		Container:  system.Container(root, getenv),
		SecureBoot: system.SecureBoot(root),
		Cards:      cards(root),
	}
	s.Kernel = strings.TrimSpace(kernelName() + " " + system.Text(root, "proc/sys/kernel/osrelease"))
	s.MemoryBytes, s.AvailableBytes = system.Memory(root)
	s.LimitBytes = system.MemoryLimit(root, s.MemoryBytes)
	s.SharedBytes = system.SharedBytes()
	if s.WSL2 = strings.Contains(strings.ToLower(s.Kernel), "microsoft"); !s.WSL2 {
		s.VM = system.VM(root)
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

// cards lists the NVIDIA GPUs on the PCI bus, without their addresses.
func cards(root fs.FS) []Card {
	found := []Card{}
	for _, dir := range system.PCIGPUs(root) {
		c := Card{}
		if driver, err := fs.ReadLink(root, dir+"/driver"); err == nil {
			c.Driver = path.Base(driver)
		}
		found = append(found, c)
	}
	return found
}
