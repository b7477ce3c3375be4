package verify

import (
	"cmp"
	"encoding/base64"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
)

// budget is the size from which checks are trimmed, the largest first, so that a report
// stays below report.MaxSize: a long run is not lost for its size, and small outputs
// stay whole. It bounds the memory that results take during a run too.
const budget = report.MaxSize - 12<<20

// keptEnd is how many bytes are kept of each end of a trimmed output, keptLine of each
// end of a line, and keptDiffLines how many lines of a diff.
const (
	keptEnd       = 1 << 10
	keptLine      = 100
	keptDiffLines = 20
)

// shrinkChecks trims checks until their encoded size is within the limit: first it
// drops figures, then it trims outputs, and then it leaves only the outcomes. It
// replaces a check that it trims, as the old one may be in use. It returns the size of
// all checks.
func shrinkChecks(checks []*report.Check, limit int) int {
	sizes := make([]int, len(checks))
	order := make([]int, len(checks))
	total := 0
	for i, c := range checks {
		sizes[i], order[i] = encodedSize(c), i
		total += sizes[i]
	}
	for _, cut := range []func(*report.Check) *report.Check{withoutFigures, trimOutputs, outcomeOnly} {
		if total <= limit {
			break
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
		for _, i := range order {
			if total <= limit {
				break
			}
			checks[i] = cut(checks[i])
			now := encodedSize(checks[i])
			total += now - sizes[i]
			sizes[i] = now
		}
	}
	return total
}

func withoutFigures(c *report.Check) *report.Check {
	out := *c
	out.Figures = nil
	return &out
}

// trimOutputs returns a copy of a check with the ends of its outputs and without its
// figures.
func trimOutputs(c *report.Check) *report.Check {
	out := *c
	out.Stdout, out.Stderr, out.Figures = trimStream(c.Stdout), trimStream(c.Stderr), nil
	if c.Build != nil {
		build := *c.Build
		build.Stdout, build.Stderr = trimStream(build.Stdout), trimStream(build.Stderr)
		out.Build = &build
	}
	out.Diff = nil
	for _, d := range c.Diff[:min(len(c.Diff), keptDiffLines)] {
		if len(d.Text) > 3*keptLine {
			d = report.DiffLine{Op: d.Op, Text: judge.Ends(d.Text, keptLine, keptLine).Text}
		}
		out.Diff = append(out.Diff, d)
	}
	return &out
}

func trimStream(s *report.Stream) *report.Stream {
	if s == nil || len(s.Text) <= 3*keptEnd {
		return s
	}
	ends := judge.Ends(s.Text, keptEnd, keptEnd)
	if s.Cut > 0 { // size and hash are of the whole output
		ends.Cut, ends.Bytes, ends.SHA256 = s.Cut+ends.Cut, s.Bytes, s.SHA256
	}
	return ends
}

// outcomeOnly returns a copy of a check without its outputs. As it has no packages
// either, the next run does not keep it.
func outcomeOnly(c *report.Check) *report.Check {
	out := *c
	out.Stdout, out.Stderr, out.Figures, out.Diff, out.Captures, out.History, out.Packages = nil, nil, nil, nil, nil, nil, nil
	out.Tries = slices.Clone(c.Tries)
	for i := range out.Tries {
		t := &out.Tries[i]
		t.Reason, t.Stdout, t.Stderr, t.Diff = &report.Reason{Code: t.Reason.Code}, nil, nil, nil
	}
	if c.Build != nil {
		build := *c.Build
		build.Stdout, build.Stderr = nil, nil
		out.Build = &build
	}
	if c.Reason != nil && len(c.Reason.Said) > 3*keptLine {
		reason := *c.Reason
		reason.Said = judge.Ends(reason.Said, keptLine, keptLine).Text
		out.Reason = &reason
	}
	return &out
}

// encodedSize returns an upper bound of the size of a check in the report's file, in which its run repeats its outcome.
func encodedSize(c *report.Check) int {
	return sizeOf(reflect.ValueOf(c)) + sizeOf(reflect.ValueOf(c.Past()))
}

// sizeOf returns an upper bound of the size of a value as indented JSON.
func sizeOf(v reflect.Value) int {
	const (
		number = 26 // of a float64, with its comma
		line   = 18 // indentation and line feed
	)
	switch v.Kind() {
	case reflect.String:
		return quotedSize(v.String()) + len(`"",`)
	case reflect.Pointer:
		if !v.IsNil() {
			return sizeOf(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		if v.Type() == reflect.TypeFor[[]byte]() {
			return base64.StdEncoding.EncodedLen(v.Len()) + len(`"",`)
		}
		n := line + len(`[],`)
		for i := range v.Len() {
			n += line + sizeOf(v.Index(i))
		}
		return n
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return len(`"",`) + len(time.RFC3339Nano)
		}
		n := line + len(`{},`)
		for field, value := range v.Fields() {
			name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
			if option == "omitempty" && (value.IsZero() || value.Kind() == reflect.Slice && value.Len() == 0) {
				continue
			}
			n += line + len(name) + len(`"": `) + sizeOf(value)
		}
		return n
	}
	return number // or a Boolean, or null
}

// quotedSize returns an upper bound of the length of s as a JSON string. Control
// characters take six bytes, and so do the line separators U+2028 and U+2029.
func quotedSize(s string) int {
	n := len(s)
	for i := range len(s) {
		switch b := s[i]; {
		case b == '"' || b == '\\' || b == '\n' || b == '\r' || b == '\t':
			n++
		case b < ' ':
			n += 5
		case b == 0xe2 || b == 0x7f:
			n += 3
		}
	}
	return n
}
