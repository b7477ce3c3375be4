package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
)

// Compare compares a stream with its expectation. The first mismatch sets the outcome.
func Compare(c *report.Check, e *site.Expect, got *report.Stream) {
	if e == nil || c.Outcome != report.Passed {
		return
	}
	at := expectPlace(e, e.Line)
	if got != nil && got.Cut > 0 {
		c.Outcome, c.Reason = report.Failed, &report.Reason{Code: report.ReasonTruncated, Place: at}
		return
	}
	r := e.Parsed.Compare(got.String())
	switch {
	case r.TooLong:
		c.Outcome, c.Reason = report.Failed, &report.Reason{Code: report.ReasonTruncated, Place: at}
	case !r.Same:
		c.Diff, c.Captures = Shorten(r.Diff), nil
		c.Outcome, c.Reason = report.Failed, &report.Reason{Code: report.ReasonMismatch, Place: at}
	default:
		c.Captures = AddCaptures(c.Captures, r.Captures)
	}
}

// AddCaptures appends captured values to those of a check, up to the limit of a report.
func AddCaptures(to, more []report.Capture) []report.Capture {
	return append(to, more[:min(len(more), report.MaxCaptures-len(to))]...)
}

// maxDiff limits the lines of a diff in a report. nearDiff is how many unchanged lines
// are kept around a change in a longer one.
const maxDiff, nearDiff = 1000, 3

// Shorten shortens a diff that is too long for a report. It drops unchanged lines far
// from a change first, and then the end.
func Shorten(diff []report.DiffLine) []report.DiffLine {
	if len(diff) <= maxDiff {
		return diff
	}
	var out []report.DiffLine
	dropped := 0
	for i, d := range diff {
		near := diff[max(0, i-nearDiff):min(len(diff), i+nearDiff+1)]
		changed := func(d report.DiffLine) bool { return d.Op != " " }
		if len(out) >= maxDiff-1 || !slices.ContainsFunc(near, changed) {
			dropped++
			continue
		}
		if dropped > 0 {
			out = append(out, report.LeftOut(dropped))
			dropped = 0
		}
		out = append(out, d)
	}
	if dropped > 0 {
		out = append(out, report.LeftOut(dropped))
	}
	return out
}

// Place returns the place of a line of a block's code, from 1, or nil for line 0.
func Place(b *site.Block, line int) *report.Place {
	if line == 0 {
		return nil
	}
	at := b.CodePlace(line)
	return &at
}

// expectPlace returns the place of a line of an expectation, which may be in a later cell.
func expectPlace(e *site.Expect, line int) *report.Place {
	return &report.Place{File: e.File, Cell: e.Cell, Line: line}
}

// Kept is how many bytes are kept of each end of a stream. Twice of it is within the limit of a report.
const Kept = 32 << 10

// Ends cuts the middle of a text that is longer than head and tail. It returns
// nil if there is no text.
func Ends(s string, head, tail int) *report.Stream {
	if s == "" {
		return nil
	}
	if len(s) <= head+tail {
		return &report.Stream{Text: s}
	}
	begin, end := strings.ToValidUTF8(s[:head], ""), strings.ToValidUTF8(s[len(s)-tail:], "")
	sum := sha256.Sum256([]byte(s))
	return &report.Stream{
		Text:   begin + "\n[...]\n" + end,
		Cut:    int64(len(s) - head - tail),
		Bytes:  int64(len(s)),
		SHA256: hex.EncodeToString(sum[:]),
	}
}
