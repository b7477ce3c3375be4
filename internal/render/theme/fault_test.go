package theme

import (
	"errors"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/themes"
)

// TestRenamed checks that the error for a template that uses an old field name has the new name.
func TestRenamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		data     any
		old, now string
	}{
		{PageView{}, "HereNames", "IncludedNames"},
		{PageView{}, "Later", "Deferred"},
		{CodeView{}, "Meant", "ExpectedOn"},
		{CodeView{}, "Mine", "PerMachine"},
		{PanelView{}, "Fares", "Outcomes"},
		{PanelView{}, "Left", "Omitted"},
		{PrintView{}, "Left", "Omitted"},
		{LiveView{}, "Machines", "PerMachine"},
	} {
		own := fstest.MapFS{"layouts/footer.html": {Data: []byte(`{{define "footer"}}{{.` + c.old + `}}{{end}}`)}}
		compiled, err := new(Cache).Compile(Overlay(Layer{own, "themes/lab"}, themes.Default()), Options{Languages: []string{"en"}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = compiled.Execute("footer", c.data)
		var faults *Faults
		if !errors.As(err, &faults) || len(faults.List) != 1 || faults.List[0].Hint.String() != `the field is now called "`+c.now+`"` {
			t.Errorf("%s of %T: %+v", c.old, c.data, err)
		}
	}
}
