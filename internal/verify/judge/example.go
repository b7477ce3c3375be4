package judge

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/report/match"
)

// Printed is the result of an example of a pycon block.
type Printed struct {
	Output string
	// Exception is the last line of its traceback, or empty.
	Exception string
	// Cut: some of the output was left out.
	Cut bool
}

// Meets reports whether the result is what an example expects.
func (p Printed) Meets(e *match.Example) bool {
	if p.Exception != "" {
		return e.Raised(p.Exception)
	}
	return e.Judge(p.Output).Same
}

// Runs reports whether an example is run at all.
func Runs(e *match.Example) bool { return !e.Blank && e.Flags&match.Skip == 0 }

// Traceback begins the text that doctest compares for an exception.
const Traceback = "Traceback (most recent call last):\n"

// Lines splits a text into its lines, without their ends.
func Lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// Printed returns the results of the examples of a pycon block.
func (o *Output) Printed() (list []Printed) {
	for _, s := range o.Examples {
		p := Printed{}
		if s != nil {
			p = Printed{s.Stdout.String(), s.Exception, s.Stdout != nil && s.Stdout.Cut > 0}
		}
		list = append(list, p)
	}
	return list
}
