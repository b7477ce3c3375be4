package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// progress writes one line for each check that ends and, on a terminal, a live
// line below them for the block that runs, the first of them if there are several.
type progress struct {
	w     io.Writer
	color bool
	live  bool

	mu      sync.Mutex
	running []started // the oldest first
	done    int
	total   int
	kept    int
	shown   bool // the live line is on the screen
	counts  map[report.Outcome]int
	stop    chan struct{}
	once    sync.Once
}

// started is a block that runs, since when.
type started struct {
	*content.Block
	since time.Time
}

func (a *app) newProgress() *progress {
	p := &progress{w: a.stdout, color: a.color(a.stdout), live: a.terminal(a.stdout),
		counts: map[report.Outcome]int{}, stop: make(chan struct{})}
	if p.live {
		go p.tick()
	}
	a.live.Store(p)
	return p
}

// say lets other output come between the lines of a run, and not into its live
// line.
func (a *app) say(write func()) {
	if p := a.live.Load(); p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.erase()
	}
	write()
}

// tick renews the live line, so that a long block is seen to be alive.
func (p *progress) tick() {
	t := time.NewTicker(time.Second / 5)
	defer t.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-t.C:
			p.mu.Lock()
			p.draw()
			p.mu.Unlock()
		}
	}
}

func (p *progress) event(e verify.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.total = e.Done, e.Total
	if e.Dropped > 0 {
		fmt.Fprintf(p.w, "the driver, the GPUs or the sandbox have changed: %s of before dropped\n", count(e.Dropped, "result", "results"))
	}
	if e.Kept > 0 {
		p.kept = e.Kept
		fmt.Fprintf(p.w, "%s kept: passed before, and nothing has changed (--rerun runs all)\n", count(e.Kept, "check", "checks"))
	}
	if e.Started != nil {
		p.running = append(p.running, started{e.Started, time.Now()})
		p.draw()
	}
	if e.Ended != nil {
		p.running = slices.DeleteFunc(p.running, func(s started) bool { return s.Block == e.Ended })
		p.erase()
	}
	if c := e.Finished; c != nil {
		p.erase()
		p.counts[c.Outcome]++
		fmt.Fprintln(p.w, p.line(c))
	}
}

func (p *progress) draw() {
	if !p.live || len(p.running) == 0 {
		return
	}
	p.erase()
	b, number, others := p.running[0], strconv.Itoa(p.done+1), ""
	if n := len(p.running); n > 1 {
		number = fmt.Sprintf("%d-%d", p.done+1, p.done+n)
		others = fmt.Sprintf(", and %d more", n-1)
	}
	text := fmt.Sprintf("[%s/%d] %s %s %s", number, p.total, b.Place(b.Line),
		b.Name, time.Since(b.since).Truncate(100*time.Millisecond))
	fmt.Fprint(p.w, clipped(text, 79-len(others))+others)
	p.shown = true
}

func (p *progress) erase() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

func clipped(s string, width int) string {
	if utf8.RuneCountInString(s) <= width {
		return s
	}
	return string([]rune(s)[:width-3]) + "..."
}

// clear ends the live line for good.
func (p *progress) clear() {
	p.once.Do(func() { close(p.stop) })
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = nil
	p.erase()
}

var colors = map[report.Outcome]string{report.Passed: "32", report.Failed: "31", report.Errored: "31", report.Skipped: "33"}

func (p *progress) line(c *report.Check) string {
	outcome := fmt.Sprintf("%-7s", c.Outcome)
	if p.color {
		outcome = "\x1b[" + colors[c.Outcome] + "m" + outcome + "\x1b[0m"
	}
	at := c.Places[0]
	text := fmt.Sprintf("%s  %s  %s", outcome, at, c.Name)
	if c.Measurement != nil && c.Found != "" {
		text += "  " + c.Found
	}
	if took := lasting(c); took != "" {
		text += "  " + took
	}
	if c.Reason != nil {
		text += "\n         " + because(c.Reason)
	}
	return text + p.difference(c)
}

// whyNot says why something was not measured.
var whyNot = map[string]string{
	report.WhyNoMemory:     "too little memory is free",
	report.WhyNotSupported: "not supported here",
	report.WhyNoLibrary:    "the driver's library libcuda.so.1, or cuBLAS, is not there",
	report.WhyFailed:       "the driver failed",
}

// because says a reason in a terminal's one language.
func because(r *report.Reason) string {
	text := r.Code
	switch r.Code {
	case report.ReasonNeeds, report.ReasonUnmet:
		if r.Verdict != nil {
			text = english(*r.Verdict)
			break
		}
		text = "needs " + r.Need
		if r.Found != "" {
			text += ", found " + r.Found
		}
	case report.ReasonWrong:
		text = r.Detail + " calculates wrongly"
		if r.Need != "" {
			text += fmt.Sprintf(": its error is %s, and %s is allowed", cmp.Or(r.Found, "not a number"), r.Need)
		}
	case report.ReasonMeasure:
		text = "it could not be measured: " + cmp.Or(whyNot[r.Detail], r.Detail)
	case report.ReasonNoGPU:
		text = "no GPU: " + r.Detail
	case report.ReasonBroken:
		text = "the GPU driver cannot be used: " + r.Detail
	case report.ReasonSession:
		text = "its session ended in block " + r.Detail
	case report.ReasonSessionSkip:
		text = "an earlier block of its session was skipped: " + r.Detail
	case report.ReasonNoInterpreter:
		text = "not found: " + r.Detail
	case report.ReasonExit:
		text = "exit code " + r.Detail
		if r.Need != "" {
			text += ", expected " + r.Need
		}
	case report.ReasonException:
		text = strings.ReplaceAll(r.Detail, "\n", " ")
	case report.ReasonCrash: // "exit code 0" alone would be no reason
		text = "ended before its time: " + strings.ReplaceAll(r.Detail, "\n", " ")
	case report.ReasonMismatch:
		text = "the output differs from what is expected"
	case report.ReasonNoExpect:
		text = "no expected output is for this machine"
	case report.ReasonManyExpect:
		text = "several expected outputs are for this machine, in lines " + r.Detail
	case report.ReasonSkip:
		text = "every example says # doctest: +SKIP"
	case report.ReasonTimeout:
		text = "still running after " + r.Detail
	case report.ReasonLimit:
		text = "it used more than the limit: " + r.Detail
	case report.ReasonNoSandbox:
		text = "no sandbox on this machine: " + strings.ReplaceAll(r.Detail, "\n", " ")
	case report.ReasonEngine:
		text = "gpudocs could not run it: " + strings.ReplaceAll(r.Detail, "\n", " ")
	case report.ReasonSlurm:
		text = "Slurm: " + cmp.Or(r.Detail, "the job is being ended") // the report will say by whom
	case report.ReasonTruncated:
		text = "more output than can be compared"
	}
	if r.Place != nil {
		text = fmt.Sprintf("%s: %s", r.Place, text)
	}
	return text
}

// maxDiffLines and maxDiffLine bound the difference on the screen, in lines and in
// bytes of a line; the report has all of it.
const maxDiffLines, maxDiffLine = 20, 500

func (p *progress) difference(c *report.Check) string {
	var b strings.Builder
	for i, d := range c.Diff {
		if i == maxDiffLines {
			fmt.Fprintf(&b, "\n         ... %d lines more", len(c.Diff)-i)
			break
		}
		fmt.Fprintf(&b, "\n         %s %s", d.Op, p.marked(shortened(d)))
	}
	return b.String()
}

// shortened cuts a line of a difference that is too long to be read.
func shortened(d report.DiffLine) report.DiffLine {
	if len(d.Text) <= maxDiffLine {
		return d
	}
	end := maxDiffLine
	for end > 0 && !utf8.RuneStart(d.Text[end]) {
		end--
	}
	var taken [][2]int
	for _, at := range d.Taken {
		if at[0] < end {
			taken = append(taken, [2]int{at[0], min(at[1], end)})
		}
	}
	text := d.Text[:end] + fmt.Sprintf(" ... %d bytes more", len(d.Text)-end)
	return report.DiffLine{Op: d.Op, Text: text, Taken: taken}
}

// marked underlines what matchers took of a line, where colours are shown.
func (p *progress) marked(d report.DiffLine) string {
	if !p.color {
		return d.Text
	}
	var b strings.Builder
	end := 0
	for _, at := range d.Taken {
		b.WriteString(d.Text[end:at[0]] + "\x1b[4m" + d.Text[at[0]:at[1]] + "\x1b[24m")
		end = at[1]
	}
	return b.String() + d.Text[end:]
}

// summary closes the run.
func (p *progress) summary(m report.Machine) {
	what := "no GPU (" + m.GPU.Code + ")"
	if n := len(m.GPU.Devices); n > 0 {
		what = count(n, "GPU", "GPUs")
		if m.GPU.Driver != "" {
			what += ", driver " + m.GPU.Driver
		}
		if m.GPU.CUDA != "" {
			what += ", CUDA " + m.GPU.CUDA
		}
	}
	kept := ""
	if p.kept > 0 {
		kept = fmt.Sprintf("; %d kept", p.kept)
	}
	fmt.Fprintf(p.w, "machine %s: %s, %s; %s%s\n", m.Name, m.OS, what, tallied(p.counts), kept)
}
