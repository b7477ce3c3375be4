package render

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/themes"
)

// TestKeysExist checks that every text that templates and code use exists.
func TestKeysExist(t *testing.T) {
	en, err := text.ForTheme("en", themes.Default())
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	call := regexp.MustCompile(`\.T\.(Get|Count) "([^"]+)"`)
	err = fs.WalkDir(themes.Default(), "layouts", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(themes.Default(), name)
		for _, m := range call.FindAllStringSubmatch(string(text), -1) {
			used[m[1]+" "+m[2]] = true
		}
		return err
	})
	if err != nil || len(used) < 20 {
		t.Fatal(len(used), err)
	}
	for _, s := range []results.SignatureState{results.NotSigned, results.Signed, results.SignedUnknown, results.SignedOtherMachine, results.SignedOther} {
		used["Get signature_"+string(s)] = true
	}
	for _, s := range standing.All() {
		used["Get status_"+s.String()] = true
		if s != standing.None {
			used["Count "+s.String()+"_on"] = true
		}
	}
	for _, code := range []string{report.ReasonNeeds, report.ReasonNeeds + "_none", report.ReasonNeeds + "_unknown", report.ReasonNoGPU, report.ReasonSession, report.ReasonSessionSkip, report.ReasonNotReached,
		report.ReasonNoInterpreter, report.ReasonExit, report.ReasonException, report.ReasonMismatch, report.ReasonNoExpect,
		report.ReasonTimeout, report.ReasonCrash, report.ReasonTruncated, report.ReasonEngine, report.ReasonBroken, report.ReasonUnmet, report.ReasonBound, report.ReasonDrift,
		report.ReasonSlurm, report.ReasonWrong, report.ReasonMeasure, report.ReasonLimit + "_" + report.LimitMemory,
		report.ReasonLimit + "_" + report.LimitProcesses, report.ReasonNoSandbox, "unknown"} {
		used["Get reason_"+code] = true
	}
	for _, code := range []string{report.CodeNoLibrary, report.CodeNotLoaded, report.CodeNoDevice, report.CodeMismatch, report.CodeNoPermission,
		report.CodeLost, report.CodeProbeTimeout, report.CodeProbeCrashed, report.CodeUnsupported, report.CodeDriverFailed, report.CodeNotReached, "none",
		report.CodeFabric, report.CodeContainer, report.CodeNotGiven, report.CodeReset, report.CodeWSL, report.CodeNotAsked} {
		used["Get gpu_"+code] = true
	}
	for _, key := range []string{"device_sms", "device_cores", "device_clock", "device_power", "device_mig", "device_nvlink", "counts_differ", "measured_share", "peak_at", "measured_times", "measured_lesson", "measured_clock", "measured_error", "measured_cpu", "measured_cpu_times", "summary_none", "cut", "image_missing"} {
		used["Get "+key] = true
	}
	for a := range used {
		how, key, _ := strings.Cut(a, " ")
		if text := en.Get(key); how == "Get" && text == "["+key+"]" {
			t.Errorf("en lacks the text %s", key)
		}
		if text := en.Count(key, 2); how == "Count" && text == "["+key+"]" {
			t.Errorf("en lacks the plural %s", key)
		}
	}
}
