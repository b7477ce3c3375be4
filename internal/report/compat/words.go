package compat

import (
	"cmp"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text"
)

// Sentence reports whether software runs on a machine, and why, in one sentence
// without an end mark. A text is named verdict_<answer>_<by>; where some of the
// numbers are not known, another that does without them: see [verdictKey].
// The names in it are those of a report, which comes from elsewhere: escape it.
func Sentence(c text.Catalog, v report.Verdict) string {
	key := verdictKey(v)
	if !c.Has(key) {
		key = "verdict_unknown" // a code of a later version
	}
	return c.Get(key, "what", subject(v), "driver", driver(v), "cuda", v.CUDA, "toolkit", v.Toolkit,
		"need_driver", cmp.Or(v.NeedDriver, v.NeedMinor), "need_minor", v.NeedMinor,
		"gpu", v.GPU, "compute", v.Compute, "need_compute", v.NeedCompute)
}

// Lacks says of a [report.ReasonSoftware] what is asked for and what is there. Like a
// verdict it comes from a report: escape it.
func Lacks(c text.Catalog, r report.Reason) string {
	key := "lacks"
	if r.Detail == "" {
		key += "_machine"
	}
	if r.Found == "" {
		key += "_none"
	}
	return c.Get(key, "need", r.Need, "found", r.Found, "environment", r.Detail)
}

// verdictKey names the text of a verdict. Behind the codes stand "_one" where one
// driver would do instead of two, and "_none" where what decides has no number or name.
func verdictKey(v report.Verdict) string {
	key := "verdict_" + v.Answer + "_" + v.By
	switch v.By {
	case report.ByDriver:
		one, two := v.NeedDriver != "" || v.NeedMinor != "", v.NeedDriver != "" && v.NeedMinor != ""
		switch {
		case v.Answer == report.RunsNo && !one, v.Answer == report.RunsMinor && !one:
			return key + "_none"
		case v.Answer == report.RunsNo && !two, v.Answer == report.RunsMinor && !two:
			return key + "_one"
		}
	case report.ByCompute:
		if v.Compute == "" {
			return key + "_none"
		}
	case report.ByForward:
		if v.GPU == "" {
			return key + "_none"
		}
	case report.ByToolkit:
		if v.Toolkit == "" {
			return key + "_none"
		}
	}
	return key
}

// subject is the software: "cu124", "torch 2.6.0+cu124", "jax 0.6.2 (CUDA 12)".
func subject(v report.Verdict) string {
	if v.Version == "" {
		return v.What
	}
	name := v.What + " " + v.Version
	if v.Toolkit != "" && !strings.Contains(v.Version, "+cu") {
		name += " (CUDA " + v.Toolkit + ")"
	}
	return name
}

// driver is its version, with what CUDA it supports where that is its own.
func driver(v report.Verdict) string {
	switch {
	case v.CUDA == "" || v.Answer == report.RunsForward || v.By == report.ByForward:
		return v.Driver
	case v.Driver == "":
		return "CUDA " + v.CUDA
	}
	return v.Driver + ", CUDA " + v.CUDA
}
