package results

import "github.com/gpudocs/gpudocs/internal/text"

// A Presenter makes the views of results for one page, in the language of its readers.
type Presenter struct {
	*Results
	t text.Catalog
	// from is the address of the page, at which links begin.
	from string
	// included are the machines whose results the page holds.
	included []*Machine
}

// Present returns a presenter for a page at an address that holds the results of some machines.
func (r *Results) Present(t text.Catalog, from string, included []*Machine) *Presenter {
	return &Presenter{r, t, from, included}
}
