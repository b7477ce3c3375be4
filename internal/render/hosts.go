package render

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/hosting"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// The files that Netlify reads in a published folder. Other hosts ignore them.
const (
	netlifyHeaders   = "_headers"
	netlifyRedirects = "_redirects"
)

// hosts reports whether the site has these files. An author's content/_headers replaces ours, because Netlify would join the
// values of a header in two rules. The lines of content/_redirects precede ours.
func (in *inputs) hosts() bool { return !in.options.Offline && !in.content.Config.NoNetlify }

// isHosting reports whether a file in content/ is a part of one of these.
func (in *inputs) isHosting(asset string) bool {
	return in.hosts() && (asset == netlifyHeaders || asset == netlifyRedirects)
}

func hostingClaims(in *inputs) (claims []claim, diags diag.List) {
	if !in.hosts() {
		return nil, nil
	}
	own, diags := contentFile(in.content.FS, netlifyHeaders)
	moves, found := contentFile(in.content.FS, netlifyRedirects)
	diags.Add(found...)
	if len(own) > 0 && !strings.Contains(strings.ToLower(string(own)), "content-security-policy:") {
		diags.Add(diag.Diagnostic{
			Severity: diag.Notice,
			File:     path.Join("content", netlifyHeaders),
			Message:  diag.Say("page.headers-replaced"),
			Hint:     diag.Say("page.headers-replaced-hint"),
		})
	}
	headers := func(p *Plan) ([]byte, error) {
		if len(own) > 0 {
			return own, nil
		}
		return p.hosting().NetlifyHeaders(), nil
	}
	redirects := func(p *Plan) ([]byte, error) { return p.hosting().NetlifyRedirects(moves), nil }
	return []claim{{name: netlifyHeaders, make: headers}, {name: netlifyRedirects, make: redirects}}, diags
}

// contentFile reads a file in content/. It returns nil if there is none.
func contentFile(fsys fs.FS, name string) ([]byte, diag.List) {
	name = path.Join("content", name)
	data, err := fs.ReadFile(fsys, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, diag.List{diag.Unreadable(name, err)}
	}
	return data, nil
}

// hosting returns what the server of the site should know.
func (p *Plan) hosting() hosting.Input {
	h := hosting.Input{Hashed: []string{theme.AssetDir, results.FigureDir}, Chooser: !slices.Contains(p.content.Assets, "index.html")}
	for _, l := range p.content.Languages {
		if p.files[l.Code+"/index.html"] == nil {
			continue
		}
		h.Languages = append(h.Languages, l.Code)
		if p.files[l.Code+"/404.html"] != nil {
			h.NotFound = append(h.NotFound, l.Code)
		}
	}
	if o := p.options.Editions; o != nil && len(o.List.Editions) > 1 {
		current := h
		for _, e := range o.List.Editions[1:] {
			for _, dir := range current.Hashed {
				if !e.Foreign {
					h.Hashed = append(h.Hashed, e.Name+"/"+dir)
				}
			}
			for _, code := range current.Languages {
				if e.Has(code + "/404.html") {
					h.NotFound = append(h.NotFound, e.Name+"/"+code)
				}
			}
		}
	}
	for _, r := range p.content.Redirects {
		if to, ours := p.redirects[r.File()]; ours {
			h.Moved = append(h.Moved, hosting.Moved{From: r.From, To: to})
		}
	}
	slices.SortFunc(h.Moved, func(a, b hosting.Moved) int { return strings.Compare(a.From, b.From) })
	return h
}
