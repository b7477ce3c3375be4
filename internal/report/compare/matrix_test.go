package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
)

func TestMatrix(t *testing.T) {
	a := machine("1", "i1 p x passed 1 -", "old p y failed 1 -", "i2 p y passed 1 -", "gone q z passed 1 -", "i4 before w passed 1 -")
	b := machine("1", "i3 q v passed 1 -", "i2 p y failed 1 -", "old p y passed 1 -", "older p x passed 1 -")
	at := func(page, name string) []report.Spot { return []report.Spot{{Page: page, Name: name}} }
	held := report.Held{"i1": at("p", "x"), "i2": at("p", "y"), "i3": at("q", "v"), "i4": at("q", "w")}
	for _, c := range []struct {
		name string
		held report.Held
		want string
		gone int
	}{
		{"of a site", held, "p:x i1 older* | p:y i2 i2 | q:w i4 - | q:v - i3", 1},
		{"without its site", nil, "p:x i1* older | p:y i2 i2 | q:z gone - | q:v - i3 | before:w i4 -", 0},
		{"within another site", report.Held{"i9": at("p", "x")}, "p:x i1* older | p:y i2 i2 | q:z gone - | q:v - i3 | before:w i4 -", 0},
	} {
		rows, gone := Matrix(c.held, a, b)
		var got []string
		for _, r := range rows {
			line := r.Page + ":" + r.Name
			for _, cell := range r.Cells {
				switch {
				case cell.Check == nil:
					line += " -"
				case cell.Stale:
					line += fmt.Sprintf(" %s*", cell.Check.ID)
				default:
					line += fmt.Sprintf(" %s", cell.Check.ID)
				}
			}
			got = append(got, line)
		}
		if s := strings.Join(got, " | "); s != c.want || gone != c.gone {
			t.Errorf("%s: got %s, %d gone", c.name, s, gone)
		}
	}
}
