package judge

import (
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
)

// TestShorten: a short difference stays, and a long one tells how many lines it lacks.
func TestShorten(t *testing.T) {
	for _, n := range []int{999, 1000, 1001, 1100, 3000} {
		diff := []report.DiffLine{{Op: "-", Text: "expected"}}
		for range n - 1 {
			diff = append(diff, report.DiffLine{Op: "+", Text: "got"})
		}
		same := make([]report.DiffLine, n)
		for i := range same {
			same[i] = report.DiffLine{Op: " ", Text: "same"}
		}
		for _, diff := range [][]report.DiffLine{diff, append(same[:n:n], diff[0]), append(diff[:1:1], same...), append(append(same[:n:n], diff...), same...)} {
			got := Shorten(diff)
			if report.Lines(got) != len(diff) || len(got) > maxDiff {
				t.Errorf("%d lines of %d stand for %d", len(got), len(diff), report.Lines(got))
			}
		}
	}
}
