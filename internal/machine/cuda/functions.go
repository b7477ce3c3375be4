package cuda

import "unsafe"

// functions are the functions of libcuda that are called, as cuda.h declares them, each with
// its names in the library; see [library.bind]. A CUdevice is an int32, a CUdeviceptr an
// unsigned 64-bit number. Handles of contexts, events, modules and functions are pointers
// that only C follows.
//
// The names with _v2 are those that cuda.h defines for the plain names since CUDA 3.2 or 4.0.
// cuEventElapsedTime_v2 of CUDA 12.8 is not used, because earlier drivers do not have it.
// cuDevicePrimaryCtxRelease became _v2 with CUDA 11.0; for a context that is retained once
// both do the same.
type functions struct {
	Init           func(flags uint32) Code `c:"cuInit"`
	GetErrorName   func(Code, **byte) Code `c:"cuGetErrorName"`
	GetErrorString func(Code, **byte) Code `c:"cuGetErrorString"`
	GetVersion     func(*int32) Code       `c:"cuDriverGetVersion"`

	DeviceGetCount  func(*int32) Code                   `c:"cuDeviceGetCount"`
	DeviceGet       func(*int32, int32) Code            `c:"cuDeviceGet"`
	DeviceName      func(*byte, int32, int32) Code      `c:"cuDeviceGetName"`
	DevicePCIBusID  func(*byte, int32, int32) Code      `c:"cuDeviceGetPCIBusId"`
	DeviceAttribute func(*int32, Attribute, int32) Code `c:"cuDeviceGetAttribute"`
	DeviceTotalMem  func(*uint64, int32) Code           `c:"cuDeviceTotalMem_v2"`

	PrimaryRetain  func(*handle, int32) Code `c:"cuDevicePrimaryCtxRetain"`
	PrimaryRelease func(int32) Code          `c:"cuDevicePrimaryCtxRelease_v2,cuDevicePrimaryCtxRelease"`
	CtxSetCurrent  func(handle) Code         `c:"cuCtxSetCurrent"`
	CtxSynchronize func() Code               `c:"cuCtxSynchronize"`

	CanAccessPeer func(can *int32, device, other int32) Code `c:"cuDeviceCanAccessPeer"`
	EnablePeer    func(context handle, flags uint32) Code    `c:"cuCtxEnablePeerAccess"`
	DisablePeer   func(context handle) Code                  `c:"cuCtxDisablePeerAccess"`

	MemGetInfo    func(free, total *uint64) Code                                                                       `c:"cuMemGetInfo_v2"`
	MemAlloc      func(*uint64, uint64) Code                                                                           `c:"cuMemAlloc_v2"`
	MemFree       func(uint64) Code                                                                                    `c:"cuMemFree_v2"`
	MemHostAlloc  func(*unsafe.Pointer, uint64, uint32) Code                                                           `c:"cuMemHostAlloc"`
	MemFreeHost   func(unsafe.Pointer) Code                                                                            `c:"cuMemFreeHost"`
	CopyHtoD      func(to uint64, from unsafe.Pointer, bytes uint64) Code                                              `c:"cuMemcpyHtoD_v2"`
	CopyDtoH      func(to unsafe.Pointer, from uint64, bytes uint64) Code                                              `c:"cuMemcpyDtoH_v2"`
	CopyHtoDAsync func(to uint64, from unsafe.Pointer, bytes uint64, stream handle) Code                               `c:"cuMemcpyHtoDAsync_v2"`
	CopyDtoHAsync func(to unsafe.Pointer, from uint64, bytes uint64, stream handle) Code                               `c:"cuMemcpyDtoHAsync_v2"`
	CopyDtoDAsync func(to, from uint64, bytes uint64, stream handle) Code                                              `c:"cuMemcpyDtoDAsync_v2"`
	CopyPeerAsync func(to uint64, toContext handle, from uint64, fromContext handle, bytes uint64, stream handle) Code `c:"cuMemcpyPeerAsync"`
	MemsetD8Async func(to uint64, value uint8, bytes uint64, stream handle) Code                                       `c:"cuMemsetD8Async"`

	EventCreate  func(*handle, uint32) Code                          `c:"cuEventCreate"`
	EventRecord  func(event, stream handle) Code                     `c:"cuEventRecord"`
	EventElapsed func(milliseconds *float32, start, end handle) Code `c:"cuEventElapsedTime"`
	EventDestroy func(handle) Code                                   `c:"cuEventDestroy_v2"`

	ModuleUnload func(handle) Code                  `c:"cuModuleUnload"`
	ModuleGet    func(*handle, handle, string) Code `c:"cuModuleGetFunction"`

	ModuleLoad func(module *handle, image *byte, n uint32, options *int32, values *uintptr) Code `c:"cuModuleLoadDataEx"`

	Launch func(function handle, gridX, gridY, gridZ, blockX, blockY, blockZ, shared uint32,
		stream handle, parameters *unsafe.Pointer, extra unsafe.Pointer) Code `c:"cuLaunchKernel"`
}

// A handle is a pointer of the driver that Go never follows.
type handle uintptr
