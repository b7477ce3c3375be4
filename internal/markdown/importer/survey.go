package importer

import (
	"slices"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Survey lists the features of a file. The dialect of what only gpudocs import converts is "import". A
// file that cannot be read has no features.
func Survey(name string, data []byte) dialects.Survey {
	if IsNotebook(name) {
		nb, _ := notebook.Read(name, data)
		if nb == nil {
			return dialects.Survey{}
		}
		var s dialects.Survey
		s.Text(nb.Markdown(name), nil, nil)
		cells := dialects.Feature{Dialect: "import", Name: "code cell", Line: 1}
		for _, c := range nb.Cells {
			if c.Kind == notebook.Code {
				cells.Count++
			}
		}
		s.Features = append(s.Features, cells)
		return s
	}
	var s dialects.Survey
	file := diag.NewFile(name, data)
	cells, lines := flatCells(data)
	for _, c := range cells {
		s.Add(file, dialects.Feature{Dialect: "import", Name: "In [n]: cell"}, lines[c.prompt].start)
	}
	fence, seen := -1, map[string]bool{}
	s.Text(file, func(at int) bool {
		for len(cells) > 0 {
			end := max(cells[0].code.end, cells[0].text.end)
			if end >= len(lines) || at < lines[end].start {
				return at >= lines[cells[0].prompt].start
			}
			cells = cells[1:]
		}
		return false
	}, func(l dialects.Line) {
		if l.FenceAt != fence {
			fence, seen = l.FenceAt, map[string]bool{}
		}
		for _, p := range prompts {
			if p.pattern.MatchString(l.Text) && slices.Contains(p.languages, languageOf(l.Fence)) && !seen[p.name] {
				seen[p.name] = true // once for each fence
				s.Add(file, dialects.Feature{Dialect: "import", Name: p.name}, l.At)
			}
		}
	})
	return s
}

// prompts are what gpudocs import converts in fences of these languages.
var prompts = []struct {
	name      string
	languages []string
	pattern   *lazyregexp.Regexp
}{
	{">>> session", pythons, lazyregexp.New(`^\s*>>> `)},
	{"$ prompt", shells, lazyregexp.New(`^\s*\$ \S`)},
	{"#SBATCH script", jobLanguages, jobForm},
}
