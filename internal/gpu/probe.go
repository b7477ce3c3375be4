package gpu

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gpudocs/gpudocs/internal/cuda"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/report"
)

// A document is one of those that the probe writes, each as soon as it is
// known, for the next question may be the process's last. First comes what NVML
// says, then what CUDA says, then each card under load.
type document struct {
	Inventory *inventory  `json:"inventory,omitempty"`
	CUDA      *cudaAnswer `json:"cuda,omitempty"`
	Card      *cudaCard   `json:"card,omitempty"`
}

// A cudaAnswer is what CUDA says of all cards.
type cudaAnswer struct {
	// Library is the version in the name of the libcuda that was loaded: "550.54.14".
	Library string `json:"library,omitempty"`
	// Version is that of CUDA, 12040 for 12.4.
	Version int `json:"version,omitempty"`
	// Count is nil where CUDA cannot be used; then Error says why, Code is
	// CUDA's error, Missing means that there is no library, and Unable that this
	// program cannot load one.
	Count   *int   `json:"count,omitempty"`
	Error   string `json:"error,omitempty"`
	Code    int    `json:"code,omitempty"`
	Missing bool   `json:"missing,omitempty"`
	Unable  bool   `json:"unable,omitempty"`
}

// failed tells whether CUDA is there and cannot be used.
func (a *cudaAnswer) failed() bool {
	return a != nil && a.Count == nil && !a.Missing && !a.Unable
}

// A cudaCard is what CUDA says of one card; 0 and empty is what it does not say.
type cudaCard struct {
	PCI     string `json:"pci,omitempty"`
	Name    string `json:"name,omitempty"`
	Compute string `json:"compute,omitempty"`
	Memory  uint64 `json:"memory,omitempty"`
	SMs     int    `json:"sms,omitempty"`
	BusBits int    `json:"bus_bits,omitempty"`
	// MaxSM and MaxMemory are clocks in MHz.
	MaxSM     int `json:"max_sm,omitempty"`
	MaxMemory int `json:"max_memory,omitempty"`
	// Generation and Width are the best of the bus under load, or Why is why not.
	Generation int    `json:"generation,omitempty"`
	Width      int    `json:"width,omitempty"`
	Why        string `json:"why,omitempty"`
}

// A bus knows how cards are bound to the machine; they are named by PCI address.
type bus struct {
	// read reads generation and width of a card's PCIe bus now, 0 where they
	// are not known, and tells whether that is the most that card and slot can do.
	read func(pci string) (generation, width int, most bool)
	// leave says why a card must not be loaded, or nothing.
	leave func(pci string) (why string)
}

// ProbeChild is what the probe does: it asks NVML and CUDA in this process and
// writes JSON documents to w, for [Probe] to read. The process should end soon
// after, for the libraries are left as they are: shutting them down is one more
// call that can hang.
func ProbeChild(w io.Writer) error {
	encoder := json.NewEncoder(w)
	// An empty document says that the probe is alive: without persistence mode, each
	// card takes seconds to wake, and a machine may have sixteen.
	inv, at := askNVML(func() { encoder.Encode(document{}) })
	if err := encoder.Encode(document{Inventory: &inv}); err != nil {
		return err
	}
	return askCUDA(at, func(d document) error { return encoder.Encode(d) })
}

// askCUDA tells what CUDA says. A fault of CUDA is an answer, too.
func askCUDA(at *bus, tell func(document) error) error {
	driver, err := cuda.Open()
	if err != nil {
		return tell(document{CUDA: &cudaAnswer{Error: err.Error(),
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
	case err == nil, code == cuda.NoDevice: // cuInit counts, too
		a.Count = &count
	default:
		a.Error, a.Code = err.Error(), int(code)
	}
	if err := tell(document{CUDA: a}); err != nil {
		return err
	}
	for i := range min(count, maxDevices) {
		if c, ok := askCard(driver, i, at); ok {
			if err := tell(document{Card: &c}); err != nil {
				return err
			}
		}
	}
	return nil
}

// askCard describes CUDA's card of a number; false if there is none.
func askCard(driver *cuda.Driver, ordinal int, at *bus) (c cudaCard, ok bool) {
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
	// loadBytes is copied at a time, and taken twice: on the card and in the machine.
	loadBytes = 16 << 20
	// needBytes is what must be free on the card, so that nobody else is pressed.
	needBytes = 64 << 20
	// needIdle is what must be free on it before there is a context, which takes
	// about half of that on the largest cards.
	needIdle = 1 << 30
	// busyPercent is how much of its time a card may work for others and still be
	// loaded: a screen takes less, a job more.
	busyPercent = 10
	// loadTime is how long the bus is loaded; it wakes within a few milliseconds.
	loadTime = 200 * time.Millisecond
)

// load copies to the card and back, as fast as the bus allows, and reads the bus
// meanwhile: what counts is the best, and the most ends it.
func load(device cuda.Device, read func() (int, int, bool)) (generation, width int, why string) {
	c, err := device.Context()
	if err != nil {
		return 0, 0, whyNoLoad(err)
	}
	defer c.Close()
	if free, _, err := c.MemInfo(); err == nil && free < needBytes {
		return 0, 0, report.WhyNoMemory
	}
	there, err := c.Alloc(loadBytes)
	if err != nil {
		return 0, 0, whyNoLoad(err)
	}
	here, err := c.HostAlloc(loadBytes)
	if err != nil {
		return 0, 0, whyNoLoad(err)
	}
	for end := time.Now().Add(loadTime); time.Now().Before(end); {
		for range 4 {
			if err := errors.Join(there.CopyFromHost(here, loadBytes), there.CopyToHost(here, loadBytes)); err != nil {
				return 0, 0, whyNoLoad(err)
			}
		}
		g, w, most := read() // while the copies, which nobody waited for, are under way
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

// whyNoLoad says why the bus could not be loaded.
func whyNoLoad(err error) string {
	if errors.Is(err, cuda.OutOfMemory) {
		return report.WhyNoMemory
	}
	return report.WhyFailed
}

var libcudaFile = lazyregexp.New(`/libcuda\.so\.([0-9]{3,4}(?:\.[0-9]+)+)(?: \(deleted\))?\n`)

// loadedLibcuda is the version in the name of the libcuda that this process has
// loaded, which is that of the driver that it came with.
func loadedLibcuda() string {
	maps, _ := os.ReadFile("/proc/self/maps")
	if m := libcudaFile.FindSubmatch(maps); m != nil {
		return string(m[1])
	}
	return ""
}

// told is all that a probe wrote.
type told struct {
	inventory inventory
	cuda      *cudaAnswer
	cards     []cudaCard
}

// parse reads what a probe wrote before it ended, however it did. It returns
// false if there is no inventory that can be believed.
func parse(data []byte) (t told, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	for {
		var d document
		if err := decoder.Decode(&d); err != nil {
			return t, ok
		}
		switch {
		case d.Inventory != nil && !ok && d.Inventory.sound():
			t.inventory, ok = *d.Inventory, true
		case d.CUDA != nil && t.cuda == nil && d.CUDA.sound():
			t.cuda = d.CUDA
		case d.Card != nil && len(t.cards) < maxDevices:
			t.cards = append(t.cards, *d.Card)
		}
	}
}
