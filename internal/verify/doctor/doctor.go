// Package doctor finds out what a machine has and what it can do, for a person
// who wonders why something does not run: machine, GPUs, driver and CUDA, Python
// environments and the frameworks in them, Slurm, the tools of verify, and what
// verify would run here, keep and skip.
//
// [Collect] asks everything at the same time and returns one [Diagnosis]. It
// changes nothing: no block is run, no package imported, no job submitted. What
// cannot be found out is missing or null, never guessed; a question that is not
// answered in time is a finding.
//
// [Text] writes a diagnosis for people, in their language (the texts are in
// i18n/), one section at a time. The JSON of a diagnosis is a contract:
// docs/doctor.schema.json describes it, docs/doctor.md explains it.
//
// # What is wrong
//
// [Diagnosis].Findings are what a person should know or mend, the worst first.
// Each has a code and the figures that it is about, no words: those are texts
// with the code's name. A finding is an error where something is broken (a driver
// that cannot be used, a GPU with rows that cannot be remapped, content that
// cannot be read), a warning where something runs slower or not at all that
// somebody set up, and else a note. That a machine has no GPU is no fault of it.
//
// # What is private
//
// A diagnosis is pasted into bug reports. It has no host name, user, UUID, serial
// number or PCI address; the home folder is ~, the site's folder $SITE, and other
// people's home folders are /home/<user>. Names of conda environments and of Slurm's
// partitions stay: they are what is asked about.
package doctor

import (
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Schema is the version of the JSON document.
const Schema = 1

// A Diagnosis is all that was found out.
type Diagnosis struct {
	Schema int `json:"schema"`
	// Generator is the program that made it: "gpudocs 0.1.0".
	Generator string `json:"generator"`
	// Machine is the description of this machine in reports.
	Machine report.Machine `json:"machine"`
	System  System         `json:"system"`
	CUDA    CUDA           `json:"cuda"`
	// Toolkits are verdicts on programs that were built with a CUDA toolkit.
	Toolkits []report.Verdict `json:"toolkits"`
	Pythons  []Python         `json:"pythons"`
	CuBLAS   []Library        `json:"cublas"`
	// Slurm is null if it is not installed.
	Slurm *Slurm `json:"slurm"`
	Tools []Tool `json:"tools"`
	// Site is null outside of a site's folder.
	Site     *Site     `json:"site"`
	Findings []Finding `json:"findings"`
}

// A System is the machine below its GPUs.
type System struct {
	// Kernel is "Linux 6.8.0-41-generic".
	Kernel string `json:"kernel,omitempty"`
	// Processors is how many CPUs this process may use.
	Processors int `json:"processors"`
	// MemoryBytes is the machine's memory, AvailableBytes what a new program could use
	// without swapping, LimitBytes the limit of the cgroup. 0 means unknown, or no
	// limit.
	MemoryBytes    uint64 `json:"memory_bytes,omitempty"`
	AvailableBytes uint64 `json:"available_bytes,omitempty"`
	LimitBytes     uint64 `json:"limit_bytes,omitempty"`
	// SharedBytes is the size of /dev/shm, through which the processes of a program
	// share data. 0 means unknown.
	SharedBytes uint64 `json:"shared_bytes,omitempty"`
	// Container is the runtime of the container that this runs in: "docker",
	// "podman", "kubernetes", "apptainer", ...; VM is what a virtual machine runs
	// on: "kvm", "vmware", ..., or "other".
	Container string `json:"container,omitempty"`
	VM        string `json:"vm,omitempty"`
	// WSL2: this is Linux inside Windows.
	WSL2 bool `json:"wsl2,omitempty"`
	// SecureBoot means that the kernel loads signed modules only; null if unknown.
	SecureBoot *bool `json:"secure_boot"`
	// Cards are the NVIDIA display devices on the PCI bus, whether or not there is
	// a driver for them.
	Cards []Card `json:"cards"`
}

// A Card is an NVIDIA GPU on the PCI bus.
type Card struct {
	// Driver is the kernel's driver that has it, "nvidia", "nouveau", "vfio-pci",
	// or empty.
	Driver string `json:"driver,omitempty"`
}

// CUDA is the installed NVIDIA software.
type CUDA struct {
	// Module is the version of the driver's kernel module, Open that it is the one
	// with open source.
	Module string `json:"module,omitempty"`
	Open   bool   `json:"open,omitempty"`
	// Library is the path of libcuda.so.1, the driver's library that CUDA programs
	// load; empty if there is none.
	Library string `json:"library,omitempty"`
	// Installed are the toolkits of this machine.
	Installed []Toolkit `json:"installed"`
	// Variables are the environment variables that change what CUDA programs see or
	// load, if they are set.
	Variables []Variable `json:"variables"`
}

// A Toolkit is a CUDA toolkit.
type Toolkit struct {
	// Version is "12.4.1", or empty if it does not say.
	Version string `json:"version,omitempty"`
	Path    string `json:"path"`
	// NVCC: the nvcc that PATH finds is this toolkit's.
	NVCC bool `json:"nvcc,omitempty"`
}

// A Variable is one of the environment.
type Variable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A Python is an interpreter, or an environment with one.
type Python struct {
	// Name is the name in gpudocs.toml or of the environment, or empty for the
	// machine's own Python. Kind is one of the kinds of package pyenv.
	Name string `json:"name"`
	Kind string `json:"kind"`
	// Configured: gpudocs.toml names it.
	Configured bool   `json:"configured,omitempty"`
	Path       string `json:"path,omitempty"`
	// Interpreter is "Python 3.12.4", or empty if it did not answer. Then Missing is
	// what was not found, or Failed is why it did not answer: [PythonTimeout] or its
	// own message.
	Interpreter string      `json:"interpreter,omitempty"`
	Missing     string      `json:"missing,omitempty"`
	Failed      string      `json:"failed,omitempty"`
	Frameworks  []Framework `json:"frameworks"`
	root        string      // of the environment
}

// PythonTimeout is why an interpreter that takes too long gave no answer.
const PythonTimeout = "timeout"

// A Framework is one that is installed, and whether it runs here.
type Framework struct {
	report.Framework
	Verdict report.Verdict `json:"verdict"`
}

// A Library is a copy of cuBLAS, which matmul of a gpu block uses. If there is none, it
// uses gpudocs' own kernels.
type Library struct {
	// Major is its major version, 12.
	Major int    `json:"major"`
	Path  string `json:"path"`
}

// Slurm is a cluster's.
type Slurm struct {
	// Version is "23.11.4".
	Version    string      `json:"version,omitempty"`
	Partitions []Partition `json:"partitions"`
	// Job: this runs inside a job.
	Job bool `json:"job"`
	// Failed is why sinfo gave no answer: [SlurmTimeout] or [SlurmFailed].
	Failed string `json:"failed,omitempty"`
}

// Why Slurm gave no answer.
const (
	SlurmTimeout = "timeout"
	SlurmFailed  = "failed"
)

// A Partition is a queue of a cluster.
type Partition struct {
	Name    string `json:"name"`
	Default bool   `json:"default,omitempty"`
	Up      bool   `json:"up"`
	Nodes   int    `json:"nodes"`
	// TimeLimit is as Slurm writes it, "1-00:00:00" or "infinite".
	TimeLimit string `json:"time_limit,omitempty"`
	// GPUs are what each node has, as Slurm writes it: "gpu:a100:4".
	GPUs []string `json:"gpus"`
}

// A Tool is something that gpudocs uses.
type Tool struct {
	// Name is one of the Tool names.
	Name string `json:"name"`
	// Found means that the tool is there and works. Version is its version, if it is
	// cheap to get. Detail is why it does not work, or how it does.
	Found   bool   `json:"found"`
	Version string `json:"version,omitempty"`
	Detail  string `json:"detail,omitempty"`
}

// Names of tools.
const (
	ToolBash      = "bash"       // runs bash blocks
	ToolPython    = "python"     // runs python blocks without an environment
	ToolSandbox   = "sandbox"    // bubblewrap, and whether a sandbox can be made
	ToolLimits    = "limits"     // a cgroup v2 that may be divided; Detail "cgroup2" or "prlimit"
	ToolSSH       = "ssh"        // verify --host
	ToolGit       = "git"        // report diff MACHINE@DATE
	ToolNvidiaSMI = "nvidia-smi" // asked where NVML does not answer
)

// A Site is what gpudocs verify would do with the site in this folder.
type Site struct {
	Pages int `json:"pages"`
	// Report names the report that verify would continue, or is empty.
	Report string `json:"report,omitempty"`
	// Run, Keep, Skip and Fail count its checks by their fate.
	Run  int `json:"run"`
	Keep int `json:"keep"`
	Skip int `json:"skip"`
	Fail int `json:"fail"`
	// Checks are all of them, in the order of the pages.
	Checks []Check `json:"checks"`
	// Faults are the errors of the content; while there are any verify runs nothing.
	Faults []Fault `json:"faults"`
}

// A Check is a check and what verify would do with it.
type Check struct {
	Name  string       `json:"name"`
	Kind  string       `json:"kind"`
	Place report.Place `json:"place"`
	// Decision is one of the Would constants of package verify, Reason why it would be
	// skipped or fail.
	Decision string         `json:"fate"`
	Reason   *report.Reason `json:"reason,omitempty"`
}

// A Fault is an error of the content.
type Fault struct {
	report.Place
	Message diag.Text `json:"message"`
}

// Severities of findings.
const (
	Error   = "error"
	Warning = "warning"
	Note    = "note"
)

// A Finding is something to know or to mend.
type Finding struct {
	Severity string `json:"severity"`
	// Code is one of the Found codes. The texts finding_CODE say it.
	Code string `json:"code"`
	// Detail holds what it is about, by name: "gpu": "3".
	Detail map[string]string `json:"detail,omitempty"`
	// Verdict is the verdict on a framework that cannot run.
	Verdict *report.Verdict `json:"verdict,omitempty"`
}

// Broken reports whether something is broken, so that the command ends with exit
// code 1.
func (d *Diagnosis) Broken() bool {
	return len(d.Findings) > 0 && d.Findings[0].Severity == Error
}
