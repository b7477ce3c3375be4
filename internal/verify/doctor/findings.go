package doctor

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/report/reason"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Codes of findings, with the fields of [Finding].Detail.
const (
	FoundGPUBroken   = "gpu-broken"         // code: of the GPU's status
	FoundNoGPU       = "no-gpu"             // code; why: a Differ code, where one explains it
	FoundNoDriver    = "card-no-driver"     // cards: how many
	FoundNouveau     = "card-nouveau"       // cards
	FoundPassthrough = "card-vfio"          // cards
	FoundSecureBoot  = "secure-boot"        // the kernel may refuse an unsigned module
	FoundCounts      = "counts-differ"      // nvml, cuda, dev as far as they are known; why: a Differ code; said: by CUDA
	FoundRowsFailed  = "rows-failed"        // gpu: its place
	FoundRowsPending = "rows-pending"       // gpu
	FoundUncorrected = "ecc-uncorrected"    // gpu, errors
	FoundThrottled   = "throttled"          // gpu, reason: a throttle code
	FoundLinks       = "nvlink-down"        // gpu, active, links
	FoundLanes       = "pcie-lanes"         // gpu, width, max
	FoundPersistence = "persistence-off"    // gpus: how many
	FoundNoLibcuda   = "no-libcuda"         // the driver is there, its CUDA library is not
	FoundToolkit     = "toolkit-too-new"    // version, path; the Verdict
	FoundFramework   = "framework"          // env, framework; the Verdict
	FoundMissing     = "environment"        // env, missing: what was looked for
	FoundSilent      = "interpreter-silent" // env, why
	FoundShared      = "small-shared"       // size in MiB: of /dev/shm
	FoundSlurm       = "slurm-silent"       // why: timeout or failed
	FoundSandbox     = "no-sandbox"         // why; the site asks for one
	FoundNoBash      = "no-bash"            // the site has bash blocks, and there is no bash
	FoundContent     = "content"            // faults: how many, place: of the first
)

// hotOrStarved are the reasons for low clocks that a person can change. The others are how
// a GPU saves power or keeps within its limit.
var hotOrStarved = []string{"hw-slowdown", "sw-thermal", "hw-thermal", "hw-power-brake"}

// leastShared is the size of /dev/shm below which PyTorch's loading processes may fail. A container of
// Docker has 64 MiB by default
// (https://docs.docker.com/reference/cli/docker/container/run/, --shm-size).
const leastShared = 256 << 20

// findings returns what a person should know or fix, the worst first.
func findings(d *Diagnosis) []Finding {
	f := &finder{d: d, found: []Finding{}}
	f.gpu()
	f.driverless()
	f.counts()
	f.devices()
	f.software()
	f.pythons()
	f.system()
	f.site()
	slices.SortStableFunc(f.found, func(a, b Finding) int { return cmp.Compare(rank(a), rank(b)) })
	return f.found
}

func rank(f Finding) int { return slices.Index([]string{Error, Warning, Note}, f.Severity) }

type finder struct {
	d     *Diagnosis
	found []Finding
}

// add adds a finding. detail are pairs of names and values.
func (f *finder) add(severity, code string, detail ...string) *Finding {
	n := Finding{Severity: severity, Code: code}
	for pair := range slices.Chunk(detail, 2) {
		if n.Detail == nil {
			n.Detail = map[string]string{}
		}
		n.Detail[pair[0]] = pair[1]
	}
	f.found = append(f.found, n)
	return &f.found[len(f.found)-1]
}

func (f *finder) gpu() {
	switch g := f.d.Machine.GPU; g.Status {
	case report.GPUBroken:
		f.add(Error, FoundGPUBroken, "code", g.Code)
	case report.GPUNone:
		switch {
		case g.Code != report.CodeNoLibrary && g.Code != report.CodeNotLoaded:
			found := f.add(Warning, FoundNoGPU, "code", g.Code) // a driver is installed, so a GPU is expected
			if why := differs(g); why == report.DifferVisible {
				found.Detail["why"] = why
			}
		case len(f.d.System.Cards) == 0:
			f.add(Note, FoundNoGPU, "code", g.Code)
		}
	}
}

// driverless finds GPUs without NVIDIA's driver.
func (f *finder) driverless() {
	by := map[string]int{}
	for _, c := range f.d.System.Cards {
		by[c.Driver]++
	}
	if n := by["vfio-pci"]; n > 0 {
		f.add(Note, FoundPassthrough, "cards", strconv.Itoa(n))
	}
	if f.d.Machine.GPU.Status == report.GPUOk || f.d.System.Container != "" {
		return // in a container the bus shows all GPUs of the host
	}
	if n := by["nouveau"]; n > 0 {
		f.add(Warning, FoundNouveau, "cards", strconv.Itoa(n))
	}
	if n := by[""]; n > 0 {
		f.add(Warning, FoundNoDriver, "cards", strconv.Itoa(n))
		if isTrue(f.d.System.SecureBoot) {
			f.add(Warning, FoundSecureBoot)
		}
	}
}

func (f *finder) counts() {
	c := f.d.Machine.GPU.Counts
	if c == nil || c.Why == "" {
		return
	}
	if c.Why == report.DifferVisible && f.d.Machine.GPU.Status == report.GPUNone {
		return // all are hidden, which is another finding
	}
	severity := Note
	switch c.Why {
	case report.DifferLost, report.DifferCUDA: // nothing runs on a GPU while CUDA does not start
		severity = Error
	case report.DifferPermission, report.DifferUnknown:
		severity = Warning
	}
	if severity != Note && (f.d.Machine.GPU.Status != report.GPUOk || f.d.CUDA.Library == "" && c.CUDA == nil) {
		return // it follows from another finding
	}
	detail := []string{"why", c.Why}
	if c.Detail != "" {
		detail = append(detail, "said", c.Detail)
	}
	for name, n := range map[string]*int{"nvml": c.NVML, "cuda": c.CUDA, "dev": c.Dev} {
		if n != nil {
			detail = append(detail, name, strconv.Itoa(*n))
		}
	}
	f.add(severity, FoundCounts, detail...)
}

func (f *finder) devices() {
	off := 0
	for i, dev := range f.d.Machine.GPU.Devices {
		r, gpu := dev.Readings, strconv.Itoa(i)
		if r == nil {
			continue
		}
		if isTrue(r.Rows.Failed) {
			f.add(Error, FoundRowsFailed, "gpu", gpu)
		}
		if isTrue(r.Rows.Pending) {
			f.add(Warning, FoundRowsPending, "gpu", gpu)
		}
		if n := r.ECC.Uncorrected; n != nil && *n > 0 {
			f.add(Warning, FoundUncorrected, "gpu", gpu, "errors", strconv.FormatUint(*n, 10))
		}
		for _, reason := range r.Throttle {
			if slices.Contains(hotOrStarved, reason) {
				f.add(Warning, FoundThrottled, "gpu", gpu, "reason", reason)
			}
		}
		if a, n := r.NVLink.Active, r.NVLink.Links; a != nil && n != nil && *a > 0 && *a < *n {
			f.add(Warning, FoundLinks, "gpu", gpu, "active", number(a), "links", number(n))
		}
		if w, most := r.PCIe.Width, r.PCIe.MaxWidth; w != nil && most != nil && *w < *most && r.PCIe.UnderLoad {
			f.add(Warning, FoundLanes, "gpu", gpu, "width", number(w), "max", number(most))
		}
		if r.Persistence != nil && !*r.Persistence {
			off++
		}
	}
	if off > 0 && !f.d.System.WSL2 {
		f.add(Note, FoundPersistence, "gpus", strconv.Itoa(off))
	}
}

// software finds installed software that the driver cannot run. Without a working driver
// it finds nothing.
func (f *finder) software() {
	if f.d.Machine.GPU.Status != report.GPUOk {
		return
	}
	if f.d.CUDA.Library == "" && (f.d.Machine.GPU.Counts == nil || f.d.Machine.GPU.Counts.CUDA == nil) {
		f.add(Warning, FoundNoLibcuda)
	}
	for _, t := range f.d.CUDA.Installed {
		name := wheelName(t.Version)
		if name == "" {
			continue
		}
		if v := compat.Judge(f.d.Machine, "", name); v.Answer == report.RunsNo && v.By != report.ByCUDA {
			f.add(Warning, FoundToolkit, "version", t.Version, "path", t.Path).Verdict = &v
		}
	}
}

// wheelName returns cu124 for 12.4.1.
func wheelName(version string) string {
	parts := strings.Split(version, ".")
	if len(parts) < 2 || len(parts[0]) != 2 || len(parts[1]) != 1 {
		return ""
	}
	return "cu" + parts[0] + parts[1]
}

func (f *finder) pythons() {
	for i := range f.d.Pythons {
		p := &f.d.Pythons[i]
		if p.lacks != nil && p.Configured {
			f.add(Warning, FoundMissing, "env", p.Name, "missing", p.Missing).lacks = p.lacks
		}
		if p.Failed != "" {
			f.add(Warning, FoundSilent, "env", p.Name, "why", p.Failed)
		}
		for _, w := range p.Frameworks {
			if w.Verdict.Answer == report.RunsNo && w.Verdict.By != report.ByCUDA && f.d.Machine.GPU.Status == report.GPUOk {
				v, severity := w.Verdict, Warning
				if v.By == report.ByCPUOnly || v.By == report.ByROCm {
					severity = Note // it may be intended
				}
				f.add(severity, FoundFramework, "env", p.Name, "framework", w.Name+" "+w.Version).Verdict = &v
			}
		}
	}
}

func (f *finder) system() {
	if s := f.d.System; s.SharedBytes > 0 && s.SharedBytes < leastShared && s.Container != "" {
		f.add(Note, FoundShared, "size", strconv.FormatUint(s.SharedBytes>>20, 10))
	}
	if s := f.d.Slurm; s != nil && s.Failed != "" {
		severity := Warning
		if s.Version == "" {
			severity = Note // its programs find no configuration: it is installed and not set up
		}
		f.add(severity, FoundSlurm, "why", s.Failed)
	}
}

func (f *finder) site() {
	s := f.d.Site
	if s == nil {
		return
	}
	if n := len(s.Faults); n > 0 {
		f.add(Error, FoundContent, "faults", strconv.Itoa(n), "place", place(s.Faults[0].Place).String())
	}
	for _, c := range s.Checks {
		if c.Reason != nil && c.Reason.Code == report.ReasonNoSandbox {
			f.add(Warning, FoundSandbox, "why", reason.Lack(text.Catalog{}, c.Reason)).lacks = c.Reason
			break
		}
	}
	bash := slices.IndexFunc(f.d.Tools, func(t Tool) bool { return t.Name == ToolBash })
	needsBash := func(c Check) bool { return c.Kind == report.KindBash || !slices.Contains(report.Kinds, c.Kind) }
	if bash >= 0 && !f.d.Tools[bash].Found && slices.ContainsFunc(s.Checks, needsBash) {
		f.add(Warning, FoundNoBash)
	}
}

// place formats a line of a file, or the file if the line is unknown.
func place(p report.Place) diag.Text {
	if p.Line == 0 && p.Cell > 0 {
		return diag.Say("diag.place-cell", "file", p.File, "cell", p.Cell)
	}
	if p.Line == 0 {
		return diag.Plain(p.File)
	}
	return p.Text()
}
