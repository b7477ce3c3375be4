package ask

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A Fact is something a machine has a value for, by the name that authors write: "driver", has("cmake"), "nvlink up".
type Fact string

// The facts that code refers to. Of all others only the table knows.
const (
	GPUs    Fact = "gpus"
	Driver  Fact = "driver"
	CUDA    Fact = "cuda"
	Memory  Fact = "memory"
	Compute Fact = "compute"
	Label   Fact = "machine"
	GPU     Fact = "gpu"
	OS      Fact = "os"
	Arch    Fact = "arch"
	RAM     Fact = "ram"
	Cores   Fact = "cores"
	Python  Fact = "python"
	Slurm   Fact = "slurm"
	NVCC    Fact = "nvcc"
	Runs    Fact = "runs"
)

// The functions, which are facts with an argument.
const (
	Has    = "has"    // a program in PATH
	Module = "module" // of Lmod or Environment Modules: it can be loaded
	Env    = "env"    // an environment of gpudocs.toml: it is there
	Pip    = "python" // a Python package, by the name of its distribution or for import
)

// A Kind is what a fact is compared with.
type Kind int

// The kinds of facts.
const (
	OfVersion Kind = iota // a dotted version
	OfCount               // a whole number
	OfSize                // an amount of memory with its unit
	OfWord                // a pattern of a text
	OfAnswer              // nothing: it is a question, which is answered yes or no
	OfNumber              // a number, or a word for one
	OfRate                // a rate with its unit, or shares of the site's reference for the machine
)

// A Source is where the value of a fact comes from.
type Source int

// The sources of values.
const (
	FromGPUs      Source = iota // the GPUs and their driver in a report
	FromMachine                 // the rest of a report: any machine has it
	FromPython                  // the Python of an environment, and the frameworks in it (package compat)
	FromSlurm                   // the client of Slurm (package compat)
	FromAnswers                 // verify asks the machine if a requirement names the fact
	FromRules                   // what runs on the machine, by the rules of package compat
	FromSensors                 // a reading of each GPU; only a line of a gpu block may name it
	FromMeasuring               // verify measures it; only a line of a gpu block may name it
)

// An Entry is all that is known of a fact. Tests range over the table and fail for an entry that lacks its words, its row in the
// manual, its field in the schema of reports, its line in doctor, or its rule in the script with which readers ask for a GPU of
// their own.
type Entry struct {
	// Fact is the name. A function has it without its argument, of which Argument is an example.
	Fact     Fact
	Argument string
	Kind     Kind
	Source   Source
	// Unit is the unit of numbers and rates.
	Unit string
	// Words is the key of the fact's words in the texts of machines (machine.toml): of a count the whole amount, "{n} CPU cores", of
	// others the name. Spelling is the name if it is the same in all languages. A fact that only lines name has neither: pages show the
	// line.
	Words, Spelling string
	// Example is a comparison as an author would write it, for the manual and for hints.
	Example string
	// Field is where a report has it, in the names of JSON: "machine.gpu.devices.memory_bytes".
	Field string
	// Readers is set if the script for readers knows it of their own machine. Else it is unknown there.
	Readers bool

	// read returns the value on a machine, and device that of one GPU, of which the least counts. If neither is set package compat knows
	// the value, or the machine is asked.
	read   func(report.Machine) (Value, bool)
	device func(report.Device) (Value, bool)
	sensor sensor
}

// table has the facts in the order in which help texts and the manual name them.
var table = []Entry{
	{Fact: GPUs, Kind: OfCount, Words: "words_gpus", Example: "gpus >= 2", Field: "machine.gpu.devices", Readers: true,
		read: func(m report.Machine) (Value, bool) {
			return Count(len(m.GPU.Devices)), m.GPU.Status == report.GPUOk || m.GPU.Status == report.GPUNone
		}},
	{Fact: Driver, Words: "words_fact_driver", Example: "driver >= 550.54.14", Field: "machine.gpu.driver", Readers: true,
		read: func(m report.Machine) (Value, bool) { return versionOf(m.GPU.Driver) }},
	{Fact: CUDA, Spelling: "CUDA", Example: "cuda >= 12.4", Field: "machine.gpu.cuda", Readers: true,
		read: func(m report.Machine) (Value, bool) { return versionOf(m.GPU.CUDA) }},
	{Fact: Memory, Kind: OfSize, Words: "words_fact_memory", Example: "memory >= 8 GiB",
		Field: "machine.gpu.devices.memory_bytes", Readers: true,
		device: func(d report.Device) (Value, bool) { return Bytes(d.Usable()), d.Usable() > 0 }},
	{Fact: Compute, Words: "words_fact_compute", Example: "compute >= 8.0", Field: "machine.gpu.devices.compute", Readers: true,
		device: func(d report.Device) (Value, bool) { return versionOf(d.Compute) }},
	{Fact: Label, Kind: OfWord, Source: FromMachine, Words: "words_fact_machine", Example: "machine != deepten",
		Field: "machine.name", Readers: true,
		read: func(m report.Machine) (Value, bool) { return Names([]string{m.Name}), m.Name != "" }},
	{Fact: GPU, Kind: OfWord, Words: "words_fact_gpu", Example: `gpu == "A100*"`,
		Field: "machine.gpu.devices.name", Readers: true, read: models},
	{Fact: OS, Kind: OfWord, Source: FromMachine, Words: "words_fact_os", Example: `os == "Debian*"`, Field: "machine.os", Readers: true,
		read: func(m report.Machine) (Value, bool) { return Names([]string{m.OS, systemOf(m.OS)}), m.OS != "" }},
	{Fact: Arch, Kind: OfWord, Source: FromMachine, Words: "words_fact_arch", Example: "arch == arm64", Field: "machine.arch", Readers: true,
		read: func(m report.Machine) (Value, bool) { return Names([]string{m.Arch, kernelArch[m.Arch]}), m.Arch != "" }},
	{Fact: RAM, Kind: OfSize, Source: FromMachine, Words: "words_fact_ram", Example: "ram >= 16 GiB", Field: "machine.memory_bytes",
		read: func(m report.Machine) (Value, bool) { return Bytes(m.MemoryBytes), m.MemoryBytes > 0 }},
	{Fact: Cores, Kind: OfCount, Source: FromMachine, Words: "words_cores", Example: "cores >= 8", Field: "machine.cores",
		read: func(m report.Machine) (Value, bool) { return Count(m.Cores), m.Cores > 0 }},

	{Fact: Python, Source: FromPython, Spelling: "Python", Example: "python >= 3.9", Field: "machine.environments.interpreter"},
	framework("torch", "PyTorch", "torch >= 2.6"),
	framework("tensorflow", "TensorFlow", "tensorflow >= 2.15"),
	framework("jax", "JAX", "jax >= 0.4.30"),
	framework("cupy", "CuPy", "cupy >= 13"),
	framework("mxnet", "MXNet", "mxnet >= 1.9"),
	framework("numba", "Numba", "numba >= 0.60"),
	framework("paddle", "PaddlePaddle", "paddle >= 2.6"),
	framework("onnxruntime", "ONNX Runtime", "onnxruntime >= 1.18"),
	{Fact: Slurm, Source: FromSlurm, Spelling: "Slurm", Example: "slurm >= 21.08", Field: "machine.slurm.version"},
	{Fact: NVCC, Source: FromAnswers, Spelling: "nvcc", Example: "nvcc >= 12.4", Field: "machine.answers"},
	{Fact: Runs, Kind: OfAnswer, Source: FromRules, Words: "words_cuda", Example: "runs cu124", Field: "machine.gpu.driver", Readers: true},
	{Fact: Has, Argument: "cmake", Kind: OfAnswer, Source: FromAnswers, Words: "words_program", Example: `has("cmake")`,
		Field: "machine.answers"},
	{Fact: Module, Argument: "cuda/12", Kind: OfAnswer, Source: FromAnswers, Words: "words_module", Example: `module("cuda/12")`,
		Field: "machine.answers"},
	{Fact: Env, Argument: "torch", Kind: OfAnswer, Source: FromAnswers, Words: "words_env", Example: `env("torch")`, Field: "machine.answers"},
	{Fact: Pip, Argument: "numpy", Source: FromAnswers, Example: `python("numpy") >= 1.26`, Field: "machine.answers"},

	reading("temperature", "°C", "temperature_c", sensor{value: one(func(r *report.Readings) *int { return r.Temperature })}),
	reading("power draw", "W", "power.draw_w", sensor{value: one(func(r *report.Readings) *float64 { return r.Power.Draw })}),
	reading("power limit", "W", "power.limit_w", sensor{value: one(func(r *report.Readings) *float64 { return r.Power.Limit })}),
	reading("clock sm", "MHz", "clocks.sm_mhz", sensor{value: one(func(r *report.Readings) *int { return r.Clocks.SM }),
		most: one(func(r *report.Readings) *int { return r.Clocks.MaxSM }), mostWord: "max", mostField: "clocks.max_sm_mhz"}),
	reading("clock memory", "MHz", "clocks.memory_mhz", sensor{value: one(func(r *report.Readings) *int { return r.Clocks.Memory }),
		most: one(func(r *report.Readings) *int { return r.Clocks.MaxMemory }), mostWord: "max", mostField: "clocks.max_memory_mhz"}),
	reading("throttle", "", "throttle", sensor{value: one(throttled), words: []string{"none"}}),
	reading("pcie gen", "", "pcie.generation", sensor{value: one(func(r *report.Readings) *int { return r.PCIe.Generation }),
		most: one(func(r *report.Readings) *int { return r.PCIe.MaxGeneration }), mostWord: "max", mostField: "pcie.max_generation"}),
	reading("pcie width", "", "pcie.width", sensor{value: one(func(r *report.Readings) *int { return r.PCIe.Width }),
		most: one(func(r *report.Readings) *int { return r.PCIe.MaxWidth }), mostWord: "max", mostField: "pcie.max_width"}),
	reading("ecc", "", "ecc.enabled", mode(func(r *report.Readings) *bool { return r.ECC.Enabled })),
	reading("ecc corrected", "", "ecc.corrected", sensor{value: one(func(r *report.Readings) *uint64 { return r.ECC.Corrected })}),
	reading("ecc uncorrected", "", "ecc.uncorrected", sensor{value: one(func(r *report.Readings) *uint64 { return r.ECC.Uncorrected })}),
	reading("rows uncorrectable", "", "remapped_rows.uncorrectable",
		sensor{value: one(func(r *report.Readings) *int { return r.Rows.Uncorrectable })}),
	reading("mig", "", "mig.enabled", mode(func(r *report.Readings) *bool { return r.MIG.Enabled })),
	reading("nvlink up", "", "nvlink.active", sensor{value: one(func(r *report.Readings) *int { return r.NVLink.Active }),
		most: one(func(r *report.Readings) *int { return r.NVLink.Links }), mostWord: "all", mostField: "nvlink.links"}),
	reading("persistence", "", "persistence", mode(func(r *report.Readings) *bool { return r.Persistence })),

	measurement(Matmul, "matmul n=4096 dtype=fp32 >= 5 TFLOP/s", "TFLOP/s"),
	measurement("memory "+Bandwidth, "memory bandwidth >= 700 GB/s", "GB/s"),
	measurement("copy "+HostToDevice, "copy host-to-device >= 20 GB/s", "GB/s"),
	measurement("copy "+DeviceToHost, "copy device-to-host >= 20 GB/s", "GB/s"),
	measurement("copy "+Peer, "copy peer >= 40 GB/s", "GB/s"),
}

func framework(name Fact, spelling, example string) Entry {
	return Entry{Fact: name, Source: FromPython, Spelling: spelling, Example: example, Field: "machine.environments.frameworks"}
}

func measurement(name Fact, example, unit string) Entry {
	return Entry{Fact: name, Kind: OfRate, Source: FromMeasuring, Unit: unit, Example: example, Field: "checks.measurement"}
}

// Table returns the facts in the order in which the manual names them.
func Table() []Entry { return table }

// Names returns the names of the facts for which a function is true, without repeating one.
func namesOf(is func(*Entry) bool) (list []string) {
	for i := range table {
		if name := string(table[i].Fact); is(&table[i]) && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// Frameworks lists the frameworks that may follow runs, by the names for importing them.
func Frameworks() []string { return namesOf((*Entry).framework) }

func (e *Entry) framework() bool { return e.Source == FromPython && e.Fact != Python }

// Reported lists the facts that each report has a value of, if it is known.
func Reported() []string {
	return namesOf(func(e *Entry) bool { return e.Source == FromGPUs || e.Source == FromMachine })
}

var byFact = func() map[Fact]*Entry {
	all := map[Fact]*Entry{}
	for i, e := range table {
		if e.Argument != "" {
			e.Fact += "()"
		}
		all[e.Fact] = &table[i]
	}
	return all
}()

// Entry returns what is known of a fact. For one that is not in the table it has no name.
func (f Fact) Entry() *Entry {
	if function, _ := f.Call(); function != "" {
		f = Fact(function + "()")
	}
	if e := byFact[f]; e != nil {
		return e
	}
	return &Entry{}
}

// Call returns function and argument of a fact such as has("cmake"), and "" for others.
func (f Fact) Call() (function, argument string) {
	function, rest, is := strings.Cut(string(f), `("`)
	if !is {
		return "", ""
	}
	return function, strings.TrimSuffix(rest, `")`)
}

// Call returns the fact that a function is with its argument: has("cmake").
func Call(function, argument string) Fact { return Fact(function + `("` + argument + `")`) }

// Installed reports whether the fact is software or what a machine provides, which alone asks whether it is there: "torch",
// has("cmake").
func (e *Entry) Installed() bool {
	return e.Source == FromPython || e.Source == FromSlurm || e.Source == FromAnswers
}

// inExpressions reports whether needs= and when= may name the fact.
func (e *Entry) inExpressions() bool {
	return e.Fact != "" && e.Source != FromSensors && e.Source != FromMeasuring
}
