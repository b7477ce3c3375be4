// Package remote runs verify on other machines and gathers their reports.
//
// A [Request] is what all machines are asked to run. A [Target] is where it runs: a
// host reached through ssh (package ssh), or a Slurm job (package slurmjob). Both start
// this program on the machine; they differ in how it and the site get there, how its
// output comes back, and how its end is known.
//
//	results := remote.Run(ctx, request, targets, observer)
//
// An [Observer] is called for lines of output, steps of a job and reports. Locks,
// signatures and report files are up to the caller.
package remote

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"mime"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// A Request is what all machines are asked to run.
type Request struct {
	// Plan is what they run, if they read the same site.
	Plan *verify.Plan
	// Options are those of a local run. Generator, Root, Timeout, Shared, QueueWait and
	// Keep are used.
	Options verify.Options
	// Site is the site's folder, Files are those of it that verify reads.
	Site  fs.FS
	Files []string
	// Args are flags and paths of verify, as on the command line.
	Args []string
	// Previous are the reports that the runs continue, by label. A label without
	// one may be missing.
	Previous map[string]report.File
	// Longest limits the time of a run. 0 means no limit.
	Longest time.Duration
}

// NewRequest returns the request to run a plan of a site. The caller sets Args and
// Previous.
func NewRequest(site *site.Site, p *verify.Plan, o verify.Options) *Request {
	return &Request{Plan: p, Options: o, Site: site.FS, Files: files(site), Longest: p.Longest(o)}
}

// files returns the files of a site that verify reads: those from which environments are
// made, its pages, the files that they include, and files beside them except for images, audio, video and fonts.
func files(s *site.Site) []string {
	out := []string{site.ConfigFile}
	if keys := s.Config.AllowedSigners; keys != "" {
		out = append(out, keys)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Config.Env)) {
		for _, file := range s.Config.Env[name].LockedFiles() {
			if !slices.Contains(out, file) {
				out = append(out, file)
			}
		}
	}
	for _, p := range s.Pages {
		out = append(out, p.Source.Name)
	}
	for _, file := range s.Assets {
		kind, _, _ := strings.Cut(mime.TypeByExtension(path.Ext(file)), "/")
		if name := path.Join("content", file); !slices.Contains([]string{"image", "audio", "video", "font"}, kind) &&
			!slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, file := range s.Included { // those that are there
		if _, err := fs.Stat(s.FS, file); err == nil && !slices.Contains(out, file) {
			out = append(out, file)
		}
	}
	return out
}

// A Target runs a request on one machine or on several.
type Target interface {
	// Run runs verify there and returns a result for each machine. If ctx ends, it
	// stops the run and still gathers what was finished.
	Run(ctx context.Context, r *Request, o Observer) []Result
}

// An Observer has functions that are called during a run, one call at a time.
type Observer struct {
	// Line is called with each line that verify printed.
	Line func(label, line string)
	// Step is called with the steps of a Slurm job; it may be nil if there are none.
	// Detail is the number of a submitted job, or a reason from Slurm.
	Step func(label string, s Step, detail text.Message)
	// Report is called with each report when it arrives.
	Report func(label string, r *report.Report) error
	// Ended is called with the results of a target when it has ended.
	Ended func([]Result)
}

// A Step is a state of a Slurm job from the queue to its end.
type Step int

const (
	Submitted Step = iota
	Rejected
	Waiting // in the queue
	Running
	Failed   // why a job did not end well, by Slurm
	Nameless // nothing was run, and there are no reports: the names of the nodes are not known
)

// A Result is how a run ended on one machine.
type Result struct {
	// Label names the machine in its report. If a job failed before its nodes were
	// known, it is the pattern of their labels.
	Label string
	// Report is what was gathered, even if the run did not end, or nil.
	Report *report.Report
	// Code is the exit code that verify would have here: one of those below.
	Code int
	// Err is why the run did not end, unless the observer knows: an [*Error], the error
	// of the context, or an internal one.
	Err error
	// Omitted is how much of the run's output was not given to the observer.
	Omitted struct {
		Lines int
		Bytes int64
	}
}

// Exit codes of gpudocs verify for the end of a run. They are a contract.
const (
	ExitPassed      = 0
	ExitFailed      = 1 // a check failed
	ExitUsage       = 2
	ExitBroken      = 3 // gpudocs itself failed
	ExitInterrupted = 130
)

// An Error is why a machine gave no report: what happened, what the machine or
// ssh printed about it, and what may help.
type Error struct {
	Message text.Message
	Output  string
	Hint    text.Message
}

func (e *Error) Error() string { return e.Message.String() }

// In returns the message in the language of the catalog, without the output and the hint.
func (e *Error) In(c text.Catalog) string { return e.Message.In(c) }

// Run runs the request on all targets in parallel. The results are in the order of the
// targets.
func Run(ctx context.Context, r *Request, targets []Target, o Observer) []Result {
	o = o.serial()
	results := make([][]Result, len(targets))
	var all sync.WaitGroup
	for i, t := range targets {
		all.Go(func() {
			results[i] = t.Run(ctx, r, o)
			o.Ended(results[i])
		})
	}
	all.Wait()
	return slices.Concat(results...)
}

// serial returns an observer whose calls are made one at a time.
func (o Observer) serial() Observer {
	var mu sync.Mutex
	locked := func(call func()) {
		mu.Lock()
		defer mu.Unlock()
		call()
	}
	return Observer{
		Line:  func(label, line string) { locked(func() { o.Line(label, line) }) },
		Step:  func(label string, s Step, detail text.Message) { locked(func() { o.Step(label, s, detail) }) },
		Ended: func(r []Result) { locked(func() { o.Ended(r) }) },
		Report: func(label string, r *report.Report) (err error) {
			locked(func() { err = o.Report(label, r) })
			return err
		},
	}
}

// A LineWriter calls Line for each line that is written to it.
type LineWriter struct {
	Line func(line string)
	// Limit, if not 0, is the length from which on Line is called with an unfinished
	// line.
	Limit int
	part  []byte
}

func (w *LineWriter) Write(p []byte) (int, error) {
	w.part = append(w.part, p...)
	for {
		line, rest, ok := bytes.Cut(w.part, []byte("\n"))
		if !ok {
			break
		}
		w.Line(string(line))
		w.part = rest
	}
	if w.Limit > 0 && len(w.part) >= w.Limit {
		w.Flush()
	}
	return len(p), nil
}

// Flush calls Line with an unfinished line.
func (w *LineWriter) Flush() {
	if len(w.part) > 0 {
		w.Line(string(w.part))
		w.part = nil
	}
}
