package site

import (
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/require"
)

// LiveFacts returns the facts of a machine that {live} can show, in addition to captured values.
func LiveFacts() []string {
	return append(require.Facts(), "gpu", "os", "arch", "cpu", "date", "passed", "failed", "skipped")
}

// Capture returns the check that captures a value of that name, if there is exactly one. The same
// code in two languages is one check.
func (s *Site) Capture(name string) (report.ID, bool) {
	if ids := s.Captures[name]; len(ids) == 1 {
		return ids[0], true
	}
	return "", false
}
