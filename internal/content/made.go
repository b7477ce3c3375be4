package content

import (
	"strings"
)

// StatusDir is where a language's status page is, below its folder. No file of
// content/ makes it, and authors may link to it.
const StatusDir = "_status/"

// HasChecks tells whether a page of the site has anything to check: without it there
// is no status page.
func (s *Site) HasChecks() bool {
	return s.index != nil && s.index.checks
}

// made looks a path up among the pages that nobody wrote.
func (l *pageLinks) made(file string, pos int, t *Target) bool {
	code, rest, _ := strings.Cut(strings.TrimSuffix(l.full(file, pos), "/")+"/", "/")
	if rest != StatusDir || !l.language(code) || !l.site.HasChecks() {
		return false
	}
	t.Made = code + "/" + StatusDir
	return true
}
