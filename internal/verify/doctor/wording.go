package doctor

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/report/reason"
	"github.com/gpudocs/gpudocs/internal/text"
)

// A wording has the sentences of a diagnosis in one language. [Text] puts them on the
// page.
type wording struct{ text.Catalog }

// when returns a text if the condition holds, and otherwise nothing.
func (w wording) when(holds bool, key string, pairs ...string) string {
	if !holds {
		return ""
	}
	return w.Get(key, pairs...)
}

func (w wording) installed(c CUDA) string {
	var all []string
	for _, k := range c.Installed {
		name := k.Path
		if k.Version != "" {
			name = k.Version + " (" + k.Path + ")"
		}
		all = append(all, strings.TrimSpace(name+" "+w.when(k.NVCC, "toolkit_nvcc")))
	}
	return cmp.Or(list(all...), w.Get("toolkits_none"))
}

// because returns the reason in a few words, if driver and toolkit are named next to
// it.
func (w wording) because(v report.Verdict) string {
	switch {
	case v.Answer == report.RunsYes:
		return ""
	case v.Answer == report.RunsMinor || v.Answer == report.RunsForward:
		return w.Get("helped_" + v.Answer)
	case v.Answer == report.RunsNo && v.By == report.ByDriver && v.NeedDriver != "" && v.NeedMinor != "":
		return w.Get("by_driver_minor", "need", v.NeedDriver, "minor", v.NeedMinor)
	case v.Answer == report.RunsNo && v.By == report.ByDriver && v.NeedDriver+v.NeedMinor != "":
		return w.Get("by_driver", "need", v.NeedDriver+v.NeedMinor)
	case v.By == report.ByCUDA:
		return w.Get("by_cuda")
	case v.Answer == report.RunsNo && v.By == report.ByCompute && v.Compute != "":
		return w.Get("by_compute", "gpu", v.GPU, "compute", v.Compute, "needs", v.NeedCompute)
	}
	return compat.Sentence(w.Catalog, v)
}

// silence returns why an interpreter did not answer.
func (w wording) silence(why string) string {
	if why == PythonTimeout {
		return w.Get("python_timeout")
	}
	return why
}

// finding returns the texts of a finding and of its remedy.
func (w wording) finding(f Finding) (what, mend string) {
	pairs := []string{}
	if f.lacks != nil {
		why := reason.Lack(w.Catalog, f.lacks)
		pairs = append(pairs, "missing", why, "why", why)
		mend = reason.Remedy(w.Catalog, f.lacks)
	}
	for k, v := range f.Detail {
		switch {
		case k == "env" && v == "":
			v = machinePython
		case f.Code == FoundSlurm && k == "why":
			v = w.Get("slurm_" + v)
		case f.Code == FoundSilent && k == "why":
			v = w.silence(v)
		}
		pairs = append(pairs, k, v)
	}
	code := f.Detail["code"]
	switch f.Code {
	case FoundGPUBroken, FoundNoGPU:
		what, mend = w.status(code, f.Detail["why"])
		if f.Severity == Note {
			mend = w.Get("mend_" + f.Code) // a machine may do without
		}
		return w.Get("finding_"+f.Code, "why", what), mend
	case FoundCounts:
		var counts []string
		for _, who := range []struct{ key, name string }{{"nvml", "NVML"}, {"cuda", "CUDA"}, {"dev", "/dev"}} {
			if n, ok := f.Detail[who.key]; ok {
				counts = append(counts, who.name+" "+n)
			}
		}
		key := "differ_" + f.Detail["why"]
		what, mend = w.Get(key), w.when(w.Has(key+"_remedy"), key+"_remedy")
		if f.Detail["why"] == report.DifferCUDA {
			return w.Get("finding_cuda-failed", "said", f.Detail["said"]), mend
		}
		return w.Get("finding_counts-differ", "counts", list(counts...), "why", what), mend
	case FoundThrottled:
		pairs = append(pairs, "words", w.Get("throttle_"+f.Detail["reason"]))
	}
	name := "mend_" + f.Code
	if f.Verdict != nil {
		pairs = append(pairs, "sentence", compat.Sentence(w.Catalog, *f.Verdict))
		name = "mend_runs_" + f.Verdict.By
	}
	if mend == "" && w.Has(name) {
		mend = w.Get(name, pairs...)
	}
	return w.Get("finding_"+f.Code, pairs...), mend
}

// status writes why no GPU is usable, and the remedy. why is the reason why CUDA counts
// fewer GPUs than NVML.
func (w wording) status(code, why string) (what, mend string) {
	if code == report.CodeNoDevice && why == report.DifferVisible {
		code = "hidden" // the driver sees them
	}
	r := &report.Reason{Code: report.ReasonNoGPU, Why: code}
	return reason.Lack(w.Catalog, r), reason.Remedy(w.Catalog, r)
}

// source returns which library described the GPUs.
func (w wording) source(source string) string {
	name := map[string]string{report.SourceNVML: "NVML", report.SourceNvidiaSMI: "nvidia-smi", report.SourceCUDA: "CUDA"}[source]
	return w.when(name != "", "gpus_source", "source", name)
}

func number(n *int) string { return cmp.Or(known("%d", n), "?") }

// differs is why NVML and CUDA count differently, or empty.
func differs(g report.GPU) string {
	if g.Counts == nil {
		return ""
	}
	return g.Counts.Why
}

// known formats a value, if it is known.
func known[T any](format string, v *T) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf(format, *v)
}

func isTrue(b *bool) bool { return b != nil && *b }
