package compat

import (
	"cmp"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text"
)

// Sentence returns whether software runs on a machine, and why, as a sentence without a
// full stop. Its text is verdict_<answer>_<by>, or another one if some of the numbers are
// unknown: see [verdictKey]. The names in it come from a report, so it must be escaped.
func Sentence(c text.Catalog, v report.Verdict) string {
	key := verdictKey(v)
	if !c.Has(key) {
		key = "verdict_unknown" // a code of a later version
	}
	return c.Get(key, "what", subject(v), "driver", driver(v), "cuda", v.CUDA, "toolkit", v.Toolkit,
		"need_driver", cmp.Or(v.NeedDriver, v.NeedMinor), "need_minor", v.NeedMinor,
		"gpu", v.GPU, "compute", v.Compute, "need_compute", v.NeedCompute, "need_cudnn", v.NeedCuDNN)
}

// verdictKey returns the key of the text of a verdict. The codes are followed by "_one" if
// there is one sufficient driver instead of two, and by "_none" if what decides has no
// number or name.
func verdictKey(v report.Verdict) string {
	key := "verdict_" + v.Answer + "_" + v.By
	byDriver := v.By == report.ByDriver && (v.Answer == report.RunsNo || v.Answer == report.RunsMinor)
	switch {
	case byDriver && v.NeedDriver+v.NeedMinor == "", v.By == report.ByCompute && v.Compute == "", v.By == report.ByForward && v.GPU == "",
		v.By == report.ByToolkit && v.Toolkit == "":
		return key + "_none"
	case byDriver && (v.NeedDriver == "" || v.NeedMinor == ""):
		return key + "_one"
	}
	return key
}

// subject returns the software: "cu124", "torch 2.6.0+cu124", "jax 0.6.2 (CUDA 12)".
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

// driver returns the driver's version, with the CUDA version that it supports.
func driver(v report.Verdict) string {
	switch {
	case v.CUDA == "" || v.Answer == report.RunsForward || v.By == report.ByForward:
		return v.Driver
	case v.Driver == "":
		return "CUDA " + v.CUDA
	}
	return v.Driver + ", CUDA " + v.CUDA
}
