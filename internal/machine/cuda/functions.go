package cuda

import "unsafe"

// functions are those of libcuda that we call, as cuda.h declares them.
// A CUdevice is an int32, a CUdeviceptr an unsigned 64-bit number, and handles
// of contexts, events, modules and functions are pointers that only C follows.
type functions struct {
	init           func(flags uint32) Code
	getErrorName   func(Code, **byte) Code
	getErrorString func(Code, **byte) Code
	getVersion     func(*int32) Code

	deviceGetCount  func(*int32) Code
	deviceGet       func(*int32, int32) Code
	deviceName      func(*byte, int32, int32) Code
	deviceUUID      func(*[16]byte, int32) Code
	devicePCIBusID  func(*byte, int32, int32) Code
	deviceAttribute func(*int32, Attribute, int32) Code
	deviceTotalMem  func(*uint64, int32) Code

	primaryRetain  func(*handle, int32) Code
	primaryRelease func(int32) Code
	ctxSetCurrent  func(handle) Code
	ctxSynchronize func() Code

	memGetInfo    func(free, total *uint64) Code
	memAlloc      func(*uint64, uint64) Code
	memFree       func(uint64) Code
	memHostAlloc  func(*unsafe.Pointer, uint64, uint32) Code
	memFreeHost   func(unsafe.Pointer) Code
	copyHtoD      func(to uint64, from unsafe.Pointer, bytes uint64) Code
	copyDtoH      func(to unsafe.Pointer, from uint64, bytes uint64) Code
	copyHtoDAsync func(to uint64, from unsafe.Pointer, bytes uint64, stream handle) Code
	copyDtoHAsync func(to unsafe.Pointer, from uint64, bytes uint64, stream handle) Code
	copyDtoDAsync func(to, from uint64, bytes uint64, stream handle) Code
	memsetD8Async func(to uint64, value uint8, bytes uint64, stream handle) Code

	eventCreate      func(*handle, uint32) Code
	eventRecord      func(event, stream handle) Code
	eventQuery       func(handle) Code
	eventSynchronize func(handle) Code
	eventElapsed     func(milliseconds *float32, start, end handle) Code
	eventDestroy     func(handle) Code

	moduleLoad   func(module *handle, image *byte, n uint32, options *int32, values *uintptr) Code
	moduleUnload func(handle) Code
	moduleGet    func(*handle, handle, string) Code
	funcGet      func(value *int32, attribute int32, function handle) Code
	funcSet      func(function handle, attribute, value int32) Code
	funcParam    func(function handle, index uint64, offset, size *uint64) Code
	launch       func(function handle, gridX, gridY, gridZ, blockX, blockY, blockZ, shared uint32, stream handle, parameters *unsafe.Pointer, extra unsafe.Pointer) Code
}

// handle is a pointer of the driver's that we never follow.
type handle uintptr

// table names the functions. The _v2 are what cuda.h makes of the plain names
// since CUDA 3.2 or 4.0. cuEventElapsedTime stays as it is: its _v2 of CUDA
// 12.8 is not in the drivers before. cuDevicePrimaryCtxRelease became _v2 with
// CUDA 11.0; what it does to a context that is retained once did not change.
func (f *functions) table() []function {
	return []function{
		{&f.init, []string{"cuInit"}},
		{&f.getErrorName, []string{"cuGetErrorName"}},
		{&f.getErrorString, []string{"cuGetErrorString"}},
		{&f.getVersion, []string{"cuDriverGetVersion"}},
		{&f.deviceGetCount, []string{"cuDeviceGetCount"}},
		{&f.deviceGet, []string{"cuDeviceGet"}},
		{&f.deviceName, []string{"cuDeviceGetName"}},
		{&f.deviceUUID, []string{"cuDeviceGetUuid_v2", "cuDeviceGetUuid"}},
		{&f.devicePCIBusID, []string{"cuDeviceGetPCIBusId"}},
		{&f.deviceAttribute, []string{"cuDeviceGetAttribute"}},
		{&f.deviceTotalMem, []string{"cuDeviceTotalMem_v2"}},
		{&f.primaryRetain, []string{"cuDevicePrimaryCtxRetain"}},
		{&f.primaryRelease, []string{"cuDevicePrimaryCtxRelease_v2", "cuDevicePrimaryCtxRelease"}},
		{&f.ctxSetCurrent, []string{"cuCtxSetCurrent"}},
		{&f.ctxSynchronize, []string{"cuCtxSynchronize"}},
		{&f.memGetInfo, []string{"cuMemGetInfo_v2"}},
		{&f.memAlloc, []string{"cuMemAlloc_v2"}},
		{&f.memFree, []string{"cuMemFree_v2"}},
		{&f.memHostAlloc, []string{"cuMemHostAlloc"}},
		{&f.memFreeHost, []string{"cuMemFreeHost"}},
		{&f.copyHtoD, []string{"cuMemcpyHtoD_v2"}},
		{&f.copyDtoH, []string{"cuMemcpyDtoH_v2"}},
		{&f.copyHtoDAsync, []string{"cuMemcpyHtoDAsync_v2"}},
		{&f.copyDtoHAsync, []string{"cuMemcpyDtoHAsync_v2"}},
		{&f.copyDtoDAsync, []string{"cuMemcpyDtoDAsync_v2"}},
		{&f.memsetD8Async, []string{"cuMemsetD8Async"}},
		{&f.eventCreate, []string{"cuEventCreate"}},
		{&f.eventRecord, []string{"cuEventRecord"}},
		{&f.eventQuery, []string{"cuEventQuery"}},
		{&f.eventSynchronize, []string{"cuEventSynchronize"}},
		{&f.eventElapsed, []string{"cuEventElapsedTime"}},
		{&f.eventDestroy, []string{"cuEventDestroy_v2"}},
		{&f.moduleLoad, []string{"cuModuleLoadDataEx"}},
		{&f.moduleUnload, []string{"cuModuleUnload"}},
		{&f.moduleGet, []string{"cuModuleGetFunction"}},
		{&f.funcGet, []string{"cuFuncGetAttribute"}},
		{&f.funcSet, []string{"cuFuncSetAttribute"}},
		{&f.funcParam, []string{"cuFuncGetParamInfo"}}, // since CUDA 12.4
		{&f.launch, []string{"cuLaunchKernel"}},
	}
}
