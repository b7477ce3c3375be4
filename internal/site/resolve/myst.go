package resolve

import (
	"net/url"
	"strings"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
)

// mystTarget finds what MyST reads in an address that names neither a page nor an anchor of its page: a label
// on any page, written "#label" or "label".
func (l *pageLinks) mystTarget(file, suffix string, pos int) (t site.Target, ok bool) {
	if !l.page.Dialects.Has(markdown.MyST) {
		return t, false
	}
	label, err := url.PathUnescape(strings.TrimPrefix(suffix, "#"))
	switch {
	case err != nil:
		return t, false
	case file == "" && strings.HasPrefix(suffix, "#") && !l.page.HasAnchor(label):
	case suffix == "" && !strings.ContainsAny(file, "/."):
		if _, found := l.find(file, pos); found {
			return t, false
		}
		label = file
	default:
		return t, false
	}
	page := l.page
	if _, here := page.Labels[label]; !here {
		pages := l.pagesWith(label)
		if len(pages) == 0 {
			return t, false
		}
		page = pages[0]
	}
	return site.Target{Page: page, Suffix: "#" + page.Labels[label].ID}, true
}

// findFromRoot finds a path that begins with a slash, which MyST reads from the folder of the language.
func (l *pageLinks) findFromRoot(file string, pos int) (t site.Target, ok bool) {
	if !l.page.Dialects.Has(markdown.MyST) || !strings.HasPrefix(file, "/") {
		return t, false
	}
	return l.find("/"+l.page.Language.Code+file, pos)
}
