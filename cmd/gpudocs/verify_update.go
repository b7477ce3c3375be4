package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// updateFlags are those of verify --update.
type updateFlags struct{ update, yes bool }

func (f updateFlags) check(plan bool) error {
	switch {
	case f.yes && !f.update:
		return usage("", "--yes answers the question of --update: say both")
	case f.update && plan:
		return usage("--update shows what it would write before it does", "--plan runs nothing, so there is nothing to --update from")
	}
	return nil
}

// examples collects what pycon blocks printed, from several sessions at once.
type examples struct {
	mutex sync.Mutex
	by    map[report.ID][]verify.Printed
}

func (e *examples) add(id report.ID, list []verify.Printed) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.by == nil {
		e.by = map[report.ID][]verify.Printed{}
	}
	if e.by[id] == nil { // a check that runs twice keeps its first result
		e.by[id] = list
	}
}

// updateAfter is the end of a run whose report has been written: it updates the
// pages, and writes the report for the pages as they are then.
func (a *app) updateAfter(ctx context.Context, f *verifyFlags, site *content.Site, plan *verify.Plan, r *report.Report, seen *examples, write func(*report.Report) error) error {
	u, err := verify.NewUpdate(site, plan, r, seen.by, site.FS)
	if errors.Is(err, verify.ErrChanged) {
		return endWith(exitFailed, err, "run it again")
	}
	if err != nil {
		return err
	}
	failed := u.Failed(plan)
	for _, x := range u.Refused {
		a.tell(a.w.Get("not_updated", "place", x.Block.Place(x.Block.Line).String(), "name", x.Block.Name, "why", a.w.own(x.Why)))
		failed = failed || !x.Skipped || slices.Contains(f.run, x.Block.Name)
	}
	if len(u.Pages) == 0 {
		a.tell(a.w.Get("nothing_to_update"))
	} else if written, err := a.updatePages(ctx, f, u, write); err != nil {
		return err
	} else if !written {
		failed = true
	}
	if failed {
		return said(exitFailed)
	}
	return nil
}

// updatePages shows what would change, and writes it if that is wanted.
func (a *app) updatePages(ctx context.Context, f *verifyFlags, u *verify.Update, write func(*report.Report) error) (written bool, err error) {
	for _, p := range u.Pages {
		a.printDiff(p)
	}
	if yes, err := a.agreed(ctx, f.yes, len(u.Pages)); err != nil || !yes {
		return false, err
	}
	r, err := u.Report()
	if err != nil {
		return false, err
	}
	if err := a.writePages(u.Pages); err != nil {
		return false, err
	}
	for _, p := range u.Pages {
		a.tell(a.w.Get("updated", "file", p.Name))
	}
	return true, write(r)
}

// agreed asks whether to write; without a terminal only --yes does.
func (a *app) agreed(ctx context.Context, yes bool, pages int) (bool, error) {
	if yes {
		return true, nil
	}
	if !a.terminal(a.stdin) {
		fmt.Fprintln(a.stderr, a.w.Get("nobody_to_ask"))
		return false, nil
	}
	answer, err := a.ask(ctx, a.w.Get("ask_write", "pages", a.w.Count("pages", pages)))
	answer = strings.ToLower(answer)
	return err == nil && (strings.HasPrefix(answer, "y") || strings.HasPrefix(answer, a.w.Get("yes"))), err
}

// printDiff shows the change of a page, in colour on a terminal.
func (a *app) printDiff(p verify.PageUpdate) {
	text := diff.Diff(p.Name, bytes.ReplaceAll(p.Old, []byte("\r\n"), []byte("\n")), p.Name, bytes.ReplaceAll(p.New, []byte("\r\n"), []byte("\n")))
	_, text, _ = bytes.Cut(text, []byte("\n")) // without the name of a command that nobody has run
	if !a.color(a.stdout) {
		a.stdout.Write(text)
		return
	}
	for _, line := range strings.SplitAfter(string(text), "\n") {
		switch {
		case strings.HasPrefix(line, "-"):
			line = "\x1b[31m" + strings.TrimSuffix(line, "\n") + "\x1b[0m\n"
		case strings.HasPrefix(line, "+"):
			line = "\x1b[32m" + strings.TrimSuffix(line, "\n") + "\x1b[0m\n"
		case strings.HasPrefix(line, "@@"):
			line = "\x1b[36m" + strings.TrimSuffix(line, "\n") + "\x1b[0m\n"
		}
		fmt.Fprint(a.stdout, line)
	}
}

// writePages replaces pages. Each is written beside itself and renamed over, and
// none before all are written and known to be what was read.
func (a *app) writePages(pages []verify.PageUpdate) error {
	var ready [][2]string // temporary file, page
	defer func() {
		for _, f := range ready {
			os.Remove(f[0]) // those that were renamed are gone
		}
	}()
	for _, p := range pages {
		tmp, file, err := a.prepare(p)
		if err != nil {
			return err
		}
		ready = append(ready, [2]string{tmp, file})
	}
	for _, f := range ready {
		if err := os.Rename(f[0], f[1]); err != nil {
			return err
		}
	}
	return nil
}

// prepare writes a page's new bytes beside it, with its rights.
func (a *app) prepare(p verify.PageUpdate) (tmp, file string, err error) {
	// A symbolic link stays one.
	if file, err = filepath.EvalSymlinks(a.path(filepath.FromSlash(p.Name))); err != nil {
		return "", "", err
	}
	info, err := os.Stat(file)
	if err != nil {
		return "", "", err
	}
	now, err := os.ReadFile(file)
	if err != nil {
		return "", "", err
	}
	if !bytes.Equal(now, p.Old) {
		return "", "", endWith(exitFailed, fmt.Errorf("%s has changed in the meantime; nothing was updated", p.Name), "run it again")
	}
	f, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*")
	if err != nil {
		return "", "", err
	}
	_, err = f.Write(p.New)
	if err = errors.Join(err, f.Chmod(info.Mode().Perm()), f.Sync(), f.Close()); err != nil {
		return "", "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), file, nil
}
