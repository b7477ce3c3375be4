package main

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/github"
	"github.com/gpudocs/gpudocs/internal/junit"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/verify"
)

type outletFlags struct {
	junit string
	json  bool
}

// outlets are who else is told of a run beside the person before the screen: a
// JUnit file, a program that reads events, GitHub. A nil *outlets tells nobody.
type outlets struct {
	junit   string
	below   string // the site's folder in the repository
	events  *eventStream
	actions *actions
	// file is the report that the run writes.
	file string
	runs []*report.Report
}

// telling does the work of a command and tells the outlets.
func (a *app) telling(f *outletFlags, do func() error) error {
	o := &outlets{junit: f.junit, below: belowRoot(a.site)}
	if err := replaceable("--junit", f.junit); err != nil {
		return err
	}
	if f.json {
		o.events = &eventStream{w: a.stdout}
		a.stdout = a.stderr // for all that is no event
	}
	end := func() {}
	if os.Getenv("GITHUB_ACTIONS") == "true" {
		o.actions = &actions{below: o.below}
		end = github.Mute(a.stdout, rand.Text())
	}
	a.outlets = o
	err := do()
	err = o.writeJUnit(err)
	o.events.end(o, exitOf(err))
	end()
	o.actions.end(a, o.runs, exitOf(err))
	return err
}

// replaceable tells, before a long run, whether a file can be written at its
// end. What is no plain file, such as /dev/stdout, is never replaced.
func replaceable(flag, file string) error {
	if file == "" {
		return nil
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return usage("name a plain file", "%s %s is something else than a plain file", flag, file)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return usage("name another file", "%s: %v", flag, err)
	}
	if !mayReplace(file) {
		return usage("name another file", "%s %s would replace a file that is no XML", flag, file)
	}
	if err := report.Writable(file); err != nil {
		return fmt.Errorf("nothing was run, for %s could not be written: %w", flag, err)
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

// writes notes which report the run is going to write.
func (o *outlets) writes(file string) {
	if o != nil {
		o.file = file
	}
}

// also tells the events of a run to the outlets too.
func (o *outlets) also(next func(verify.Event)) func(verify.Event) {
	if o == nil || o.events == nil {
		return next
	}
	return func(e verify.Event) {
		o.events.step(e)
		next(e)
	}
}

// ran takes what a run found.
func (o *outlets) ran(r *report.Report) {
	if o != nil {
		o.runs = append(o.runs, r)
	}
}

// gathered takes what a run on another machine found.
func (o *outlets) gathered(r *report.Report, file string) {
	if o == nil {
		return
	}
	o.writes(file)
	o.ran(r)
	if o.events == nil {
		return
	}
	o.events.step(verify.Event{Machine: &r.Machine, Total: len(r.Checks)})
	for i := range r.Checks {
		o.events.step(verify.Event{Done: i + 1, Total: len(r.Checks), Finished: &r.Checks[i]})
	}
}

// found takes diagnostics.
func (o *outlets) found(l diag.List) {
	if o == nil {
		return
	}
	o.events.found(l)
	o.actions.found(l)
}

// writeJUnit writes the file, if anything ran. Where that fails the run failed,
// whatever it found.
func (o *outlets) writeJUnit(ended error) error {
	if o.junit == "" || len(o.runs) == 0 {
		return ended
	}
	data, err := junit.Marshal(junit.Options{Because: inEnglish().because, Below: o.below}, o.runs...)
	if err == nil && !mayReplace(o.junit) { // this very run has written it
		err = errors.New("it would replace a file that is no XML")
	}
	if err == nil {
		err = report.WriteFile(o.junit, data)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("the report is written, but not --junit %s: %w", o.junit, err), exitOf(ended).cause)
	}
	return ended
}
