package main

import (
	"context"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/history"
)

// dating waits for what git's history tells.
type dating func() (history.Dates, error)

// dates begins to read the history, while the content is read. serve does so once:
// a commit changes no page.
func (a *app) dates(ctx context.Context) dating {
	var d history.Dates
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		d, err = history.Read(ctx, a.site, "content")
	}()
	return func() (history.Dates, error) {
		<-done
		return d, err
	}
}

// undated says which pages git cannot date, and why. That is no fault of the content,
// so that --strict lets it pass.
func (a *app) undated(s *content.Site, d history.Dates, err error) string {
	if err != nil {
		return a.w.Get("undated_all", "why", a.w.own(err.Error()))
	}
	cut := 0
	for _, p := range s.Pages {
		if d.Cut[p.Source.Name] && p.Updated.IsZero() {
			cut++
		}
	}
	if cut == 0 {
		return ""
	}
	return a.w.Get("undated_some", "pages", a.w.Count("pages", cut))
}
