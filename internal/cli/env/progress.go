package env

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// progress writes a line for each check that ends and, on a terminal, a live line below them for the
// block that runs, the oldest if there are several.
type progress struct {
	w       io.Writer
	catalog Catalog
	color   bool
	width   int            // of a line, 0 if w is not a terminal
	live    *terminal.Line // nil if there is no terminal

	mu      sync.Mutex
	running []started // the oldest first
	done    int
	total   int
	kept    int
	counts  map[report.Outcome]int
	stop    chan struct{}
	once    sync.Once
}

// started is a running block with its start.
type started struct {
	*site.Block
	since time.Time
}

func (a *Env) NewProgress() *progress {
	p := &progress{w: a.Stdout, catalog: a.Text, color: a.Color(a.Stdout), width: a.TextWidth(a.Stdout),
		counts: map[report.Outcome]int{}, stop: make(chan struct{})}
	// In a pipe the lines of the checks could reach the same terminal, in the middle of the live
	// line.
	if a.Terminal(a.Stdout) {
		p.live = a.newLine()
	}
	if p.live != nil {
		go p.tick()
	}
	return p
}

// tick draws the live line again and again, which shows the time of the block.
func (p *progress) tick() {
	t := time.NewTicker(refreshInterval)
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

func (p *progress) Event(e verify.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.total = e.Done, e.Total
	if e.Dropped > 0 {
		p.say(p.catalog.Count("dropped", e.Dropped))
	}
	if e.Kept > 0 {
		p.kept = e.Kept
		p.say(p.catalog.Count("kept", e.Kept))
	}
	if e.Started != nil {
		p.running = append(p.running, started{e.Started, time.Now()})
		p.draw()
	}
	if e.Ended != nil {
		p.running = slices.DeleteFunc(p.running, func(s started) bool { return s.Block == e.Ended })
	}
	if c := e.Finished; c != nil {
		p.counts[c.Outcome]++
		p.live.Around(func() { fmt.Fprintln(p.w, p.line(c)) })
	} else if e.Ended != nil {
		p.live.Around(func() {})
	}
}

// say writes a line that stays.
func (p *progress) say(text string) {
	p.live.Around(func() { fmt.Fprintln(p.w, terminal.Hang(text, p.width, 2)) })
}

func (p *progress) draw() {
	if p.live == nil || len(p.running) == 0 {
		return
	}
	b, number, others := p.running[0], strconv.Itoa(p.done+1), ""
	if n := len(p.running); n > 1 {
		number = fmt.Sprintf("%d-%d", p.done+1, p.done+n)
		others = p.catalog.Get("others", "n", strconv.Itoa(n-1))
	}
	text := fmt.Sprintf("[%s/%d] %s %s %s", number, p.total, b.Place(b.Line),
		b.Name, time.Since(b.since).Truncate(100*time.Millisecond))
	if others != "" {
		text = terminal.Clip(text, max(1, p.width-1-terminal.Columns(others))) + others
	}
	p.live.Set(text)
}

// Clear removes the live line and ends the progress.
func (p *progress) Clear() {
	p.once.Do(func() { close(p.stop) })
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = nil
	p.live.End()
}

var Colors = map[report.Outcome]string{report.Passed: "32", report.Failed: "31", report.Errored: "31", report.Skipped: "33"}

func (p *progress) line(c *report.Check) string {
	wide := p.catalog.OutcomeWidth()
	outcome := terminal.Pad(p.catalog.Outcome(c.Outcome), wide)
	text := fmt.Sprintf("%s  %s  %s", outcome, c.Places[0], c.Name)
	if c.Measurement != nil && c.Found != "" {
		text += "  " + c.Found
	}
	if took := DurationText(c); took != "" {
		text += "  " + took
	}
	if c.Reason != nil {
		text += "\n" + strings.Repeat(" ", wide+2) + p.catalog.Reason(c.Reason)
	}
	text = terminal.Hang(text, p.width, wide+2)
	if rest, ok := strings.CutPrefix(text, outcome); ok && p.color {
		text = "\x1b[" + Colors[c.Outcome] + "m" + outcome + "\x1b[0m" + rest
	}
	return text + p.difference(c)
}

// MaxDiffLines and maxDiffLine bound the difference that is printed, in lines and in bytes of a
// line. The report has all of it.
const MaxDiffLines, maxDiffLine = 20, 500

func (p *progress) difference(c *report.Check) string {
	var b strings.Builder
	for i, d := range c.Diff {
		if i == MaxDiffLines {
			fmt.Fprintf(&b, "\n         %s", p.catalog.Count("lines_more", len(c.Diff)-i))
			break
		}
		fmt.Fprintf(&b, "\n         %s %s", d.Op, p.marked(p.catalog.shortened(d)))
	}
	return b.String()
}

// shortened cuts a line of a difference that is too long to read.
func (t Catalog) shortened(d report.DiffLine) report.DiffLine {
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
	text := d.Text[:end] + t.Get("line_cut", "n", strconv.Itoa(len(d.Text)-end))
	return report.DiffLine{Op: d.Op, Text: text, Taken: taken}
}

// marked underlines what matchers took of a line, if colours are shown.
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

// Summary prints the line at the end of a run.
func (p *progress) Summary(m report.Machine) {
	t := p.catalog
	gpus := t.Get("no_gpu", "why", t.unusable(m.GPU.Code))
	if n := len(m.GPU.Devices); n > 0 {
		gpus = t.Count("gpus", n)
		if m.GPU.Driver != "" {
			gpus += ", " + t.Get("driver", "version", m.GPU.Driver)
		}
		if m.GPU.CUDA != "" {
			gpus += ", CUDA " + m.GPU.CUDA
		}
	}
	kept := ""
	if p.kept > 0 {
		kept = t.Get("kept_too", "n", strconv.Itoa(p.kept))
	}
	p.say(t.Get("machine_summary", "name", m.Name, "os", m.OS, "gpus", gpus, "tally", t.TallyText(p.counts), "kept", kept))
}
