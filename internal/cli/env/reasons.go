package env

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compat"
)

// unmeasured returns why something was not measured. An unknown code, of a later version, is shown
// as it is.
func (t Catalog) unmeasured(why string) string {
	switch why {
	case report.WhyNoMemory, report.WhyNotSupported, report.WhyNoLibrary, report.WhyFailed:
		return t.Get("unmeasured_" + why)
	}
	return why
}

// unusable returns why a machine has no usable GPU, without the remedy, which doctor shows. An
// unknown code, of a later version, is shown as it is.
func (t Catalog) unusable(code string) string {
	if !t.Has("gpu_" + code) {
		return code
	}
	what, _, _ := strings.Cut(t.Get("gpu_"+code), "; ")
	return what
}

// Reason returns why a check did not pass, and where.
func (t Catalog) Reason(c *report.Check) string {
	text := t.reasonWithoutPlace(c)
	if at := c.Reason.Place; at != nil {
		text = at.Text().In(t.Catalog) + ": " + text
	}
	if needs := ask.LackOf(c).Needs(); needs != "" {
		text += "; " + t.Get("reason_lack", "needs", needs)
	}
	return text
}

// reasonWithoutPlace returns why a check did not pass, without the place.
func (t Catalog) reasonWithoutPlace(c *report.Check) string {
	text := t.describeReason(c.Reason)
	if c.BuiltOnly() {
		return t.Get("built_only", "why", text)
	}
	return text
}

// Built describes how a check was built: "compiled with nvcc 12.4.131 in 1.90s".
func (t Catalog) Built(b *report.Build) string {
	key := "built_" + string(b.Outcome)
	if b.Cached {
		key = "built_cached"
	}
	return t.Get(key, "tool", cmp.Or(b.Tool, t.Get("compiler")), "time", fmt.Sprintf("%.2fs", b.DurationMS/1000))
}

func (t Catalog) describeReason(r *report.Reason) string {
	flat := strings.ReplaceAll(r.Detail, "\n", " ")
	switch r.Code {
	case report.ReasonNeeds, report.ReasonUnmet:
		switch {
		case r.Verdict != nil:
			return compat.Sentence(t.Catalog, *r.Verdict)
		case r.Found != "":
			return t.Get("reason_needs_found", "need", r.Need, "found", r.Found)
		}
		return t.Get("reason_needs", "need", r.Need)
	case report.ReasonSoftware:
		return compat.Lacks(t.Catalog, *r)
	case report.ReasonWrong:
		if r.Need == "" {
			return t.Get("reason_wrong", "what", r.Detail)
		}
		return t.Get("reason_wrong_error", "what", r.Detail, "found", cmp.Or(r.Found, t.Get("not_a_number")), "need", r.Need)
	case report.ReasonNoGPU, report.ReasonBroken:
		return t.Get("reason_"+r.Code, "detail", t.unusable(r.Detail))
	case report.ReasonMeasure:
		if r.Need != "" && t.Has("why_"+r.Detail) {
			return t.Get("reason_not-read", "need", r.Need, "detail", t.Get("why_"+r.Detail))
		}
		return t.Get("reason_measure", "detail", t.unmeasured(r.Detail))
	case report.ReasonExit:
		if r.Need != "" {
			return t.Get("reason_exit-code-expected", "detail", r.Detail, "need", r.Need)
		}
		return t.Get("reason_exit-code", "detail", r.Detail)
	case report.ReasonException:
		return flat
	case report.ReasonNotReached:
		return t.Get("reason_not-reached", "detail", r.Detail, "found", r.Found)
	case report.ReasonBuild:
		if r.Found != "" {
			return t.Get("reason_build-failed-message", "found", r.Found)
		}
		return t.Get("reason_build-failed", "detail", r.Detail)
	case report.ReasonCrash, report.ReasonNoSandbox, report.ReasonEngine, report.ReasonFiles: // "exit code 0" alone would be no reason
		return t.Get("reason_"+r.Code, "detail", flat)
	case report.ReasonSlurm: // without a detail the report says later who ended it
		return t.Get("reason_slurm", "detail", cmp.Or(r.Detail, t.Get("reason_slurm-ending")))
	}
	if name := "reason_" + r.Code; t.Has(name) {
		return t.Get(name, "detail", r.Detail, "need", r.Need, "found", r.Found)
	}
	return r.Code
}
