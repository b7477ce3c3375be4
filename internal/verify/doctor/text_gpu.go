package doctor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// gpus writes a short block for each GPU. The findings say what can be done.
func (t *Text) gpus(d *Diagnosis) {
	g := d.Machine.GPU
	switch {
	case g.Status == report.GPUBroken:
		what, _ := t.status(g.Code, "")
		t.item(2, bad, what)
	case g.Status == report.GPUNone:
		what, _ := t.status(g.Code, differs(g))
		t.item(2, plain, t.Get("gpu_none")+": "+what)
	case len(g.Devices) > 0:
		t.item(2, good, list(t.Count("gpus", len(g.Devices)), t.source(g.Source)))
	}
	t.row(4, t.Get("row_detail"), g.Detail)
	if n := len(d.System.Cards); n > 0 && n != len(g.Devices) {
		t.row(4, t.Get("row_bus"), t.Count("cards", n))
	}
	t.counts(g.Counts)
	t.devices(g.Devices)
	t.unknown(g.Devices)
}

// counts writes how many GPUs different libraries see, if they disagree.
func (t *Text) counts(c *report.Counts) {
	if c == nil || c.Why == "" && !t.verbose {
		return
	}
	t.row(4, t.Get("row_counts"), list(known("NVML %d", c.NVML), known("CUDA %d", c.CUDA), known("/dev %d", c.Dev)))
	if c.Why != "" {
		t.row(4, "", t.Get("differ_"+c.Why))
	}
	t.row(4, t.Get("row_detail"), c.Detail)
}

// devices writes a block for each GPU. For a GPU similar to an earlier one it only
// writes differences, so that they are noticed; with verbose it writes everything.
func (t *Text) devices(all []report.Device) {
	byKind := map[string]int{}
	for i, dev := range all {
		rows := t.device(dev)
		kind := fmt.Sprintf("%s %d %s", dev.Name, dev.MemoryBytes, dev.Compute)
		title := fmt.Sprintf("GPU %d: %s", i, dev.Name)
		sameAs, again := byKind[kind]
		t.write("\n")
		if again && !t.verbose {
			same := t.device(all[sameAs])
			rows = slices.DeleteFunc(rows, func(r [2]string) bool { return slices.Contains(same, r) || r[1] == "" })
			words := "like"
			if len(rows) > 0 {
				words = "like_but"
			}
			title = list(title, t.Get(words, "gpu", strconv.Itoa(sameAs)))
		} else {
			byKind[kind] = i
		}
		t.line(2, title)
		for _, r := range rows {
			t.row(4, r[0], r[1])
		}
	}
}

// unknown writes which values of the GPUs are unknown: their number, or with verbose
// each with its reason.
func (t *Text) unknown(devices []report.Device) {
	total := 0
	for i, dev := range devices {
		if dev.Readings == nil {
			continue
		}
		total += len(dev.Readings.Unknown)
		if t.verbose {
			t.unknownOf(i, dev.Readings.Unknown)
		}
	}
	if total > 0 && !t.verbose {
		t.write("\n")
		t.line(2, t.Count("unknown", total))
	}
}

func (t *Text) unknownOf(gpu int, all []report.Unknown) {
	by := map[string][]string{}
	var whys []string
	for _, u := range all {
		if by[u.Why] == nil {
			whys = append(whys, u.Why)
		}
		by[u.Why] = append(by[u.Why], u.Field)
	}
	slices.Sort(whys)
	if len(whys) > 0 {
		t.write("\n")
	}
	for _, why := range whys {
		t.line(2, t.Get("unknown_of", "gpu", strconv.Itoa(gpu), "why", t.Get("why_"+why), "fields", strings.Join(by[why], ", ")))
	}
}
