package mygpu

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
)

// A Page is a page that has runnable blocks.
type Page struct {
	// Title is its title, URL its address from the folder of the language.
	Title, URL string
	// Blocks is the number of its blocks, Needs what they demand, of each that demands something.
	Blocks int
	Needs  []string
}

// PageOf returns a page of the site. It does not count gpu blocks that demand nothing.
func PageOf(p *site.Page, url string) (of Page) {
	of = Page{Title: p.Title, URL: url}
	for _, b := range p.Blocks {
		demands := b.Demands()
		if b.Kind != site.GPU || !demands.IsZero() {
			of.Blocks++
		}
		if !demands.IsZero() {
			of.Needs = append(of.Needs, demands.String())
		}
	}
	return of
}

// Query returns a machine of the site as the part of an address that names a reader's own: "gpu=2x-tesla-k80~11441~3.7&driver=470.82.01&os=linux".
func Query(m report.Machine) string {
	query, n := "", 0
	for i, d := range m.GPU.Devices {
		if n++; i+1 < len(m.GPU.Devices) && m.GPU.Devices[i+1].Same(d) {
			continue
		}
		name := strings.Trim(notInSlug.ReplaceAllString(strings.ToLower(strings.TrimPrefix(d.Name, "NVIDIA ")), "-"), "-")
		query += fmt.Sprintf(",%dx-%.60s", n, name)
		if mib := d.Usable() >> 20; mib > 0 {
			query += fmt.Sprintf("~%d", mib)
		}
		if n = 0; d.Compute != "" {
			query += "~" + d.Compute
		}
	}
	query = "gpu=" + strings.TrimPrefix(cmp.Or(query, "none"), ",")
	for _, fact := range [][2]string{{"driver", m.GPU.Driver}, {"cuda", m.GPU.CUDA}} {
		if fact[1] != "" {
			query += "&" + fact[0] + "=" + fact[1]
		}
	}
	switch {
	case m.GPU.Platform == report.PlatformWSL2:
		return query + "&os=wsl"
	case strings.HasPrefix(strings.ToLower(m.OS), "windows"):
		return query + "&os=windows"
	}
	return query + "&os=linux"
}

var notInSlug = lazyregexp.New(`[^a-z0-9]+`)

// Words is what the script shows in one language.
type Words struct {
	Form   string // the template my-gpu-form
	Pages  []Page
	Blocks []*site.Block // of all pages
	// Machines are those of the site in the form of an address ([Query]), by their names.
	Machines map[string]string
	// Field is the address of the first page with :::my-gpu, below that of the language, or nil. Status is that of the status page, or "".
	Field  *string
	Status string
}

// Script returns the file: the form, its texts, and the requirements of the site in words.
func (w Words) Script(t text.Catalog) []byte {
	// phrases are comparisons in words, and whether that is what a machine must not have.
	phrases := map[string][2]any{}
	add := func(e ask.Expr) {
		for _, c := range e.Comparisons() {
			for _, source := range []string{c.String(), "not " + c.String()} {
				if phrases[source][0] != nil {
					continue // pages repeat few requirements
				}
				if of, err := ask.Parse(source); err == nil {
					words, without := of.Words(t)
					phrases[source] = [2]any{words, without}
				}
			}
		}
	}
	for _, b := range w.Blocks {
		add(b.Needs)
		for _, l := range b.GPULines {
			add(l.Condition())
		}
	}
	// Of large sites most pages need the same, or nothing, and those that need nothing are left out. A row is a title, an address, the number of blocks, and indexes of needs.
	rows, needs, index := [][]any{}, []string{}, map[string]int{}
	for _, p := range w.Pages {
		of := []int{}
		for _, n := range p.Needs {
			if _, ok := index[n]; !ok {
				index[n], needs = len(needs), append(needs, n)
			}
			of = append(of, index[n])
		}
		if len(of) > 0 || len(w.Pages) <= 200 {
			rows = append(rows, []any{p.Title, p.URL, p.Blocks, of})
		}
	}
	data, err := json.Marshal(map[string]any{"form": w.Form, "texts": t.Texts("my_"), "verdicts": t.Texts("verdict_"), "words": t.Texts("words_"),
		"phrases": phrases, "pages": rows, "needs": needs, "total": len(w.Pages), "machines": w.Machines, "field": w.Field, "status": w.Status})
	if err != nil {
		panic(err) // they are texts and numbers
	}
	return []byte("gpudocs.gpu.site = " + string(data) + ";\n")
}
