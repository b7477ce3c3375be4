// Package gpu finds out what NVIDIA GPUs a machine has, without ever failing,
// hanging or crashing the program that asks.
//
// # Words
//
// The driver is NVIDIA's kernel module and the libraries installed with it.
// NVML is the one of them, libnvidia-ml.so.1, that answers questions about
// GPUs; nvidia-smi is the program that prints NVML's answers. A card is one
// GPU as they list it. The probe is the child process that asks NVML.
//
// # Who is asked
//
// NVML first, through go-nvml, by dlopen: a gpudocs that was built on a machine
// without a driver works. NVML runs in a child process, which is the same
// program executed again, for three reasons. A call to a function that the
// installed driver lacks ends the process with exit code 127, and so does any
// call after the library could not be loaded; neither can be recovered. A
// library that does not fit its kernel module may crash. And a sick GPU can
// keep a call from returning for ever. So the child has a time limit and a
// process group that is killed whole, and newer functions are looked up before
// they are called.
//
// nvidia-smi second, by `nvidia-smi -q -x`, where NVML gave no answer at all:
// on other systems than Linux, in a program built without cgo, and where the
// library is missing or crashed. It is not asked after an error that NVML
// named, for it would repeat it, nor after a timeout, for it would hang in the
// same place. It is looked for in PATH, and where WSL2 and Windows keep it. All
// drivers since 410 are understood: elements were renamed and added, and a
// reading without its element has the reason "source", as have multiprocessors,
// the width of the bus and NVLink, which no driver's XML tells. Memory is
// rounded to MiB. Compute capabilities need a second call, which older drivers
// reject, and are unknown then; profiles of MIG devices need a third, -L. macOS
// has no NVIDIA driver, so nobody is asked there.
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
//   - so empty, "-1", or Slurm's "NoDevFiles": none. The status is "none" and
//     the detail says how many are hidden.
//
// An index means the card's place in PCI bus order, which is NVML's. CUDA
// itself sorts the fastest card first unless CUDA_DEVICE_ORDER=PCI_BUS_ID is
// set; on a machine with unlike cards and a list of indices, set it.
//
// Driver and CUDA are kept even where the GPUs are hidden or broken. CUDA is the
// version of the libcuda.so.1 that this process would load, so a
// forward-compatibility package counts. Text of the driver is cleaned of
// control characters and bounded. UUIDs, PCI addresses and folders never leave
// this package: they are matched or cut where they are read.
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
// and a CUDA_VISIBLE_DEVICES that names MIG devices gives the code
// "unsupported". No AMD or Intel GPUs. LD_BIND_NOW is kept from the probe only:
// where it is set, a program with go-nvml in it does not start at all. A probe
// that is stuck inside the kernel cannot be killed by anyone: Probe returns all
// the same and leaves it.
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
	// Timeout bounds each process that is started: the probe, and where that
	// is no use up to three of nvidia-smi. 0 means 10 seconds.
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
	}
	var t told
	if runtime.GOOS == "linux" {
		t = askChild(ctx, o)
	} else {
		t.inventory, _ = askNVML() // which only says why it cannot: no need for a child
	}
	inv := t.inventory
	if inv.Source == "" && inv.Fault.Code != report.CodeProbeTimeout && runtime.GOOS != "darwin" {
		if answer, ok := askSMI(ctx, o); ok {
			inv = answer
		} else {
			inv.Fault.Detail += "; nvidia-smi was not found"
		}
	}
	inv.Fault = h.explain(inv.Fault, t.inventory.Library)
	inv.join(t.cuda, t.cards)
	return h.count(t.cuda.judge(inv, inv.gpu(o.Env)), t.cuda)
}
