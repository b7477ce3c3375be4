package sitecmd

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/publish/editions"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/render/edition"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// withFlags returns the editions of gpudocs.toml with those of --edition NAME or NAME=REF, which replace others of the
// same name.
func withFlags(list []site.Edition, flags []string) ([]site.Edition, error) {
	list = slices.Clone(list)
	for _, f := range flags {
		e := site.Edition{At: diag.Diagnostic{File: "--edition " + f}}
		e.Name, e.Ref, _ = strings.Cut(f, "=")
		if _, _, message := e.Complete(); !message.IsZero() {
			return nil, diag.Wrong(message)
		}
		if i := slices.IndexFunc(list, func(other site.Edition) bool { return other.Name == e.Name }); i >= 0 {
			e.Label = list[i].Label
			list[i] = e
		} else {
			list = append(list, e)
		}
	}
	return list, nil
}

// editionOptions returns the options of editions that are made with those of the current site.
func editionOptions(
	ctx context.Context, current *project.Project, list *edition.List, public load.Publication, r render.Options,
) editions.Sources {
	o := editions.Sources{Site: current.Dir, List: list}
	o.Load = func(name, commit string, content fs.FS, links *edition.Origin) (*render.Site, diag.List, error) {
		p := &project.Project{Dir: current.Dir, FS: content}
		in := p.Inputs()
		in.Public, in.Dates = public.Of, p.DatesOf(ctx, commit)
		read := in.Content
		in.Content = func() (*site.Site, diag.List) {
			s, diags := read()
			if s != nil { // it is published elsewhere now, and nobody edits it
				s.Config.BaseURL, s.Config.Edit, s.Config.NoNetlify, s.Config.Editions = "", "", true, nil
			}
			return s, diags
		}
		r := r
		r.BaseURL, r.Root, r.Editions = "", "/"+name+"/", links
		if list.BaseURL != "" {
			r.BaseURL, r.Root = list.BaseURL+name+"/", ""
		}
		l, err := p.Load(ctx, in, r)
		if err == nil && l.Render != nil {
			err = (&leftOut{content: l.Content}).tryTheme(l.Render)
		}
		if faults, ok := errors.AsType[*theme.Faults](err); ok {
			return nil, faults.List, nil
		}
		return l.Render, l.Diags, err
	}
	return o
}
