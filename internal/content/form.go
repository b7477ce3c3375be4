package content

import (
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// A form is what a name may look like, and how many characters it may have. The
// number is no part of the expression: compiled, {0,99} is a hundred copies of what stands
// before it, and one of a class of letters of all scripts cost each start 5 ms.
type form struct {
	*lazyregexp.Regexp
	max int
}

// MatchString tells whether a text is of the form.
func (f form) MatchString(s string) bool {
	return utf8.RuneCountInString(s) <= f.max && f.Regexp.MatchString(s)
}
