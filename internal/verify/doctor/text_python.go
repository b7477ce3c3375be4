package doctor

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/report/compat"
)

// machinePython is the name of the machine's own Python.
const machinePython = "python3"

// pythons writes a block for each interpreter that is set up or has a framework;
// the others are only named.
func (t *Text) pythons(d *Diagnosis) {
	var bare []string
	for i := range d.Pythons {
		p := &d.Pythons[i]
		if len(p.Frameworks) == 0 && p.Name != "" && !p.Configured && p.Failed == "" && !t.verbose {
			name := p.Name
			if p.Kind == pyenv.KindSystem {
				name = p.Path // there may be several python3
			}
			bare = append(bare, name)
			continue
		}
		t.python(p)
	}
	if n := len(bare); n > 0 {
		t.line(2, t.Count("pythons_bare", n)+": "+strings.Join(bare, ", "))
	}
	for _, l := range d.CuBLAS {
		t.row(2, "cuBLAS "+strconv.Itoa(l.Major), l.Path)
	}
}

func (t *Text) python(p *Python) {
	name := cmp.Or(p.Name, machinePython)
	kind := t.Get("kind_" + p.Kind)
	if p.Configured {
		kind = list(kind, "gpudocs.toml")
	}
	switch {
	case p.Missing != "":
		m := warn
		if !p.Configured {
			m = plain
		}
		t.item(2, m, name+": "+t.Get("python_missing", "what", p.Missing))
		return
	case p.Failed != "":
		t.item(2, warn, name+": "+t.Get("python_failed", "why", t.silence(p.Failed)))
		return
	}
	t.item(2, good, name+": "+list(p.Interpreter, kind, p.Path))
	for _, f := range p.Frameworks {
		t.item(6, answerMark(f.Verdict), compat.Sentence(t.Catalog, f.Verdict))
	}
	if len(p.Frameworks) == 0 {
		t.line(6, t.Get("frameworks_none"))
	}
}
