package survey

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// exclusive are the dialects that a page has alone. The others can be combined.
const exclusive = markdown.MyST | markdown.Quarto | markdown.Carpentries

// byPair has the strong forms by the first two bytes of their literals.
var byPair = func() map[string][]*form {
	by := map[string][]*form{}
	for i := range forms {
		if f := &forms[i]; !f.weak && f.dialect != "gpudocs" {
			by[f.literal[:2]] = append(by[f.literal[:2]], f)
			if f.literal == afterFence {
				by[afterBlank[:2]] = append(by[afterBlank[:2]], f)
			}
		}
	}
	return by
}()

// isPair has the pairs of bytes that byPair has.
var isPair = func() (is [1 << 16]bool) {
	for p := range byPair {
		is[int(p[0])<<8|int(p[1])] = true
	}
	return is
}()

// candidates returns the forms whose literal a text contains. Most pages have none.
func candidates(text string) (found []*form) {
	for i := 1; i < len(text); i++ {
		if !isPair[int(text[i-1])<<8|int(text[i])] {
			continue
		}
		for _, f := range byPair[text[i-1:i+1]] {
			there := strings.HasPrefix(text[i-1:], f.literal) || f.literal == afterFence && strings.HasPrefix(text[i-1:], afterBlank)
			if there && !slices.Contains(found, f) {
				found = append(found, f)
			}
		}
	}
	return found
}

// Recognise returns the dialects of a Markdown text and the name of their first mark. Weak features do
// not count.
func Recognise(text string) (d markdown.Dialect, mark string) {
	candidates := candidates(text)
	if len(candidates) == 0 {
		return 0, ""
	}
	counts, first := map[markdown.Dialect]int{}, map[markdown.Dialect]string{}
	for l := range lines(text, nil) {
		uncodedLine := false
		for _, f := range candidates {
			if f.zone != l.zone || f.byLine() && !strings.Contains(l.Text, f.literal) {
				continue
			}
			if l.zone == prose && !uncodedLine {
				l.Text, uncodedLine = uncoded(l.Text), true
			}
			if match := f.pattern.FindString(l.Text); match != "" && !ours.MatchString(match) {
				of, _ := markdown.ParseDialect(f.dialect)
				if counts[of]++; first[of] == "" {
					first[of] = f.name
				}
			}
		}
	}
	var most markdown.Dialect
	for one := markdown.Dialect(1); one < markdown.AllDialects; one <<= 1 {
		if counts[one] > 0 && counts[one] >= counts[most] {
			most = one
		}
	}
	for of := range counts {
		if of == most || (most|of)&exclusive == 0 {
			d |= of
		}
	}
	return d, first[most]
}
