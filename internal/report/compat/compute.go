package compat

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A capability is a compute capability times ten: 86 is 8.6.
type capability int

func parseCapability(s string) (capability, bool) {
	before, after, _ := strings.Cut(s, ".")
	major, err := strconv.ParseUint(before, 10, 8)
	minor := strings.IndexByte("0123456789", (after + " ")[0])
	c := capability(int(major)*10 + minor)
	return c, err == nil && minor >= 0 && c.String() == s
}

func (c capability) String() string { return strconv.Itoa(int(c/10)) + "." + strconv.Itoa(int(c%10)) }

// code describes the code in software by compute capabilities.
type code struct {
	// native are the capabilities with machine code.
	native []capability
	// ptx, if not 0, is the capability of PTX, which the driver can compile for that GPU and
	// every later one when the program runs. maybe is the same if it is unknown whether there
	// is PTX, as for a toolkit, whose programs may have it or not.
	ptx, maybe capability
	// all means that native code is PTX too, which is compiled when the program runs.
	all bool
	// foreign means that the PTX may be older than the toolkit, as that of another compiler,
	// or is not compiled by the driver, so that an older driver may be sufficient.
	foreign bool
	// until, if not 0, is the oldest capability for which the PTX is not known to work.
	until capability
	// from, if not 0, is the oldest capability for which the software generates code when it
	// runs.
	from capability
	// floor, if not 0, is the oldest capability for which the software's cuDNN has code.
	floor capability
}

// parsed has the rows that were parsed before.
var parsed sync.Map

// parseCode parses a row of the tables. "8.0" is machine code, "9.0+PTX" machine code and
// PTX, "PTX:9.0" PTX alone, "PTX:9.0<10.0" PTX that is known to work below 10.0 only,
// "9.0+PTX?" machine code and, according to some sources, PTX, and "5.2+" code for 5.2
// and all later capabilities.
func parseCode(s string) (c code, err error) {
	if known, ok := parsed.Load(s); ok {
		return known.(code), nil
	}
	defer func() {
		if err == nil {
			parsed.Store(s, c)
		}
	}()
	for f := range strings.FieldsSeq(s) {
		number, only := strings.CutPrefix(f, "PTX:")
		number, below, limited := strings.Cut(number, "<")
		number, mark, marked := strings.Cut(number, "+")
		n, ok := parseCapability(number)
		until, okUntil := parseCapability(below)
		switch {
		case !ok || only && marked, limited && (!only || !okUntil || until <= n):
			return c, fmt.Errorf("%q in %q", f, s)
		case only:
			c.until, c.foreign = until, limited
			c.ptx = n
			continue
		case marked && mark == "":
			c.from = n
			continue
		case mark == "PTX":
			c.ptx = n
		case mark == "PTX?":
			c.maybe = n
		case marked:
			return c, fmt.Errorf("%q in %q", f, s)
		}
		c.native = append(c.native, n)
	}
	return c, nil
}

// code returns the code that nvcc of this release can generate. Whether programs have PTX
// is up to those who compile them.
func (c cuda) code() code {
	of, _ := parseCode(c.last().archs)
	of.maybe = of.native[0]
	return of
}

// String returns the range: "7.5-12.0", or "5.2+" without an end.
func (c code) String() string {
	switch {
	case c.from > 0:
		return c.from.String() + "+"
	case len(c.native) == 0:
		return ""
	}
	return c.native[0].String() + "-" + max(c.native[len(c.native)-1], c.ptx).String()
}

// list lists all capabilities, for a GPU that is within the range but not one of them.
func (c code) list() string {
	var all []string
	for _, n := range c.native {
		all = append(all, n.String())
	}
	return strings.Join(all, ", ")
}

// fit reports whether software with this code runs on a GPU, and whether the
// driver has to compile it first.
//
// Machine code for X.y runs on X.z with z >= y, and on no other GPU: CUDA C++ Programming
// Guide, "Binary Compatibility". It is not supported between the GPUs of Jetson boards and
// others. As some of it does run, the answer is then unknown. PTX can be compiled for
// every later GPU: "PTX Compatibility" in the same guide.
// https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html
func (c code) fit(gpu capability) (answer string, jit bool) {
	same := func(n capability) bool { return n/10 == gpu/10 && n <= gpu }
	runs := func(n capability) bool { return n == gpu || same(n) && !onBoard(n) && !onBoard(gpu) }
	switch {
	case slices.ContainsFunc(c.native, runs), c.from > 0 && gpu >= c.from:
		return report.RunsYes, c.all
	case c.until > 0 && gpu >= c.until:
		return report.RunsUnknown, false
	case c.ptx > 0 && gpu >= c.ptx:
		return report.RunsYes, true
	case c.maybe > 0 && gpu >= c.maybe, slices.ContainsFunc(c.native, same):
		return report.RunsUnknown, false
	}
	return report.RunsNo, false
}

// boards are the capabilities of GPUs in Jetson boards: TX1, TX2, Xavier, Orin, Thor.
// https://developer.nvidia.com/cuda-gpus
var boards = []capability{53, 62, 72, 87, 101, 110}

func onBoard(c capability) bool { return slices.Contains(boards, c) }

// integrated reports whether a GPU is that of a Jetson board.
func integrated(d report.Device) bool {
	c, ok := parseCapability(d.Compute)
	return ok && onBoard(c) || strings.Contains(d.Name, "nvgpu") || strings.Contains(d.Name, "Tegra")
}

// SharesMemory reports whether the memory of a GPU is known to be the CPU's: on Jetson boards
// and on a GB10, which alone has compute capability 12.1.
func SharesMemory(d report.Device) bool {
	return integrated(d) || d.Compute == "12.1" || strings.HasSuffix(d.Name, "GB10")
}

// A jit is whether the driver must compile PTX. Then it must be as new as the compiler that
// generated the PTX.
type jit int

const (
	unneeded jit = iota
	needed       // from the PTX of the toolkit
	doubtful     // PTX of an unknown version
)

// A gpuVerdict reports whether software runs on the GPUs of a machine.
type gpuVerdict struct {
	answer, by string
	// jit is the worst of all GPUs.
	jit jit
	// name, compute and need are those of the GPU with the worst answer.
	name, compute, need string
}

// worst returns the worst verdict of the GPUs, because software must run on each.
func worst(m report.Machine, of code) gpuVerdict {
	w := gpuVerdict{answer: report.RunsYes}
	for _, d := range m.GPU.Devices {
		answer, by, jit, need := report.RunsUnknown, report.ByCompute, false, of.String()
		if c, ok := parseCapability(d.Compute); ok {
			answer, jit = of.fit(c)
			if len(of.native) > 0 && c > of.native[0] && c < of.native[len(of.native)-1] {
				need = of.list()
			}
			if c < of.floor && answer == report.RunsYes { // what does not use cuDNN runs, and all if an older one is installed
				answer, by, need = report.RunsUnknown, report.ByCuDNN, of.floor.String()
			}
		}
		if jit {
			w.jit = max(w.jit, needed)
			if of.foreign {
				w.jit = doubtful
			}
		}
		if rank(answer) < rank(w.answer) {
			w.answer, w.by, w.name, w.compute, w.need = answer, by, d.Name, d.Compute, need
		}
	}
	return w
}
