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

// outputs hand the events and results of a run to programs, besides the terminal: a JUnit file, a reader
// of events, GitHub Actions. A nil *outputs writes nothing.
type outputs struct {
	junit  string
	below  string       // the site's path below the repository's root
	Events *eventStream // nil without --json
	// actions is set in GitHub Actions, which gets diags at the end of the run.
	actions bool
	diags   diag.List
	file    string // the report that the run writes
	runs    []*report.Report
}

// WithOutputs runs a command and writes its outputs.
func (a *Env) WithOutputs(f *OutputFlags, run func() error) error {
	o := &outputs{junit: f.JUnit, below: belowRoot(a.Site), actions: os.Getenv("GITHUB_ACTIONS") == "true"}
	if err := replaceable(f.JUnit); err != nil {
		return err
	}
	if f.JSON {
		o.Events = &eventStream{w: a.Stdout}
		a.Stdout = a.Stderr // for everything that is not an event
	}
	unmute := func() {}
	if o.actions {
		unmute = github.Mute(a.Stdout, rand.Text())
	}
	a.Outputs = o
	err := o.writeJUnit(run())
	o.Events.end(o, ExitOf(err))
	unmute()
	if o.actions {
		o.writeActions(a, ExitOf(err))
	}
	return err
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
		return Usage(diag.Say("cli.file-regular-hint"), diag.Say("cli.flag-file-not-regular", "flag", flag, "file", file))
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Usage(diag.Say("cli.file-other-hint"), diag.Say("diag.cause-at", "place", flag, "why", err))
	}
	if !isXML(file) {
		return Usage(diag.Say("cli.file-other-hint"), diag.Say("cli.flag-file-other-format", "flag", flag, "file", file, "format", "XML"))
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

// SetReportFile sets the report that the run is going to write.
func (o *outputs) SetReportFile(file string) {
	if o != nil {
		o.file = file
	}
}

// Event writes an event of a run.
func (o *outputs) Event(e verify.Event) {
	if o != nil && o.Events != nil {
		o.Events.step(e)
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
	o.Event(verify.Event{Machine: &r.Machine, Total: len(r.Checks)})
	for i := range r.Checks {
		o.Event(verify.Event{Done: i + 1, Total: len(r.Checks), Finished: &r.Checks[i]})
	}
}

// AddDiagnostics adds diagnostics.
func (o *outputs) AddDiagnostics(l diag.List) {
	if o == nil {
		return
	}
	for _, d := range l {
		o.Events.write(diagnosticEvent{"diagnostic", d})
	}
	if o.actions {
		o.diags = append(o.diags, l...)
	}
}

// writeJUnit writes the file if anything ran. If that fails, the run has failed, whatever its
// results are. It returns the error of the command.
func (o *outputs) writeJUnit(ended error) error {
	if o.junit == "" || len(o.runs) == 0 {
		return ended
	}
	data, err := junit.Marshal(junit.Options{Because: English().Reason, Below: o.below}, o.runs...)
	if err == nil && !isXML(o.junit) { // it is the report of this run
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
