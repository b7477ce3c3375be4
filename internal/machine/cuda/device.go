package cuda

import (
	"cmp"
	"errors"
	"runtime"
)

// An Attribute is a CUdevice_attribute.
type Attribute int32

// Attributes, with the unit of their value.
// https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TYPES.html, CUdevice_attribute.
const (
	ClockRate       Attribute = 13 // kHz, at most
	Multiprocessors Attribute = 16 // the SMs
	Integrated      Attribute = 18 // 1 if its memory is the CPU's
	MemoryClockRate Attribute = 36 // kHz, at most
	MemoryBusWidth  Attribute = 37 // bits
	L2CacheSize     Attribute = 38 // bytes
	ComputeMajor    Attribute = 75
	ComputeMinor    Attribute = 76
)

// A Device is a GPU or a MIG device.
type Device struct {
	driver *Driver
	id     int32
}

// Device returns the GPU with that number, from 0. CUDA numbers the fastest first unless
// CUDA_DEVICE_ORDER is PCI_BUS_ID. NVML does not, so match GPUs by PCIBusID.
func (d *Driver) Device(ordinal int) (Device, error) {
	v := Device{driver: d}
	err := d.failed("cuDeviceGet", d.fn.DeviceGet(&v.id, int32(ordinal)))
	return v, err
}

// Name returns the name of the device: NVIDIA H100 80GB HBM3.
func (v Device) Name() (string, error) {
	var b [256]byte
	err := v.driver.failed("cuDeviceGetName", v.driver.fn.DeviceName(&b[0], int32(len(b)), v.id))
	return cText(b[:]), err
}

// PCIBusID returns the address on the bus: 0000:65:00.0, in lower or upper case. It must
// not leave the machine.
func (v Device) PCIBusID() (string, error) {
	var b [32]byte
	err := v.driver.failed("cuDeviceGetPCIBusId", v.driver.fn.DevicePCIBusID(&b[0], int32(len(b)), v.id))
	return cText(b[:]), err
}

// Attribute returns an attribute of the device.
func (v Device) Attribute(a Attribute) (int, error) {
	var n int32
	err := v.driver.failed("cuDeviceGetAttribute", v.driver.fn.DeviceAttribute(&n, a, v.id))
	return int(n), err
}

// Compute returns the compute capability: 8, 6.
func (v Device) Compute() (major, minor int, err error) {
	major, err = v.Attribute(ComputeMajor)
	minor, err2 := v.Attribute(ComputeMinor)
	return major, minor, cmp.Or(err, err2)
}

// TotalMemory returns the memory that CUDA can allocate in total, in bytes.
func (v Device) TotalMemory() (uint64, error) {
	var n uint64
	err := v.driver.failed("cuDeviceTotalMem", v.driver.fn.DeviceTotalMem(&n, v.id))
	return n, err
}

// Context makes the device's primary context, which cuBLAS and PyTorch use too, current on
// this thread, and binds the goroutine to the thread. Only this goroutine may use and
// close it: others run on threads without the context ([InvalidContext]). There can be
// one context at a time.
func (v Device) Context() (*Context, error) {
	runtime.LockOSThread()
	c := &Context{device: v, driver: v.driver, resources: map[resource]int{}}
	if err := c.failed("cuDevicePrimaryCtxRetain", c.driver.fn.PrimaryRetain(&c.h, v.id)); err != nil {
		runtime.UnlockOSThread()
		return nil, err
	}
	if err := c.failed("cuCtxSetCurrent", c.driver.fn.CtxSetCurrent(c.h)); err != nil {
		err = errors.Join(err, c.failed("cuDevicePrimaryCtxRelease", c.driver.fn.PrimaryRelease(v.id)))
		runtime.UnlockOSThread()
		return nil, err
	}
	return c, nil
}
