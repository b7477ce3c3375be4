//go:build linux && (amd64 || arm64) && !static

package cuda

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/gpudocs/gpudocs/internal/machine/cuda/cudatest"
	"github.com/gpudocs/gpudocs/test/programtest"
)

// built are the fake drivers, shared by the tests; nil in the processes that the tests start,
// and if they cannot be built.
var built, builtOld *cudatest.Driver

func TestMain(m *testing.M) {
	os.Exit(func() int {
		if os.Getenv(childEnv) != "" {
			return m.Run()
		}
		dir, err := os.MkdirTemp("", "fake-cuda-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		for _, f := range []struct {
			to    **cudatest.Driver
			flags []string
		}{{&built, nil}, {&builtOld, []string{cudatest.Old}}} {
			folder, err := os.MkdirTemp(dir, "")
			if err != nil {
				panic(err)
			}
			if *f.to, err = cudatest.Build(folder, f.flags...); err != nil && !errors.Is(err, cudatest.ErrCannot) {
				panic(err)
			}
		}
		return m.Run()
	}())
}

// childEnv names the test for which a process was started.
const childEnv = "CUDA_TEST"

// inChild runs a test, f, in a subprocess, because a library stays loaded. It returns the
// output and the error of the subprocess.
func inChild(t *testing.T, f func(*testing.T), env ...string) (string, error) {
	t.Helper()
	return within(t, 2*time.Minute, f, env...)
}

// within is inChild with a time limit, after which the subprocess ends itself.
func within(t *testing.T, limit time.Duration, f func(*testing.T), env ...string) (string, error) {
	t.Helper()
	if os.Getenv(childEnv) == t.Name() {
		f(t)
		return "--- PASS", nil
	}
	levels := strings.Split(t.Name(), "/")
	cmd := exec.Command(os.Args[0], "-test.run=^"+strings.Join(levels, "$/^")+"$", "-test.v", "-test.timeout="+limit.String())
	cmd.Env = slices.DeleteFunc(os.Environ(), func(e string) bool {
		return strings.HasPrefix(e, "CUDA_") || strings.HasPrefix(e, "LD_LIBRARY_PATH=") || strings.HasPrefix(e, "FAKE_")
	})
	cmd.Env = append(append(cmd.Env, childEnv+"="+t.Name()), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// child is inChild for a test that passes, with the fake driver.
func child(t *testing.T, scenario string, f func(*testing.T), env ...string) {
	t.Helper()
	passes(t, f, fake(t, built).Env(scenario, env...)...)
}

func passes(t *testing.T, f func(*testing.T), env ...string) {
	t.Helper()
	if out, err := inChild(t, f, env...); err != nil || !strings.Contains(out, "--- PASS") {
		t.Errorf("%v\n%s", err, out)
	}
}

// isChild reports whether this process was started for a test.
func isChild() bool { return os.Getenv(childEnv) != "" }

// fake returns a driver with a log of this test.
func fake(t *testing.T, d *cudatest.Driver) *cudatest.Driver {
	t.Helper()
	switch {
	case isChild():
		return &cudatest.Driver{}
	case d == nil:
		t.Skip(cudatest.ErrCannot)
	}
	return d.For(t)
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func is(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

// bytesOf returns the memory of a slice of numbers, for [Memory.Write] and [Memory.Read].
func bytesOf[T ~float32 | ~uint16](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), uintptr(len(s))*unsafe.Sizeof(s[0]))
}

func open(t *testing.T) *Driver {
	t.Helper()
	d := must[*Driver](t)(Open())
	ok(t, d.Init())
	return d
}

func context(t *testing.T) *Context {
	t.Helper()
	return must[*Context](t)(must[Device](t)(open(t).Device(0)).Context())
}

func TestDevices(t *testing.T) {
	type device struct {
		name, bus    string
		major, minor int
		sms          int
		memory       uint64
	}
	old := device{"GeForce GTX 1080 Ti", "0000:10:00.0", 6, 1, 28, 11178 << 20}
	young := device{"GeForce RTX 3090", "0000:20:00.0", 8, 6, 82, 24268 << 20}
	for _, tt := range []struct {
		name string
		env  []string
		want []device
	}{
		{"fastest first", nil, []device{young, old}},
		{"bus order", []string{"CUDA_DEVICE_ORDER=PCI_BUS_ID"}, []device{old, young}},
		{"by index", []string{"CUDA_VISIBLE_DEVICES=1"}, []device{old}},
		{"by UUID", []string{"CUDA_VISIBLE_DEVICES=GPU-2a"}, []device{young}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			child(t, "two", func(t *testing.T) {
				d := open(t)
				if v := must[int](t)(d.Version()); v != 11020 {
					t.Errorf("version %d", v)
				}
				var got []device
				for i := range must[int](t)(d.Count()) {
					v := must[Device](t)(d.Device(i))
					g := device{
						name: must[string](t)(v.Name()), bus: must[string](t)(v.PCIBusID()),
						sms: must[int](t)(v.Attribute(Multiprocessors)), memory: must[uint64](t)(v.TotalMemory()),
					}
					var err error
					g.major, g.minor, err = v.Compute()
					ok(t, err)
					got = append(got, g)
				}
				if !slices.Equal(got, tt.want) {
					t.Errorf("got %v\nwant %v", got, tt.want)
				}
				_, err := d.Device(2)
				is(t, err, InvalidDevice)
				_, err = must[Device](t)(d.Device(0)).Attribute(12345)
				is(t, err, InvalidValue)
			}, tt.env...)
		})
	}
}

func TestInit(t *testing.T) {
	for scenario, want := range map[string]struct {
		code Code
		text string
	}{
		"none":      {NoDevice, "cuInit: no CUDA-capable device is detected (CUDA_ERROR_NO_DEVICE, 100)"},
		"not-ready": {SystemNotReady, "cuInit: system not yet initialized (CUDA_ERROR_SYSTEM_NOT_READY, 802)"},
		"mismatch":  {DriverMismatch, "cuInit: system has unsupported display driver / cuda driver combination (CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803)"},
		"compat":    {CompatNotHere, "cuInit: forward compatibility was attempted on non supported HW (CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, 804)"},
		"stub":      {StubLibrary, "cuInit: CUDA driver is a stub library (CUDA_ERROR_STUB_LIBRARY, 34)"},
		"unknown":   {Unknown, "cuInit: unknown error (CUDA_ERROR_UNKNOWN, 999)"},
	} {
		t.Run(scenario, func(t *testing.T) {
			child(t, scenario, func(t *testing.T) {
				d := must[*Driver](t)(Open())
				if v := must[int](t)(d.Version()); v != 12040 {
					t.Errorf("version %d before Init", v)
				}
				err := d.Init()
				is(t, err, want.code)
				if err == nil || err.Error() != want.text {
					t.Errorf("%v", err)
				}
				_, err = d.Count()
				is(t, err, NotInitialized)
				_, err = Device{driver: d}.Context()
				is(t, err, NotInitialized)
			})
		})
	}
}

// A library without optional functions fails only for what needs them.
func TestOldDriver(t *testing.T) {
	test := func(t *testing.T) {
		c := context(t)
		a := must[*Memory](t)(c.Alloc(64))
		ok(t, must[*SGEMM](t)(c.SGEMM()).Multiply(4, 4, 4, a, a, a))
		ok(t, c.Synchronize())
		ok(t, c.Close())
	}
	d := fake(t, builtOld)
	passes(t, test, d.Env("one")...)
	if !isChild() {
		d.CheckFreed(t)
	}
}

func TestHollowLibrary(t *testing.T) {
	test := func(t *testing.T) {
		err := must[*Driver](t)(Open()).Init()
		if err == nil || err.Error() != "cuInit: this driver lacks the function" {
			t.Error(err)
		}
	}
	dir := t.TempDir()
	hollow(t, dir, "int hollow;")
	passes(t, test, "LD_LIBRARY_PATH="+dir)
}

// hollow builds a libcuda.so.1 from that source.
func hollow(t *testing.T, dir, source string) {
	t.Helper()
	programtest.Need(t, "cc")
	file := filepath.Join(dir, "source.c")
	ok(t, os.WriteFile(file, []byte(source), 0o644))
	if out, err := exec.Command("cc", "-shared", "-fPIC", "-o", filepath.Join(dir, "libcuda.so.1"), file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func TestOpen(t *testing.T) {
	for name, tt := range map[string]struct {
		make func(*testing.T, string)
		want string
	}{
		"nothing": {func(*testing.T, string) {}, ErrNoLibrary.Error()},
		"no library": {func(t *testing.T, dir string) {
			ok(t, os.WriteFile(filepath.Join(dir, "libcuda.so.1"), []byte("#!/bin/sh\n"), 0o755))
		}, "libcuda.so.1 is there and cannot be loaded: "},
		"lacks another": {func(t *testing.T, dir string) {
			hollow(t, dir, "extern int elsewhere; int *here = &elsewhere;")
		}, "libcuda.so.1 is there and cannot be loaded: "},
	} {
		t.Run(name, func(t *testing.T) {
			for _, pattern := range []string{"/usr/lib*/libcuda.so.1", "/usr/lib/*/libcuda.so.1", "/usr/local/cuda*/compat/libcuda.so.1"} {
				if drivers, _ := filepath.Glob(pattern); name == "nothing" && len(drivers) > 0 {
					t.Skipf("this machine has a driver: %q", drivers)
				}
			}
			test := func(t *testing.T) {
				_, err := Open()
				if err == nil || !strings.HasPrefix(err.Error(), tt.want) || errors.Is(err, ErrNoLibrary) != (name == "nothing") {
					t.Error(err)
				}
			}
			dir := t.TempDir()
			tt.make(t, dir)
			if out, err := inChild(t, test, "LD_LIBRARY_PATH="+dir); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// A goroutine with a context is locked to its thread, and another goroutine has no context.
func TestThread(t *testing.T) {
	child(t, "one", func(t *testing.T) {
		c := context(t)
		for range 100 {
			runtime.Gosched()
			ok(t, c.Synchronize())
		}
		other := make(chan error)
		go func() { other <- c.Synchronize() }()
		is(t, <-other, InvalidContext)
		ok(t, c.Close())
		ok(t, c.Close())
		is(t, c.Synchronize(), ErrClosed)
		again := context(t)
		ok(t, again.Synchronize())
		ok(t, again.Close())
	})
}

func TestMemory(t *testing.T) {
	child(t, "one", func(t *testing.T) {
		c := context(t)
		free, total, err := c.MemInfo()
		ok(t, err)
		if total != 24268<<20 || free >= total {
			t.Errorf("%d of %d bytes are free", free, total)
		}
		m, other := must[*Memory](t)(c.Alloc(1000)), must[*Memory](t)(c.Alloc(1000))
		if less, _, _ := c.MemInfo(); free-less != 2000 {
			t.Errorf("%d bytes are allocated", free-less)
		}
		numbers := []float32{1, 2, 3, 4}
		ok(t, m.Fill(7))
		ok(t, m.Write(984, bytesOf(numbers)))
		ok(t, other.CopyFrom(m, 1000))
		got := make([]byte, 1000)
		ok(t, other.Read(0, got))
		if got[983] != 7 || !bytes.Equal(got[984:], bytesOf(numbers)) {
			t.Errorf("% x", got[980:])
		}
		h := must[*HostMemory](t)(c.HostAlloc(1000))
		copy(h.Bytes(), "hello")
		ok(t, m.CopyFromHost(h, 5))
		copy(h.Bytes(), "-----")
		ok(t, m.CopyToHost(h, 4))
		ok(t, c.Synchronize())
		if s := string(h.Bytes()[:5]); s != "hell-" {
			t.Error(s)
		}
		for name, err := range map[string]error{
			"write past the end": m.Write(997, got[:4]),
			"write far past it":  m.Write(1<<63, got[:4]),
			"write before it":    m.Write(1<<64-4, got[:4]),
			"read past the end":  m.Read(1, got),
			"copy too much":      m.CopyFrom(other, 1001),
			"upload too much":    m.CopyFromHost(h, 1001),
			"download too much":  m.CopyToHost(h, 1001),
		} {
			var driver *Error // the C code noticed it
			if err == nil || errors.Is(err, ErrClosed) || errors.As(err, &driver) {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, nothing := range []error{m.Write(1000, nil), m.Read(0, nil), m.CopyFrom(other, 0), m.CopyFromHost(h, 0), m.CopyToHost(h, 0)} {
			ok(t, nothing)
		}
		_, err = c.Alloc(0)
		is(t, err, InvalidValue)
		_, err = c.Alloc(1 << 40)
		is(t, err, OutOfMemory)
		ok(t, other.Free())
		ok(t, h.Free())
		for _, err := range []error{other.Free(), h.Free(), other.Write(0, got), other.Fill(0), m.CopyFrom(other, 1), other.CopyFrom(m, 1), m.CopyFromHost(h, 1)} {
			is(t, err, ErrClosed)
		}
		if h.Bytes() != nil {
			t.Error("host memory is usable after it was freed")
		}
		ok(t, c.Close())
		_, err = c.Alloc(1)
		is(t, err, ErrClosed)
		is(t, m.Free(), ErrClosed)
	})
}

// What is not freed is freed with its context, in reverse order.
func TestCloseFrees(t *testing.T) {
	test := func(t *testing.T) {
		c := context(t)
		for range 3 {
			must[*Memory](t)(c.Alloc(10))
			must[*HostMemory](t)(c.HostAlloc(10))
			must[*Event](t)(c.Event())
		}
		must[*SGEMM](t)(c.SGEMM())
		ok(t, c.Close())
	}
	d := fake(t, built)
	passes(t, test, d.Env("one")...)
	if isChild() {
		return
	}
	d.CheckFreed(t)
	if log := d.Log(t); log[len(log)-1] != "release 0" || log[len(log)-2] != "free 10" {
		t.Errorf("%q", log)
	}
}

func TestNoMemory(t *testing.T) {
	for _, scenario := range []string{"full", "fragmented"} {
		t.Run(scenario, func(t *testing.T) {
			child(t, scenario, func(t *testing.T) {
				c := context(t)
				free, _, err := c.MemInfo()
				ok(t, err)
				if full := free <= 1<<20; full != (scenario == "full") {
					t.Errorf("%d bytes are free", free)
				}
				_, err = c.Alloc(1<<20 + 1)
				is(t, err, OutOfMemory)
				ok(t, must[*Memory](t)(c.Alloc(1<<20)).Free())
				ok(t, c.Close())
			})
		})
	}
}

func TestTaken(t *testing.T) {
	child(t, "taken", func(t *testing.T) {
		v := must[Device](t)(open(t).Device(0))
		_, err := v.Context()
		is(t, err, Unavailable)
	})
}

func TestEvents(t *testing.T) {
	child(t, "one", func(t *testing.T) {
		c := context(t)
		start, end := must[*Event](t)(c.Event()), must[*Event](t)(c.Event())
		m, other := must[*Memory](t)(c.Alloc(64<<20)), must[*Memory](t)(c.Alloc(64<<20))
		began := time.Now()
		ok(t, start.Record())
		for range 20 {
			ok(t, m.CopyFrom(other, m.Size()))
		}
		ok(t, end.Record())
		ok(t, c.Synchronize())
		waited := time.Since(began)
		took := must[time.Duration](t)(end.Since(start))
		if took <= 0 || took > waited {
			t.Errorf("the events measured %v, the clock %v", took, waited)
		}
		if back := must[time.Duration](t)(start.Since(end)); back != -took {
			t.Errorf("%v forth, %v back", took, back)
		}
		never := must[*Event](t)(c.Event())
		if _, err := never.Since(start); err == nil {
			t.Error("an event that was never recorded gives a time")
		}
		_, err := end.Since(nil)
		is(t, err, ErrClosed)
		ok(t, end.Close())
		for _, err := range []error{end.Close(), end.Record()} {
			is(t, err, ErrClosed)
		}
		ok(t, c.Close())
	})
}

// An error of the device is returned by the next wait, and stays.
func TestFails(t *testing.T) {
	child(t, "fails", func(t *testing.T) {
		c := context(t)
		a := must[*Memory](t)(c.Alloc(4 * 128 * 128))
		ok(t, must[*SGEMM](t)(c.SGEMM()).Multiply(128, 128, 8, a, a, a))
		is(t, c.Synchronize(), LaunchFailed)
		_, err := c.Alloc(10)
		is(t, err, LaunchFailed)
		is(t, c.Close(), LaunchFailed)
	})
}

// A call to a library that hangs never returns: the process has to be ended.
func TestHang(t *testing.T) {
	for _, scenario := range []string{"hang", "hang-late"} {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			test := func(t *testing.T) {
				os.Stdout.WriteString("asked the library\n")
				ok(t, context(t).Synchronize())
				os.Stdout.WriteString("had its answer\n")
			}
			d := fake(t, built)
			if isChild() {
				test(t)
				return
			}
			out, err := within(t, 3*time.Second, test, d.Env(scenario)...)
			if err == nil || !strings.Contains(out, "asked the library") || strings.Contains(out, "had its answer") || !strings.Contains(out, "test timed out") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// The eight GPUs of a node can be distinguished.
func TestEight(t *testing.T) {
	child(t, "node", func(t *testing.T) {
		d, seen := open(t), map[string]bool{}
		for i := range must[int](t)(d.Count()) {
			v := must[Device](t)(d.Device(i))
			if bus := must[string](t)(v.PCIBusID()); bus != fmt.Sprintf("0000:%d0:00.0", i+1) {
				t.Errorf("GPU %d is at %s", i, bus)
			}
			seen[must[string](t)(v.PCIBusID())] = true
		}
		if len(seen) != 8 {
			t.Errorf("%v", seen)
		}
	})
}

// A crash or a hang of the library crashes or hangs its process, which cannot be prevented.
func TestCrash(t *testing.T) {
	test := func(t *testing.T) { t.Log(must[*Driver](t)(Open()).Init()) }
	out, err := inChild(t, test, fake(t, built).Env("crash")...)
	if isChild() {
		return
	}
	if err == nil || !strings.Contains(out, "SIGSEGV") {
		t.Errorf("%v\n%s", err, out)
	}
}
