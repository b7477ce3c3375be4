package verifycmd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/reason"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// progress writes a line for each check that ends, of those that are not applicable for one reason a few. On a terminal it also
// shows the running block in the live line, the oldest one if there are several.
type progress struct {
	a      *env.Env
	ticker *env.Ticker // nil if there is no live line

	mu      sync.Mutex
	running []started // the oldest first
	done    int
	total   int
	kept    int
	lines   int     // of checks
	alike   []alike // checks that are not applicable
}

// alike are n checks that are not applicable for one reason, in words.
type alike struct {
	outcome, why string
	n            int
}

// Of more than maxAlike checks that are not applicable for one reason only the number is printed, and after more than
// aScreen checks failures are printed again.
const maxAlike, aScreen = 5, 20

// started is a running block with its start.
type started struct {
	*site.Block
	since time.Time
}

func newProgress(a *env.Env) *progress {
	p := &progress{a: a}
	// If standard output is a pipe, its lines could appear on the same terminal within the live line.
	if a.Terminal(a.Stdout) {
		p.ticker = a.NewTicker(env.Refresh, func(live *terminal.Line) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.draw(live)
		})
	}
	return p
}

// event shows an event of a run.
func (p *progress) event(e verify.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.total = e.Done, e.Total
	if e.Dropped > 0 {
		p.println(p.a.Text.Count("dropped", e.Dropped))
	}
	if e.Kept > 0 {
		p.kept = e.Kept
		p.println(p.a.Text.Count("kept", e.Kept))
	}
	if e.Started != nil {
		p.running = append(p.running, started{e.Started, time.Now()})
		if p.ticker != nil {
			p.draw(p.ticker.Line)
		}
	}
	if e.Ended != nil {
		p.running = slices.DeleteFunc(p.running, func(s started) bool { return s.Block == e.Ended })
	}
	if c := e.Finished; c != nil && p.tells(c) {
		p.lines++
		p.a.Around(func() { fmt.Fprintln(p.a.Stdout, p.line(c)+p.difference(c)) })
	} else if e.Ended != nil {
		p.a.Around(func() {})
	}
}

// tells reports whether a check has a line.
func (p *progress) tells(c *report.Check) bool {
	if s := standing.Of(c); s.Standing != standing.NotApplicable || s.Lost || c.Reason == nil {
		return true
	}
	why := words.BareReason(p.a.Text, c)
	i := slices.IndexFunc(p.alike, func(a alike) bool { return a.why == why })
	if i < 0 {
		i = len(p.alike)
		p.alike = append(p.alike, alike{outcome: words.Stands(p.a.Text, c), why: why})
	}
	p.alike[i].n++
	return p.alike[i].n <= maxAlike
}

// println writes a line above the live line.
func (p *progress) println(text string) { p.a.Around(func() { p.a.Println(text) }) }

func (p *progress) draw(live *terminal.Line) {
	if len(p.running) == 0 {
		return
	}
	b, number, others := p.running[0], strconv.Itoa(p.done+1), ""
	if n := len(p.running); n > 1 {
		number = fmt.Sprintf("%d-%d", p.done+1, p.done+n)
		others = p.a.Text.Get("others", "n", strconv.Itoa(n-1))
	}
	text := fmt.Sprintf("[%s/%d] %s %s %s", number, p.total, b.Place(b.Line).Text().In(p.a.Text),
		b.CheckName(), time.Since(b.since).Truncate(100*time.Millisecond))
	if others != "" {
		text = terminal.Clip(text, max(1, p.a.TextWidth(p.a.Stdout)-1-terminal.Columns(others))) + others
	}
	live.Set(text)
}

// clear removes the live line and ends the progress.
func (p *progress) clear() {
	p.ticker.End()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = nil
}

func (p *progress) line(c *report.Check) string {
	wide := words.OutcomeWidth(p.a.Text)
	outcome := terminal.Pad(words.Stands(p.a.Text, c), wide)
	text := fmt.Sprintf("%s  %s  %s", outcome, c.Places[0].Text().In(p.a.Text), c.Name)
	if c.Measurement != nil && c.Found != "" {
		text += "  " + c.Found
	}
	if took := words.Duration(c); took != "" {
		text += "  " + took
	}
	if tried := words.Tried(p.a.Text, c); tried != "" {
		text += "  " + tried
	}
	if c.Reason != nil {
		text += "\n" + strings.Repeat(" ", wide+2) + words.Reason(p.a.Text, c)
	}
	for _, drift := range words.Drifts(p.a.Text, c) {
		text += "\n" + strings.Repeat(" ", wide+2) + drift
	}
	text = terminal.Hang(text, p.a.TextWidth(p.a.Stdout), wide+2)
	if rest, ok := strings.CutPrefix(text, outcome); ok {
		text = p.a.Paint(words.Colors[standing.Of(c).Word()], outcome) + rest
	}
	return text
}

func (p *progress) difference(c *report.Check) string {
	var b strings.Builder
	for i, d := range c.Diff {
		if i == words.MaxDiffLines {
			fmt.Fprintf(&b, "\n         %s", p.a.Text.Count("lines_more", report.Lines(c.Diff[i:])))
			break
		}
		fmt.Fprintf(&b, "\n         %s %s", d.Op, p.marked(words.Shortened(p.a.Text, d)))
	}
	return b.String()
}

// marked underlines what matchers matched in a line, if colours are shown.
func (p *progress) marked(d report.DiffLine) string {
	if !p.a.Color(p.a.Stdout) {
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

// summary prints the end of a run: what has no line of its own, what failed if it may have scrolled away, and the counts. The
// report has the checks of the run.
func (p *progress) summary(r *report.Report) {
	t, m := p.a.Text, r.Machine
	for _, a := range p.alike {
		if n := a.n - maxAlike; n > 0 {
			wide := words.OutcomeWidth(t)
			text := terminal.Pad(a.outcome, wide) + "  " + t.Get("more_alike", "n", strconv.Itoa(n), "why", a.why)
			p.println(terminal.Hang(text, p.a.TextWidth(p.a.Stdout), wide+2))
		}
	}
	for i := range r.Checks {
		if s := standing.Of(&r.Checks[i]); p.lines > aScreen && (s.Standing == standing.Failed || s.Standing == standing.Errored || s.Lost) {
			p.println(p.line(&r.Checks[i]))
		}
	}
	gpus := t.Get("no_gpu", "why", reason.Unusable(t, m.GPU.Code))
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
	tally := words.Tally(t, standing.Report(r))
	p.println(t.Get("machine_summary", "name", m.Name, "os", m.OS, "gpus", gpus, "tally", tally, "kept", kept))
}
