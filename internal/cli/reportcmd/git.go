package reportcmd

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

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Older versions of a report are read from git. It is asked for commits and bytes only, so that no
// filter, attribute or text conversion of the repository runs.

// reportAt reads the report of a machine in a commit, or in the last commit of a date.
func reportAt(ctx context.Context, a *env.Env, machine, when string) (project.Report, error) {
	name := "./" + path.Join(project.ResultsDir, machine+".json")
	commit, err := findCommit(ctx, a.Site, name, when)
	if err != nil {
		return project.Report{}, err
	}
	data, err := git(ctx, a.Site, "cat-file", "blob", commit+":"+name)
	if err != nil {
		short := fmt.Sprintf("%.10s", commit)
		return project.Report{}, diag.Wrong(diag.Say("report.version-without-report", "commit", short, "file", name[2:], "why", err,
			"name", name[2:]))
	}
	r, err := report.ParseAny(fmt.Sprintf("%s@%.10s", machine, commit), data)
	if err != nil {
		return project.Report{}, warnUnreadable(a, diag.List{diag.Unreadable(machine+"@"+when, err)})
	}
	return project.Report{Report: r, Rev: commit}, nil
}

// dates are the forms of a date. One without a time is the end of the day.
var dates = []string{time.DateOnly, "2006-01-02T15:04", time.RFC3339}

// findCommit returns the commit of a date or a revision.
func findCommit(ctx context.Context, dir, name, when string) (string, error) {
	if when == "" || strings.HasPrefix(when, "-") {
		return "", diag.Wrong(diag.Say("report.commit-invalid", "name", when))
	}
	for _, layout := range dates {
		t, err := time.Parse(layout, when)
		if err != nil {
			continue
		}
		if layout == time.DateOnly {
			t = t.AddDate(0, 0, 1).Add(-time.Second)
		}
		out, err := git(ctx, dir, "rev-list", "-1", "--before="+t.UTC().Format(time.RFC3339), "HEAD", "--", name)
		if err == nil && len(bytes.TrimSpace(out)) == 0 {
			err = diag.Say("report.version-none-so-old")
		}
		if err != nil {
			return "", diag.Wrong(diag.Say("report.version-missing", "file", name[2:], "when", when, "why", err, "name", name[2:]))
		}
		return string(bytes.TrimSpace(out)), nil
	}
	out, err := git(ctx, dir, "rev-parse", "--verify", when+"^{commit}")
	if err != nil {
		hint := diag.Say("report.commit-unknown-hint", "name", name[2:])
		return "", diag.Wrong(diag.Say("report.commit-unknown", "name", when, "why", err).WithHint(hint))
	}
	return string(bytes.TrimSpace(out)), nil
}

// git runs git in a folder and returns its output, which is bounded like a report.
func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := exec.CommandContext(ctx, "git", args...)
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
		cancel() // git would wait for a reader
	}
	if waited := c.Wait(); err == nil && len(data) <= report.MaxSize {
		err = waited
	}
	if _, ok := errors.AsType[*exec.ExitError](err); ok {
		first, _, _ := strings.Cut(strings.TrimSpace(problems.String()), "\n")
		err = errors.New(diag.Printable("git: " + strings.TrimPrefix(first, "fatal: ")))
	}
	return data, err
}
