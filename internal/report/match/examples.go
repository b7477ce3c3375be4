package match

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// An Example is a statement of a Python session with its expected output.
//
// It passes if Python's doctest accepts the output, with ELLIPSIS unless the example has
// `# doctest: -ELLIPSIS`, or if the expected lines have matchers of gpudocs ([...], (re),
// captures) and the output matches.
type Example struct {
	// Code is the statement, without prompts.
	Code string
	// Line is the line of the prompt in the text, from 0.
	Line int
	// Shown are the lines of the statement with their prompts.
	Shown []string
	// Want is the expected output. Unless it is empty it ends with a newline.
	Want string
	// Exception is the message at the end of an expected traceback, or empty. The stack
	// before it is ignored.
	Exception string
	Flags     Flags
	// Blank means that there is at most a comment, which doctest does not run.
	Blank bool
}

// Examples splits a Python session as doctest's parser does. Text before the first prompt, and
// between an empty line and the next prompt, is ignored.
func Examples(text string) ([]Example, []Fault) {
	r := examplesParser{captures: map[string]int{}, lines: strings.Split(strings.TrimRight(text, "\n"), "\n")}
	for r.at < len(r.lines) {
		if indent, ok := prompt(r.lines[r.at], ">>>"); ok {
			r.example(indent)
		} else {
			r.at++
		}
	}
	return r.examples, r.faults
}

type examplesParser struct {
	lines    []string
	at       int
	examples []Example
	faults   []Fault
	captures map[string]int // the names of all captures, with the line of the prompt
}

func (r *examplesParser) fault(line, from, to int, message diag.Text) {
	r.faults = append(r.faults, Fault{Line: line, From: from, To: max(to, from+1), Message: message})
}

// prompt returns the indentation of a line, and whether a prompt follows.
func prompt(line, mark string) (indent int, ok bool) {
	rest := strings.TrimLeft(line, " ")
	return len(line) - len(rest), strings.HasPrefix(rest, mark)
}

// example parses the example that begins at the current line.
func (r *examplesParser) example(indent int) {
	e := Example{Line: r.at, Flags: DefaultFlags}
	var code []string
	for first := true; r.at < len(r.lines); r.at, first = r.at+1, false {
		l := r.lines[r.at]
		if in, more := prompt(l, "..."); !first && !more {
			break
		} else if !first && in != indent {
			r.fault(r.at, 0, in, diag.Say("blocks.doctest-indent"))
		} else if len(l) > indent+3 && l[indent+3] != ' ' {
			mark := l[indent : indent+3]
			hint := diag.Say("blocks.prompt-blank-hint", "mark", mark)
			if mark == "..." {
				hint = diag.Say("blocks.prompt-blank-output-hint", "mark", mark)
			}
			r.fault(r.at, indent, indent+4, diag.Say("blocks.prompt-without-blank", "mark", mark).WithHint(hint))
		}
		e.Shown = append(e.Shown, l)
		code = append(code, l[min(len(l), indent+4):])
	}
	source := strings.Join(code, "\n")
	e.Code = withNewline(source)
	if source == "" {
		e.Code = "\n"
	}
	line := strings.TrimLeft(strings.TrimSuffix(source, "\n"), " ")
	e.Blank = line == "" || line[0] == '#' && !strings.Contains(line, "\n") // or a comment
	var want []string
	for ; r.at < len(r.lines); r.at++ {
		l := r.lines[r.at]
		if _, next := prompt(l, ">>>"); next || strings.Trim(l, " \t") == "" {
			break
		}
		if in, _ := prompt(l, ""); in < indent {
			r.fault(r.at, 0, max(in, 1), diag.Say("blocks.doctest-indent"))
		}
		want = append(want, l[min(indent, len(l)):])
	}
	e.Want = withNewline(strings.Join(want, "\n"))
	if m := exception.FindStringSubmatch(strings.TrimSuffix(e.Want, "\n")); m != nil {
		e.Exception = withNewline(m[1])
	}
	r.directives(&e, source)
	x, _, faults := e.expectation()
	for _, f := range faults {
		f.Line += e.Line + len(e.Shown)
		f.From, f.To = f.From+indent, f.To+indent
		r.faults = append(r.faults, f)
	}
	r.addCaptures(&e, x.Names())
	r.examples = append(r.examples, e)
}

// addCaptures checks that the examples together have no more captures than one expectation may
// have, and none twice.
func (r *examplesParser) addCaptures(e *Example, names []string) {
	for _, name := range names {
		before, twice := r.captures[name]
		switch {
		case twice:
			r.fault(e.Line, 0, len(e.Shown[0]), diag.Say("blocks.capture-taken-by-example", "name", name, "before", before+1).
				WithHint(diag.Say("blocks.name-duplicate-hint")))
		case len(r.captures) == report.MaxCaptures:
			r.fault(e.Line, 0, len(e.Shown[0]), diag.Say("blocks.captures-too-many", "most", report.MaxCaptures).
				WithHint(diag.Say("blocks.captures-split-block-hint")))
		default:
			r.captures[name] = e.Line
		}
	}
}

// exception matches an expected traceback: its first line, the stack, and the message, which
// begins with the first line that begins with a word.
var exception = lazyregexp.New(`(?ms)\ATraceback \((?:most recent call last|innermost last)\):[\s\v]*$.*?^([\pL\pN_].*)`)

// directive matches a comment that changes the flags of an example.
var directive = lazyregexp.New(`(?m)#[\s\v]*doctest:[\s\v]*([^\n'"]*)$`)

// directives applies the directives in the source of an example.
func (r *examplesParser) directives(e *Example, source string) {
	for _, m := range directive.FindAllStringSubmatchIndex(source, -1) {
		line := e.Line + strings.Count(source[:m[2]], "\n")
		from := strings.Index(r.lines[line], "doctest:")
		if e.Blank {
			r.fault(line, max(from, 0), len(r.lines[line]), diag.Say("blocks.doctest-directive-misplaced"))
			continue
		}
		for _, o := range strings.Fields(strings.ReplaceAll(source[m[2]:m[3]], ",", " ")) {
			flag, known := flagNames[o[1:]]
			switch {
			case !known || o[0] != '+' && o[0] != '-':
				at := max(from, 0) + max(strings.Index(r.lines[line][max(from, 0):], o), 0)
				r.fault(line, at, at+len(o), diag.Say("blocks.doctest-option-unknown", "option", o, "name", strings.Join(flagList(), ", ")))
			case o[0] == '+':
				e.Flags |= flag
			default:
				e.Flags &^= flag
			}
		}
	}
}

// flagList lists the options that affect a comparison.
func flagList() (names []string) {
	for name, flag := range flagNames {
		if flag != 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// expectation parses the expected lines. extended reports whether they have matchers that
// doctest does not have.
func (e *Example) expectation() (x *Expectation, extended bool, faults []Fault) {
	p := newParser(Tolerance{Number: e.Flags&Number != 0, literalDots: e.Flags&Ellipsis == 0})
	x = &Expectation{}
	for i, raw := range expectedLines(e.Want) {
		p.number = i
		switch {
		case raw == "<BLANKLINE>" && e.Flags&DontAcceptBlankline == 0:
			x.add(&line{raw: raw, m: literal("")})
		case raw == "..." && e.Flags&Ellipsis != 0:
			x.add(gapLine(raw))
		default:
			l := p.line(raw)
			extended = extended || l.beyondDoctest()
			x.add(l)
		}
	}
	x.captures = p.captured
	return x, extended, p.faults
}

// Captures returns the captures of an example. Their lines are those of its expected output.
func (e *Example) Captures() []Captured {
	x, _, _ := e.expectation()
	return x.Captures()
}

// beyondDoctest reports whether a line has a matcher that doctest does not have.
func (l *line) beyondDoctest() bool {
	if l.optional || l.repeated {
		return true
	}
	switch m := l.m.(type) {
	case tokens:
		return slices.ContainsFunc(m.list, func(k token) bool {
			return k.kind != word && k.kind != anyText && k.kind != nearNumber
		})
	case pieces:
		return strings.HasSuffix(l.raw, " (glob)")
	}
	return l.special()
}
