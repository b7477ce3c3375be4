package markdown

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// outer matches an environment that is the whole formula and numbers its rows.
var outer = lazyregexp.New(`^\s*\\begin\{((equation|align|gather|multline|alignat|flalign|eqnarray)(\*?))\}`)

// scan splits the formula into rows, and finds its references.
func (f *Formula) scan() {
	f.Rows, f.References = nil, nil
	trimmed := strings.TrimRight(f.TeX, " \t\r\n")
	now, base, each := Row{end: len(trimmed)}, 0, false
	if m := outer.FindStringSubmatch(f.TeX); m != nil && strings.HasSuffix(trimmed, `\end{`+m[1]+`}`) {
		base, now.Auto = 1, m[3] == "" && f.Display
		each = m[2] != "equation" && m[2] != "multline"
		now.end -= len(`\end{` + m[1] + `}`)
	}
	whole := now
	commands(f.TeX, func(m texCommand, braces, depth int) {
		span := Span{f.place(m.at), f.place(m.at) + m.end - m.at}
		switch m.name {
		case "%":
			now.comment = m.end >= now.end
		case `\`:
			if each && braces == 0 && depth == base {
				end := now.end
				now.end = m.at
				f.Rows = append(f.Rows, now)
				now = Row{Auto: whole.Auto, start: m.end, end: end}
			}
		case "label":
			now.Labels = append(now.Labels, Label{Name: m.argument, Span: span, at: m.at, end: m.end})
		case "tag":
			now.Tag = m.argument
		case "notag", "nonumber":
			now.Quiet = true
		case "ref", "eqref":
			f.References = append(f.References, RowReference{
				Label:       m.argument,
				Parentheses: m.name == "eqref",
				Number:      "??",
				Span:        span,
				at:          m.at,
				end:         m.end,
			})
		}
	})
	if len(f.Rows) == 0 || now.start < whole.end && strings.TrimSpace(f.TeX[now.start:whole.end]) != "" {
		f.Rows = append(f.Rows, now)
	}
}

// AddLabel adds a label from outside of the TeX, such as :label:. It belongs to the first row that
// gets a number.
func (f *Formula) AddLabel(l Label) {
	for i := range f.Rows {
		if r := &f.Rows[i]; r.Auto && !r.Quiet || r.Tag != "" {
			r.Labels = append(r.Labels, l)
			return
		}
	}
	f.Rows[0].Labels = append(f.Rows[0].Labels, l)
}

// A texCommand is a command with its argument.
type texCommand struct {
	name, argument string
	at, end        int
}

var (
	command  = lazyregexp.New(`^\\(?:([A-Za-z]+)\*?|(.))`)
	argument = lazyregexp.New(`^\s*\{([^{}]*)\}`)
)

// commands visits the commands of a formula, and its comments under the name "%". braces and depth
// count the groups and environments that are open there.
func commands(tex string, visit func(m texCommand, braces, depth int)) {
	braces, depth := 0, 0
	for i := 0; i < len(tex); i++ {
		switch tex[i] {
		case '{':
			braces++
		case '}':
			braces--
		case '%':
			end := strings.IndexByte(tex[i:], '\n') + i
			if end < i {
				end = len(tex)
			}
			visit(texCommand{name: "%", at: i, end: end}, braces, depth)
			i = end - 1
		case '\\':
			found := command.FindStringSubmatch(tex[i:])
			if found == nil {
				continue // at the very end
			}
			m := texCommand{name: found[1] + found[2], at: i, end: i + len(found[0])}
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
			case "%": // a percent sign
			default:
				visit(m, braces, depth)
			}
			i = m.end - 1
		}
	}
}
