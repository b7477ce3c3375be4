package env

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
	"github.com/gpudocs/gpudocs/internal/cli/github"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/junit"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify"
)

type OutputFlags struct {
	JUnit string
	JSON  bool
}

// outputs are where the events and results of a run go besides the terminal: a JUnit file, a program
// that reads events, GitHub Actions. A nil *outputs writes nothing.
type outputs struct {
	junit   string
	below   string // the site's folder in the repository
	Events  *eventStream
	actions *actions
	// file is the report that the run writes.
	file string
	runs []*report.Report
}

// WithOutputs does the work of a command and writes its outputs.
func (a *Env) WithOutputs(f *OutputFlags, do func() error) error {
	o := &outputs{junit: f.JUnit, below: BelowRoot(a.Site)}
	if err := replaceable("--junit", f.JUnit); err != nil {
		return err
	}
	if f.JSON {
		o.Events = &eventStream{w: a.Stdout}
		a.Stdout = a.Stderr // for everything that is not an event
	}
	end := func() {}
	if os.Getenv("GITHUB_ACTIONS") == "true" {
		o.actions = &actions{below: o.below}
		end = github.Mute(a.Stdout, rand.Text())
	}
	a.Outputs = o
	err := do()
	err = o.writeJUnit(err)
	o.Events.end(o, ExitOf(err))
	end()
	o.actions.end(a, o.runs, ExitOf(err))
	return err
}

// replaceable returns an error if a file could not be written at the end of a run. What is not a
// regular file, such as /dev/stdout, is never replaced.
func replaceable(flag, file string) error {
	if file == "" {
		return nil
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return Usage(diag.Say("cli.file-regular-hint"), diag.Say("verify.flag-file-not-regular", "flag", flag, "file", file))
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Usage(diag.Say("cli.file-other-hint"), diag.Say("diag.cause-at", "place", flag, "why", err))
	}
	if !mayReplace(file) {
		return Usage(diag.Say("cli.file-other-hint"), diag.Say("verify.flag-file-not-xml", "flag", flag, "file", file))
	}
	if err := atomicfile.Writable(file, 0o644); err != nil {
		return diag.Say("verify.flag-file-not-writable", "flag", flag, "why", err)
	}
	return nil
}

// mayReplace reports whether a file does not exist, is empty or is XML: a typing error must not
// cost a report or a page.
func mayReplace(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	begin := make([]byte, 64)
	n, _ := f.Read(begin) // nothing is lost with an empty file
	begin = bytes.TrimSpace(bytes.TrimPrefix(begin[:n], []byte("\ufeff")))
	return n == 0 || bytes.HasPrefix(begin, []byte("<"))
}

// SetReportFile sets the report that the run is going to write.
func (o *outputs) SetReportFile(file string) {
	if o != nil {
		o.file = file
	}
}

// WithEvents returns a function that writes the events of a run to the outputs before it calls next.
func (o *outputs) WithEvents(next func(verify.Event)) func(verify.Event) {
	if o == nil || o.Events == nil {
		return next
	}
	return func(e verify.Event) {
		o.Events.step(e)
		next(e)
	}
}

// Add adds the report of a run.
func (o *outputs) Add(r *report.Report) {
	if o != nil {
		o.runs = append(o.runs, r)
	}
}

// AddRemote adds the report of a run on another machine.
func (o *outputs) AddRemote(r *report.Report, file string) {
	if o == nil {
		return
	}
	o.SetReportFile(file)
	o.Add(r)
	if o.Events == nil {
		return
	}
	o.Events.step(verify.Event{Machine: &r.Machine, Total: len(r.Checks)})
	for i := range r.Checks {
		o.Events.step(verify.Event{Done: i + 1, Total: len(r.Checks), Finished: &r.Checks[i]})
	}
}

// AddDiagnostics adds diagnostics.
func (o *outputs) AddDiagnostics(l diag.List) {
	if o == nil {
		return
	}
	o.Events.found(l)
	o.actions.found(l)
}

// writeJUnit writes the file, if anything ran. If that fails, the run has failed, whatever its
// results are.
func (o *outputs) writeJUnit(ended error) error {
	if o.junit == "" || len(o.runs) == 0 {
		return ended
	}
	data, err := junit.Marshal(junit.Options{Because: English().Reason, Below: o.below}, o.runs...)
	if err == nil && !mayReplace(o.junit) { // this very run has written it
		err = diag.Say("verify.file-not-xml")
	}
	if err == nil {
		err = atomicfile.Write(o.junit, data, 0o644)
	}
	if err != nil {
		return errors.Join(diag.Say("verify.junit-not-written", "file", o.junit, "why", err), ExitOf(ended).Cause)
	}
	return ended
}
