// Package gpu lists the NVIDIA GPUs of a machine, without ever failing, hanging or
// crashing the calling program.
//
// # Terms
//
// The driver is NVIDIA's kernel module and the libraries installed with it. NVML is the
// library that reports on GPUs, libnvidia-ml.so.1; nvidia-smi is the program that
// prints NVML's reports. CUDA here means libcuda.so.1, the library that programs
// compute with. A GPU is a GPU as NVML lists it. The probe is the subprocess that calls
// both.
//
// # Sources of information
//
// First NVML, through go-nvml and dlopen: a gpudocs that was built on a machine without
// a driver works. NVML runs in a subprocess, which is the same program executed again,
// because a library that does not fit its kernel module may crash, and a broken GPU can
// block a call for ever. So the subprocess has a time limit and a process group that is
// killed as a whole.
//
// Second CUDA, in the same subprocess, through internal/machine/cuda: it may fail if NVML
// works, and the other way round. The subprocess writes one JSON document for each
// result as soon as it is known: NVML, CUDA as a whole, CUDA for each GPU. The time
// limit restarts with each. So a libcuda that hangs or crashes does not lose the
// results of NVML; the counts then hold the reason.
//
// Third nvidia-smi, if NVML gave no answer at all: on systems other than Linux, in a
// program built without cgo, and if the library is missing or crashed. It is not run
// after an error of NVML, because it would repeat it, nor after a timeout, because it
// would hang too. Its memory is rounded to MiB. Compute capabilities need a second
// call, which older drivers reject; then they are unknown. It is not run on macOS,
// which has no NVIDIA driver.
//
// If nvidia-smi does not answer either, the GPUs are those that CUDA lists, and Source
// is set accordingly: in a container with a part of the driver only
// (NVIDIA_DRIVER_CAPABILITIES=compute), and in a program without cgo if there is no
// nvidia-smi. CUDA knows a GPU's name, memory, capability, SMs, memory bus width and
// rated clocks, which a GeForce's SM clock may exceed. The driver's version is then
// that of the kernel module.
//
// Files of the machine show what no library reports ([host]): the kind of container,
// whether a control group denies access to device files, WSL2, the version of the
// loaded kernel module, and a GPU that does not respond on the PCI bus.
//
// # Functions that a driver does not have
//
// go-nvml leaves its calls to the dynamic linker, which ends the process with exit code
// 127 if the library does not have the function. Asking for each function before it is
// called would not be enough: where symbols are bound at the start, the program would
// not even begin, without any GPU. That is so with LD_BIND_NOW, with musl, and with the
// compilers of distributions that link with -z now, which cgo cannot undo. So the program
// defines each of NVML's functions itself, in nvml_linux.S: a jump through a table that is
// filled when the library is loaded, and before that returns
// NVML_ERROR_FUNCTION_NOT_FOUND. On a CPU for which that has no code, nvidia-smi answers.
//
// # Meaning of the result
//
// The devices are the GPUs that this process can use, which may not be all in the
// machine. A GPU that the operating system denies (a cgroup of Slurm or of a container)
// is not included, and CUDA_VISIBLE_DEVICES, which NVML and nvidia-smi ignore, is
// applied as CUDA does:
//
//   - not set: all GPUs;
//   - a list of indices, or of UUIDs ("GPU-8932f937", as many digits as are
//     needed): these, in this order; the first that does not exist ends the
//     list, and a repeated GPU empties it;
//   - a MIG device ("MIG-4f2b..."): its GPU, with its memory, and it as the
//     only instance. nvidia-smi does not report their UUIDs, so CUDA answers in its
//     place, and if it cannot the code is "unsupported";
//   - empty, "-1", or Slurm's "NoDevFiles": none. The status is "none" and the
//     detail has the number of hidden GPUs.
//
// An index is the GPU's position in PCI bus order, as in NVML. CUDA itself orders the
// fastest GPU first unless CUDA_DEVICE_ORDER=PCI_BUS_ID is set, as it is for the probe
// and for measurements. On a machine with different GPUs and a list of indices, set it
// for all programs, or they use other GPUs than the report names. GPUs of CUDA are
// matched by PCI address.
//
// Driver and CUDA are reported even if the GPUs are hidden or broken. CUDA is the
// version of the libcuda.so.1 that this process would load, including a
// forward-compatibility package, which Compat shows. The package is recognized by the
// version in the file name of the loaded libcuda: it is newer than the kernel module's,
// and CUDA works.
//
// Memory is NVML's or nvidia-smi's, which counts all of it, and where they have none, CUDA's. The
// GPU of a GB10 or a Jetson board has no memory of its own: NVML answers "not supported", and
// the memory, which CUDA or else the system knows, is marked as shared with the CPU. The memory of
// a GPU that MIG divides is not taken from CUDA, which has that of one part.
//
// Text from the driver is cleaned of control characters and limited in length, and the
// output of the probe is validated ([parse]). UUIDs, PCI addresses and folders never
// leave this package: they are matched or removed where they are read.
//
// # Readings
//
// A value is what the driver returned, 0 included. Otherwise it is null with a reason:
// the call failed, or NVML returned a number that means unknown, such as all ones, or 0
// if 0 is not a valid value (a PCIe generation, a limit). If a GPU is lost while it is
// read, the values read before are kept.
//
// SMs and cores are computed from each other by compute capability ([coresPerSM]). NVML
// reports the cores since driver 495, CUDA the SMs. CUDA's numbers are not used for a
// GPU that MIG divides, because they are those of one part.
//
// The PCIe bus is slow if idle. So its generation and width are read while 16 MiB of
// page-locked memory are copied to the GPU and back, for at most 200 ms per GPU, one
// GPU after the other. Busy GPUs are not loaded (busyPercent), nor those in an
// exclusive compute mode, in which no other program could start meanwhile, nor those
// with less than 1 GiB of free memory. Without load the idle reading is kept, and the
// reason is recorded for "pcie.under_load".
//
// # Counts
//
// The numbers of GPUs by NVML, by CUDA and by device files are reported side by side,
// and a difference is explained: CUDA_VISIBLE_DEVICES, MIG, WSL2, a GPU that is lost or
// off the bus, a control group (access(2) fails with EPERM), the mode of the file
// (EACCES), a container with some of the GPUs.
//
// # Sources
//
// Functions and return values of NVML: nvml.h, and
// https://docs.nvidia.com/deploy/nvml-api/. nvidia-smi exits with the same values (its
// manual page, RETURN VALUE). CUDA_VISIBLE_DEVICES: CUDA C++ Programming Guide, "CUDA
// Environment Variables". That a repeated GPU empties the list is not documented, but
// PyTorch's torch.cuda does the same.
//
// # Limitations
//
// MIG: a divided GPU is listed as a whole, with all its memory, unless
// CUDA_VISIBLE_DEVICES names a MIG device. AMD and Intel GPUs are not supported. A
// probe that hangs inside the kernel cannot be killed: Probe returns nevertheless and
// leaves it behind. The probe creates a CUDA context on each GPU that it loads, which
// takes some hundred MiB of its memory for a moment.
package gpu

import (
	"cmp"
	"context"
	"os"
	"runtime"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
)

// defaultTimeout is sufficient for a driver without persistence mode, which takes
// seconds to wake each GPU.
const defaultTimeout = 10 * time.Second

// ProbeOptions are the options of [Probe].
type ProbeOptions struct {
	// Executable and Args start the probe: a program that calls [RunProbe] with its
	// standard output if it gets these arguments.
	Executable string
	Args       []string
	// Env is the environment of the probe. If nil, it is os.Environ().
	Env []string
	// Timeout limits the time between two lines of output of the probe, and of up to
	// three runs of nvidia-smi if the probe does not work. Each may take up to twelve
	// times as long in total. If 0, it is 10 seconds.
	Timeout time.Duration
	// NvidiaSMI is the path of nvidia-smi. If empty, it is looked up in PATH and in the
	// folders where drivers install it.
	NvidiaSMI string

	host *host // for tests; nil means this machine
}

// Probe returns the NVIDIA GPUs that this process can use. It never fails: errors are
// in the Status, Code and Detail of the result.
func Probe(ctx context.Context, o ProbeOptions) report.GPU {
	o.Timeout = cmp.Or(o.Timeout, defaultTimeout)
	if o.Env == nil {
		o.Env = os.Environ()
	}
	h := thisHost(o.Env)
	if o.host != nil {
		h = *o.host
		h.env = o.Env
	}
	var t probeOutput
	if runtime.GOOS == "linux" {
		t = runProbe(ctx, o)
	} else {
		t.inventory, _ = askNVML(func() {}) // returns why NVML is not available
	}
	inv := t.inventory
	if inv.Source == "" && inv.Fault.Code != report.CodeProbeTimeout && runtime.GOOS != "darwin" {
		if answer, ok := askSMI(ctx, o); ok {
			inv = answer
		}
	}
	return h.result(inv, t)
}

// result combines the answers of the libraries with the files of the machine.
func (h host) result(inv inventory, t probeOutput) report.GPU {
	inv = h.orCUDA(inv, t)
	inv.Fault = h.explain(inv.Fault, t.inventory.Library)
	inv.join(t.cuda, t.gpus)
	h.share(inv.GPUs)
	return h.count(t.cuda.judge(inv, inv.gpu(h.env)), t.cuda)
}
