package results

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/gpudocs/gpudocs/internal/render/mygpu"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
)

// An Index finds what machines reported for the checks of a site. It may be used concurrently.
type Index struct {
	// Machines are those with a report: the local one first, then by name.
	Machines []*Machine
	// Unreadable are the names of machines whose reports cannot be read.
	Unreadable []string
	// ReportURL returns where readers report a wrong result, or "". It may be nil.
	ReportURL func(t text.Catalog, p *site.Page, b *site.Block, machine string) string
	// files returns the source files of the pages that contain checks with their current code.
	files func() map[report.ID]map[string]bool
	// capture returns the checks that capture the value that a page means by a name.
	capture func(on *site.Page, name string) []site.Captured
	// cards returns the GPUs of each machine in short; see [Label].
	cards func() []string
	// Totals counts the checks of the site as each machine found them.
	Totals     func() []theme.CheckCount
	pageStatus sync.Map // *site.Page: []BlockStatus
	results    sync.Map // *site.Block: []Result
}

// A place is the name of a check on a page.
type place struct{ page, name string }

// NewIndex compares what machines reported with the checks of a site. cache has the machines of earlier
// calls.
func NewIndex(all *site.Site, sources []Source, unreadable []string, cache *Cache) *Index {
	sources = slices.Clone(sources)
	slices.SortFunc(sources, func(a, b Source) int {
		if a.Local != b.Local {
			if a.Local {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Report.Machine.Name, b.Report.Machine.Name)
	})
	machines := cache.machines(sources)
	r := &Index{
		Machines:   machines,
		Unreadable: unreadable,
		capture:    all.Capture,
		cards:      sync.OnceValue(func() []string { return cardsOf(machines) }),
		files:      sync.OnceValue(func() map[report.ID]map[string]bool { return filesByCheck(all.Pages) }),
	}
	r.Totals = sync.OnceValue(func() (list []theme.CheckCount) {
		for _, m := range machines {
			list = append(list, r.Checks(m, all.Pages...))
		}
		return list
	})
	return r
}

func filesByCheck(pages []*site.Page) map[report.ID]map[string]bool {
	files := map[report.ID]map[string]bool{}
	for _, p := range pages {
		for _, b := range p.Blocks {
			for _, c := range checks(b) {
				if files[c.ID] == nil {
					files[c.ID] = map[string]bool{}
				}
				files[c.ID][p.Source.Name] = true
			}
		}
	}
	return files
}

// checks returns the checks of a block and of its other combinations.
func checks(b *site.Block) (list []site.GPULine) {
	for _, c := range b.Runs() {
		list = append(list, c.Checks()...)
	}
	return list
}

// machine returns the machine of that name, or nil.
func (r *Index) machine(name string) *Machine {
	if i := slices.IndexFunc(r.Machines, func(m *Machine) bool { return m.Name == name }); i >= 0 {
		return r.Machines[i]
	}
	return nil
}

// Need returns what a block needs. One that nvcc compiles needs a driver for the toolkit: the newest that compiled it on a machine.
func (r *Index) Need(b *site.Block) mygpu.Need {
	n := mygpu.Need{Demands: mygpu.Demands(b), Compiled: b.Recipe != nil && !b.NoBuild && b.Recipe.Name == "cuda"}
	if b.Recipe == nil || b.NoBuild {
		return n
	}
	var newest ask.Value
	for _, result := range r.For(b) {
		for _, f := range result.Findings {
			if f.Check.Build == nil {
				continue
			}
			tool, version, _ := strings.Cut(f.Check.Build.Tool, " ")
			parts := strings.SplitN(version, ".", 3)
			version = strings.Join(parts[:min(len(parts), 2)], ".")
			if v, err := ask.Version(version); tool == "nvcc" && err == nil && newest.Less(v) {
				newest, n.Compiled, n.Toolkit = v, true, version
			}
		}
	}
	return n
}
