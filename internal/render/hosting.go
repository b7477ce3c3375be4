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

// planHosting adds the headers and redirects of the site. The author's content/_headers replaces ours,
// because Netlify would join the values of a header in two rules. The lines of content/_redirects
// precede ours.
func (s *planner) planHosting() {
	if s.options.Offline || s.content.Config.NoNetlify {
		return
	}
	s.add(netlifyHeaders, func() ([]byte, error) {
		if len(s.headers) > 0 {
			return s.headers, nil
		}
		return s.hosting().NetlifyHeaders(), nil
	})
	s.add(netlifyRedirects, func() ([]byte, error) { return s.hosting().NetlifyRedirects(s.moves), nil })
}

// readHosting reads the author's headers and redirects.
func (s *Site) readHosting() (diags diag.List) {
	if s.options.Offline || s.content.Config.NoNetlify {
		return nil
	}
	headers, d := s.contentFile(netlifyHeaders)
	diags.Add(d...)
	redirects, d := s.contentFile(netlifyRedirects)
	diags.Add(d...)
	s.headers, s.moves = headers, redirects
	if len(headers) > 0 && !strings.Contains(strings.ToLower(string(headers)), "content-security-policy:") {
		diags.Add(diag.Diagnostic{Severity: diag.Notice, File: path.Join("content", netlifyHeaders),
			Message: diag.Say("page.headers-replaced"),
			Hint:    diag.Say("page.headers-replaced-hint")})
	}
	return diags
}

// contentFile reads a file in content/. It returns nil if there is none.
func (s *Site) contentFile(name string) ([]byte, diag.List) {
	name = path.Join("content", name)
	data, err := fs.ReadFile(s.content.FS, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, diag.List{diag.Unreadable(name, err)}
	}
	return data, nil
}

// hosting returns what the server of the site should know. All files are planned before.
func (s *Site) hosting() hosting.Site {
	h := hosting.Site{Hashed: []string{theme.AssetDir, results.FigureDir}, Chooser: !slices.Contains(s.content.Assets, "index.html")}
	for _, l := range s.content.Languages {
		if s.files[l.Code+"/index.html"] == nil {
			continue
		}
		h.Languages = append(h.Languages, l.Code)
		if s.files[l.Code+"/404.html"] != nil {
			h.NotFound = append(h.NotFound, l.Code)
		}
	}
	if o := s.options.Editions; o != nil && len(o.List.Editions) > 1 {
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
	for _, r := range s.content.Redirects {
		if to, ours := s.redirects[r.File()]; ours {
			h.Moved = append(h.Moved, hosting.Moved{From: r.From, To: to})
		}
	}
	slices.SortFunc(h.Moved, func(a, b hosting.Moved) int { return strings.Compare(a.From, b.From) })
	return h
}
