package cuda

import (
	"errors"
	"fmt"
)

// ErrNoLibrary says that this machine has no libcuda.so.1: no driver of NVIDIA,
// or a container that was started without it.
var ErrNoLibrary = errors.New("libcuda.so.1 was not found")

// ErrUnsupported says that the program cannot call libraries: it is not for
// Linux on amd64 or arm64, or was built with -tags static.
var ErrUnsupported = errors.New("this gpudocs cannot call CUDA: only one for Linux on amd64 or arm64 can, built without -tags static")

// ErrClosed says that what was used has been closed or freed before.
var ErrClosed = errors.New("used after it was closed")

// A Code is what a function of libcuda returns: a CUresult. It is an error, so
// that errors.Is(err, OutOfMemory) tells what an [Error] is about.
type Code int32

// Codes that a caller may want to tell apart. Numbers and meaning:
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
	Name  string // CUDA_ERROR_OUT_OF_MEMORY; empty if the driver does not say
	Words string // out of memory; likewise
	Log   string // what the driver's compiler had to say, for an image
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

// Unwrap gives the code, for errors.Is.
func (e *Error) Unwrap() error { return e.Code }

// failed is the error of a call, or nil if it did not fail.
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
