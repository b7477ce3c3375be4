package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/report"
)

// Older versions of a report are where a lab has them anyway: in git. It is
// only asked for commits and for bytes, so that no filter, attribute or text
// conversion of the repository runs.

// reportAt reads the report of a machine as a commit or the last commit of a
// date has it.
func (a *app) reportAt(ctx context.Context, machine, when string) (stored, error) {
	name := "./" + path.Join(resultsDir, machine+".json")
	commit, err := a.commit(ctx, name, when)
	if err != nil {
		return stored{}, err
	}
	data, err := a.git(ctx, "cat-file", "blob", commit+":"+name)
	if err != nil {
		return stored{}, usage("git log --oneline -- "+name[2:]+" lists the commits that changed it", "commit %.10s holds no %s: %v", commit, name[2:], err)
	}
	r, err := report.ParseAny(fmt.Sprintf("%s@%.10s", machine, commit), data)
	if err != nil {
		return stored{}, a.unreadable(diag.List{diag.Unreadable(machine+"@"+when, err)})
	}
	return stored{Report: r, rev: commit}, nil
}

// dates are how a date may be written; one without a time means its end.
var dates = []string{time.DateOnly, "2006-01-02T15:04", time.RFC3339}

// commit finds the commit that a date or a revision names.
func (a *app) commit(ctx context.Context, name, when string) (string, error) {
	if when == "" || strings.HasPrefix(when, "-") {
		return "", usage("write it as MACHINE@COMMIT or MACHINE@2026-11-01", "%q names no commit", when)
	}
	for _, layout := range dates {
		t, err := time.Parse(layout, when)
		if err != nil {
			continue
		}
		if layout == time.DateOnly {
			t = t.AddDate(0, 0, 1).Add(-time.Second)
		}
		out, err := a.git(ctx, "rev-list", "-1", "--before="+t.UTC().Format(time.RFC3339), "HEAD", "--", name)
		if err == nil && len(bytes.TrimSpace(out)) == 0 {
			err = errors.New("none is as old")
		}
		if err != nil {
			return "", usage("git log --format='%h %ci' -- "+name[2:]+" lists its versions", "no version of %s at %s: %v", name[2:], when, err)
		}
		return string(bytes.TrimSpace(out)), nil
	}
	out, err := a.git(ctx, "rev-parse", "--verify", when+"^{commit}")
	if err != nil {
		return "", usage("git log --oneline -- "+name[2:]+" lists its versions", "%q is no date and no commit: %v", when, err)
	}
	return string(bytes.TrimSpace(out)), nil
}

// git asks git in the site's folder.
func (a *app) git(ctx context.Context, args ...string) ([]byte, error) {
	return a.gitIn(ctx, a.site, args...)
}

// gitIn asks git in a folder. Its answer is bounded like a report.
func (a *app) gitIn(ctx context.Context, dir string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// ls-files would run the program of core.fsmonitor.
	c := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=false"}, args...)...)
	c.Dir, c.Env = dir, append(os.Environ(), "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0")
	var problems bytes.Buffer
	c.Stderr = &problems
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(out, report.MaxSize+1))
	if len(data) > report.MaxSize {
		cancel() // it would wait for a reader
	}
	if waited := c.Wait(); err == nil && len(data) <= report.MaxSize {
		err = waited
	}
	if e := (*exec.ExitError)(nil); errors.As(err, &e) {
		first, _, _ := strings.Cut(strings.TrimSpace(problems.String()), "\n")
		err = errors.New(diag.Printable("git: " + strings.TrimPrefix(first, "fatal: ")))
	}
	return data, err
}
