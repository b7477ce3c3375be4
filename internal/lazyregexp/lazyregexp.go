// Package lazyregexp compiles regular expressions at their first use.
//
// gpudocs has some two hundred in package variables. To compile those of Markdown and import at each start would take
// 16 ms, even for gpudocs version, which needs none of them. A mistake in an expression is found at the start of a test of
// its package; see [New].
//
// The go command has such a package too, which cannot be imported: https://go.dev/src/internal/lazyregexp/lazyre.go.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// A Regexp is a [regexp.Regexp] that is compiled once, at its first use. It has the
// methods that are in use here.
type Regexp struct {
	expr     string
	compiled func() *regexp.Regexp
}

// New returns an expression that is not compiled yet. In a test program it is compiled at once, so that a mistake is
// found even if no test uses the expression.
func New(expr string) *Regexp {
	re := &Regexp{expr, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
	if inTest {
		re.compiled()
	}
	return re
}

var inTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// String returns the expression.
func (r *Regexp) String() string { return r.expr }

func (r *Regexp) Match(b []byte) bool                  { return r.compiled().Match(b) }
func (r *Regexp) MatchString(s string) bool            { return r.compiled().MatchString(s) }
func (r *Regexp) Find(b []byte) []byte                 { return r.compiled().Find(b) }
func (r *Regexp) FindIndex(b []byte) []int             { return r.compiled().FindIndex(b) }
func (r *Regexp) FindString(s string) string           { return r.compiled().FindString(s) }
func (r *Regexp) FindStringIndex(s string) []int       { return r.compiled().FindStringIndex(s) }
func (r *Regexp) FindSubmatch(b []byte) [][]byte       { return r.compiled().FindSubmatch(b) }
func (r *Regexp) FindSubmatchIndex(b []byte) []int     { return r.compiled().FindSubmatchIndex(b) }
func (r *Regexp) FindStringSubmatch(s string) []string { return r.compiled().FindStringSubmatch(s) }
func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	return r.compiled().FindStringSubmatchIndex(s)
}
func (r *Regexp) FindAllIndex(b []byte, n int) [][]int   { return r.compiled().FindAllIndex(b, n) }
func (r *Regexp) FindAllString(s string, n int) []string { return r.compiled().FindAllString(s, n) }
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringIndex(s, n)
}
func (r *Regexp) FindAllSubmatch(b []byte, n int) [][][]byte {
	return r.compiled().FindAllSubmatch(b, n)
}
func (r *Regexp) FindAllSubmatchIndex(b []byte, n int) [][]int {
	return r.compiled().FindAllSubmatchIndex(b, n)
}
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.compiled().FindAllStringSubmatch(s, n)
}
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringSubmatchIndex(s, n)
}
func (r *Regexp) ReplaceAllString(src, repl string) string {
	return r.compiled().ReplaceAllString(src, repl)
}
func (r *Regexp) ReplaceAllStringFunc(src string, repl func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(src, repl)
}
