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

type OutletFlags struct {
	Junit string
	Json  bool
}

// outlets are who else is told of a run beside the person before the screen: a
// JUnit file, a program that reads events, GitHub. A nil *outlets tells nobody.
type outlets struct {
	junit   string
	below   string // the site's folder in the repository
	Events  *eventStream
	actions *actions
	// file is the report that the run writes.
	file string
	runs []*report.Report
}

// Telling does the work of a command and tells the outlets.
func (a *Env) Telling(f *OutletFlags, do func() error) error {
	o := &outlets{junit: f.Junit, below: BelowRoot(a.Site)}
	if err := replaceable("--junit", f.Junit); err != nil {
		return err
	}
	if f.Json {
		o.Events = &eventStream{w: a.Stdout}
		a.Stdout = a.Stderr // for all that is no event
	}
	end := func() {}
	if os.Getenv("GITHUB_ACTIONS") == "true" {
		o.actions = &actions{below: o.below}
		end = github.Mute(a.Stdout, rand.Text())
	}
	a.Outlets = o
	err := do()
	err = o.writeJUnit(err)
	o.Events.end(o, ExitOf(err))
	end()
	o.actions.end(a, o.runs, ExitOf(err))
	return err
}

// replaceable tells, before a long run, whether a file can be written at its
// end. What is no plain file, such as /dev/stdout, is never replaced.
func replaceable(flag, file string) error {
	if file == "" {
		return nil
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return Usage(diag.Say("cli.name-plain-file"), diag.Say("verify.something-else-plain", "flag", flag, "file", file))
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Usage(diag.Say("cli.name-another-file"), diag.Say("diag.at-why", "place", flag, "why", err))
	}
	if !mayReplace(file) {
		return Usage(diag.Say("cli.name-another-file"), diag.Say("verify.would-replace-file", "flag", flag, "file", file))
	}
	if err := atomicfile.Writable(file, 0o644); err != nil {
		return diag.Say("verify.nothing-run-could-not-written", "flag", flag, "why", err)
	}
	return nil
}

// mayReplace tells whether there is no such file, or an empty or XML one: a slip
// must cost neither a report nor a page.
func mayReplace(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	begin := make([]byte, 64)
	n, _ := f.Read(begin) // an empty file is none that could be lost
	begin = bytes.TrimSpace(bytes.TrimPrefix(begin[:n], []byte("\ufeff")))
	return n == 0 || bytes.HasPrefix(begin, []byte("<"))
}

// Writes notes which report the run is going to write.
func (o *outlets) Writes(file string) {
	if o != nil {
		o.file = file
	}
}

// Also tells the events of a run to the outlets too.
func (o *outlets) Also(next func(verify.Event)) func(verify.Event) {
	if o == nil || o.Events == nil {
		return next
	}
	return func(e verify.Event) {
		o.Events.step(e)
		next(e)
	}
}

// Ran takes what a run found.
func (o *outlets) Ran(r *report.Report) {
	if o != nil {
		o.runs = append(o.runs, r)
	}
}

// Gathered takes what a run on another machine found.
func (o *outlets) Gathered(r *report.Report, file string) {
	if o == nil {
		return
	}
	o.Writes(file)
	o.Ran(r)
	if o.Events == nil {
		return
	}
	o.Events.step(verify.Event{Machine: &r.Machine, Total: len(r.Checks)})
	for i := range r.Checks {
		o.Events.step(verify.Event{Done: i + 1, Total: len(r.Checks), Finished: &r.Checks[i]})
	}
}

// Found takes diagnostics.
func (o *outlets) Found(l diag.List) {
	if o == nil {
		return
	}
	o.Events.found(l)
	o.actions.found(l)
}

// writeJUnit writes the file, if anything ran. Where that fails the run failed,
// whatever it found.
func (o *outlets) writeJUnit(ended error) error {
	if o.junit == "" || len(o.runs) == 0 {
		return ended
	}
	data, err := junit.Marshal(junit.Options{Because: English().Because, Below: o.below}, o.runs...)
	if err == nil && !mayReplace(o.junit) { // this very run has written it
		err = diag.Say("verify.would-replace-file-no-xml")
	}
	if err == nil {
		err = atomicfile.Write(o.junit, data, 0o644)
	}
	if err != nil {
		return errors.Join(diag.Say("verify.report-written-but-not-junit", "file", o.junit, "why", err), ExitOf(ended).Cause)
	}
	return ended
}
