package theme

import (
	"fmt"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report/standing"
)

// TestCounts: the counts that are not 0, in order. Errors are among the failures, what is lost is not among what does not apply.
func TestCounts(t *testing.T) {
	t.Parallel()
	var all CheckCount
	for i := range all.By {
		all.By[i] = i + 1
	}
	all.Lost = 1
	got := fmt.Sprint(all.Counts(), CheckCount{}.Counts(), all.Unknown())
	const want = "[{passed checks_passed 5} {failed checks_failed 15} {failed checks_lost 1} {altered checks_altered 9} {stale checks_stale 6} " +
		"{not-applicable checks_not-applicable 1} {skipped checks_skipped 4} {none checks_notrun 1}] [] false"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	none := CheckCount{}
	none.By[standing.None] = 2
	if !none.Unknown() {
		t.Error("checks that nobody has run are known")
	}
}

// TestMeasureViews: whether a measure compares machines, has notes, and stands in the list.
func TestMeasureViews(t *testing.T) {
	t.Parallel()
	row := MeasureRow{}
	grid := func(machine string, columns int) MeasureGrid {
		return MeasureGrid{Machine: machine, Columns: make([]MeasureColumn, columns)}
	}
	for _, c := range []struct {
		view     MeasureView
		compared bool
		noted    bool
	}{
		{MeasureView{}, false, false},
		{MeasureView{Rows: []MeasureRow{row}}, false, false},
		{MeasureView{Rows: []MeasureRow{row, {Required: "x"}}}, true, true},
		{MeasureView{Rows: []MeasureRow{{History: "x"}}}, false, true},
		{MeasureView{Grids: []MeasureGrid{grid("", 1)}}, false, false},
		{MeasureView{Grids: []MeasureGrid{grid("", 2)}}, true, false},
		{MeasureView{Grids: []MeasureGrid{grid("m", 2)}}, false, false},
		{MeasureView{Grids: []MeasureGrid{grid("m", 2), grid("n", 1)}}, true, false},
	} {
		listed := MeasuresView{List: []MeasureView{{}, c.view}}.Listed()
		if c.view.Compared() != c.compared || c.view.Noted() != c.noted || listed != (c.view.Rows != nil) {
			t.Errorf("%+v: %v %v %v", c.view, c.view.Compared(), c.view.Noted(), listed)
		}
	}
	v := ChangesView{Recent: []ChangeView{{HistoryView: HistoryView{Status: "passed"}}, {HistoryView: HistoryView{Status: "failed"}}}}
	if v.Began() != 1 || (MatrixView{Machines: make([]MatrixMachine, 2)}).Columns() != 3 || (VerdictView{Folded: make([]BlockLink, 2), More: 3}).Rest() != 5 {
		t.Error("a count is wrong")
	}
}
