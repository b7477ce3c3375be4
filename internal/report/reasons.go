package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Codes of reasons, with the fields of [Reason] that they set besides Place.
const (
	ReasonNeeds         = "needs-unmet"     // Need, Found; Why: the code of the GPU's status, or [NeedUnknown]; Verdict
	ReasonSoftware      = "software-unmet"  // Need, Found: "torch 1.10.0"; Env, Program: "Python 3.11.7"
	ReasonNoGPU         = "no-gpu"          // Why: code of the GPU's status
	ReasonSession       = "session-ended"   // Block that ended it; Signal
	ReasonSessionSkip   = "session-skipped" // Block that was skipped, its Need; Why: the code of its reason
	ReasonNotReached    = "not-reached"     // Block that failed first; Said: what both lack
	ReasonNoInterpreter = "no-interpreter"  // Why: one of the Lacks codes; Program, Said
	ReasonEnvironment   = "no-environment"  // Why: one of the Env codes; Program, Path, Said, Exit, Limit
	ReasonExit          = "exit-code"       // Exit, Expected
	ReasonBuild         = "build-failed"    // Exit; Said by the compiler
	ReasonBuilt         = "build-passed"    // it compiles, and should not
	ReasonException     = "exception"       // Said: "NameError: ..."
	ReasonMismatch      = "output-differs"  // the check's Diff
	ReasonNoExpect      = "no-expectation"  // no expect block applies to this machine
	ReasonManyExpect    = "expectations"    // several expect blocks apply, in Lines
	ReasonSkip          = "skip"            // every example says # doctest: +SKIP
	ReasonLimit         = "limit"           // Limit
	ReasonNoSandbox     = "no-sandbox"      // Why: one of the Bwrap codes; Said
	ReasonSlurm         = "slurm"           // Why: one of the Job codes; Said, Exit, Signal, Limit; the check's Tasks
	ReasonTimeout       = "timeout"         // Limit
	ReasonCrash         = "crash"           // Exit or Signal
	ReasonTruncated     = "output-too-long" // more output than can be compared
	ReasonEngine        = "engine"          // Said: the error of the system, or in gpudocs
	ReasonBroken        = "gpu-broken"      // Why: code of the GPU's status
	ReasonUnmet         = "requirement"     // Need, Found: a gpu line that is not met; Verdict, Why as above
	ReasonBound         = "out-of-bounds"   // Need: ">= 700 GB/s", or "[-5%, +20%] (1555 GB/s)"; Found; Value
	ReasonDrift         = "drift"           // Need: the median, "430 GB/s"; Found; Value; its Drift
	ReasonWrong         = "wrong-result"    // GPUs; Need: the error that is allowed, Found; the check's Measurement
	ReasonFiles         = "files"           // Why: one of the File codes, Path; or Said
	ReasonMeasure       = "not-measured"    // Why: one of the Why codes; Need: the reading, if it is one
)

// NeedUnknown of [ReasonNeeds]: the machine has what is asked about, and its value is not known.
const NeedUnknown = "unknown"

// Why a program is missing. Without a code it was not found.
const (
	LacksConda       = "conda"        // there is no conda environment Program; Said: those that there are
	LacksCondaPython = "conda-python" // the conda environment Program has no Python
	LacksInImage     = "image"        // the image has no Program
	LacksKernel      = "kernel"       // the Python has no kernel Program; Said: those that it has
	LacksKernelStart = "kernel-start" // the Jupyter kernel Program does not start
)

// Why an environment is not available.
const (
	EnvUnsynced   = "not-synced"       // gpudocs env --sync makes it
	EnvNoImage    = "image-missing"    // Program is the image; gpudocs env --sync downloads it
	EnvImage      = "image-failed"     // Program is the image; Said
	EnvNoRuntime  = "no-runtime"       // Program is the image, Said names the runtimes that could run it
	EnvNoProgram  = "no-program"       // Program is missing
	EnvNoFile     = "no-file"          // Path is missing
	EnvModule     = "module-failed"    // Program is the module; Said
	EnvNoModules  = "no-module-system" // neither Lmod nor Environment Modules
	EnvSetup      = "setup-failed"     // Exit, Said
	EnvSetupEnded = "setup-ended"      // setup ended its shell; Said
	EnvSlow       = "slow"             // modules or setup took longer than Limit
	EnvTooMuch    = "too-much"         // they left too many variables
	EnvContainer  = "in-container"     // its Python is in a container, which is not searched
	EnvFailed     = "failed"           // Said
)

// Why there is no sandbox.
const (
	BwrapMissing   = "no-bwrap"  // bubblewrap is not installed
	BwrapTMPDIR    = "tmpdir"    // TMPDIR cannot be hidden
	BwrapSlow      = "timeout"   // bubblewrap did not answer in time
	BwrapJob       = "job"       // Slurm runs jobs outside of it
	BwrapContainer = "container" // a container is none
	BwrapFailed    = "failed"    // Said by bubblewrap or the system
)

// How a job of Slurm ended, or why it did not run. Without a code it is being ended.
const (
	JobRejected  = "rejected"     // Said by sbatch
	JobNever     = "never-starts" // Said: the reason
	JobQueue     = "queue"        // it did not start within Limit; Said: the reason
	JobCancelled = "cancelled"    // before it started
	JobForgotten = "forgotten"    // Slurm knows it no more
	JobTime      = "time-limit"   // Said: its own, in Slurm's form: "00:10:00"
	JobNoOutput  = "no-output"    // the node could not write its output file
	JobUnread    = "unread"       // its output file cannot be read; Said
	JobSignal    = "signal"       // Signal
	JobExit      = "exit"         // Exit
	JobSeveral   = "several"      // the script defines several jobs
	JobNotSeen   = "not-seen"     // the node does not see gpudocs or the site
	JobTasks     = "tasks"        // tasks of the array did not pass: the check's Tasks
	JobEnded     = "ended"        // Said: its state, and the reason
)

// Why a session did not get a file.
const (
	FileChanged  = "changed"  // since the site was read
	FileChanging = "changing" // while the block ran
	FileMade     = "made"     // an earlier block has made one of this name
)

// A Reason is why a check did not pass, as data: package reason puts it into words. Only Said is prose: it is
// what a compiler, a driver, Python, Slurm or the system said, in its own words.
type Reason struct {
	Code string `json:"code"`
	// Why is the code of what is behind it.
	Why   string `json:"why,omitempty"`
	Need  string `json:"need,omitempty"`
	Found string `json:"found,omitempty"`
	// Value and Block are names of the author. Env is the environment, "python3" for the machine's own Python.
	Value string `json:"value,omitempty"`
	Block string `json:"block,omitempty"`
	Env   string `json:"env,omitempty"`
	// Program is the name of a program, a module, an image or a conda environment; Path is that of a file.
	Program string `json:"program,omitempty"`
	Path    string `json:"path,omitempty"`
	// Lines are the lines of several expected outputs.
	Lines []int `json:"lines,omitempty" max:"64"`
	// GPUs are the places of the GPU in the machine's devices, and of the GPU to which it copied.
	GPUs []int `json:"gpus,omitempty" max:"2"`
	// Exit is an exit code, Expected the one that was expected. Signal is "SIGKILL".
	Exit     *int   `json:"exit,omitempty"`
	Expected int    `json:"expected_exit,omitempty"`
	Signal   string `json:"signal,omitempty"`
	Limit    *Limit `json:"limit,omitempty"`
	Said     string `json:"said,omitempty" max:"262144"`
	// Detail1 is of schema 1 alone, and empty once a report is read.
	Detail1 string `json:"detail,omitempty" schema:"1" max:"262144"`
	// Place is the line of Markdown where it happened, if known.
	Place *Place `json:"place,omitempty"`
	// Verdict is why software does not run here, if Need names some: "runs cu124".
	Verdict *Verdict `json:"verdict,omitempty"`
}

// reasons are all reasons of a check.
func (c *Check) reasons() (all []*Reason) {
	all = append(all, c.Reason)
	for _, t := range c.Tries {
		all = append(all, t.Reason)
	}
	for _, t := range c.Tasks {
		all = append(all, t.Reason)
	}
	return slices.DeleteFunc(all, func(r *Reason) bool { return r == nil })
}

// Error returns the fields that are set, in the order of the codes above.
func (r *Reason) Error() string {
	if r == nil {
		return ""
	}
	parts := []string{r.Code, r.Why, r.Need, r.Found, r.Value, r.Block, r.Env, r.Program, r.Path, r.Signal}
	for _, n := range r.GPUs {
		parts = append(parts, "GPU "+strconv.Itoa(n))
	}
	if r.Exit != nil {
		parts = append(parts, strconv.Itoa(*r.Exit))
	}
	if r.Expected != 0 {
		parts = append(parts, "expected "+strconv.Itoa(r.Expected))
	}
	if r.Limit != nil {
		parts = append(parts, r.Limit.What, strconv.FormatFloat(r.Limit.Amount, 'f', -1, 64))
	}
	return strings.Join(slices.DeleteFunc(append(parts, r.Said), func(s string) bool { return s == "" }), ": ")
}

// A Limit is what was exceeded. Amount is in seconds, bytes, or a number of processes.
type Limit struct {
	What   string  `json:"what"`
	Amount float64 `json:"amount"`
}

// Values of [Limit].What.
const (
	LimitTime      = "time"
	LimitMemory    = "memory"
	LimitProcesses = "processes"
)

// Seconds returns a limit of time.
func Seconds(t time.Duration) *Limit { return &Limit{LimitTime, t.Seconds()} }

// Redacted returns the reason with the names and texts of others passed through redact.
func (r Reason) Redacted(redact func(string) string) *Reason {
	r.Said, r.Program, r.Path = redact(r.Said), redact(r.Program), redact(r.Path)
	return &r
}

// signals are the names of signals by what the system calls them.
var signals = map[string]string{
	"aborted": "SIGABRT", "alarm clock": "SIGALRM", "bus error": "SIGBUS", "floating point exception": "SIGFPE", "hangup": "SIGHUP",
	"illegal instruction": "SIGILL", "interrupt": "SIGINT", "killed": "SIGKILL", "broken pipe": "SIGPIPE", "quit": "SIGQUIT",
	"segmentation fault": "SIGSEGV", "terminated": "SIGTERM", "trace/breakpoint trap": "SIGTRAP", "bad system call": "SIGSYS",
	"CPU time limit exceeded": "SIGXCPU", "file size limit exceeded": "SIGXFSZ",
	"user defined signal 1": "SIGUSR1", "user defined signal 2": "SIGUSR2",
}

// SignalName returns the name of a signal, "SIGKILL", for what the system calls it: "killed".
func SignalName(words string) string { return cmp.Or(signals[words], words) }
