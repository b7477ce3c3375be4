package markdown

import "github.com/gpudocs/gpudocs/internal/lazyregexp"

// A Zone is a part of a text in which forms are searched.
type Zone int

// The zones.
const (
	InProse       Zone = iota // outside of code and code spans
	InInfo                    // after an opening fence
	InCode                    // in a fence, or indented
	InFrontMatter             // in the front matter
)

// A Form is the syntax of a feature. A page that has one is written in the dialect of the form.
type Form struct {
	Name string
	Zone Zone
	// Literal is a part of all texts with a match, which is found much faster. After a fence or in front
	// matter it may include what is before the line.
	Literal string
	Pattern *lazyregexp.Regexp
	// Weak is set if other tools use the syntax too, so that it does not indicate a dialect.
	Weak bool
}

// AfterFence is the literal of what follows the marks of a fence. A blank may precede it.
const AfterFence = "`{"

// NewForm returns a form that indicates its dialect.
func NewForm(name string, zone Zone, literal, pattern string) Form {
	return Form{Name: name, Zone: zone, Literal: literal, Pattern: lazyregexp.New(pattern)}
}

// WeakForm returns a form that other tools use too.
func WeakForm(name string, zone Zone, literal, pattern string) Form {
	f := NewForm(name, zone, literal, pattern)
	f.Weak = true
	return f
}
