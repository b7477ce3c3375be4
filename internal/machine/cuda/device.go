package cuda

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
)

// An Attribute is a CUdevice_attribute.
type Attribute int32

// Attributes, with the unit of their value.
// https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TYPES.html, CUdevice_attribute.
const (
	MaxThreadsPerBlock  Attribute = 1
	SharedPerBlock      Attribute = 8  // bytes
	WarpSize            Attribute = 10 // threads
	RegistersPerBlock   Attribute = 12 // of 32 bits
	ClockRate           Attribute = 13 // kHz, at most
	Multiprocessors     Attribute = 16 // the SMs
	KernelTimeLimit     Attribute = 17 // 1: a kernel may not run long, as a screen hangs on the GPU
	Integrated          Attribute = 18 // 1: shares the memory of the CPU
	ComputeMode         Attribute = 20 // 0 default, 2 prohibited, 3 one process
	ECCEnabled          Attribute = 32 // 1: on
	PCIBus              Attribute = 33
	PCIDevice           Attribute = 34
	TCCDriver           Attribute = 35
	MemoryClockRate     Attribute = 36 // kHz, at most
	MemoryBusWidth      Attribute = 37 // bits
	L2CacheSize         Attribute = 38 // bytes
	ThreadsPerSM        Attribute = 39
	AsyncEngines        Attribute = 40 // copies that can run beside a kernel
	UnifiedAddressing   Attribute = 41
	PCIDomain           Attribute = 50
	ComputeMajor        Attribute = 75
	ComputeMinor        Attribute = 76
	SharedPerSM         Attribute = 81 // bytes
	RegistersPerSM      Attribute = 82
	SharedPerBlockOptin Attribute = 97 // bytes, for a kernel that asks, see [Kernel.AllowShared]
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
	err := d.failed("cuDeviceGet", d.fn.deviceGet(&v.id, int32(ordinal)))
	return v, err
}

// Name returns the name of the device: NVIDIA H100 80GB HBM3.
func (v Device) Name() (string, error) {
	var b [256]byte
	err := v.driver.failed("cuDeviceGetName", v.driver.fn.deviceName(&b[0], int32(len(b)), v.id))
	return cText(b[:]), err
}

// PCIBusID returns the address on the bus: 0000:65:00.0, in lower or upper case. It must
// not leave the machine.
func (v Device) PCIBusID() (string, error) {
	var b [32]byte
	err := v.driver.failed("cuDeviceGetPCIBusId", v.driver.fn.devicePCIBusID(&b[0], int32(len(b)), v.id))
	return cText(b[:]), err
}

// UUID returns the UUID in the format of nvidia-smi -L. For a MIG device it is its own,
// with the prefix MIG-, since CUDA 11.4, and that of the GPU before. It must not leave the
// machine.
func (v Device) UUID() (string, error) {
	var u [16]byte
	err := v.driver.failed("cuDeviceGetUuid", v.driver.fn.deviceUUID(&u, v.id))
	return fmt.Sprintf("GPU-%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:]), err
}

// Attribute returns an attribute of the device.
func (v Device) Attribute(a Attribute) (int, error) {
	var n int32
	err := v.driver.failed("cuDeviceGetAttribute", v.driver.fn.deviceAttribute(&n, a, v.id))
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
	err := v.driver.failed("cuDeviceTotalMem", v.driver.fn.deviceTotalMem(&n, v.id))
	return n, err
}

// Context makes the device's primary context, which cuBLAS and PyTorch use too, current on
// this thread, and binds the goroutine to the thread. Only this goroutine may use and
// close it: others run on threads without the context ([InvalidContext]). There can be
// one context at a time.
func (v Device) Context() (*Context, error) {
	runtime.LockOSThread()
	c := &Context{device: v, driver: v.driver, resources: map[resource]int{}}
	var h handle
	if err := c.failed("cuDevicePrimaryCtxRetain", c.driver.fn.primaryRetain(&h, v.id)); err != nil {
		runtime.UnlockOSThread()
		return nil, err
	}
	if err := c.failed("cuCtxSetCurrent", c.driver.fn.ctxSetCurrent(h)); err != nil {
		err = errors.Join(err, c.failed("cuDevicePrimaryCtxRelease", c.driver.fn.primaryRelease(v.id)))
		runtime.UnlockOSThread()
		return nil, err
	}
	return c, nil
}
