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
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/diag"
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

// updatePages updates the pages after a run whose report has been written, and writes the report for
// the updated pages.
func (v *verification) updatePages(ctx context.Context, r *report.Report, seen *examples, write func(*report.Report) error) error {
	u, err := update.New(v.site, v.plan, r, seen.by, v.site.FS)
	if err != nil {
		return changedMeanwhile(err)
	}
	failed := u.Failed(v.plan)
	for _, x := range u.Refused {
		place := x.Block.Place(x.Block.Line).Text()
		v.Println(v.Text.Get("not_updated", "place", v.Text.Say(place), "name", x.Block.CheckName(), "why", v.Text.Say(x.Why)))
		failed = failed || !x.Skipped || slices.Contains(v.run, x.Block.Name)
	}
	if len(u.Pages) == 0 {
		v.Println(v.Text.Get("nothing_to_update"))
	} else if written, err := v.writeUpdate(ctx, u, write); err != nil {
		return changedMeanwhile(err)
	} else if !written {
		failed = true
	}
	if failed {
		return exit.Code(exit.Failed)
	}
	return nil
}

// changedMeanwhile adds how to go on to the error of an update whose pages have changed.
func changedMeanwhile(err error) error {
	if errors.Is(err, update.ErrChanged) || errors.Is(err, project.ErrPageChanged) {
		return exit.With(exit.Failed, diag.Plain(err).WithHint(diag.Say("verify.run-again-hint")))
	}
	return err
}

// writeUpdate shows what would change, and writes it if the user agrees.
func (v *verification) writeUpdate(ctx context.Context, u *update.Update, write func(*report.Report) error) (written bool, err error) {
	for _, p := range u.Pages {
		printDiff(v.Env, p)
	}
	if yes, err := v.confirm(ctx, len(u.Pages)); err != nil || !yes {
		return false, err
	}
	r, err := u.Report()
	if err != nil {
		return false, err
	}
	if err := v.project.WritePages(u.Pages); err != nil {
		return false, err
	}
	for _, p := range u.Pages {
		v.Println(v.Text.Get("updated", "file", p.Name))
	}
	return true, write(r)
}

// confirm asks the user whether to write. With --yes it does not ask, and without a terminal the
// answer is no.
func (v *verification) confirm(ctx context.Context, pages int) (bool, error) {
	if v.yes {
		return true, nil
	}
	if !v.Terminal(v.Stdin) {
		fmt.Fprintln(v.Stderr, v.Text.Get("nobody_to_ask"))
		return false, nil
	}
	answer, err := Ask(ctx, v.Env, v.Text.Get("ask_write", "pages", v.Text.Count("pages", pages)))
	answer = strings.ToLower(answer)
	return err == nil && (strings.HasPrefix(answer, "y") || strings.HasPrefix(answer, v.Text.Get("yes"))), err
}

// printDiff shows the change of a page, in colour on a terminal.
func printDiff(a *env.Env, p update.PageUpdate) {
	unix := func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }
	text := diff.Diff(p.Name, unix(p.Old), p.Name, unix(p.New))
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
