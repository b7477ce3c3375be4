package site

import (
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// KernelName is the form of the names of Jupyter kernels.
var KernelName = Pattern{Regexp: lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]*$`), Max: 64}

// BlockName is the form of the names of blocks and sessions.
var BlockName = Pattern{Regexp: lazyregexp.New(`^[\p{L}\p{N}][\p{L}\p{N}_-]*$`), Max: 64}

// LanguageCode is the form of a language's code.
var LanguageCode = lazyregexp.New(`^[a-z]{2,3}(-[a-z0-9]{2,8})*$`)

// A Pattern restricts the form of a name and its number of characters. The number is not part of
// the expression: {0,99} compiles to a hundred copies of what precedes it, and for a class of the
// letters of all scripts this added 5 ms to each start.
type Pattern struct {
	*lazyregexp.Regexp
	Max int
}

// MatchString reports whether a text matches the pattern.
func (f Pattern) MatchString(s string) bool {
	return utf8.RuneCountInString(s) <= f.Max && f.Regexp.MatchString(s)
}
