package match

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// An Example is a statement of a Python session and what is expected of it.
//
// It passes when Python's doctest lets its output pass, with ELLIPSIS unless the
// example says `# doctest: -ELLIPSIS`; or when the expected lines hold matchers
// of ours ([...], (re), captures) and match.
type Example struct {
	// Code is the statement, without prompts.
	Code string
	// Line is that of the prompt, counted from 0 in the text.
	Line int
	// Shown are the lines with their prompts.
	Shown []string
	// Want is the expected output, empty or ended by a newline.
	Want string
	// Exception is the message that an expected traceback ends in, or empty; what
	// stands between its first line and that does not count.
	Exception string
	Flags     Flags
	// Blank marks a prompt with nothing but a comment: doctest does not run it.
	Blank bool
}

// Examples parts a Python session as doctest's parser does. Text before the
// first prompt, and between an empty line and the next prompt, is left out.
func Examples(text string) ([]Example, []Fault) {
	r := examplesReader{names: map[string]int{}, lines: strings.Split(strings.TrimRight(text, "\n"), "\n")}
	for r.at < len(r.lines) {
		if indent, ok := prompt(r.lines[r.at], ">>>"); ok {
			r.example(indent)
		} else {
			r.at++
		}
	}
	return r.examples, r.faults
}

type examplesReader struct {
	lines    []string
	at       int
	examples []Example
	faults   []Fault
	names    map[string]int // of all captures: the line of the prompt
}

func (r *examplesReader) fault(line, from, to int, message, hint diag.Text) {
	r.faults = append(r.faults, Fault{Line: line, From: from, To: max(to, from+1), Message: message, Hint: hint})
}

// prompt tells how far a line with that prompt is indented.
func prompt(line, mark string) (indent int, ok bool) {
	rest := strings.TrimLeft(line, " ")
	return len(line) - len(rest), strings.HasPrefix(rest, mark)
}

func (r *examplesReader) example(indent int) {
	e := Example{Line: r.at, Flags: DefaultFlags}
	var code []string
	for first := true; r.at < len(r.lines); r.at, first = r.at+1, false {
		l := r.lines[r.at]
		if in, more := prompt(l, "..."); !first && !more {
			break
		} else if !first && in != indent {
			r.fault(r.at, 0, in, diag.Say("blocks.doctest-indent"), diag.Say("blocks.doctest-indent-hint"))
		} else if len(l) > indent+3 && l[indent+3] != ' ' {
			mark := l[indent : indent+3]
			hint := diag.Say("blocks.prompt-blank-hint", "mark", mark)
			if mark == "..." {
				hint = diag.Say("blocks.prompt-blank-output-hint", "mark", mark)
			}
			r.fault(r.at, indent, indent+4, diag.Say("blocks.prompt-without-blank", "mark", mark), hint)
		}
		e.Shown = append(e.Shown, l)
		code = append(code, l[min(len(l), indent+4):])
	}
	source := strings.Join(code, "\n")
	e.Code = withNewline(source)
	if source == "" {
		e.Code = "\n"
	}
	e.Blank = isBlankOrComment(source)
	var want []string
	for ; r.at < len(r.lines); r.at++ {
		l := r.lines[r.at]
		if _, next := prompt(l, ">>>"); next || strings.Trim(l, " \t") == "" {
			break
		}
		if in, _ := prompt(l, ""); in < indent {
			r.fault(r.at, 0, max(in, 1), diag.Say("blocks.doctest-indent"), diag.Say("blocks.doctest-indent-hint"))
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
	r.capture(&e, x.Names())
	r.examples = append(r.examples, e)
}

// capture holds the values of all examples to what one expectation may have.
func (r *examplesReader) capture(e *Example, names []string) {
	for _, name := range names {
		before, twice := r.names[name]
		switch {
		case twice:
			r.fault(e.Line, 0, len(e.Shown[0]), diag.Say("blocks.capture-taken-by-example", "name", name, "before", before+1), diag.Say("blocks.name-duplicate-hint"))
		case len(r.names) == report.MaxCaptures:
			r.fault(e.Line, 0, len(e.Shown[0]), diag.Say("blocks.captures-too-many", "most", report.MaxCaptures), diag.Say("blocks.captures-split-block-hint"))
		default:
			r.names[name] = e.Line
		}
	}
}

func isBlankOrComment(source string) bool {
	s := strings.TrimLeft(strings.TrimSuffix(source, "\n"), " ")
	return s == "" || s[0] == '#' && !strings.Contains(s, "\n")
}

// exception takes an expected traceback apart: its first line, the stack, and
// the message, which begins with the first line that begins with a word.
var exception = lazyregexp.New(`(?ms)\ATraceback \((?:most recent call last|innermost last)\):[\s\v]*$.*?^([\pL\pN_].*)`)

// directive is how an example changes its flags.
var directive = lazyregexp.New(`(?m)#[\s\v]*doctest:[\s\v]*([^\n'"]*)$`)

func (r *examplesReader) directives(e *Example, source string) {
	for _, m := range directive.FindAllStringSubmatchIndex(source, -1) {
		line := e.Line + strings.Count(source[:m[2]], "\n")
		from := strings.Index(r.lines[line], "doctest:")
		if e.Blank {
			r.fault(line, max(from, 0), len(r.lines[line]), diag.Say("blocks.doctest-directive-misplaced"), diag.Say("blocks.doctest-directive-misplaced-hint"))
			continue
		}
		for _, o := range strings.Fields(strings.ReplaceAll(source[m[2]:m[3]], ",", " ")) {
			flag, known := flagNames[o[1:]]
			switch {
			case !known || o[0] != '+' && o[0] != '-':
				at := max(from, 0) + max(strings.Index(r.lines[line][max(from, 0):], o), 0)
				r.fault(line, at, at+len(o), diag.Say("blocks.doctest-option-unknown", "option", o), diag.Say("blocks.doctest-option-unknown-hint", "name", strings.Join(flagList(), ", ")))
			case o[0] == '+':
				e.Flags |= flag
			default:
				e.Flags &^= flag
			}
		}
	}
}

func flagList() (names []string) {
	for name, flag := range flagNames {
		if flag != 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// expectation reads the expected lines; more reports whether they hold matchers
// that doctest does not know.
func (e *Example) expectation() (x *Expectation, more bool, faults []Fault) {
	p := parser{o: Options{Number: e.Flags&Number != 0, literalDots: e.Flags&Ellipsis == 0}, names: map[string]int{}}
	x = &Expectation{}
	for i, raw := range lines(e.Want) {
		p.number = i
		l := &line{raw: raw}
		switch {
		case raw == "<BLANKLINE>" && e.Flags&DontAcceptBlankline == 0:
			l.m = literal("")
		case raw == "..." && e.Flags&Ellipsis != 0:
			l.gap, l.optional, l.repeated = true, true, true
		default:
			l = p.line(raw)
			more = more || l.beyondDoctest()
		}
		x.add(l)
	}
	return x, more, p.faults
}

// Names are the values that an example captures.
func (e *Example) Names() []string {
	x, _, _ := e.expectation()
	return x.Names()
}

// beyondDoctest reports whether a line means more than doctest sees in it.
func (l *line) beyondDoctest() bool {
	if l.gap || l.optional || l.repeated {
		return true
	}
	switch m := l.m.(type) {
	case tokens:
		return slices.ContainsFunc(m.list, func(k token) bool { return k.kind != word && k.kind != anyText && k.kind != nearNumber })
	case pieces:
		return strings.HasSuffix(l.raw, " (glob)")
	}
	return l.means()
}
