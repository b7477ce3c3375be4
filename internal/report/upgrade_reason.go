package report

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A form is one that the detail of a reason had in schema 1, by the code of the reason: a code, a number, a name, or English prose of
// gpudocs. Groups have the names of the fields that they fill. Why is the code of what is behind the reason.
type form struct{ code, pattern, why string }

// found is what followed a program that was not found.
const found = `(?:; found: (?:none)?(?P<said>.*))?`

// forms are in the order in which they are tried. Prose that is not known becomes what others said.
var forms = []form{
	{ReasonNoGPU, `(?P<why>.*)`, ""},
	{ReasonBroken, `(?P<why>.*)`, ""},
	{ReasonMeasure, `(?P<why>.*)`, ""},
	{ReasonSoftware, `(?P<env>.*?)(?:, (?P<program>.*))?`, ""},
	{ReasonSession, `(?P<block>.*?)(?: \(signal: (?P<signal>.*?)\)?)?`, ""},
	{ReasonSessionSkip, `(?P<block>.*)`, ""},
	{ReasonNotReached, `(?P<block>.*)`, ""},
	{ReasonNoInterpreter, `conda environment "*(?P<program>.+?)"*` + found, LacksConda},
	{ReasonNoInterpreter, `python in conda environment "*(?P<program>.+?)"*` + found, LacksCondaPython},
	{ReasonNoInterpreter, `"*(?P<program>.+?)"* in the image`, LacksInImage},
	{ReasonNoInterpreter, `kernel "*(?P<program>.+?) \(it does not start\)` + found, LacksKernelStart},
	{ReasonNoInterpreter, `kernel "*(?P<program>.+?)"*` + found, LacksKernel},
	{ReasonNoInterpreter, `(?P<program>.*?)(?: or python)?`, ""},
	{ReasonEnvironment, `not synced; gpudocs env --sync makes it`, EnvUnsynced},
	{ReasonEnvironment, `(?P<program>.+) is not on this machine; gpudocs env --sync downloads it`, EnvNoImage},
	{ReasonEnvironment, `there is no module system.*`, EnvNoModules},
	{ReasonEnvironment, `there is no (?P<program>bash|env)`, EnvNoProgram},
	{ReasonEnvironment, `there is no (?P<path>[^ ]+)`, EnvNoFile},
	{ReasonEnvironment, `module (?P<program>.+?)(?: was not loaded)?(?:: (?P<said>.*?)(?:cannot be loaded)?)?`, EnvModule},
	{ReasonEnvironment, `setup failed with exit code (?P<exit>.+?)(?:: (?P<said>.*))?`, EnvSetup},
	{ReasonEnvironment, `setup ended its shell(?:: )?(?P<said>.*)`, EnvSetupEnded},
	{ReasonEnvironment, `(?P<said>.*)`, EnvFailed},
	{ReasonExit, `(?P<exit>.*)`, ""},
	{ReasonBuild, `(?P<exit>.*)`, ""},
	{ReasonTimeout, `(?P<limit>.*)`, ""},
	{ReasonCrash, `signal: (?P<signal>.*)`, ""},
	{ReasonCrash, `(?:exit code )?(?P<exit>.*)`, ""},
	{ReasonNoSandbox, `bwrap \(bubblewrap\) is not installed`, BwrapMissing},
	{ReasonNoSandbox, `Slurm runs a job outside of it`, BwrapJob},
	{ReasonNoSandbox, `a container is no sandbox`, BwrapContainer},
	{ReasonNoSandbox, `bwrap did not answer in time`, BwrapSlow},
	{ReasonNoSandbox, `TMPDIR cannot be hidden.*`, BwrapTMPDIR},
	{ReasonNoSandbox, `(?P<said>.*)`, BwrapFailed},
	{ReasonSlurm, `not known to Slurm any more`, JobForgotten},
	{ReasonSlurm, `cancelled before it started`, JobCancelled},
	{ReasonSlurm, `the node could not write the job's output file`, JobNoOutput},
	{ReasonSlurm, `a heterogeneous job is several jobs with outputs of their own`, JobSeveral},
	{ReasonSlurm, `the node does not see gpudocs or the site, which must be on a file system that all nodes share`, JobNotSeen},
	{ReasonSlurm, `rejected: (?P<said>.*)`, JobRejected},
	{ReasonSlurm, `would never start: (?P<said>.*)`, JobNever},
	{ReasonSlurm, `the job's output file cannot be read: (?P<said>.*)`, JobUnread},
	{ReasonSlurm, `task .*`, JobTasks}, // which the check has
	{ReasonSlurm, `did not start within (?P<limit>.*?)(?:: (?P<said>.*))?`, JobQueue},
	{ReasonSlurm, `TIMEOUT: the job's time limit is (?P<said>.*)`, JobTime},
	{ReasonSlurm, `FAILED: signal: (?P<signal>.*)`, JobSignal},
	{ReasonSlurm, `FAILED: exit code (?P<exit>.*)`, JobExit},
	{ReasonSlurm, `(?P<said>.*)`, JobEnded},
	{ReasonBound, `(?P<value>.*)`, ""},
	{ReasonDrift, `(?P<value>.*)`, ""},
	{ReasonFiles, `an earlier block of the session has made (?P<path>.+)`, FileMade},
	{ReasonFiles, `(?P<path>.+) has changed since the site was read`, FileChanged},
	{ReasonFiles, `(?P<path>.+) has changed while the block ran`, FileChanging},
	{"", `(?P<said>.*)`, ""}, // the exception, or an error of the system
}

var compiled = sync.OnceValue(func() (list []*regexp.Regexp) {
	for _, f := range forms {
		list = append(list, regexp.MustCompile(`(?s)^(?:`+f.pattern+`)$`))
	}
	return list
})

var numbers = regexp.MustCompile(`\d+`)

// upgrade takes the detail of a reason of schema 1 apart.
func (r *Reason) upgrade(gpu GPU) {
	detail := r.Detail1
	r.Detail1 = ""
	switch {
	case r.Verdict != nil && r.Verdict.ByMachine():
		r.Why = gpu.Code
	case r.Code != ReasonNeeds || r.Verdict != nil:
	case r.Found == "":
		r.Why = cmp.Or(r.Why, gpu.Code, NeedUnknown)
	case r.Found == "0":
		r.Why = cmp.Or(r.Why, gpu.Code)
	}
	if detail == "" {
		return
	}
	switch r.Code {
	case ReasonNeeds, ReasonUnmet:
		return
	case ReasonNotReached, ReasonBuild:
		r.Said, r.Found = r.Found, ""
	case ReasonExit:
		r.Expected, _ = strconv.Atoi(r.Need)
		r.Need = ""
	case ReasonManyExpect, ReasonWrong:
		for _, s := range numbers.FindAllString(detail, -1) {
			n, _ := strconv.Atoi(s)
			if r.Code == ReasonManyExpect {
				r.Lines = append(r.Lines, n)
			} else if len(r.GPUs) < 2 {
				r.GPUs = append(r.GPUs, n)
			}
		}
		return
	case ReasonLimit:
		if what, amount, ok := strings.Cut(detail, " "); ok {
			r.Limit = &Limit{what, oldAmount(amount)}
		}
		return
	}
	for i, f := range forms {
		if f.code != r.Code && f.code != "" {
			continue
		}
		if match := compiled()[i].FindStringSubmatch(detail); match != nil {
			r.Why = cmp.Or(f.why, r.Why)
			for group, name := range compiled()[i].SubexpNames() {
				r.fill(name, match[group])
			}
			return
		}
	}
}

// fill sets a field to what a part of the detail says, if it says something.
func (r *Reason) fill(field, text string) {
	texts := map[string]*string{"why": &r.Why, "env": &r.Env, "block": &r.Block, "program": &r.Program, "path": &r.Path,
		"value": &r.Value, "said": &r.Said}
	switch to := texts[field]; {
	case text == "":
	case to != nil:
		*to = text
	case field == "signal":
		r.Signal = SignalName(text)
	case field == "exit":
		if n, err := strconv.Atoi(text); err == nil {
			r.Exit = &n
		}
	case field == "limit":
		if limit, err := time.ParseDuration(text); err == nil {
			r.Limit = Seconds(limit)
		}
	}
}

// oldAmount reads "8 GiB", "512 MiB" or "4096".
func oldAmount(s string) float64 {
	number, unit, _ := strings.Cut(s, " ")
	n, _ := strconv.ParseFloat(number, 64)
	for i, u := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if u == unit {
			n *= float64(uint64(1) << (10 * (i + 1)))
		}
	}
	return n
}
