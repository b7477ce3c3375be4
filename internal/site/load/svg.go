package load

import (
	"io"
	"path"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/picture"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// checkDrawings checks the SVGs that may have changed.
func (l *Loader) checkDrawings(s *site.Site, c Changes) (diags diag.List) {
	found := make([]diag.List, len(s.Assets))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, a := range s.Assets {
		name := path.Join(sitefile.ContentFolder, a)
		if !strings.EqualFold(path.Ext(a), ".svg") {
			continue
		}
		if old, known := l.drawings[a]; known && !c.mayAffect(name) && !l.listing.linked[name] {
			found[i] = old
			continue
		}
		g.Go(func() error {
			found[i] = l.checkDrawing(name)
			return nil
		})
	}
	_ = g.Wait() // no function above returns an error
	l.drawings = map[string]diag.List{}
	for i, a := range s.Assets {
		l.drawings[a] = found[i]
		diags = append(diags, found[i]...)
	}
	return diags
}

// checkDrawing reports the first active content of an SVG file. A file that cannot be read is
// reported when it is shown or published.
func (l *Loader) checkDrawing(name string) diag.List {
	f, err := l.fsys.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, picture.MaxImage))
	if err != nil {
		return nil
	}
	at, what := picture.ActiveContent(data)
	if what.IsZero() {
		return nil
	}
	d := diag.NewFile(name, data).Warning(at, at+1, what.WithHint(diag.Say("page.svg-active-hint")))
	if d.Rule = site.RuleDrawing; len(d.Source) > 400 {
		d.Source = "" // some programs write all on one line
	}
	return diag.List{d}
}
