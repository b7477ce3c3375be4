package gpu

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/machine/cuda"
	"github.com/gpudocs/gpudocs/internal/report"
)

// A document is a part of the output of the probe, which writes each part as soon as it
// is known, because the next call may end the process. The first is the result of NVML,
// then follow CUDA's, and each GPU under load.
type document struct {
	Inventory *inventory  `json:"inventory,omitempty"`
	CUDA      *cudaAnswer `json:"cuda,omitempty"`
	GPU       *cudaGPU    `json:"card,omitempty"`
}

// A cudaAnswer is what CUDA reports on all GPUs.
type cudaAnswer struct {
	// Library is the version in the name of the libcuda that was loaded: "550.54.14".
	Library string `json:"library,omitempty"`
	// Version is the version of CUDA, 12040 for 12.4.
	Version int `json:"version,omitempty"`
	// Count is nil if CUDA cannot be used. Then Error is the message, and Code is CUDA's
	// error. Missing means that there is no library, and Unable that this program cannot
	// load one.
	Count   *int   `json:"count,omitempty"`
	Error   string `json:"error,omitempty"`
	Code    int    `json:"code,omitempty"`
	Missing bool   `json:"missing,omitempty"`
	Unable  bool   `json:"unable,omitempty"`
}

// failed reports whether CUDA is installed and cannot be used.
func (a *cudaAnswer) failed() bool {
	return a != nil && a.Count == nil && !a.Missing && !a.Unable
}

// A cudaGPU is what CUDA reports on one GPU. Unknown values are 0 or empty.
type cudaGPU struct {
	PCI     string `json:"pci,omitempty"`
	Name    string `json:"name,omitempty"`
	Compute string `json:"compute,omitempty"`
	Memory  uint64 `json:"memory,omitempty"`
	// Integrated means that its memory is the CPU's.
	Integrated bool `json:"integrated,omitempty"`
	SMs        int  `json:"sms,omitempty"`
	BusBits    int  `json:"bus_bits,omitempty"`
	// MaxSM and MaxMemory are clocks in MHz.
	MaxSM     int `json:"max_sm,omitempty"`
	MaxMemory int `json:"max_memory,omitempty"`
	// Generation and Width are the maximum of the bus under load. Why is why they are
	// unknown.
	Generation int    `json:"generation,omitempty"`
	Width      int    `json:"width,omitempty"`
	Why        string `json:"why,omitempty"`
}

// A bus reads the PCIe links of GPUs, which are identified by PCI address.
type bus struct {
	// read returns the current generation and width of a GPU's link, 0 if unknown, and
	// whether they are the maximum of GPU and slot together.
	read func(pci string) (generation, width int, most bool)
	// leave returns why a GPU must not be loaded, or "".
	leave func(pci string) (why string)
}

// RunProbe runs in the probe: it queries NVML and CUDA in this process and writes JSON
// documents to w, which [Probe] reads. The process should end soon after, because
// RunProbe does not shut the libraries down, as that call may hang too.
func RunProbe(w io.Writer) error {
	encoder := json.NewEncoder(w)
	// An empty document shows that the probe is alive: without persistence mode, each
	// GPU takes seconds to wake, and a machine may have sixteen.
	inv, at := askNVML(func() { encoder.Encode(document{}) })
	if err := encoder.Encode(document{Inventory: &inv}); err != nil {
		return err
	}
	return askCUDA(at, func(d document) error { return encoder.Encode(d) })
}

// askCUDA sends what CUDA reports. An error of CUDA is a result, too.
func askCUDA(at *bus, send func(document) error) error {
	driver, err := cuda.Open()
	if err != nil {
		return send(document{CUDA: &cudaAnswer{Error: err.Error(),
			Missing: errors.Is(err, cuda.ErrNoLibrary), Unable: errors.Is(err, cuda.ErrUnsupported)}})
	}
	a := &cudaAnswer{Library: loadedLibcuda()}
	a.Version, _ = driver.Version()
	count := 0
	if err = driver.Init(); err == nil {
		count, err = driver.Count()
	}
	var code cuda.Code
	switch errors.As(err, &code); {
	case err == nil, code == cuda.NoDevice: // which cuInit returns, too
		a.Count = &count
	default:
		a.Error, a.Code = err.Error(), int(code)
	}
	if err := send(document{CUDA: a}); err != nil {
		return err
	}
	for i := range min(count, maxDevices) {
		if c, ok := askGPU(driver, i, at); ok {
			if err := send(document{GPU: &c}); err != nil {
				return err
			}
		}
	}
	return nil
}

// askGPU describes the GPU with CUDA's number ordinal; ok is false if there is none.
func askGPU(driver *cuda.Driver, ordinal int, at *bus) (c cudaGPU, ok bool) {
	device, err := driver.Device(ordinal)
	if err != nil {
		return c, false
	}
	attribute := func(a cuda.Attribute) int {
		n, err := device.Attribute(a)
		if err != nil {
			return 0
		}
		return n
	}
	if address, err := device.PCIBusID(); err == nil {
		c.PCI = pciKey(address)
	}
	c.Name, _ = device.Name()
	c.Memory, _ = device.TotalMemory()
	c.Integrated = attribute(cuda.Integrated) == 1
	if major, minor, err := device.Compute(); err == nil && major > 0 {
		c.Compute = fmt.Sprintf("%d.%d", major, minor)
	}
	c.SMs, c.BusBits = attribute(cuda.Multiprocessors), attribute(cuda.MemoryBusWidth)
	c.MaxSM, c.MaxMemory = attribute(cuda.ClockRate)/1000, attribute(cuda.MemoryClockRate)/1000
	if at == nil {
		c.Why = report.WhySource
		return c, true
	}
	if c.Why = at.leave(c.PCI); c.Why == "" {
		c.Generation, c.Width, c.Why = load(device, func() (int, int, bool) { return at.read(c.PCI) })
	}
	return c, true
}

const (
	// loadBytes is the size of a copy. It is allocated on the GPU and on the host.
	loadBytes = 16 << 20
	// needBytes must be free on the GPU, so that other programs do not run short.
	needBytes = 64 << 20
	// needIdle must be free on it before a context is created, which takes about half of
	// that on the largest GPUs.
	needIdle = 1 << 30
	// busyPercent is the utilization above which a GPU is not loaded: a screen takes
	// less, a job more.
	busyPercent = 10
	// loadTime is how long the bus is loaded. It wakes within a few milliseconds.
	loadTime = 200 * time.Millisecond
)

// load copies to the GPU and back, as fast as the bus allows, and reads the link
// meanwhile. It returns the best values, and ends early at the maximum.
func load(device cuda.Device, read func() (int, int, bool)) (generation, width int, why string) {
	c, err := device.Context()
	if err != nil {
		return 0, 0, whyNoLoad(err)
	}
	defer c.Close()
	if free, _, err := c.MemInfo(); err == nil && free < needBytes {
		return 0, 0, report.WhyNoMemory
	}
	onDevice, err := c.Alloc(loadBytes)
	if err != nil {
		return 0, 0, whyNoLoad(err)
	}
	onHost, err := c.HostAlloc(loadBytes)
	if err != nil {
		return 0, 0, whyNoLoad(err)
	}
	for end := time.Now().Add(loadTime); time.Now().Before(end); {
		for range 4 {
			if err := errors.Join(onDevice.CopyFromHost(onHost, loadBytes), onDevice.CopyToHost(onHost, loadBytes)); err != nil {
				return 0, 0, whyNoLoad(err)
			}
		}
		g, w, most := read() // while the copies are in progress
		generation, width = max(generation, g), max(width, w)
		if err := c.Synchronize(); err != nil {
			return 0, 0, whyNoLoad(err)
		}
		if most {
			break
		}
	}
	if generation < 1 || generation > maxGeneration || width < 1 || width > maxWidth {
		return 0, 0, report.WhyNotSupported
	}
	return generation, width, ""
}

// whyNoLoad returns why the bus could not be loaded.
func whyNoLoad(err error) string {
	if errors.Is(err, cuda.OutOfMemory) {
		return report.WhyNoMemory
	}
	return report.WhyFailed
}

var libcudaFile = lazyregexp.New(`/libcuda\.so\.([0-9]{3,4}(?:\.[0-9]+)+)(?: \(deleted\))?\n`)

// loadedLibcuda returns the version in the file name of the libcuda that this process
// has loaded: that of the driver it came with.
func loadedLibcuda() string {
	maps, _ := os.ReadFile("/proc/self/maps")
	if m := libcudaFile.FindSubmatch(maps); m != nil {
		return string(m[1])
	}
	return ""
}

// probeOutput is the output of a probe.
type probeOutput struct {
	inventory inventory
	cuda      *cudaAnswer
	gpus      []cudaGPU
}

// parse parses the output of a probe, even if it failed later. ok is false if there is
// no valid inventory.
func parse(data []byte) (t probeOutput, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	for {
		var d document
		if err := decoder.Decode(&d); err != nil {
			return t, ok
		}
		switch {
		case d.Inventory != nil && !ok && d.Inventory.valid():
			t.inventory, ok = *d.Inventory, true
		case d.CUDA != nil && t.cuda == nil && d.CUDA.valid():
			t.cuda = d.CUDA
		case d.GPU != nil && len(t.gpus) < maxDevices:
			t.gpus = append(t.gpus, *d.GPU)
		}
	}
}
