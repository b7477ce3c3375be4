package render

import (
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/render/mygpu"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
)

// myGPUFile is the name, in the folder of a language, of what my-gpu.js shows there.
const myGPUFile = "_my-gpu.js"

// myGPUClaims are that file in each language, if the site has anything to check.
func myGPUClaims(in *inputs) (claims []claim) {
	if !in.content.HasChecks() {
		return nil
	}
	for _, l := range in.content.Languages {
		claims = append(claims, claim{name: l.Code + "/" + myGPUFile, make: func(p *Plan) ([]byte, error) { return p.myGPU(l) }})
	}
	return claims
}

func (p *Plan) myGPU(l *site.Language) ([]byte, error) {
	t := p.theme.Text(l.Code)
	form, err := p.theme.Execute("my-gpu-form", theme.MyGPUView{T: t})
	if err != nil {
		return nil, err
	}
	var field *string
	pages, blocks, tags := []mygpu.Page{}, []*site.Block{}, []string{}
	for _, e := range p.nav.Trees[l.Code].Order {
		on := e.Placed.Page
		if field == nil && hasMyGPU(on) {
			url := strings.TrimPrefix(e.Placed.URL(), l.Code+"/")
			field = &url
		}
		if of := mygpu.PageOf(on, nav.Href(l.Code+"/", e.Placed.URL()), p.reports.Need); of.Blocks > 0 {
			of.Title = e.Title()
			pages = append(pages, of)
		}
		blocks, tags = append(blocks, on.Blocks...), append(tags, mygpu.Tags(on)...)
	}
	machines := map[string]string{}
	for _, m := range p.reports.Machines {
		machines[m.Name] = mygpu.Query(m.Machine)
	}
	words := mygpu.Words{Form: string(form), Pages: pages, Blocks: blocks, Tags: tags, Machines: machines, Field: field}
	if p.files[l.Code+"/"+site.StatusDir+"index.html"] != nil {
		words.Status = site.StatusDir
	}
	return words.Script(t), nil
}

// hasMyGPU reports whether a page has the field of :::my-gpu.
func hasMyGPU(p *site.Page) (has bool) {
	_ = ast.Walk(p.Doc(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		c, ok := n.(*markdown.Container)
		if has = has || ok && c.Name == "my-gpu"; has {
			return ast.WalkStop, nil
		}
		if n.Type() == ast.TypeInline {
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return has
}

// myGPULink returns the link from the page at an address to the file of a language, or "" if the language has no such file.
func (p *Plan) myGPULink(from string, l *site.Language) string {
	if p.files[l.Code+"/"+myGPUFile] == nil {
		return ""
	}
	return nav.Href(from, l.Code+"/"+myGPUFile)
}
