package cuda

import (
	"errors"
	"fmt"
)

// ErrNoLibrary means that this machine has no libcuda.so.1: there is no NVIDIA driver, or
// this is a container that was started without it.
var ErrNoLibrary = errors.New("libcuda.so.1 was not found")

// ErrUnsupported means that the program cannot call libraries: it is not for Linux on
// amd64 or arm64, or was built with -tags static.
var ErrUnsupported = errors.New("this gpudocs cannot call CUDA: only one for Linux on amd64 or arm64 can, built without -tags static")

// ErrClosed is the error of using something after it was closed or freed.
var ErrClosed = errors.New("used after it was closed")

// A Code is the return value of a function of libcuda: a CUresult. It is an error, so
// that errors.Is(err, OutOfMemory) can be used for an [Error].
type Code int32

// Codes that callers distinguish. Numbers and meaning:
// https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TYPES.html, CUresult.
const (
	InvalidValue    Code = 1
	OutOfMemory     Code = 2
	NotInitialized  Code = 3
	Deinitialized   Code = 4
	StubLibrary     Code = 34 // the toolkit's libcuda, which is only there to link with
	Unavailable     Code = 46 // taken by a process that has the device for itself
	NoDevice        Code = 100
	InvalidDevice   Code = 101
	InvalidImage    Code = 200
	InvalidContext  Code = 201
	NoBinary        Code = 209 // the image holds nothing for this device
	ECCUncorrected  Code = 214
	InvalidPTX      Code = 218
	UnsupportedPTX  Code = 222 // PTX newer than the driver
	NotFound        Code = 500
	NotReady        Code = 600
	IllegalAddress  Code = 700
	LaunchResources Code = 701
	LaunchTimeout   Code = 702
	LaunchFailed    Code = 719
	NotPermitted    Code = 800
	NotSupported    Code = 801
	SystemNotReady  Code = 802 // a fabric manager that does not run, for one
	DriverMismatch  Code = 803 // libcuda does not fit the kernel module
	CompatNotHere   Code = 804 // forward compatibility on a GPU that has none
	Unknown         Code = 999

	// missing is ours: the library lacks the function.
	missing Code = -1
)

func (c Code) Error() string { return fmt.Sprintf("CUDA error %d", int32(c)) }

// An Error is a call of libcuda that failed.
type Error struct {
	Call  string // the function, as the CUDA driver API names it
	Code  Code
	Name  string // CUDA_ERROR_OUT_OF_MEMORY; empty if unknown
	Words string // out of memory; likewise
	Log   string // messages of the driver's compiler, for an image
}

func (e *Error) Error() string {
	text := e.Call + ": "
	switch {
	case e.Code == missing:
		text += "this driver lacks the function"
	case e.Words != "" && e.Name != "":
		text += fmt.Sprintf("%s (%s, %d)", e.Words, e.Name, int32(e.Code))
	default:
		text += e.Code.Error()
	}
	if e.Log != "" {
		text += ": " + e.Log
	}
	return text
}

// Unwrap returns the code, for errors.Is.
func (e *Error) Unwrap() error { return e.Code }

// failed returns the error of a call, or nil if it succeeded.
func (d *Driver) failed(call string, c Code) error {
	if c == 0 {
		return nil
	}
	e := &Error{Call: call, Code: c}
	if c == missing {
		return e
	}
	// Both are there since CUDA 6.0, work before cuInit, and know only the
	// codes of their own time.
	var text *byte
	if d.fn.getErrorName(c, &text) == 0 {
		e.Name = goString(text)
	}
	if d.fn.getErrorString(c, &text) == 0 {
		e.Words = goString(text)
	}
	return e
}
