package report

import (
	"fmt"
	"slices"
	"time"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Schema is the version of the file format that this package writes. It also reads oldSchema: [upgrade] converts it.
const (
	Schema    = 2
	oldSchema = 1
)

// A Report is the results of one machine.
type Report struct {
	Schema int `json:"schema"`
	// Generator is the program that wrote the file: "gpudocs 0.1.0".
	Generator string  `json:"generator"`
	Machine   Machine `json:"machine"`
	Checks    []Check `json:"checks"`
}

// ByID returns the checks of the report by their IDs. A nil report has none.
func (r *Report) ByID() map[ID]*Check {
	checks := map[ID]*Check{}
	if r != nil {
		for i := range r.Checks {
			checks[r.Checks[i].ID] = &r.Checks[i]
		}
	}
	return checks
}

// A Machine describes a machine.
type Machine struct {
	// Name is the label that the lab chose; see [CheckName].
	Name string `json:"name"`
	// OS is the distribution's name and version, Arch is Go's name for the CPU.
	OS   string `json:"os"`
	Arch string `json:"arch"`
	// CPU is the CPU's model name, or empty.
	CPU string `json:"cpu,omitempty"`
	// MemoryBytes is the memory of the machine, Cores the number of CPUs that gpudocs could
	// use. Both are 0 if unknown.
	MemoryBytes uint64 `json:"memory_bytes,omitempty"`
	Cores       int    `json:"cores,omitempty"`
	GPU         GPU    `json:"gpu"`
	// Limits is how the resources of snippets were limited: [LimitsCgroup],
	// [LimitsPrlimit], or empty if they were not. Sandbox is [SandboxBwrap], or empty
	// if snippets had the permissions of the user.
	Limits string `json:"limits,omitempty"`
	// Containment is what keeps the processes of a snippet together, so that they end
	// with its session: [ContainmentNamespace] and the following. It is empty in old
	// reports.
	Containment string `json:"containment,omitempty"`
	Sandbox     string `json:"sandbox,omitempty"`
	// Environments are the environments that were queried.
	Environments []Environment `json:"environments,omitempty" max:"64"`
	// Slurm is the client on the machine; nil if not queried.
	Slurm *Slurm `json:"slurm,omitempty"`
	// Answers are what the machine answered to needs=, when= and gpu blocks.
	Answers []Answer `json:"answers,omitempty" max:"1000"`
	// Had are the GPUs that the machine had in an earlier run, if it has none now.
	Had *Had `json:"had,omitempty"`
}

// Had are GPUs that a machine has lost: those of its last run with GPUs, without readings, and the time of the newest result then.
type Had struct {
	Devices []Device  `json:"devices" max:"1024"`
	Ran     time.Time `json:"ran"`
}

// After sets what the machine has lost since an earlier report of it, which may be nil.
func (m *Machine) After(earlier *Report) {
	m.Had = nil
	switch {
	case earlier == nil || len(m.GPU.Devices) > 0:
	case len(earlier.Machine.GPU.Devices) == 0:
		m.Had = earlier.Machine.Had
	default:
		m.Had = &Had{Ran: earlier.Newest()}
		for _, d := range earlier.Machine.GPU.Devices {
			m.Had.Devices = append(m.Had.Devices, Device{Name: d.Name, MemoryBytes: d.MemoryBytes, Compute: d.Compute})
		}
	}
}

// Same reports whether results found on both machines may be in one report, which
// describes GPUs, driver and sandbox once for all its results.
func (m Machine) Same(o Machine) bool { return m.GPU.Same(o.GPU) && m.Sandbox == o.Sandbox }

// Values of [Machine].Limits and [Machine].Sandbox.
const (
	LimitsCgroup  = "cgroup2"
	LimitsPrlimit = "prlimit"
	SandboxBwrap  = "bwrap"
)

// Values of [Machine].Containment, the strongest first.
const (
	ContainmentNamespace = "pid-namespace"
	ContainmentCgroup    = "cgroup2"
	ContainmentReaper    = "subreaper"
	ContainmentMark      = "rlimit"
	ContainmentGroup     = "process-group"
)

// Limits of a report that those who fill it need. The tags max of all fields are in bytes or elements.
const (
	// maxShort bounds each text without a tag.
	maxShort = 1 << 10
	// MaxHistory limits the earlier outcomes of a check, MaxCaptures its values, MaxFigures its figures, MaxPackages the packages
	// of its environment, MaxFiles its large files, MaxTasks the tasks of its job array, and MaxTries the tries before its last one.
	MaxHistory  = 20
	MaxCaptures = 64
	MaxFigures  = 8
	MaxPackages = 256
	MaxFiles    = 1000
	MaxTasks    = 1000
	MaxTries    = 10
	// MaxEnvironments limits the environments of a machine, MaxFrameworks the frameworks of an environment, MaxModules its modules,
	// and MaxAnswers the answers of a machine.
	MaxEnvironments = 64
	MaxFrameworks   = 32
	MaxModules      = 128
	MaxAnswers      = 1000
	// MaxChecks limits the checks of a report, MaxSize its file, in bytes.
	MaxChecks = 20_000
	MaxSize   = 64 << 20
)

// An Outcome is how a check ended.
type Outcome string

// The outcomes.
const (
	// Passed: it ran to its end with the expected result.
	Passed Outcome = "passed"
	// Failed: it ran to its end, with an error or another result.
	Failed Outcome = "failed"
	// Errored: it did not run to its end (crash, timeout), or could not be judged.
	Errored Outcome = "error"
	// Skipped: it was not run, or says no more than an earlier failure, for the reason given.
	Skipped Outcome = "skipped"
)

// Bad reports whether it is a failure or an error.
func (o Outcome) Bad() bool { return o == Failed || o == Errored }

// Kinds of checks. Blocks of other languages have the name of their recipe: "cuda".
const (
	KindBash   = "bash"
	KindPython = "python"
	KindPycon  = "pycon"
	KindGPU    = "gpu"
	KindSbatch = "sbatch"
	KindKernel = "kernel"
)

// Kinds are the kinds of checks that are not those of a recipe.
var Kinds = []string{KindBash, KindPython, KindPycon, KindGPU, KindSbatch, KindKernel}

// A Check is a runnable block, or a line of a gpu block, with its outcome.
type Check struct {
	ID   ID     `json:"id"`
	Kind string `json:"kind"`
	// Page is the translation key of the first page with the check, and Name is the
	// block's name there: the author's, or "#2" for the second block. A line of a gpu
	// block has the block's name, a dot, and the fact, the software or the name of the
	// value: "lab.driver", "lab.cu124", "lab.matmul".
	Page string `json:"page"`
	Name string `json:"name"`
	// Places are all places of the site with this check.
	Places  []Place `json:"places" max:"20000"`
	Outcome Outcome `json:"outcome"`
	Reason  *Reason `json:"reason,omitempty"`
	// Run is when the run of verify began, or zero if that is not known. Ran is when the check started or was skipped.
	Run        time.Time `json:"-"`
	Ran        time.Time `json:"ran"`
	DurationMS float64   `json:"duration_ms"`
	// Want and Found are a gpu line's requirement and the machine's value. Asks is set if the line demands nothing:
	// "runs cu124", "torch". That it passed then means yes.
	Want string `json:"want,omitempty"`
	Asks bool   `json:"asks,omitempty"`
	// Exit is the exit code of a block that ran to its end.
	Exit   *int    `json:"exit,omitempty"`
	Found  string  `json:"found,omitempty"`
	Stdout *Stream `json:"stdout,omitempty"`
	// Captures are the values captured from the output by <name:number>.
	Captures []Capture `json:"captures,omitempty" max:"64"`
	Stderr   *Stream   `json:"stderr,omitempty"`
	// Build is how a block of a compiled language was built; nil if it was not.
	Build *Build `json:"build,omitempty"`
	// Diff is the difference between expected and actual output.
	Diff []DiffLine `json:"diff,omitempty" max:"4096"`
	// Figures are what a block displayed, and the figures of Matplotlib that it left open, in the
	// order of display.
	Figures []Figure `json:"figures,omitempty" max:"8"`
	// Measurement is what a gpu line measured.
	Measurement *Measurement `json:"measurement,omitempty"`
	// Interpreter is the interpreter of the check, "Python 3.12.4". Packages are the
	// versions of the packages that its environment declares, and of its modules. Together with the
	// machine's GPUs they decide whether an earlier result is still valid.
	Interpreter string    `json:"interpreter,omitempty"`
	Packages    []Package `json:"packages,omitempty" max:"256"`
	// Files are the large files of the site that the session could read. Smaller ones are part of
	// the ID.
	Files []DataFile `json:"files,omitempty" max:"1000"`
	// Tasks are the tasks of a job array, in the order of their indexes.
	Tasks []Task `json:"tasks,omitempty" max:"1000"`
	// Tries are the tries before this one, in order, of a block with retries=. None of them passed.
	Tries []Try `json:"tries,omitempty" max:"10"`
	// History are the earlier outcomes, the newest first.
	History []Past `json:"history,omitempty" max:"20"`
}

// A Task is a task of a job array.
type Task struct {
	// Index is Slurm's number of the task.
	Index   int     `json:"index"`
	Outcome Outcome `json:"outcome"`
	Reason  *Reason `json:"reason,omitempty"`
	// Exit is its exit code if it ran to its end. DurationMS is the time that it ran.
	Exit       *int    `json:"exit,omitempty"`
	DurationMS float64 `json:"duration_ms"`
	// Bytes is the length of its output, which is in the Stdout of the check behind that of the tasks
	// before it.
	Bytes int `json:"bytes,omitempty"`
}

// Outputs returns the output of each task, or nil if that of the check has been shortened.
func (c *Check) Outputs() (each []string) {
	rest := c.Stdout.String()
	for _, t := range c.Tasks {
		if t.Bytes < 0 || t.Bytes > len(rest) {
			return nil
		}
		each, rest = append(each, rest[:t.Bytes]), rest[t.Bytes:]
	}
	if rest != "" {
		return nil
	}
	return each
}

// Unsteady reports whether the check passed, and not at its first try.
func (c *Check) Unsteady() bool { return c.Outcome == Passed && len(c.Tries) > 0 }

// A Try is a try of a check that did not pass, with the ends of its outputs and the beginning of its
// difference.
type Try struct {
	Outcome    Outcome    `json:"outcome"`
	Reason     *Reason    `json:"reason"`
	DurationMS float64    `json:"duration_ms"`
	Exit       *int       `json:"exit,omitempty"`
	Stdout     *Stream    `json:"stdout,omitempty"`
	Stderr     *Stream    `json:"stderr,omitempty"`
	Diff       []DiffLine `json:"diff,omitempty" max:"4096"`
}

// A Build is the step that compiles a block. The outputs and the exit code of the check are those of
// its program, or of the compiler if the block is expected not to compile.
type Build struct {
	// Outcome is [Passed] or [Failed].
	Outcome Outcome `json:"outcome"`
	// DurationMS is the time that the compiler took.
	DurationMS float64 `json:"duration_ms,omitempty"`
	// Tool is the compiler, "nvcc 12.4.131", or empty if its version is not known.
	Tool string `json:"tool,omitempty"`
	// Cached is set in old reports if an earlier run compiled the same input.
	Cached bool    `json:"cached,omitempty"`
	Stdout *Stream `json:"stdout,omitempty"`
	Stderr *Stream `json:"stderr,omitempty"`
}

// A Capture is a value that an expectation captures: `<bandwidth:number GB/s>`.
type Capture struct {
	Name string `json:"name"`
	// Value is the text as it was printed. strconv parses numbers.
	Value string `json:"value"`
	Unit  string `json:"unit,omitempty"`
	// Bound is what the page requires of the value: ">= 700", or "[-5%, +20%]" of Reference. That is
	// the site's for this machine, in Unit, and 0 if it has none: then the value is only recorded.
	Bound     string  `json:"bound,omitempty"`
	Reference float64 `json:"reference,omitempty"`
	// Drift compares the value with earlier ones. It is nil if the run did not ask for that.
	Drift *Drift `json:"drift,omitempty"`
	// Earlier are the values of the same name in earlier lines, with blanks between them, if the expected line
	// repeats and has a bound, which holds for each. A report has only the last.
	Earlier string `json:"-"`
}

// A Drift compares a value with the earlier ones of the same check on the same machine, as the machine
// is now.
type Drift struct {
	// N is the number of earlier values, Median their median, in the unit of the value.
	N      int     `json:"n"`
	Median float64 `json:"median,omitempty"`
	// Allowed is how much worse than the median the value may be, as a share of it.
	Allowed float64 `json:"allowed,omitempty"`
	// Drifted is set if it is worse than that.
	Drifted bool `json:"drifted,omitempty"`
	// Why is why the value was not judged: one of the codes below, or empty.
	Why string `json:"why,omitempty"`
}

// Why values were not held against their history.
const (
	DriftFew   = "few-values"   // there are too few earlier ones
	DriftZero  = "zero-median"  // nothing is a share of it
	DriftDates = "dates-behind" // the history is not in the order of time: a clock was wrong
)

// Drifted reports whether a value of the check has drifted.
func (c *Check) Drifted() bool {
	return slices.ContainsFunc(c.Captures, func(v Capture) bool { return v.Drift != nil && v.Drift.Drifted })
}

// DriftedOnly reports whether a value of the check has drifted, and nothing else is wrong.
func (c *Check) DriftedOnly() bool {
	return c.Drifted() && (c.Outcome == Passed || c.Reason != nil && c.Reason.Code == ReasonDrift)
}

// A Package is declared by an environment. Version is empty if it is not installed.
type Package struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// A DataFile is a file that a session could read. Path is that in the session's folder, SHA256 the hash of
// its content in hexadecimal digits.
type DataFile struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// A Past is an earlier outcome of a check.
type Past struct {
	Run     time.Time `json:"-"`
	Ran     time.Time `json:"ran"`
	Outcome Outcome   `json:"outcome"`
	// Code is the code of the reason, if it did not pass.
	Code       string  `json:"code,omitempty"`
	DurationMS float64 `json:"duration_ms"`
	// BuildMS is the time that its compiler took.
	BuildMS float64 `json:"build_ms,omitempty"`
	// Unsteady is set if it passed, and not at its first try.
	Unsteady bool `json:"unsteady,omitempty"`
	// Captures are its values, including measured rates.
	Captures []Capture `json:"captures,omitempty" max:"64"`
	// Changed is set if the code, or the machine's GPUs, driver or sandbox, had changed by the next
	// run. SameCode is set if that is so and the code had not changed.
	Changed  bool `json:"changed,omitempty"`
	SameCode bool `json:"same_code,omitempty"`
}

// Past returns the outcome of a check for its history.
func (c *Check) Past() Past {
	p := Past{Run: c.Run, Ran: c.Ran, Outcome: c.Outcome, DurationMS: c.DurationMS, Unsteady: c.Unsteady()}
	if c.Build != nil {
		p.BuildMS = c.Build.DurationMS
	}
	for _, v := range c.Captures {
		p.Captures = append(p.Captures, Capture{Name: v.Name, Value: v.Value, Unit: v.Unit})
	}
	if c.Reason != nil {
		p.Code = c.Reason.Code
	}
	return p
}

// A Place is a line of a Markdown file, or of a notebook's cell.
type Place struct {
	File string `json:"file"`
	// Cell is the cell of a notebook, counted from 1, to which Line is relative. It is 0
	// in a Markdown file.
	Cell int `json:"cell,omitempty"`
	Line int `json:"line"`
}

// Text names the place: "content/pt/gpu.md:72", or "content/pt/gpu.ipynb, cell 4, line 2".
func (p Place) Text() diag.Text {
	if p.Cell > 0 {
		return diag.Say("translations.place-cell", "file", p.File, "cell", p.Cell, "line", p.Line)
	}
	return diag.Say("diag.place-line", "file", p.File, "line", p.Line)
}

// String is [Place.Text] in English.
func (p Place) String() string {
	if p.Cell > 0 {
		return p.Text().String()
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// A Stream is what a block wrote to standard output or standard error.
type Stream struct {
	// Text is the output, UTF-8, with Cut bytes left out of its middle.
	Text string `json:"text" max:"262144"`
	Cut  int64  `json:"cut,omitempty"`
	// Bytes and SHA256 are the size and the hash of the whole output if some of it was
	// left out.
	Bytes  int64  `json:"bytes,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
}

// String returns the text, "" for a nil stream.
func (s *Stream) String() string {
	if s == nil {
		return ""
	}
	return s.Text
}

// A DiffLine is a line of a difference. Op is " ", "-" (expected and missing) or "+"
// (present and not expected).
type DiffLine struct {
	Op   string `json:"op"`
	Text string `json:"text" max:"262144"`
	// Taken are the parts of Text that matched a matcher, as byte offsets from and to,
	// in order.
	Taken [][2]int `json:"taken,omitempty"`
}

// LeftOut stands in a difference for n lines that a report leaves out.
func LeftOut(n int) DiffLine { return DiffLine{Op: " ", Text: fmt.Sprintf("[... %d lines ...]", n)} }

// Lines returns the number of lines that d stands for.
func (d DiffLine) Lines() int {
	var n int
	if _, err := fmt.Sscanf(d.Text, "[... %d lines ...]", &n); err == nil && n > 0 && d.Op == " " {
		return n
	}
	return 1
}

// Lines returns the number of lines of a difference, with those that were left out.
func Lines(diff []DiffLine) (n int) {
	for _, d := range diff {
		n += d.Lines()
	}
	return n
}
