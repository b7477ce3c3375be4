package cuda

import (
	"errors"
	"fmt"
)

// SharedLibrary is the name of CUDA's library, which belongs to the driver.
const SharedLibrary = "libcuda.so.1"

// ErrNoLibrary means that this machine has no libcuda.so.1: there is no NVIDIA driver, or
// this is a container that was started without it.
var ErrNoLibrary = errors.New(SharedLibrary + " was not found")

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
	InvalidValue   Code = 1
	OutOfMemory    Code = 2
	NotInitialized Code = 3
	StubLibrary    Code = 34 // the toolkit's libcuda, which is only for linking
	Unavailable    Code = 46 // another process uses the device exclusively
	NoDevice       Code = 100
	InvalidDevice  Code = 101
	InvalidContext Code = 201
	InvalidPTX     Code = 218
	UnsupportedPTX Code = 222 // PTX newer than the driver
	IllegalAddress Code = 700
	LaunchFailed   Code = 719
	SystemNotReady Code = 802 // for example, the fabric manager is not running
	DriverMismatch Code = 803 // libcuda does not fit the kernel module
	CompatNotHere  Code = 804 // forward compatibility on a GPU that does not support it
	peerLimit      Code = 711 // too many devices already access each other
	Unknown        Code = 999

	// missing is not of libcuda: the library does not have the function.
	missing Code = -1
)

func (c Code) Error() string { return fmt.Sprintf("CUDA error %d", int32(c)) }

// An Error is a call of libcuda that failed.
type Error struct {
	Call  string // the function, as the CUDA driver API names it
	Code  Code
	Name  string // CUDA_ERROR_OUT_OF_MEMORY; "" if unknown
	Words string // out of memory; "" if unknown
	Log   string // the messages of the driver's compiler about an image
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
	// Both functions exist since CUDA 6.0, work before cuInit, and know only the codes
	// of their own version.
	var text *byte
	if d.fn.GetErrorName(c, &text) == 0 {
		e.Name = goString(text)
	}
	if d.fn.GetErrorString(c, &text) == 0 {
		e.Words = goString(text)
	}
	return e
}
