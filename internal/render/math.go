package render

import (
	"errors"
	"runtime"
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
	"golang.org/x/sync/errgroup"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/tex"
)

// convertMath converts the formulas of all pages, on all processors, and tells
// which cannot be read. The converter remembers them for the pages.
func (s *Site) convertMath() (diag.List, error) {
	found := make([]diag.List, len(s.content.Pages))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range s.content.Pages {
		if len(p.Formulas) == 0 {
			continue
		}
		g.Go(func() (err error) {
			found[i], err = s.pageMath(p)
			return err
		})
	}
	err := g.Wait()
	return slices.Concat(found...), err
}

func (s *Site) pageMath(p *content.Page) (diags diag.List, err error) {
	for _, f := range p.Formulas {
		_, err := s.math.Convert(f.Typeset(), f.Display)
		var fault *tex.Error
		switch {
		case err == nil:
		case errors.As(err, &fault):
			start, end := f.Start, f.Stop
			if fault.Offset >= 0 {
				start = f.Place(fault.Offset)
				end = start + 1
			}
			diags.Add(p.Source.Warning(start, end, "this formula cannot be read: "+fault.Message,
				"the page shows its TeX; a dollar that is no math is written \\$"))
		default:
			return nil, err
		}
	}
	return diags, nil
}

func (v *pageWriter) mathInline(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	f := &n.(*markdown.Math).Formula
	if !entering {
		return ast.WalkContinue, nil
	}
	if f.Display {
		return v.display(w, f, "span")
	}
	markup, err := v.r.math.Convert(f.Typeset(), false)
	if err != nil {
		markup = unread(f)
	}
	_, err = w.WriteString(markup)
	return ast.WalkContinue, err
}

func (v *pageWriter) mathBlock(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	status, err := v.display(w, &n.(*markdown.MathBlock).Formula, "div")
	_ = w.WriteByte('\n')
	return status, err
}

// display writes a formula that stands on lines of its own: a box that scrolls,
// for formulas do not wrap, with the anchors of its labels.
func (v *pageWriter) display(w util.BufWriter, f *markdown.Formula, element string) (ast.WalkStatus, error) {
	markup, err := v.r.math.Convert(f.Typeset(), true)
	if err != nil {
		markup = unread(f)
	}
	_, _ = w.WriteString("<" + element + ` class="math"`)
	ids := f.IDs()
	for i, id := range ids {
		if i == 0 {
			_, _ = w.WriteString(` id="` + attribute(id) + `">`)
			continue
		}
		_, _ = w.WriteString(`<span id="` + attribute(id) + `"></span>`)
	}
	if len(ids) == 0 {
		_ = w.WriteByte('>')
	}
	_, err = w.WriteString(markup + "</" + element + ">")
	return ast.WalkContinue, err
}

// unread shows the TeX of a formula that cannot be read.
func unread(f *markdown.Formula) string {
	return `<code class="unread">` + attribute(f.Source) + `</code>`
}
