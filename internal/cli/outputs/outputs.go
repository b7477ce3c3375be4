// Package outputs hands the events and results of a run to programs, besides the terminal: a JUnit file, a reader
// of events, GitHub Actions.
package outputs

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/junit"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// Outputs get what a command finds.
type Outputs struct {
	JUnit string // --junit: the file
	JSON  bool   // --json
	// ReportFile is the report that the run writes.
	ReportFile string

	below   string       // the site's path below the repository's root
	events  *eventStream // nil without --json
	actions bool         // in GitHub Actions, which gets diags at the end of the run
	diags   diag.List
	runs    []*report.Report
}

// Around runs a command and writes its outputs.
func (o *Outputs) Around(a *env.Env, run func() error) error {
	if err := replaceable(o.JUnit); err != nil {
		return err
	}
	o.below, o.actions = belowRoot(a.Site), os.Getenv("GITHUB_ACTIONS") == "true"
	if o.JSON {
		o.events = &eventStream{w: a.Stdout}
		a.Stdout = a.Stderr // for everything that is not an event
	}
	unmute := func() {}
	if o.actions {
		unmute = mute(a.Stdout, rand.Text())
	}
	a.Also = o.AddDiagnostics
	err := o.writeJUnit(run())
	o.events.end(o, exit.Of(err))
	unmute()
	if o.actions {
		o.writeActions(a, exit.Of(err))
	}
	return err
}

// belowRoot returns the site's path below the repository's root, which the CI servers GitHub,
// GitLab and Jenkins name in the environment. It is empty if none does, or if the site is elsewhere.
func belowRoot(site string) string {
	root := cmp.Or(os.Getenv("GITHUB_WORKSPACE"), os.Getenv("CI_PROJECT_DIR"), os.Getenv("WORKSPACE"))
	if root == "" {
		return ""
	}
	real := func(p string) string {
		if abs, err := filepath.Abs(p); err == nil {
			p = abs
		}
		if clean, err := filepath.EvalSymlinks(p); err == nil {
			p = clean
		}
		return p
	}
	rel, err := filepath.Rel(real(root), real(site))
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// replaceable returns an error if the file of --junit could not be written at the end of a run. It does not
// let a run replace a file that is not regular, such as /dev/stdout, or that is neither empty nor XML:
// a typing error must not cost a report or a page.
func replaceable(file string) error {
	const flag = "--junit"
	if file == "" {
		return nil
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return diag.Wrong(diag.Say("cli.flag-file-not-regular", "flag", flag, "file", file).WithHint(diag.Say("cli.file-regular-hint")))
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return diag.Wrong(diag.Say("diag.cause-at", "place", flag, "why", err).WithHint(diag.Say("cli.file-other-hint")))
	}
	if !isXML(file) {
		message := diag.Say("cli.flag-file-other-format", "flag", flag, "file", file, "format", "XML")
		return diag.Wrong(message.WithHint(diag.Say("cli.file-other-hint")))
	}
	if err := atomicfile.Writable(file, 0o644); err != nil {
		return diag.Say("cli.flag-file-not-writable", "flag", flag, "why", err)
	}
	return nil
}

// isXML reports whether a file does not exist, is empty or is XML.
func isXML(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	begin := make([]byte, 4<<10)
	n, _ := f.Read(begin)
	return n == 0 || bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(begin[:n], []byte("\ufeff"))), []byte("<"))
}

// Add adds the report of a run.
func (o *Outputs) Add(r *report.Report) { o.runs = append(o.runs, r) }

// AddRemote adds the report of a run on another machine.
func (o *Outputs) AddRemote(r *report.Report, file string) {
	o.ReportFile = file
	o.Add(r)
	o.Event(verify.Event{Machine: &r.Machine, Total: len(r.Checks)})
	for i := range r.Checks {
		o.Event(verify.Event{Done: i + 1, Total: len(r.Checks), Finished: &r.Checks[i]})
	}
}

// AddDiagnostics adds diagnostics.
func (o *Outputs) AddDiagnostics(l diag.List) {
	for _, d := range l {
		o.events.write(diagnosticEvent{"diagnostic", d})
	}
	if o.actions {
		o.diags = append(o.diags, l...)
	}
}

// writeJUnit writes the file if anything ran. If that fails, the run has failed, whatever its
// results are. It returns the error of the command.
func (o *Outputs) writeJUnit(ended error) error {
	if o.JUnit == "" || len(o.runs) == 0 {
		return ended
	}
	why := func(c *report.Check) string { return words.Reason(words.English(), c) }
	data, err := junit.Writer{Because: why, Below: o.below}.Marshal(o.runs...)
	if err == nil && !isXML(o.JUnit) { // it is the report of this run
		err = diag.Say("verify.file-not-xml")
	}
	if err == nil {
		err = atomicfile.Write(o.JUnit, data, 0o644)
	}
	if err != nil {
		return errors.Join(diag.Say("verify.junit-not-written", "file", o.JUnit, "why", err), exit.Of(ended).Cause)
	}
	return ended
}
