// Package gpu finds out what NVIDIA GPUs a machine has, without ever failing,
// hanging or crashing the program that asks.
//
// # Words
//
// The driver is NVIDIA's kernel module and the libraries installed with it.
// NVML is the one of them, libnvidia-ml.so.1, that answers questions about
// GPUs; nvidia-smi is the program that prints NVML's answers. CUDA here means
// another of them, libcuda.so.1, that programs compute with. A card is one
// GPU as NVML lists it. The probe is the child process that asks both.
//
// # Who is asked
//
// NVML first, through go-nvml, by dlopen: a gpudocs that was built on a machine
// without a driver works. NVML runs in a child process, which is the same
// program executed again: a library that does not fit its kernel module may
// crash, and a sick GPU can keep a call from returning for ever. So the child
// has a time limit and a process group that is killed whole.
//
// CUDA second, in the same child, through internal/cuda: it may be broken where
// NVML is well, and the other way round. The child writes one JSON document
// after the other, each as soon as it is known: what NVML says, what CUDA says
// of all cards, what it says of each. Its time begins anew with each. So a
// libcuda that hangs or crashes loses nothing that NVML said; the counts then
// hold the reason.
//
// nvidia-smi third, where NVML gave no answer at all: on other systems than
// Linux, in a program built without cgo, and where the library is missing or
// crashed. It is not asked after an error that NVML named, for it would repeat
// it, nor after a timeout, for it would hang in the same place. Its memory is
// rounded to MiB; compute capabilities need a second call, which older
// drivers reject, and are unknown then. macOS has no NVIDIA driver, so nobody
// is asked there.
//
// Where that says nothing either, CUDA answers for the cards, and Source says so:
// in a container that was given no more of the driver
// (NVIDIA_DRIVER_CAPABILITIES=compute), and in a program without cgo where there is
// no nvidia-smi. It knows a card's name, memory, capability, SMs, width of the
// memory bus and rated clocks, of which a GeForce's SM clock may exceed its own. The
// driver's version is then that of the kernel module.
//
// Files of the machine tell what no library can ([host]): which container this
// is, whether a control group keeps device files from it, WSL2, the version of
// the loaded kernel module, and a card that is silent on the PCI bus.
//
// # Functions that a driver lacks
//
// go-nvml leaves its calls to the dynamic linker, which ends the process with
// exit code 127 where the library lacks one. So the program has each of NVML's
// functions itself, in nvml_linux.S: a jump through a table that is filled once
// the library is loaded, and until then leads to one that returns
// NVML_ERROR_FUNCTION_NOT_FOUND. LD_BIND_NOW does no harm either. Calls are
// guarded all the same ([ask]), for go-nvml picks versions of a function by what
// the library has.
//
// # What the result means
//
// The devices are the GPUs that this process can see, not those that are in
// the machine. A card that the operating system forbids (a cgroup of Slurm or
// of a container) is not one of them, and CUDA_VISIBLE_DEVICES, which NVML and
// nvidia-smi ignore, is applied as CUDA does:
//
//   - not set: all cards;
//   - a list of indices, or of UUIDs ("GPU-8932f937", as many digits as are
//     needed): these, in this order; the first that does not exist ends the
//     list, and a card named twice empties it;
//   - a MIG device ("MIG-4f2b..."): its card, with its memory, and it as the
//     only instance; nvidia-smi does not tell their UUIDs, so CUDA answers where
//     that was asked, and the code is "unsupported" where it cannot;
//   - so empty, "-1", or Slurm's "NoDevFiles": none. The status is "none" and
//     the detail says how many are hidden.
//
// An index means the card's place in PCI bus order, which is NVML's. CUDA
// itself sorts the fastest card first unless CUDA_DEVICE_ORDER=PCI_BUS_ID is
// set, as it is for the probe and for what measures; on a machine with unlike cards
// and a list of indices, set it for all programs, or they use other cards than the
// report names. What CUDA says of a card is matched by PCI address.
//
// Driver and CUDA are kept even where the GPUs are hidden or broken. CUDA is the
// version of the libcuda.so.1 that this process would load, so a
// forward-compatibility package counts; Compat then says so. It is told by the
// version in the name of the libcuda that the probe has loaded, which is that of the
// driver that it came with, where that is newer than the kernel module's and
// CUDA works all the same.
//
// Text of the driver is cleaned of control characters and bounded, and what the
// probe writes is checked before it is believed ([parse]). UUIDs, PCI addresses
// and folders never leave this package: they are matched or cut where they are read.
//
// # Readings
//
// A value is what the driver answered, 0 included. All else is null with the reason:
// a call that fails, and a number by which NVML says that it does not know, all
// ones above all, and 0 where 0 is no value (a PCIe generation, a limit). A card
// that is lost while it is read is listed with what was read until then.
//
// SMs and cores follow from each other by compute capability ([coresPerSM]);
// NVML tells the cores since driver 495, CUDA the SMs. CUDA's own numbers are
// not taken of a card that MIG divides, for they are one part's.
//
// An idle PCIe bus is slow. So its generation and width are read while 16 MiB of
// page-locked memory are copied to the card and back, for at most 200 ms a card
// one card after the other. A card that works for somebody is left alone
// (busyPercent), and so is one in a compute mode for one process, which could not
// start meanwhile, and one with less than 1 GiB of free memory. Where there is no load,
// the reading as it is stands, and the reason as that of "pcie.under_load".
//
// # Counts
//
// The numbers of cards by NVML, by CUDA and by device files are told side by
// side, and a difference is explained: CUDA_VISIBLE_DEVICES, MIG, WSL2, a card that
// is lost or off the bus, a control group (access(2) fails with EPERM), the mode
// of the file (EACCES), a container that was given some only.
//
// # Sources
//
// Meaning of NVML's functions and return values: nvml.h, and
// https://docs.nvidia.com/deploy/nvml-api/. nvidia-smi exits with the same
// values (its manual page, RETURN VALUE). CUDA_VISIBLE_DEVICES: CUDA C++
// Programming Guide, "CUDA Environment Variables"; that a repeated card empties
// the list is not there, but PyTorch's torch.cuda follows it.
//
// # What is not done
//
// MIG: a card is counted whole, with all its memory, even where it is divided,
// unless CUDA_VISIBLE_DEVICES names a MIG device. No AMD or Intel GPUs. A probe that is stuck inside the kernel
// cannot be killed by anyone: Probe returns all the same and leaves it. The
// probe makes a CUDA context on each card that it loads, which takes some hundred MiB
// of its memory for a moment.
package gpu

import (
	"cmp"
	"context"
	"os"
	"runtime"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
)

// defaultTimeout leaves room for a driver without persistence mode, which
// wakes each GPU when it is first asked: seconds, not milliseconds.
const defaultTimeout = 10 * time.Second

// Options say how to ask.
type Options struct {
	// Executable and Args start the probe: a program that calls [ProbeChild]
	// on its standard output when it gets these arguments.
	Executable string
	Args       []string
	// Env is the environment to ask in; nil means os.Environ().
	Env []string
	// Timeout bounds the silence of each process that is started, from one line to
	// the next: of the probe, which tells of each card, and where that is no use of up to
	// three nvidia-smi. None has more than twelve times that. 0 means 10 seconds.
	Timeout time.Duration
	// NvidiaSMI is the path of nvidia-smi; by default it is looked up in PATH
	// and where drivers put it.
	NvidiaSMI string

	host *host // for tests; by default that of this machine
}

// Probe asks what NVIDIA GPUs this process can see. It never fails: what goes
// wrong is in the result's Status, Code and Detail.
func Probe(ctx context.Context, o Options) report.GPU {
	o.Timeout = cmp.Or(o.Timeout, defaultTimeout)
	if o.Env == nil {
		o.Env = os.Environ()
	}
	h := thisHost(o.Env)
	if o.host != nil {
		h = *o.host
		h.env = o.Env
	}
	var t told
	if runtime.GOOS == "linux" {
		t = askChild(ctx, o)
	} else {
		t.inventory, _ = askNVML(func() {}) // which only says why it cannot: no need for a child
	}
	inv := t.inventory
	if inv.Source == "" && inv.Fault.Code != report.CodeProbeTimeout && runtime.GOOS != "darwin" {
		if answer, ok := askSMI(ctx, o); ok {
			inv = answer
		} else {
			inv.Fault.Detail += "; nvidia-smi was not found"
		}
	}
	return h.result(inv, t)
}

// result judges what was said, by whom it was said, of a machine.
func (h host) result(inv inventory, t told) report.GPU {
	inv = h.orCUDA(inv, t)
	inv.Fault = h.explain(inv.Fault, t.inventory.Library)
	inv.join(t.cuda, t.cards)
	return h.count(t.cuda.judge(inv, inv.gpu(h.env)), t.cuda)
}
