package report

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// upgrade takes the detail of a reason of schema 1 apart. There it was a code, a number, a name, or English prose of
// gpudocs or of others. Prose that is not known becomes what others said.
func (r *Reason) upgrade(gpu GPU) {
	detail := r.Detail1
	r.Detail1 = ""
	switch r.Code {
	case ReasonNeeds, ReasonUnmet:
		if r.Code == ReasonNeeds && (r.Found == "" || r.Found == "0") && r.Verdict == nil {
			r.Why = cmp.Or(r.Why, gpu.Code)
		}
		if r.Code == ReasonNeeds && r.Found == "" && r.Verdict == nil {
			r.Why = cmp.Or(r.Why, NeedUnknown)
		}
	case ReasonNoGPU, ReasonBroken, ReasonMeasure:
		r.Why = cmp.Or(detail, r.Why)
	case ReasonSoftware:
		if detail != "" {
			r.Env, r.Program, _ = strings.Cut(detail, ", ")
		}
	case ReasonSession:
		if detail != "" {
			name, rest, _ := strings.Cut(detail, " (signal: ")
			r.Block, r.Signal = name, SignalName(strings.TrimSuffix(rest, ")"))
		}
	case ReasonSessionSkip:
		r.Block = cmp.Or(detail, r.Block)
	case ReasonNotReached:
		if detail != "" {
			r.Block, r.Said, r.Found = detail, r.Found, ""
		}
	case ReasonNoInterpreter:
		r.oldProgram(detail)
	case ReasonEnvironment:
		r.oldEnvironment(detail)
	case ReasonExit:
		if detail != "" {
			r.Exit = oldNumber(detail)
			r.Expected, _ = strconv.Atoi(r.Need)
			r.Need = ""
		}
	case ReasonBuild:
		if detail != "" {
			r.Exit, r.Said, r.Found = oldNumber(detail), r.Found, ""
		}
	case ReasonManyExpect:
		for _, n := range numbers.FindAllString(detail, -1) {
			line, _ := strconv.Atoi(n)
			r.Lines = append(r.Lines, line)
		}
	case ReasonTimeout:
		if limit, err := time.ParseDuration(detail); err == nil {
			r.Limit = Seconds(limit)
		}
	case ReasonLimit:
		if what, amount, ok := strings.Cut(detail, " "); ok {
			r.Limit = &Limit{what, oldAmount(amount)}
		}
	case ReasonCrash:
		if name, ok := strings.CutPrefix(detail, "signal: "); ok {
			r.Signal = SignalName(name)
		} else if detail != "" {
			r.Exit = oldNumber(strings.TrimPrefix(detail, "exit code "))
		}
	case ReasonNoSandbox:
		r.oldSandbox(detail)
	case ReasonSlurm:
		r.oldSlurm(detail)
	case ReasonBound, ReasonDrift:
		r.Value = cmp.Or(detail, r.Value)
	case ReasonWrong:
		for _, n := range numbers.FindAllString(detail, 2) {
			device, _ := strconv.Atoi(n)
			r.GPUs = append(r.GPUs, device)
		}
	case ReasonFiles:
		for _, of := range []struct{ begin, end, why string }{
			{"an earlier block of the session has made ", "", FileMade},
			{"", " has changed since the site was read", FileChanged},
			{"", " has changed while the block ran", FileChanging},
		} {
			if path, ok := between(detail, of.begin, of.end); ok {
				r.Why, r.Path = of.why, path
				return
			}
		}
		r.Said = cmp.Or(detail, r.Said)
	default: // the exception, or an error of the system
		r.Said = cmp.Or(detail, r.Said)
	}
}

var numbers = regexp.MustCompile(`\d+`)

// between returns what stands between the beginning and the end of a text.
func between(s, begin, end string) (middle string, ok bool) {
	s, ok = strings.CutPrefix(s, begin)
	if !ok {
		return "", false
	}
	s, ok = strings.CutSuffix(s, end)
	return s, ok && s != ""
}

func oldNumber(s string) *int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return nil
	}
	return &n
}

// amount1 reads "8 GiB", "512 MiB" or "4096".
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

// oldProgram reads what was not found.
func (r *Reason) oldProgram(s string) {
	for _, of := range []struct{ begin, end, why string }{
		{"conda environment ", "", LacksConda}, {"python in conda environment ", "", LacksCondaPython},
		{"", " in the image", LacksInImage}, {"kernel ", "", LacksKernel},
	} {
		if name, ok := between(s, of.begin, of.end); ok {
			name, r.Said, _ = strings.Cut(name, "; found: ")
			r.Why, r.Program, r.Said = of.why, strings.Trim(name, `"`), strings.TrimPrefix(r.Said, "none")
			if started, is := strings.CutSuffix(r.Program, " (it does not start)"); is {
				r.Why, r.Program = LacksKernelStart, started
			}
			return
		}
	}
	if s != "" {
		r.Program = strings.TrimSuffix(s, " or python")
	}
}

// oldEnvironment reads why an environment was not available.
func (r *Reason) oldEnvironment(s string) {
	image, download := between(s, "", " is not on this machine; gpudocs env --sync downloads it")
	name, absent := between(s, "there is no ", "")
	module, ofModule := between(s, "module ", "")
	code, failed := between(s, "setup failed with exit code ", "")
	said, ended := strings.CutPrefix(s, "setup ended its shell")
	switch {
	case s == "":
	case s == "not synced; gpudocs env --sync makes it":
		r.Why = EnvUnsynced
	case download:
		r.Why, r.Program = EnvNoImage, image
	case strings.HasPrefix(s, "there is no module system"):
		r.Why = EnvNoModules
	case absent && slices.Contains([]string{"bash", "env"}, name):
		r.Why, r.Program = EnvNoProgram, name
	case absent && !strings.Contains(name, " "):
		r.Why, r.Path = EnvNoFile, name
	case ofModule:
		module, said, _ := strings.Cut(module, ": ")
		r.Why, r.Program, r.Said = EnvModule, strings.TrimSuffix(module, " was not loaded"), strings.TrimSuffix(said, "cannot be loaded")
	case failed:
		code, said, _ := strings.Cut(code, ": ")
		r.Why, r.Exit, r.Said = EnvSetup, oldNumber(code), said
	case ended:
		r.Why, r.Said = EnvSetupEnded, strings.TrimPrefix(said, ": ")
	default:
		r.Why, r.Said = EnvFailed, s
	}
}

// oldSandbox reads why there was no sandbox.
func (r *Reason) oldSandbox(s string) {
	codes := map[string]string{"bwrap (bubblewrap) is not installed": BwrapMissing, "Slurm runs a job outside of it": BwrapJob,
		"a container is no sandbox": BwrapContainer, "bwrap did not answer in time": BwrapSlow}
	switch {
	case s == "":
	case codes[s] != "":
		r.Why = codes[s]
	case strings.HasPrefix(s, "TMPDIR cannot be hidden"):
		r.Why = BwrapTMPDIR
	default:
		r.Why, r.Said = BwrapFailed, s
	}
}

// oldSlurm reads how a job ended.
func (r *Reason) oldSlurm(s string) {
	codes := map[string]string{"not known to Slurm any more": JobForgotten, "cancelled before it started": JobCancelled,
		"the node could not write the job's output file": JobNoOutput, "a heterogeneous job is several jobs with outputs of their own": JobSeveral,
		"the node does not see gpudocs or the site, which must be on a file system that all nodes share": JobNotSeen}
	if r.Why = cmp.Or(codes[s], r.Why); codes[s] != "" || s == "" {
		return
	}
	for _, of := range []struct{ begin, why string }{
		{"rejected: ", JobRejected}, {"would never start: ", JobNever}, {"the job's output file cannot be read: ", JobUnread}, {"task ", JobTasks},
		{"did not start within ", JobQueue}, {"TIMEOUT: the job's time limit is ", JobTime}, {"FAILED: signal: ", JobSignal}, {"FAILED: exit code ", JobExit},
	} {
		rest, ok := strings.CutPrefix(s, of.begin)
		if !ok {
			continue
		}
		switch r.Why = of.why; of.why {
		case JobTasks: // which the check has
		case JobQueue:
			wait, reason, _ := strings.Cut(rest, ": ")
			if limit, err := time.ParseDuration(wait); err == nil {
				r.Limit = Seconds(limit)
			}
			r.Said = reason
		case JobTime:
			r.Said = rest
		case JobSignal:
			r.Signal = SignalName(rest)
		case JobExit:
			r.Exit = oldNumber(rest)
		default:
			r.Said = rest
		}
		return
	}
	r.Why, r.Said = JobEnded, s
}
