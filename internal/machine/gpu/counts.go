package gpu

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"

	"github.com/gpudocs/gpudocs/internal/machine/cuda"
	"github.com/gpudocs/gpudocs/internal/machine/system"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compat"
)

// join adds what CUDA reported to the GPUs, matched by PCI address, which the only GPU of a
// Jetson board may lack.
func (inv inventory) join(a *cudaAnswer, gpus []cudaGPU) {
	for i := range inv.GPUs {
		c := &inv.GPUs[i]
		if c.Readings == nil {
			continue
		}
		key := pciKey(c.PCI)
		at := slices.IndexFunc(gpus, func(d cudaGPU) bool {
			return key != "" && d.PCI == key || key == "" && len(gpus) == 1 && len(inv.GPUs) == 1
		})
		switch {
		case c.Fault != nil:
			idleBus(c.Readings, report.WhyLost)
		case at >= 0:
			c.join(gpus[at])
		case a != nil && !a.Missing && !a.Unable && inv.Source == report.SourceNVML:
			why := report.WhyFailed
			if a.Count != nil && *a.Count == len(gpus) {
				why = report.WhyHidden // CUDA works
			}
			idleBus(c.Readings, why)
		}
	}
}

func (c *gpuInfo) join(d cudaGPU) {
	r := c.Readings
	// For a divided GPU, CUDA lists its first part and not the GPU.
	divided := r.Divided() || migProfile(clean(d.Name, maxName)) != ""
	c.Compute = cmp.Or(c.Compute, d.Compute)
	if !divided {
		if c.Memory == 0 && !c.Denied {
			c.Memory = d.Memory
		}
		c.Shared = d.Integrated
		if r.SMs == nil && d.SMs > 0 && d.SMs <= maxCores {
			complete(r, &r.SMs, "sms", d.SMs)
		}
		if r.BusBits == nil && d.BusBits > 0 && d.BusBits <= maxCores {
			complete(r, &r.BusBits, "bus_bits", d.BusBits)
		}
		completeCores(r, c.Compute)
	}
	switch {
	case d.Generation > 0 && d.Generation <= maxGeneration && d.Width > 0 && d.Width <= maxWidth:
		complete(r, &r.PCIe.Generation, "pcie.generation", d.Generation)
		complete(r, &r.PCIe.Width, "pcie.width", d.Width)
		r.PCIe.UnderLoad = true
		known(r, "pcie.under_load")
	case slices.Contains(whyCodes, d.Why):
		idleBus(r, d.Why)
	default:
		idleBus(r, report.WhyFailed)
	}
}

// share marks GPUs without memory of their own. If no library knows how much they have, it is
// the machine's.
func (h host) share(gpus []gpuInfo) {
	for i := range gpus {
		c := &gpus[i]
		c.Shared = c.Shared || compat.SharesMemory(c.device())
		if c.Shared && c.Memory == 0 && c.Fault == nil {
			c.Memory, _ = system.Memory(h.root)
		}
	}
}

// idleBus records why the bus was not read under load.
func idleBus(r *report.Readings, why string) {
	known(r, "pcie.under_load")
	unknown(r, "pcie.under_load", why)
}

// judge adds to g what CUDA reports about the driver, or why CUDA does not work on a
// machine where NVML does.
func (a *cudaAnswer) judge(inv inventory, g report.GPU) report.GPU {
	waiting := slices.ContainsFunc(inv.GPUs, func(c gpuInfo) bool { return c.FabricDown })
	switch {
	case g.Status != report.GPUOk:
	case waiting && (a == nil || a.Count == nil) && a.fault(g.Driver) == nil:
		return brokenGPU(report.CodeFabric, "NVML: the fabric is not set up").addTo(g)
	default:
		g = a.fault(g.Driver).addTo(g)
	}
	if a != nil && a.Count != nil && isNewerDriver(a.Library, g.Driver) {
		g.Compat = cudaVersion(a.Version)
	}
	return g
}

// fault returns what an error of CUDA means for the whole driver, whose kernel module
// has that version, or nil.
func (a *cudaAnswer) fault(driver string) *fault {
	switch {
	case !a.failed():
	case cuda.Code(a.Code) == cuda.SystemNotReady:
		return brokenGPU(report.CodeFabric, a.Error)
	case cuda.Code(a.Code) == cuda.DriverMismatch:
		detail := a.Error
		if a.Library != "" && driver != "" {
			detail += fmt.Sprintf(": the loaded kernel module is %s, the installed libcuda %s", driver, a.Library)
		}
		return brokenGPU(report.CodeMismatch, detail)
	}
	return nil
}

// isNewerDriver reports whether a library belongs to a newer driver than the kernel module. If
// both work together, it is a forward-compatibility package:
// https://docs.nvidia.com/deploy/cuda-compatibility/, "Forward Compatibility".
func isNewerDriver(library, driver string) bool {
	l, err1 := ask.Version(version(library))
	d, err2 := ask.Version(driver)
	return err1 == nil && err2 == nil && d.Less(l)
}

// cudaVersion formats 12040 as 12.4. It returns "" for an invalid version.
func cudaVersion(v int) string {
	if v < 1000 || v > 999999 {
		return ""
	}
	return fmt.Sprintf("%d.%d", v/1000, v%1000/10)
}

// count adds platform and counts to a result.
func (h host) count(g report.GPU, a *cudaAnswer) report.GPU {
	g.Platform = h.platform()
	if g.Counts == nil {
		g.Counts = &report.Counts{}
	}
	c := g.Counts
	nodes, countable := h.nodes()
	if countable {
		n := len(nodes)
		c.Dev = &n
	}
	if a != nil {
		c.CUDA = a.Count
	}
	if c.NVML == nil && c.CUDA == nil && c.Dev == nil {
		g.Counts = nil
		return g
	}
	if g.Source == report.SourceCUDA {
		if c.CUDA != nil && *c.CUDA != len(nodes) && (len(nodes) > 0 || g.Platform == report.PlatformWSL2) {
			c.Why = h.cudaDiffers(g)
		}
		return g
	}
	if c.NVML == nil || *c.NVML == 0 && len(nodes) == 0 {
		return g // nothing to compare, and the status has the reason
	}
	if a != nil && a.Count == nil {
		c.Why, c.Detail = report.DifferCUDA, Redact(a.Error)
		return g
	}
	switch {
	case c.CUDA != nil && *c.CUDA != *c.NVML:
		c.Why = h.cudaDiffers(g)
	case countable && len(nodes) != *c.NVML:
		c.Why = h.nodesDiffer(g, nodes)
	}
	return g
}

// cudaDiffers returns why CUDA and NVML list different numbers of GPUs.
func (h host) cudaDiffers(g report.GPU) string {
	_, masked := lookup(h.env, "CUDA_VISIBLE_DEVICES")
	divided := slices.ContainsFunc(g.Devices, func(d report.Device) bool { return d.Readings.Divided() })
	nodes, _ := h.nodes()
	switch {
	case masked:
		return report.DifferVisible
	case divided:
		return report.DifferMIG
	}
	return h.nodesDiffer(g, nodes)
}

// nodesDiffer returns why some GPUs are not accessible, judged by their device files.
func (h host) nodesDiffer(g report.GPU, nodes []node) string {
	refused := func(why error) bool {
		return slices.ContainsFunc(nodes, func(n node) bool { return errors.Is(n.err, why) })
	}
	switch {
	case g.Platform == report.PlatformWSL2:
		return report.DifferWSL
	case g.Code == report.CodeLost || g.Code == report.CodeReset || h.offBus() > 0:
		return report.DifferLost
	case refused(syscall.EPERM):
		return report.DifferContainer
	case refused(fs.ErrPermission):
		return report.DifferPermission
	case g.Platform != "":
		return report.DifferContainer
	}
	return report.DifferUnknown
}
