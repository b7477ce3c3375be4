package report

import (
	"cmp"
	"slices"
)

// Statuses of a machine's GPUs.
const (
	// GPUOk: the driver answered; Devices may still be empty.
	GPUOk = "ok"
	// GPUNone: there is no NVIDIA driver or no device.
	GPUNone = "none"
	// GPUBroken: there is a driver that cannot be used; Code is why.
	GPUBroken = "broken"
)

// Codes for why a machine has no usable GPU.
const (
	CodeNoLibrary    = "no-library"        // libnvidia-ml.so.1 is not installed
	CodeNotLoaded    = "driver-not-loaded" // the kernel module is not loaded
	CodeNoDevice     = "no-device"         // the driver answers and sees no GPU
	CodeMismatch     = "version-mismatch"  // library and kernel module differ: reboot
	CodeNoPermission = "no-permission"     // /dev/nvidia* may not be opened
	CodeLost         = "gpu-lost"          // a GPU has fallen off the bus
	CodeReset        = "reset-required"    // a GPU must be reset before it can be used again
	CodeProbeTimeout = "probe-timeout"     // the driver did not answer in time
	CodeProbeCrashed = "probe-crashed"     // the driver's library ended the probe
	CodeUnsupported  = "unsupported"       // gpudocs cannot query GPUs on this system
	CodeFabric       = "fabric-manager"    // the NVSwitch fabric is not set up: the fabric manager is down
	CodeContainer    = "container-lost"    // the container has lost its device files
	CodeNotGiven     = "container-no-gpu"  // the container was started without GPUs
	CodeWSL          = "wsl-driver"        // in WSL2: the driver of Windows is missing or does not answer
	CodeDriverFailed = "driver-error"      // any other error of the driver
	CodeNotAsked     = "not-asked"         // no check needed the GPUs
	CodeNotReached   = "not-reached"       // the machine was not reached
)

// Sources of the inventory of GPUs.
const (
	SourceNVML      = "nvml"
	SourceNvidiaSMI = "nvidia-smi"
	SourceCUDA      = "cuda" // if neither of the two answers
)

// GPU is the inventory of a machine's GPUs, as its driver reports them.
type GPU struct {
	Status string `json:"status"`
	// Code and Detail are why Status is not "ok". Detail is the driver's message.
	Code   string `json:"code,omitempty"`
	Detail string `json:"detail,omitempty"`
	// Source is the library or program that answered: "nvml", "nvidia-smi" or "cuda".
	Source string `json:"source,omitempty"`
	// Driver is the driver's version, CUDA the newest CUDA version it supports.
	Driver string `json:"driver,omitempty"`
	CUDA   string `json:"cuda,omitempty"`
	// Compat is the CUDA version of a forward-compatibility package, if CUDA comes from
	// it and not from the driver.
	Compat string `json:"compat,omitempty"`
	// Platform is the layer between the machine and its GPUs: [PlatformWSL2], the name
	// of a container runtime ("docker"), or empty.
	Platform string `json:"platform,omitempty"`
	// Counts are the numbers of GPUs from different sources.
	Counts  *Counts  `json:"counts,omitempty"`
	Devices []Device `json:"devices,omitempty" max:"1024"`
}

// PlatformWSL2 is Linux inside Windows, which has NVML and no /dev/nvidia*.
const PlatformWSL2 = "wsl2"

// Counts are the numbers of GPUs from different sources; null if not available.
type Counts struct {
	NVML *int `json:"nvml"`
	CUDA *int `json:"cuda"`
	// Dev counts /dev/nvidia0 and on.
	Dev *int `json:"dev"`
	// Why explains a difference: one of the Differ codes, or empty if there is none.
	Why string `json:"why,omitempty"`
	// Detail is CUDA's message if Why is [DifferCUDA].
	Detail string `json:"detail,omitempty"`
}

// Why sources have different numbers of GPUs.
const (
	DifferVisible    = "visible-devices" // CUDA_VISIBLE_DEVICES
	DifferContainer  = "container"       // a container or a cgroup shows some of them
	DifferPermission = "permission"      // some device files may not be opened
	DifferLost       = "lost"            // a GPU has fallen off the bus
	DifferMIG        = "mig"             // CUDA counts one MIG device, NVML whole GPUs
	DifferWSL        = "wsl2"            // no device files there
	DifferCUDA       = "cuda-failed"     // CUDA could not be initialised
	DifferUnknown    = "unknown"
)

// A Device is one GPU.
type Device struct {
	Name string `json:"name"`
	// MemoryBytes is the total memory, 0 if unknown. CUDA's total is what can be
	// allocated, which is less.
	MemoryBytes uint64 `json:"memory_bytes,omitempty"`
	// MemoryShared means that the memory is the CPU's, as on a GB10 or a Jetson board.
	MemoryShared bool `json:"memory_shared,omitempty"`
	// Compute is the compute capability, "8.6", or empty if unknown.
	Compute string `json:"compute,omitempty"`
	// Readings are other values of the GPU at the time of the run.
	Readings *Readings `json:"readings,omitempty"`
}

// Readings are values of one GPU. null means unknown, with the reason in Unknown; 0 is
// a value.
type Readings struct {
	// SMs are streaming multiprocessors, Cores their FP32 units ("CUDA cores").
	SMs   *int `json:"sms"`
	Cores *int `json:"cores"`
	// BusBits is the width of the memory bus, in bits.
	BusBits *int   `json:"bus_bits"`
	Clocks  Clocks `json:"clocks"`
	Power   Power  `json:"power"`
	// Temperature is that of the GPU's core, in degrees Celsius.
	Temperature *int `json:"temperature_c"`
	// Throttle are the reasons, "sw-power-cap", for low clocks at the moment. An empty
	// list means that there are none.
	Throttle []string `json:"throttle" max:"64"`
	PCIe     PCIe     `json:"pcie"`
	ECC      ECC      `json:"ecc"`
	Rows     Rows     `json:"remapped_rows"`
	MIG      MIG      `json:"mig"`
	NVLink   NVLink   `json:"nvlink"`
	// Persistence: the driver stays loaded while the GPU is not used.
	Persistence *bool `json:"persistence"`
	// Virtualization is "none", "passthrough", "vgpu", "host-vgpu" or "host-vsga".
	Virtualization *string `json:"virtualization"`
	// Unknown holds why values are null, and why PCIe was not read under load.
	Unknown []Unknown `json:"unknown" max:"64"`
}

// An Unknown is why a value of [Readings] is null.
type Unknown struct {
	// Field is its name in JSON: "power.draw_w".
	Field string `json:"field"`
	// Why is one of the Why codes.
	Why string `json:"why"`
}

// Why a value is unknown.
const (
	WhyNotSupported = "not-supported" // the GPU does not have it
	WhyPermission   = "no-permission" // this user may not read it
	WhyOldDriver    = "old-driver"    // the driver is too old to report it
	WhySource       = "source"        // the source, nvidia-smi or CUDA, does not have it
	WhyLost         = "lost"          // the GPU does not answer
	WhyFailed       = "failed"        // the driver returned another error
	WhyNoMemory     = "no-memory"     // the GPU has too little free memory for it
	WhyInUse        = "in-use"        // other programs use the GPU, or its mode allows one only
	WhyHidden       = "hidden"        // CUDA does not show the GPU to this process
	WhyNoLibrary    = "no-library"    // a required library is missing
)

// Clocks are frequencies in MHz, now and at most.
type Clocks struct {
	Graphics    *int `json:"graphics_mhz"`
	SM          *int `json:"sm_mhz"`
	Memory      *int `json:"memory_mhz"`
	MaxGraphics *int `json:"max_graphics_mhz"`
	MaxSM       *int `json:"max_sm_mhz"`
	MaxMemory   *int `json:"max_memory_mhz"`
}

// Power is in watts: the current draw, and the limit in effect.
type Power struct {
	Draw  *float64 `json:"draw_w"`
	Limit *float64 `json:"limit_w"`
}

// PCIe is the link to the machine: its generation and number of lanes, now and the
// maximum of GPU and slot together. An idle link is slow to save power.
type PCIe struct {
	Generation    *int `json:"generation"`
	Width         *int `json:"width"`
	MaxGeneration *int `json:"max_generation"`
	MaxWidth      *int `json:"max_width"`
	// UnderLoad means that generation and width were read while data was copied.
	// Otherwise Unknown has the reason, with the field "pcie.under_load".
	UnderLoad bool `json:"under_load"`
}

// ECC is memory error correction, with the errors since the driver was loaded.
type ECC struct {
	Enabled     *bool   `json:"enabled"`
	Corrected   *uint64 `json:"corrected"`
	Uncorrected *uint64 `json:"uncorrected"`
}

// Rows are remapped rows of memory, replaced by spare ones.
type Rows struct {
	Correctable   *int `json:"correctable"`
	Uncorrectable *int `json:"uncorrectable"`
	// Pending: the next reset remaps more. Failed: a row could not be remapped.
	Pending *bool `json:"pending"`
	Failed  *bool `json:"failed"`
}

// MIG is whether the GPU is divided, and its MIG devices.
type MIG struct {
	Enabled   *bool      `json:"enabled"`
	Instances []Instance `json:"instances,omitempty" max:"64"`
}

// An Instance is a MIG device.
type Instance struct {
	// Profile is "1g.10gb".
	Profile     string `json:"profile"`
	MemoryBytes uint64 `json:"memory_bytes,omitempty"`
	SMs         int    `json:"sms,omitempty"`
}

// NVLink is the number of links, and how many are active.
type NVLink struct {
	Links  *int `json:"links"`
	Active *int `json:"active"`
}

// Absent reports whether it is known that the machine has no GPU. One that could not be asked, or whose driver is broken, may have some.
func (g GPU) Absent() bool {
	unknown := slices.Contains([]string{CodeNotReached, CodeNotAsked, CodeUnsupported}, g.Code)
	return g.Status == GPUNone && !unknown || g.Status == GPUOk && len(g.Devices) == 0
}

// Same reports whether results from one inventory are valid for the other: status,
// driver, its CUDA version, and the GPUs are the same.
func (g GPU) Same(o GPU) bool {
	return g.Status == o.Status && g.Driver == o.Driver && g.CUDA == o.CUDA && slices.EqualFunc(g.Devices, o.Devices, Device.Same)
}

// Same reports whether results from one GPU are valid for the other. Readings that change
// all the time are not compared.
func (d Device) Same(e Device) bool {
	// What the kernel leaves of shared memory differs by some MB with each version.
	sized := d.MemoryBytes == e.MemoryBytes || d.MemoryShared && e.MemoryShared
	return d.Name == e.Name && sized && d.Compute == e.Compute &&
		slices.Equal(d.Readings.Instances(), e.Readings.Instances())
}

// Usable returns how much memory one process can get, 0 if unknown: of a divided GPU that of
// the smallest MIG device.
func (d Device) Usable() uint64 {
	if !d.Readings.Divided() {
		return d.MemoryBytes
	}
	if len(d.Readings.MIG.Instances) == 0 {
		return 0
	}
	return slices.MinFunc(d.Readings.MIG.Instances, func(a, b Instance) int { return cmp.Compare(a.MemoryBytes, b.MemoryBytes) }).MemoryBytes
}

// SharesMemory reports whether the memory of all GPUs is the CPU's.
func (g GPU) SharesMemory() bool {
	return len(g.Devices) > 0 && !slices.ContainsFunc(g.Devices, func(d Device) bool { return !d.MemoryShared })
}

// Instances returns the MIG devices of the GPU. Nil readings have none.
func (r *Readings) Instances() []Instance {
	if r == nil {
		return nil
	}
	return r.MIG.Instances
}

// Divided reports whether the GPU is known to be divided by MIG.
func (r *Readings) Divided() bool { return r != nil && r.MIG.Enabled != nil && *r.MIG.Enabled }
