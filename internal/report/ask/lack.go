// Package lack recognises what a failed block lacks on its machine, and which later failures of
// its session are due to that.
//
// It is careful, because a failure that it explains away is one that nobody looks at. A later
// block follows from an earlier one only if it lacks the same thing, or if Python does not know a
// name that is defined in that block, or in one that follows from it.
package ask

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A Lack is what a block lacks. The zero Lack is nothing that is recognised.
type Lack struct {
	lackKind lackKind
	// Name is that of a Python module, a program or a header of a compiler, or the message of an
	// ImportError.
	Name string
}

type lackKind int

const (
	module lackKind = iota + 1
	imported
	program
	header
)

var (
	moduleError = regexp.MustCompile(`^ModuleNotFoundError: No module named '([^'\n]+)'`)
	importError = regexp.MustCompile(`^ImportError: ([^\n]+)`)
	nameError   = regexp.MustCompile(`^NameError: name '(\w+)' is not defined`)
	// Bash writes it last, as the block ends there.
	notFound = regexp.MustCompile(`: line \d+: ([\w.+-]+): command not found\n?$`)
	noHeader = regexp.MustCompile(`([^\s:'"]+\.(?:h|hh|hpp|cuh))['"]?(?:: No such file or directory| file not found)`)
)

// Of returns what a failed check lacks.
func LackOf(c *report.Check) Lack {
	if c.Outcome != report.Failed || c.Reason == nil {
		return Lack{}
	}
	find := func(k lackKind, re *regexp.Regexp, text string) Lack {
		if m := re.FindStringSubmatch(text); m != nil {
			return Lack{k, m[1]}
		}
		return Lack{}
	}
	switch c.Reason.Code {
	case report.ReasonException:
		if t := find(module, moduleError, c.Reason.Said); t != (Lack{}) {
			return t
		}
		return find(imported, importError, c.Reason.Said)
	case report.ReasonExit:
		if c.Reason.Exit != nil && *c.Reason.Exit == 127 {
			return find(program, notFound, c.Stderr.String())
		}
	case report.ReasonBuild:
		return find(header, noHeader, c.Reason.Said)
	}
	return Lack{}
}

// Needs returns the requirement that skips a block where the thing is missing, or "".
func (t Lack) Needs() string {
	f := Call(Pip, t.Name)
	if t.lackKind == program {
		f = Call(Has, t.Name)
	}
	if _, ok := Asked(string(f)); !ok || t.lackKind > module && t.lackKind != program ||
		strings.Contains(t.Name, ".") && t.lackKind == module {
		return ""
	}
	return string(f)
}

// Follows reports whether a check failed because of what an earlier one of its session lacks. codes
// are those of that block, and of later ones that follow from it.
func (t Lack) Follows(c *report.Check, codes []string) bool {
	if t == (Lack{}) || c.Outcome != report.Failed {
		return false
	}
	if LackOf(c) == t {
		return true
	}
	m := nameError.FindStringSubmatch(c.Reason.Said)
	return (t.lackKind == module || t.lackKind == imported) && c.Reason.Code == report.ReasonException && m != nil &&
		slices.ContainsFunc(codes, func(code string) bool { return defines(code, m[1]) })
}

// defines reports whether Python code defines a name: by import, assignment, def, class, for, with or
// except. Attributes, arguments and names within the body of a def or class are no definitions.
func defines(code, name string) bool {
	code = withoutBodies(code)
	name = `\b` + name + `\b`
	// Targets before one: "a, b.c = name = ".
	const before = `(?:[\w.\[\]'"* \t(]+[,=][ \t]*)*[(*]?`
	const start = `(?m)(?:^(?:>>> |\.\.\. )?|;)[ \t]*`
	for _, pattern := range []string{
		start + `import[ \t][^\n#]*` + name,
		start + `from[ \t]+\S+[ \t]+import[ \t]*(?:\([^)]*|[^\n#(]*)` + name,
		`(?m)^[^\n#]*\bas[ \t]+\(?` + name,
		start + `(?:async[ \t]+)?(?:def|class)[ \t]+` + name,
		start + `(?:async[ \t]+)?for[ \t][^\n:]*?` + name + `[^\n:]*?[ \t]in\b`,
		start + before + name + `[ \t]*(?:,[^\n=()]*)?\)?[ \t]*(?::[^\n=]*)?=(?:[^=]|$)`,
		`\(` + name + `[ \t]*:=`,
	} {
		if regexp.MustCompile(pattern).MatchString(code) {
			return true
		}
	}
	return false
}

// opensBody matches the first line of a definition, up to its word.
var opensBody = regexp.MustCompile(`^(?:>>> |\.\.\. )?[ \t]*(?:async[ \t]+def|def|class)\b`)

// withoutBodies returns Python code without the bodies of its functions and classes, whose names are not those
// of the module.
func withoutBodies(code string) string {
	var b strings.Builder
	depth := -1 // the indentation of the definition whose body is left out
	for l := range strings.Lines(code) {
		text := strings.TrimPrefix(l, "... ")
		in := len(text) - len(strings.TrimLeft(text, " \t"))
		switch {
		case strings.TrimSpace(text) == "", depth >= 0 && (in > depth || strings.HasPrefix(text[in:], ")")):
			continue
		case opensBody.MatchString(l):
			depth = in
		default:
			depth = -1
		}
		b.WriteString(l)
	}
	return b.String()
}
