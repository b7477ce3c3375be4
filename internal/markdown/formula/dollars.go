package formula

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// dollars are the rules by which $...$ is a formula and not the text between two prices or
// variables of a shell.
type dollars int

const (
	// byGitHub are the rules of a page without a dialect: no blank touches the dollars from inside,
	// and no letter or digit from outside.
	byGitHub dollars = iota
	// byPandoc are those of Pandoc: letters may touch the dollars from outside,
	// https://pandoc.org/MANUAL.html#extension-tex_math_dollars.
	byPandoc
	// byMathJax are those of notebooks. MathJax makes a formula of all that is between two dollars,
	// https://docs.mathjax.org/en/latest/input/tex/delimiters.html. What looks like a price or a
	// variable stays text nevertheless.
	byMathJax
)

// dollarsOf returns the rules of pages with some options.
func dollarsOf(o markdown.Options) dollars {
	switch d := o.Dialects; {
	case o.Notebook || d.Has(markdown.MyST):
		return byMathJax
	case d.Has(markdown.D2L) || d.Has(markdown.Quarto) || d.Has(markdown.Carpentries):
		return byPandoc
	}
	return byGitHub
}

// encloses reports whether dollars with these characters before and after them enclose a formula.
func (d dollars) encloses(before rune, tex string, after rune) bool {
	opens, closes := isBlank(tex[0]), isBlank(tex[len(tex)-1])
	switch {
	case after == '$' || strings.Contains(tex, "`") || isShell(tex, after) || isPrice(tex) || onlyTouched(before, tex, after):
		return false
	case !opens && !closes && !isWord(before) && !isWord(after):
		return true
	case d == byPandoc:
		return !opens && !closes && !unicode.IsDigit(after)
	case d == byMathJax:
		return looksLikeMath(before, tex, after)
	}
	return false
}

var (
	texCommand = lazyregexp.New(`\\[A-Za-z]{2}`)
	texSign    = lazyregexp.New(`\\[A-Za-z]|[\^_]\{|[^\s\^]\^`)
	word       = lazyregexp.New(`\pL{2}`)
	number     = lazyregexp.New(`^\d(?:[\d.,]*\d)?$`)
)

// looksLikeMath reports whether the text between dollars that touch a word or a blank is a formula
// of a notebook.
func looksLikeMath(before rune, tex string, after rune) bool {
	t := strings.TrimSpace(tex)
	touched := isWord(before) || isWord(after)
	token := !strings.ContainsAny(t, " \t\n")
	price := '0' <= t[0] && t[0] <= '9'
	switch opens, closes := isBlank(tex[0]), isBlank(tex[len(tex)-1]); {
	case price && unicode.IsLetter(before): // US$5
		return false
	case texSign.MatchString(t):
		return true
	case touched && (opens || closes), word.MatchString(t) && (!opens || !strings.Contains(t, "=")):
		return false
	case opens && closes:
		return token || strings.ContainsAny(t, "=+-*/<>,")
	case opens || closes:
		return token && !price && !strings.ContainsAny(t[len(t)-1:], "=+-*/,;:.(")
	}
	return number.MatchString(t) || !price && !strings.ContainsAny(t[len(t)-1:], "=+-*/,;:.(")
}

// onlyTouched reports whether Chinese, Japanese or Korean letters touch the dollars and are between
// them too, without TeX, as in 从$5到$10的: perhaps that is no formula.
func onlyTouched(before rune, tex string, after rune) bool {
	return (markdown.CJK(before) || markdown.CJK(after)) && !strings.Contains(tex, `\`) && strings.ContainsFunc(tex, markdown.CJK)
}

// isShell reports whether a formula would be the text between two variables or commands of a shell:
// ${A}/${B}, $(a)/$(b).
func isShell(tex string, next rune) bool {
	return next == '{' || next == '(' && tex[0] == '('
}

// isPrice reports whether a formula would be the text between two prices of different forms: $5 or
// US$ 6, $5 or 6$. It begins with a number, and has words and no sign of math.
func isPrice(tex string) bool {
	words := strings.Fields(tex)
	return '0' <= tex[0] && tex[0] <= '9' && !strings.ContainsAny(tex, "\\^_{}=+*/<>|") && strings.ContainsFunc(tex, unicode.IsLetter) &&
		(len(words) > 2 || len(words) == 2 && len(words[1]) > 1)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// isWord reports whether a character is part of a word or a number, as in US$ or 5$. Chinese and
// Japanese words have no blanks between them.
func isWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) && !markdown.CJK(r)
}
