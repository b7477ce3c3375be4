package status

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// maxHistories limits the rows of what is shown over time.
const maxHistories = 60

// unsteady returns the checks whose outcome has changed, the one with the newest change first, and how
// many are left out.
func (w *Writer) unsteady(at results.Locations) (rows []theme.HistoryView, cut int) {
	var last []results.Change
	for _, m := range w.Machines {
		seen := map[*report.Check]bool{}
		for _, c := range m.Changes() {
			if here, _ := at.Of(c.Check); here != nil && !seen[c.Check] && c.Was.Standing != standing.None {
				seen[c.Check] = true // the first is the newest
				last = append(last, c)
			}
		}
	}
	slices.SortStableFunc(last, func(a, b results.Change) int { return b.At.Compare(a.At) })
	cut = max(0, len(last)-maxHistories)
	for _, c := range last[:len(last)-cut] {
		v := w.history(c.Machine, c.Check, at)
		v.DateISO, v.Date = c.At.UTC().Format(time.RFC3339), w.t.Date(c.At)
		v.Ticks, v.Text = w.ticks(c.Check)
		v.Width = tickWidth * len(v.Ticks)
		rows = append(rows, v)
	}
	return rows, cut
}

// history returns what all rows have in common.
func (w *Writer) history(m *results.Machine, c *report.Check, at results.Locations) theme.HistoryView {
	here, stale := at.Of(c)
	status := results.Finding{Machine: m, Check: c, Stale: stale}.State().String()
	return theme.HistoryView{
		Machine:    results.Label(w.Presenter, m),
		Page:       here.Page.Title,
		Name:       invisible.Visible(c.Name),
		URL:        w.locationURL(here),
		Status:     status,
		StatusText: w.t.Get("status_" + status),
	}
}

const tickWidth = 5

// ticks returns the outcomes of a check, the oldest first, and a sentence with the number of those
// that passed.
func (w *Writer) ticks(c *report.Check) (ticks []theme.TickView, text string) {
	states, since, passed := []standing.State{standing.Of(c)}, c.Ran, 0
	for i, p := range c.History {
		states, since = append(states, standing.At(c, i)), p.Ran
	}
	slices.Reverse(states)
	for i, s := range states {
		ticks = append(ticks, theme.TickView{Status: s.Word(), X: tickWidth * i})
		if s.Standing == standing.Passed || s.Answer == "yes" {
			passed++
		}
	}
	key := "history_passed"
	if c.Asks {
		key = "history_answered"
	}
	return ticks, w.t.Get(key, "passed", strconv.Itoa(passed), "n", strconv.Itoa(len(states)), "date", w.t.Date(since))
}

// A series is a value of a check over its runs, the oldest first.
type series struct {
	machine *results.Machine
	check   *report.Check
	value   report.Capture
	unit    string
	name    string
	values  []float64
	since   time.Time
}

// values returns the numbers that checks capture or measure, if there is more than one.
func (w *Writer) values(at results.Locations) (rows []theme.HistoryView, cut int) {
	var list []series
	for _, m := range w.Machines {
		if !m.Trusted() {
			continue
		}
		for c := range m.Checks() {
			if at.Current(c.ID) == nil {
				continue
			}
			for _, v := range c.Captures {
				if s := seriesOf(m, c, v); len(s.values) > 1 {
					list = append(list, s)
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b series) int { return cmp.Compare(a.value.Name, b.value.Name) })
	cut = max(0, len(list)-maxHistories)
	for _, s := range list[:len(list)-cut] {
		rows = append(rows, w.valueRow(s, at))
	}
	return rows, cut
}

// seriesOf follows a value back as long as it has the same unit.
func seriesOf(m *results.Machine, c *report.Check, v report.Capture) series {
	s := series{machine: m, check: c, value: v, unit: v.Unit, name: v.Name}
	if i := strings.IndexByte(c.Name, '['); i >= 0 { // of a combination of a block with matrix=
		s.name += c.Name[i:]
	}
	add := func(list []report.Capture, ran time.Time) bool {
		i := slices.IndexFunc(list, func(old report.Capture) bool { return old.Name == v.Name && old.Unit == v.Unit })
		if i < 0 {
			return false
		}
		x, err := strconv.ParseFloat(list[i].Value, 64)
		if err != nil || x-x != 0 { // not a number that can be drawn
			return false
		}
		s.values, s.since = append(s.values, x), ran
		return true
	}
	if add(c.Captures, c.Ran) {
		for _, p := range c.History {
			if !add(p.Captures, p.Ran) && p.Outcome == report.Passed {
				break
			}
		}
	}
	slices.Reverse(s.values)
	return s
}

func (w *Writer) valueRow(s series, at results.Locations) theme.HistoryView {
	v := w.history(s.machine, s.check, at)
	v.Machine = results.LabelOf(w.Presenter, at.Current(s.check.ID).Block, s.machine)
	v.Name = invisible.Visible(s.name)
	v.DateISO, v.Date = s.check.Ran.UTC().Format(time.RFC3339), w.t.Date(s.check.Ran)
	low, high, n := slices.Min(s.values), slices.Max(s.values), len(s.values)
	v.Text = w.t.Get("history_values", "now", w.Rate(s.values[n-1], s.unit), "first", w.Rate(s.values[0], s.unit),
		"low", w.Rate(low, s.unit), "high", w.Rate(high, s.unit), "n", strconv.Itoa(n), "date", w.t.Date(s.since))
	v.Text = strings.Join(append([]string{v.Text}, results.Notes(w.Presenter, s.value)...), "; ")
	var points []string
	for i, x := range s.values {
		y := 0.5
		if high > low {
			y = (high/2 - x/2) / (high/2 - low/2) // halves: no difference overflows
		}
		points = append(points, strconv.FormatFloat(100*float64(i)/float64(n-1), 'f', 1, 64)+","+strconv.FormatFloat(2+16*y, 'f', 1, 64))
	}
	v.Line = strings.Join(points, " ")
	return v
}
