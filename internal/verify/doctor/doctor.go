// Package doctor finds out what a machine has and what runs on it, to explain why
// something does not run: system, GPUs, driver and CUDA, Python environments and their
// frameworks, Slurm, the tools of verify, and what verify would run, keep and skip.
//
// [Collect] queries everything in parallel into one [Diagnosis], from which it derives the
// findings. It changes nothing: it runs no block, imports no package, submits no job.
// Unknown values are missing or null, never guessed. A query without an answer in time is
// a finding.
//
// [Text] writes a diagnosis for people, in their language, one section at a time. The
// JSON of a diagnosis is a contract: docs/doctor.schema.json describes it, docs/content/en/doctor.md
// explains it.
//
// # Findings
//
// [Diagnosis].Findings are what a person should know or fix, the worst first. Each has a
// code and its values; the text with the code's name words it. A finding is an error if
// something is broken (a driver that cannot be used, a GPU with rows that cannot be
// remapped, content that cannot be read), a warning if something that was set up runs
// slowly or not at all, and otherwise a note. It is not an error to have no GPU.
//
// # Privacy
//
// A diagnosis is pasted into bug reports. It has no host name, user, UUID, serial number
// or PCI address. The home folder is ~, the site's folder $SITE, and other home folders
// are /home/<user>. Names of conda environments and of Slurm's partitions are kept,
// because they are needed to understand it.
package doctor

import (
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Schema is the version of the JSON document.
const Schema = 1

// A Diagnosis is the result of all queries.
type Diagnosis struct {
	Schema int `json:"schema"`
	// Generator is the program that wrote it: "gpudocs 0.1.0".
	Generator string `json:"generator"`
	// Machine is the description of this machine in reports.
	Machine report.Machine `json:"machine"`
	System  System         `json:"system"`
	CUDA    CUDA           `json:"cuda"`
	// Toolkits are verdicts on programs built with CUDA toolkits.
	Toolkits []report.Verdict `json:"toolkits"`
	Pythons  []Python         `json:"pythons"`
	CuBLAS   []Library        `json:"cublas"`
	// Slurm is null if it is not installed.
	Slurm *Slurm `json:"slurm"`
	Tools []Tool `json:"tools"`
	// Site is null outside of a site's folder.
	Site     *Forecast `json:"site"`
	Findings []Finding `json:"findings"`
}

// A System is the machine without its GPUs.
type System struct {
	// Kernel is "Linux 6.8.0-41-generic".
	Kernel string `json:"kernel,omitempty"`
	// Processors is the number of CPUs that this process may use.
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
	// SecureBoot means that the kernel loads only signed modules; null if unknown.
	SecureBoot *bool `json:"secure_boot"`
	// Cards are the NVIDIA display devices on the PCI bus, whether or not there is
	// a driver for them.
	Cards []Card `json:"cards"`
}

// A Card is an NVIDIA GPU on the PCI bus.
type Card struct {
	// Driver is the kernel's driver that uses it, "nvidia", "nouveau", "vfio-pci", or
	// empty.
	Driver string `json:"driver,omitempty"`
}

// CUDA is the installed NVIDIA software.
type CUDA struct {
	// Module is the version of the driver's kernel module. Open means that it is the one
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
	// Version is "12.4.1", or empty if unknown.
	Version string `json:"version,omitempty"`
	Path    string `json:"path"`
	// NVCC means that the nvcc in PATH is this toolkit's.
	NVCC bool `json:"nvcc,omitempty"`
}

// A Variable is an environment variable.
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
	// Configured means that gpudocs.toml names it.
	Configured bool   `json:"configured,omitempty"`
	Path       string `json:"path,omitempty"`
	// Interpreter is "Python 3.12.4", or empty if it did not answer. Then Missing is the
	// file that was not found, or Failed is why it did not answer: [PythonTimeout] or its
	// own message.
	Interpreter string      `json:"interpreter,omitempty"`
	Missing     string      `json:"missing,omitempty"`
	Failed      string      `json:"failed,omitempty"`
	Frameworks  []Framework `json:"frameworks"`
	// Kernels are the Jupyter kernels that its jupyter_client can start.
	Kernels []string `json:"kernels,omitempty"`
	root    string   // of the environment
	lacks   *report.Reason
}

// PythonTimeout is why an interpreter that takes too long gave no answer.
const PythonTimeout = "timeout"

// A Framework is an installed framework, and whether it runs here.
type Framework struct {
	report.Framework
	Verdict report.Verdict `json:"verdict"`
}

// A Library is a copy of cuBLAS, which matmul of a gpu block uses. If there is none, it
// measures fp32 only, with gpudocs' own kernel.
type Library struct {
	// Major is its major version, 12.
	Major int    `json:"major"`
	Path  string `json:"path"`
}

// Slurm is the cluster of this machine.
type Slurm struct {
	// Version is "23.11.4".
	Version    string      `json:"version,omitempty"`
	Partitions []Partition `json:"partitions"`
	// Job means that this process runs in a job.
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

// A Tool is a program or a feature of the system that gpudocs uses.
type Tool struct {
	// Name is one of the Tool names.
	Name string `json:"name"`
	// Found means that the tool exists and works. Version is its version, if it is cheap
	// to query. Detail is why it does not work, or how it works.
	Found   bool   `json:"found"`
	Version string `json:"version,omitempty"`
	Detail  string `json:"detail,omitempty"`
	lacks   *report.Reason
}

// Names of tools.
const (
	ToolBash      = "bash"       // runs bash blocks
	ToolPython    = "python"     // runs python blocks without an environment
	ToolSandbox   = "sandbox"    // bubblewrap, and whether a sandbox can be made
	ToolLimits    = "limits"     // a cgroup v2 that may be divided; Detail "cgroup2" or "prlimit"
	ToolSSH       = "ssh"        // verify --host
	ToolGit       = "git"        // report diff MACHINE@DATE
	ToolNvidiaSMI = "nvidia-smi" // used if NVML does not answer
)

// A Forecast is what gpudocs verify would do with the site in this folder.
type Forecast struct {
	Pages int `json:"pages"`
	// Report names the report that verify would continue, or is empty.
	Report string `json:"report,omitempty"`
	// Run and so on are the numbers of checks by decision.
	Run      int `json:"run"`
	Answered int `json:"answered"`
	Keep     int `json:"keep"`
	Skip     int `json:"skip"`
	Fail     int `json:"fail"`
	// Checks are all of them, in the order of the pages.
	Checks []Check `json:"checks"`
	// Faults are the errors of the content. If there are any, verify runs nothing.
	Faults []Fault `json:"faults"`
}

// A Check is a check and what verify would do with it.
type Check struct {
	Name  string       `json:"name"`
	Kind  string       `json:"kind"`
	Place report.Place `json:"place"`
	// Decision is one of the Would constants of package verify, Reason why it would be
	// skipped or fail, or why the answer is no.
	Decision string         `json:"fate"`
	Reason   *report.Reason `json:"reason,omitempty"`
	// Build is set if it would be built, although it would be skipped.
	Build bool `json:"build,omitempty"`
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

// A Finding is something to know or to fix.
type Finding struct {
	Severity string `json:"severity"`
	// Code is one of the Found codes. Its text is finding_CODE.
	Code string `json:"code"`
	// Detail are its values by name: "gpu": "3".
	Detail map[string]string `json:"detail,omitempty"`
	// Verdict is the verdict on a framework that cannot run.
	Verdict *report.Verdict `json:"verdict,omitempty"`
	lacks   *report.Reason
}

// Broken reports whether something is broken, so that the command ends with exit
// code 1.
func (d *Diagnosis) Broken() bool {
	return len(d.Findings) > 0 && d.Findings[0].Severity == Error
}
