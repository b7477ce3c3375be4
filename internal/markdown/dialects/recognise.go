package dialects

import (
	"path"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// A form is one of a dialect, or of every page.
type form struct {
	markdown.Form
	dialect markdown.Dialect
}

// forms are those of all syntaxes, and byPair those that indicate a dialect, by the first two bytes of their
// literals. alone are the dialects of which a page has one.
var (
	forms  []*form
	byPair = map[string][]*form{}
	alone  markdown.Dialect
)

func init() {
	for _, s := range all {
		for _, f := range s.Forms {
			f := &form{f, s.Dialect}
			forms = append(forms, f)
			if f.Weak || f.dialect == 0 {
				continue
			}
			for _, literal := range literals(f) {
				byPair[literal[:2]] = append(byPair[literal[:2]], f)
			}
		}
		if s.Alone {
			alone |= s.Dialect
		}
	}
	for p := range byPair {
		isPair[int(p[0])<<8|int(p[1])] = true
	}
}

// isPair has the pairs of bytes that byPair has.
var isPair [1 << 16]bool

// literals returns the texts of which one is in each text with the form.
func literals(f *form) []string {
	if f.Literal == markdown.AfterFence {
		return []string{markdown.AfterFence, "` {"}
	}
	return []string{f.Literal}
}

// candidates returns the forms that indicate a dialect and whose literal a text contains. Most pages have none.
func candidates(text string) (found []*form) {
	for i := 1; i < len(text); i++ {
		if !isPair[int(text[i-1])<<8|int(text[i])] {
			continue
		}
		for _, f := range byPair[text[i-1:i+1]] {
			there := slices.ContainsFunc(literals(f), func(literal string) bool { return strings.HasPrefix(text[i-1:], literal) })
			if there && !slices.Contains(found, f) {
				found = append(found, f)
			}
		}
	}
	return found
}

// ours are what looks like a form of a dialect and is read on every page.
var ours = lazyregexp.New("^!\\[\\[[^\\]|]*\\.(?i:png|jpe?g|gif|webp|svg|avif)(?:\\|[^\\]]*)?\\]\\]$|" +
	"\\{live\\}`|^\\{\\w+[ ,]+(?:run|gpu|name=|expect|session=|needs=)")

// in returns the places of a form in a line, from which code spans are removed.
func (f *form) in(l Line) (places [][]int) {
	byLine := f.Zone == markdown.InProse || f.Zone == markdown.InCode
	if f.Zone != l.zone || byLine && !strings.Contains(l.Text, f.Literal) {
		return nil
	}
	return slices.DeleteFunc(f.Pattern.FindAllStringIndex(l.Text, -1), func(m []int) bool { return ours.MatchString(l.Text[m[0]:m[1]]) })
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
		for _, f := range candidates {
			if len(f.in(l)) == 0 {
				continue
			}
			if counts[f.dialect]++; first[f.dialect] == "" {
				first[f.dialect] = f.Name
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
		if of == most || (most|of)&alone == 0 {
			d |= of
		}
	}
	return d, first[most]
}

// RecogniseFile returns the dialects of a page, and by what they are recognised: the configuration of another tool
// with the dialect, the extension of the file, or a mark in its text.
func RecogniseFile(name, text string, configured markdown.Dialect, configuration string) (d markdown.Dialect, by string) {
	marks, mark := Recognise(text)
	if configured != 0 && configured&alone == configured {
		return configured, configuration
	}
	if configured != 0 {
		return configured | marks&^alone, configuration
	}
	ext := path.Ext(name)
	for _, s := range all {
		if s.Extension != "" && strings.EqualFold(s.Extension, ext) {
			return s.Dialect, ext
		}
	}
	return marks, mark
}
