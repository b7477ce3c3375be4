package results

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/test/reporttest"
	"github.com/gpudocs/gpudocs/themes"
)

// TestNeedsAreFew checks that the head of a page names a few needs, and counts the others together.
func TestNeedsAreFew(t *testing.T) {
	t.Parallel()
	words, err := text.ForTheme("en", themes.Default())
	if err != nil {
		t.Fatal(err)
	}
	var blocks []BlockStatus
	for i := range 1000 {
		name := fmt.Sprintf("%d %s", i, strings.Repeat("x", 1000))
		blocks = append(blocks, BlockStatus{Block: &site.Block{Name: "#1"}, machines: []MachineStatus{{State: standing.State{Standing: standing.NotApplicable}, need: need{"exact", name}}}})
	}
	list := needs(words, blocks, func(b BlockStatus) (MachineStatus, int) { return b.machines[0], 1 })
	if len(list) != maxNeeds+1 || list[0].Text != "994 need something else" || len(list[1].Text) > 100 {
		t.Errorf("%+v", list)
	}
}

// TestNeedsInPortuguese: "precisa de" contracts with an article, so what follows it has none.
func TestNeedsInPortuguese(t *testing.T) {
	t.Parallel()
	words, err := text.ForTheme("pt", themes.Default())
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"sandbox", "after"} {
		blocks := []BlockStatus{{Block: &site.Block{Name: "#1"}, machines: []MachineStatus{{State: standing.State{Standing: standing.NotApplicable}, need: need{key, "x"}}}}}
		list := needs(words, blocks, func(b BlockStatus) (MachineStatus, int) { return b.machines[0], 1 })
		if got := list[0].Text; !strings.HasPrefix(got, "1 precisa de ") || strings.Contains(got, " de o ") || strings.Contains(got, " de a ") {
			t.Error(got)
		}
	}
}

// TestReasons: reasons are in plain words, and say what an old GPU lacks.
func TestReasons(t *testing.T) {
	k80 := report.GPU{Status: report.GPUOk, Devices: []report.Device{{Name: "Tesla K80", Compute: "3.7"}}}
	a100 := report.GPU{Status: report.GPUOk, Devices: []report.Device{{Name: "NVIDIA A100", Compute: "8.0"}}}
	v := (&Index{}).Present(themeTexts(t), "", nil)
	for _, c := range []struct {
		reason report.Reason
		gpu    report.GPU
		want   string
	}{
		{report.Reason{Code: report.ReasonNeeds, Need: "gpus >= 1", Found: "0"}, report.GPU{Status: report.GPUNone}, "needs a GPU; this machine has none"},
		{report.Reason{Code: report.ReasonNeeds, Need: "gpus >= 8", Found: "2"}, k80, "needs 8 GPUs; this machine has 2"},
		{report.Reason{Code: report.ReasonNeeds, Need: "not gpus >= 1", Found: "1"}, a100, "needs a machine without a GPU; this machine has 1"},
		{report.Reason{Code: report.ReasonUnmet, Need: "compute >= 5.0", Found: "3.7"}, k80, "needs compute capability 5.0 or higher; found 3.7"},
		{report.Reason{Code: report.ReasonUnmet, Need: "matmul n=8 >= 2 TFLOP/s", Found: "1 TFLOP/s"}, a100, "needs matmul n=8 >= 2 TFLOP/s; found 1 TFLOP/s"},
		{report.Reason{Code: report.ReasonSoftware, Need: "torch >= 2.7", Found: "torch 1.12.1"}, a100, "needs PyTorch 2.7 or higher; this machine has torch 1.12.1"},
		{report.Reason{Code: report.ReasonNeeds, Need: "driver >= 525.60.13", Found: "460.106.00"}, k80, "needs driver 525.60.13 or higher; this machine has 460.106.00; the last driver for Tesla K80 is 470"},
		{report.Reason{Code: report.ReasonSoftware, Need: "torch >= 2.7", Found: "torch 1.12.1"}, k80, "needs PyTorch 2.7 or higher; this machine has torch 1.12.1; the last PyTorch for Tesla K80 is 2.3"},
		{report.Reason{Code: report.ReasonSoftware, Need: "slurm"}, k80, "needs Slurm; this machine does not have it"},
		{report.Reason{Code: report.ReasonException, Said: "AttributeError: module 'torch' has no attribute 'accelerator'"}, k80,
			"raised AttributeError: module 'torch' has no attribute 'accelerator'; the last PyTorch for Tesla K80 is 2.3"},
		{report.Reason{Code: report.ReasonExit, Exit: new(0), Expected: 1}, a100, "should have failed, but ended without an error (exit code 0)"},
		{report.Reason{Code: report.ReasonExit, Exit: new(2), Expected: 1}, a100, "ended with exit code 2 instead of 1"},
	} {
		if got, _ := v.ReasonOf(&report.Check{Outcome: report.Failed, Reason: &c.reason}, c.gpu); got != c.want {
			t.Errorf("%s: %q, want %q", reporttest.Reason(&c.reason), got, c.want)
		}
	}
}
