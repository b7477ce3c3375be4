package verifycmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
	"github.com/gpudocs/gpudocs/internal/verify/update"
)

// examples collects what pycon blocks printed, from several sessions at once.
type examples struct {
	mutex sync.Mutex
	by    map[report.ID][]judge.Printed
}

func (e *examples) add(id report.ID, list []judge.Printed) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.by[id] == nil { // a check that runs twice keeps its first result
		e.by[id] = list
	}
}

// updateAfter updates the pages after a run whose report has been written, and writes the report for
// the updated pages.
func updateAfter(ctx context.Context, a *env.Env, f *verifyFlags, site *site.Site, plan *verify.Plan, r *report.Report, seen *examples, write func(*report.Report) error) error {
	u, err := update.New(site, plan, r, seen.by, site.FS)
	if errors.Is(err, update.ErrChanged) {
		return env.EndWith(env.ExitFailed, err, diag.Say("verify.run-again-hint"))
	}
	if err != nil {
		return err
	}
	failed := u.Failed(plan)
	for _, x := range u.Refused {
		a.Println(a.Text.Get("not_updated", "place", x.Block.Place(x.Block.Line).Text().In(a.Text.Catalog), "name", x.Block.CheckName(), "why", x.Why.In(a.Text.Catalog)))
		failed = failed || !x.Skipped || slices.Contains(f.run, x.Block.Name)
	}
	if len(u.Pages) == 0 {
		a.Println(a.Text.Get("nothing_to_update"))
	} else if written, err := updatePages(ctx, a, f, u, write); err != nil {
		return err
	} else if !written {
		failed = true
	}
	if failed {
		return env.ExitCode(env.ExitFailed)
	}
	return nil
}

// updatePages shows what would change, and writes it if the user agrees.
func updatePages(ctx context.Context, a *env.Env, f *verifyFlags, u *update.Update, write func(*report.Report) error) (written bool, err error) {
	for _, p := range u.Pages {
		printDiff(a, p)
	}
	if yes, err := confirm(ctx, a, f.yes, len(u.Pages)); err != nil || !yes {
		return false, err
	}
	r, err := u.Report()
	if err != nil {
		return false, err
	}
	if err := workspace.WritePages(a, u.Pages); err != nil {
		return false, err
	}
	for _, p := range u.Pages {
		a.Println(a.Text.Get("updated", "file", p.Name))
	}
	return true, write(r)
}

// confirm asks the user whether to write. With yes it does not ask, and without a terminal the
// answer is no.
func confirm(ctx context.Context, a *env.Env, yes bool, pages int) (bool, error) {
	if yes {
		return true, nil
	}
	if !a.Terminal(a.Stdin) {
		fmt.Fprintln(a.Stderr, a.Text.Get("nobody_to_ask"))
		return false, nil
	}
	answer, err := Ask(ctx, a, a.Text.Get("ask_write", "pages", a.Text.Count("pages", pages)))
	answer = strings.ToLower(answer)
	return err == nil && (strings.HasPrefix(answer, "y") || strings.HasPrefix(answer, a.Text.Get("yes"))), err
}

// printDiff shows the change of a page, in colour on a terminal.
func printDiff(a *env.Env, p update.PageUpdate) {
	text := diff.Diff(p.Name, bytes.ReplaceAll(p.Old, []byte("\r\n"), []byte("\n")), p.Name, bytes.ReplaceAll(p.New, []byte("\r\n"), []byte("\n")))
	_, text, _ = bytes.Cut(text, []byte("\n")) // without the line of the diff command
	if !a.Color(a.Stdout) {
		a.Stdout.Write(text)
		return
	}
	colors := map[byte]string{'-': "31", '+': "32", '@': "36"}
	for line := range strings.Lines(string(text)) {
		if color := colors[line[0]]; color != "" {
			line = "\x1b[" + color + "m" + strings.TrimSuffix(line, "\n") + "\x1b[0m\n"
		}
		fmt.Fprint(a.Stdout, line)
	}
}
