package workspace

import (
	"context"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/history"
)

// A DatesFunc waits for the dates of git's history and returns them.
type DatesFunc func() (history.Dates, error)

// Dates starts to read the history up to a commit, so that it is read while the content is read. serve calls it once,
// because a commit changes no page.
func Dates(ctx context.Context, a *env.Env, commit string) DatesFunc {
	var d history.Dates
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		d, err = history.Read(ctx, a.Site, "content", commit)
	}()
	return func() (history.Dates, error) {
		<-done
		return d, err
	}
}

// undated returns a message about the pages without a date from git, and the reason. It is not a fault of the
// content, so --strict ignores it.
func undated(a *env.Env, s *site.Site, d history.Dates, err error) string {
	if err != nil {
		return a.Text.Get("undated_all", "why", a.Text.Error(err))
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
	return a.Text.Get("undated_some", "pages", a.Text.Count("pages", cut))
}
