package resolve

import (
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A reporter reports what is wrong with the links of one page.
type reporter struct {
	file *diag.File
	// reported holds what was already reported and is reported once on a page.
	reported map[string]bool
	suggest  diag.Suggester
	diags    diag.List
}

// missing warns of a broken link, once for each target of a page.
func (r *reporter) missing(rule, target string, pos int, message diag.Text) {
	if r.first(target) {
		r.warn(rule, target, pos, message)
	}
}

// first reports whether a key is new, and records it.
func (r *reporter) first(key string) bool {
	if r.reported[key] {
		return false
	}
	r.reported[key] = true
	return true
}

// warn warns of a target, which is written at pos or after it.
func (r *reporter) warn(rule, target string, pos int, message diag.Text) {
	start, end := site.Locate(r.file, target, pos)
	r.warnAt(rule, markdown.Span{Start: start, Stop: end}, message)
}

func (r *reporter) warnAt(rule string, at markdown.Span, message diag.Text) {
	r.diags.Add(r.file.Warning(at.Start, at.Stop, message).WithRule(rule))
}
