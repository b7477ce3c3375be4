package results

import "github.com/gpudocs/gpudocs/internal/text"

// A Presenter makes the views of results for one page, in the language of its readers.
type Presenter struct {
	*Index
	t text.Catalog
	// from is the address of the page, to which links are relative.
	from string
	// included are the machines whose results the page includes.
	included []*Machine
}

// Present returns a presenter for a page at the address from that includes the results of some machines.
func (r *Index) Present(t text.Catalog, from string, included []*Machine) *Presenter {
	return &Presenter{r, t, from, included}
}
