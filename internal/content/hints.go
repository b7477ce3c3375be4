package content

import (
	"maps"
	"path"
	"slices"
	"sync"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// hints remember what was made for a hint: a link of a template is broken on all pages, and
// each would look through all names of the site again.
type hints struct{ files, known sync.Map }

// file is the file of the same folder whose path is nearest, or empty.
func (h *hints) file(want string, x *index) string {
	near, ok := h.files.Load(want)
	if !ok {
		near, _ = h.files.LoadOrStore(want, diag.Nearest(want, x.byDir[path.Dir(want)]))
	}
	return near.(string)
}

// labels are those of a language, or of its equations alone, sorted.
func (h *hints) labels(of *Language, equation bool, r *resolver) []string {
	type key struct {
		of       *Language
		equation bool
	}
	known, _ := h.known.LoadOrStore(key{of, equation}, sync.OnceValue(func() (names []string) {
		for _, name := range slices.Sorted(maps.Keys(r.byLabel[of])) {
			label := r.site.Pages[r.byLabel[of][name][0]].labels[name]
			if !equation || label.Kind == markdown.Equation {
				names = append(names, name)
			}
		}
		return names
	}))
	return known.(func() []string)()
}
