package doctor

import (
	"cmp"
	"strings"
)

// pythons writes a block for each interpreter that is set up or has a framework;
// the others are only named.
func (t *Text) pythons(d *Diagnosis) {
	var bare []string
	for i := range d.Pythons {
		p := &d.Pythons[i]
		if len(p.Frameworks) == 0 && p.Name != "" && !p.Configured && p.Failed == "" && !t.verbose {
			bare = append(bare, p.Name)
			continue
		}
		t.python(p)
	}
	if n := len(bare); n > 0 {
		t.line(2, t.s.Count("pythons_bare", n)+": "+strings.Join(bare, ", "))
	}
	for _, l := range d.BLAS {
		t.row(2, l.Name, l.Path)
	}
}

func (t *Text) python(p *Python) {
	name := cmp.Or(p.Name, "python3")
	kind := t.get("kind_" + p.Kind)
	if p.Configured {
		kind = list(kind, "gpudocs.toml")
	}
	switch {
	case p.Missing != "":
		m := doubt
		if !p.Configured {
			m = plain
		}
		t.item(2, m, name+": "+t.get("python_missing", "what", p.Missing))
		return
	case p.Failed != "":
		t.item(2, doubt, name+": "+t.get("python_failed", "why", p.Failed))
		return
	}
	t.item(2, good, name+": "+list(p.Interpreter, kind, p.Path))
	for _, f := range p.Frameworks {
		t.item(6, answerMark(f.Verdict), t.framework(f))
	}
	if len(p.Frameworks) == 0 {
		t.line(6, t.get("frameworks_none"))
	}
}

// framework says one in a line: what it is, whether it runs here, and why not.
func (t *Text) framework(f Framework) string {
	built := ""
	switch {
	case f.CUDA != "":
		built = " (CUDA " + f.CUDA + ")"
	case f.CPUOnly:
		built = " (" + t.get("built_cpu") + ")"
	case f.ROCm:
		built = " (ROCm)"
	}
	text := strings.TrimSpace(f.Name+" "+f.Version) + built + ": " + t.get("runs_"+f.Verdict.Answer)
	if why := t.because(f.Verdict); why != "" {
		text += ": " + why
	}
	return text
}
