package content

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// Equations are numbered here, page by page: those of equation, align and the
// like as LaTeX does, and any other that has a label. A number is written into
// the TeX as \tag, so that what renders it needs to know nothing of the rest.

// An edit puts text in the place of a part of the TeX as written.
type edit struct {
	at, end int
	text    string
}

// apply makes all edits, which are in order and do not overlap.
func apply(tex string, edits []edit) string {
	var b strings.Builder
	from := 0
	for _, e := range edits {
		b.WriteString(tex[from:e.at])
		b.WriteString(e.text)
		from = e.end
	}
	return b.String() + tex[from:]
}

// before returns the offset that one had before the edits.
func before(edits []edit, offset int) int {
	moved := 0
	for _, e := range edits {
		at := e.at + moved
		if offset < at {
			break
		}
		if offset < at+len(e.text) {
			return e.at
		}
		moved += len(e.text) - (e.end - e.at)
	}
	return offset - moved
}

// equations are the numbered equations of a page, by label.
type equations map[string]equation

type equation struct{ number, id string }

// mark is a command with its argument.
type mark struct {
	name, argument string
	at, end        int
}

// row is what gets one number.
type row struct {
	labels []mark
	tag    string
	// quiet rows say \notag or \nonumber.
	quiet      bool
	start, end int
}

// number numbers the equations of the page, and fills in the references.
func (p *pageParser) number(refs []*MathRef) {
	known := equations{}
	last := 0
	references := make([][]mark, len(p.page.Formulas))
	for i, f := range p.page.Formulas {
		var rows []row
		auto := false
		rows, references[i], auto = scan(f.TeX)
		for _, r := range rows {
			p.numberRow(f, r, auto, known, &last)
		}
	}
	names := slices.Sorted(maps.Keys(known))
	for i, f := range p.page.Formulas {
		for _, m := range references[i] {
			start := f.place(m.at)
			f.edits = append(f.edits, edit{m.at, m.end, `\text{` + p.refer(known, names, m.argument, start, start+m.end-m.at, m.name == "eqref").number + `}`})
		}
	}
	for _, f := range p.page.Formulas {
		slices.SortStableFunc(f.edits, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
		f.TeX = apply(f.TeX, f.edits)
	}
	for _, n := range refs {
		e := p.refer(known, names, n.Label, n.Start, n.Stop, n.parentheses)
		n.Number, n.ID = e.number, e.id
	}
}

// numberRow gives a row its number and its labels their anchors.
func (p *pageParser) numberRow(f *Formula, r row, auto bool, known equations, last *int) {
	tag := r.tag
	if f.Display && tag == "" && !r.quiet && (auto || len(r.labels) > 0) {
		*last++
		tag = strconv.Itoa(*last)
		f.edits = append(f.edits, edit{r.end, r.end, ` \tag{` + tag + `}`})
	}
	for _, l := range r.labels {
		place := f.place(l.at)
		f.edits = append(f.edits, edit{l.at, l.end, ""})
		if _, twice := known[l.argument]; twice {
			p.diags.Add(p.file.Warning(place, place+l.end-l.at, fmt.Sprintf("the label %q stands twice in this page", l.argument), "references lead to the first"))
			continue
		}
		if tag == "" {
			p.diags.Add(p.file.Warning(place, place+l.end-l.at, fmt.Sprintf("the equation with the label %q has no number", l.argument), "make it a block of its own, without \\notag"))
			continue
		}
		id := p.uniqueID(strings.Join(strings.Fields(l.argument), "-"))
		p.page.anchors[id] = true
		known[l.argument] = equation{tag, id}
		f.IDs = append(f.IDs, id)
	}
}

// refer returns what stands for a reference.
func (p *pageParser) refer(known equations, names []string, label string, start, stop int, parentheses bool) equation {
	e, ok := known[strings.TrimSpace(label)]
	if !ok {
		p.diags.Add(p.file.Warning(start, stop, fmt.Sprintf("no equation of this page has the label %q", label),
			diag.DidYouMean(label, names, `write \label{`+label+`} into the equation`)))
		e.number = "??"
	}
	if parentheses {
		e.number = "(" + e.number + ")"
	}
	return e
}

// outer is an environment that is the whole formula and numbers its rows.
var outer = regexp.MustCompile(`^\s*\\begin\{((equation|align|gather|multline|alignat|flalign|eqnarray)(\*?))\}`)

// scan parts a formula into its rows. auto is set where they are numbered
// without being asked.
func scan(tex string) (rows []row, references []mark, auto bool) {
	trimmed := strings.TrimRight(tex, " \t\r\n")
	now, base, each := row{end: len(trimmed)}, 0, false
	if m := outer.FindStringSubmatch(tex); m != nil && strings.HasSuffix(trimmed, `\end{`+m[1]+`}`) {
		base, auto = 1, m[3] == ""
		each = m[2] != "equation" && m[2] != "multline"
		now.end -= len(`\end{` + m[1] + `}`)
	}
	end := now.end
	commands(tex, func(m mark, braces, depth int) {
		switch m.name {
		case `\`:
			if each && braces == 0 && depth == base {
				now.end = m.at
				rows = append(rows, now)
				now = row{start: m.end, end: end}
			}
		case "label":
			now.labels = append(now.labels, m)
		case "tag":
			now.tag = m.argument
		case "notag", "nonumber":
			now.quiet = true
		case "ref", "eqref":
			references = append(references, m)
		}
	})
	if len(rows) == 0 || now.start < end && strings.TrimSpace(tex[now.start:end]) != "" {
		rows = append(rows, now)
	}
	return rows, references, auto
}

var (
	command  = regexp.MustCompile(`^\\(?:([A-Za-z]+)\*?|(.))`)
	argument = regexp.MustCompile(`^\s*\{([^{}]*)\}`)
	comment  = regexp.MustCompile(`^%[^\n]*`)
)

// commands visits the commands of a formula. braces and depth count what is
// open there: groups, and environments.
func commands(tex string, visit func(m mark, braces, depth int)) {
	braces, depth := 0, 0
	for i := 0; i < len(tex); i++ {
		switch tex[i] {
		case '{':
			braces++
		case '}':
			braces--
		case '%':
			i += len(comment.FindString(tex[i:])) - 1
		case '\\':
			found := command.FindStringSubmatch(tex[i:])
			if found == nil {
				continue // at the very end
			}
			m := mark{name: found[1] + found[2], at: i, end: i + len(found[0])}
			switch m.name {
			case "begin":
				depth++
			case "end":
				depth--
			case "label", "tag", "ref", "eqref":
				a := argument.FindStringSubmatch(tex[m.end:])
				if a == nil {
					break
				}
				m.argument, m.end = strings.TrimSpace(a[1]), m.end+len(a[0])
				visit(m, braces, depth)
			default:
				visit(m, braces, depth)
			}
			i = m.end - 1
		}
	}
}
