package render

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
	"golang.org/x/sync/errgroup"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/diagram"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/tex"
)

// Faults converts the formulas and draws the diagrams of all pages, on all
// processors, and tells which cannot be read. The converter and the drawer remember
// them for the pages. With known it makes none, and tells of those alone that were
// made before. It ends with ctx, in the middle of a diagram too.
func Faults(ctx context.Context, site *content.Site, c *tex.Converter, d *diagram.Drawer, known bool, told func(done, all int)) (diag.List, error) {
	found := make([]diag.List, len(site.Pages))
	all := 0
	for _, p := range site.Pages {
		if len(p.Formulas)+len(p.Diagrams) > 0 {
			all++
		}
	}
	var done atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range site.Pages {
		if len(p.Formulas)+len(p.Diagrams) == 0 {
			continue
		}
		g.Go(func() error {
			formulas, err := mathFaults(ctx, p, c, known)
			if err != nil {
				return err
			}
			diagrams, err := diagramFaults(ctx, p, d, known)
			found[i] = append(formulas, diagrams...)
			if told != nil {
				told(int(done.Add(1)), all)
			}
			return err
		})
	}
	err := g.Wait()
	return slices.Concat(found...), err
}

func mathFaults(ctx context.Context, p *content.Page, c *tex.Converter, known bool) (diags diag.List, err error) {
	for _, f := range p.Formulas {
		source := f.Typeset()
		if known && !c.Known(source, f.Display) {
			continue
		}
		_, err := c.Convert(ctx, source, f.Display)
		var fault *tex.Error
		switch {
		case err == nil:
		case errors.As(err, &fault):
			start, end := f.Start, f.Stop
			if fault.Offset >= 0 {
				start = f.Place(fault.Offset)
				end = start + 1
			}
			d := p.Source.Warning(start, end, diag.Say("this formula cannot be read: %s", fault.Message),
				diag.Say("the page shows its TeX; a dollar that is no math is written \\$"))
			d.Rule = "math"
			diags.Add(d)
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
	markup, err := v.r.math.Convert(v.r.ctx, f.Typeset(), false)
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

// mayScroll is the length of TeX, in bytes, beyond which a formula may be wider than
// a phone: the keyboard must reach its box then.
const mayScroll = 30

// display writes a formula that stands on lines of its own: a box that scrolls,
// for formulas do not wrap, with the anchors of its labels.
func (v *pageWriter) display(w util.BufWriter, f *markdown.Formula, element string) (ast.WalkStatus, error) {
	markup, err := v.r.math.Convert(v.r.ctx, f.Typeset(), true)
	if err != nil {
		markup = unread(f)
	}
	_, _ = w.WriteString("<" + element + ` class="math"`)
	if len(f.TeX) > mayScroll {
		_, _ = w.WriteString(` tabindex="0"`)
	}
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
