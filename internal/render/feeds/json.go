package feeds

import (
	"html/template"
	"path"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// ResultsDir is the folder of the results for programs: index.json lists the checks, and deepnine.json what that
// machine found. docs/results.schema.json describes both.
const ResultsDir = "_results"

// ResultsFile is the list of all results.
const ResultsFile = ResultsDir + "/index.json"

// feedSchema is the version of the schema.
const feedSchema = 1

// published reports whether the site has feeds.
func (s *Site) published() bool { return s.Content.HasChecks() && !s.Content.Config.Without.Feeds }

// PlanFeeds adds the feeds. Feed readers identify entries by absolute addresses, so a site without a base URL
// has no Atom feed.
func (s *Site) PlanFeeds(add func(name string, make func() ([]byte, error))) {
	if !s.published() {
		return
	}
	add(ResultsFile, func() ([]byte, error) { return text.JSON(s.feedIndex(), " ") })
	for _, m := range s.Reports.Machines {
		add(path.Join(ResultsDir, m.Name+".json"), func() ([]byte, error) { return text.JSON(s.feedMachine(m), " ") })
	}
	if s.Nav.BaseURL == "" || !s.anyDate() {
		return
	}
	for _, l := range s.Content.Languages {
		add(l.Code+"/"+AtomFile, func() ([]byte, error) { return s.atom(l) })
	}
}

// anyDate reports whether the date of any change is known, as an Atom feed must have one.
func (s *Site) anyDate() bool {
	for _, m := range s.Reports.Machines {
		if _, ok := m.Began(); ok || len(m.Changes()) > 0 {
			return true
		}
	}
	for _, p := range s.Content.Pages {
		if !s.Nav.ChangedOn(p).IsZero() {
			return true
		}
	}
	return false
}

type feedIndex struct {
	Schema    int           `json:"schema"`
	Generator string        `json:"generator,omitempty"`
	Title     string        `json:"title"`
	BaseURL   string        `json:"base_url,omitempty"`
	Machines  []feedSummary `json:"machines"`
	// Unreadable are the machines whose reports cannot be read.
	Unreadable []string    `json:"unreadable,omitempty"`
	Checks     []feedCheck `json:"checks"`
}

// A feedSummary is a machine in the index.
type feedSummary struct {
	Name      string         `json:"name"`
	Results   string         `json:"results"` // its file, beside the index
	OS        string         `json:"os,omitempty"`
	Arch      string         `json:"arch,omitempty"`
	CPU       string         `json:"cpu,omitempty"`
	GPU       feedGPU        `json:"gpu"`
	LastRan   *time.Time     `json:"last_ran,omitempty"`
	Signature *feedSignature `json:"signature,omitempty"`
	Counts    standing.JSON  `json:"counts"`
}

type feedGPU struct {
	Status  string   `json:"status"`
	Code    string   `json:"code,omitempty"`
	Driver  string   `json:"driver,omitempty"`
	CUDA    string   `json:"cuda,omitempty"`
	Devices []string `json:"devices"`
}

type feedSignature struct {
	State string `json:"state"`
	By    string `json:"by,omitempty"`
}

// A feedCheck is a check of the site. Pages in several languages may have the same.
type feedCheck struct {
	ID     report.ID   `json:"id"`
	Kind   string      `json:"kind"`
	Page   string      `json:"page"`
	Name   string      `json:"name"`
	Want   string      `json:"want,omitempty"`
	Places []feedPlace `json:"places"`
}

type feedPlace struct {
	Language string `json:"language"`
	Title    string `json:"title"`
	URL      string `json:"url"` // below the site's root
}

type feedMachine struct {
	Schema    int            `json:"schema"`
	Machine   string         `json:"machine"`
	OS        string         `json:"os,omitempty"`
	GPU       *feedGPU       `json:"gpu,omitempty"`
	Signature *feedSignature `json:"signature,omitempty"`
	Results   []feedResult   `json:"results"`
}

// A feedResult is what the machine found. Status differs from Outcome if that no longer counts: it is "stale" or
// "altered". NotApplicable is set for a status "skipped" if the machine lacks what the check needs.
type feedResult struct {
	ID            report.ID      `json:"id"`
	Page          string         `json:"page"`
	Name          string         `json:"name"`
	Status        string         `json:"status"`
	Outcome       report.Outcome `json:"outcome"`
	NotApplicable bool           `json:"not_applicable,omitempty"`
	// Lost is set with it if the machine has lost what the check needs.
	Lost bool `json:"lost,omitempty"`
	// Answer is "yes" or "no" for a line that asks and demands nothing.
	Answer      string              `json:"answer,omitempty"`
	Ran         time.Time           `json:"ran"`
	DurationMS  float64             `json:"duration_ms"`
	Unsteady    bool                `json:"unsteady,omitempty"`
	Reason      *report.Reason      `json:"reason,omitempty"`
	Want        string              `json:"want,omitempty"`
	Found       string              `json:"found,omitempty"`
	Captures    []report.Capture    `json:"captures,omitempty"`
	Measurement *report.Measurement `json:"measurement,omitempty"`
	// Build has the compiler's outputs only with feedDetails.
	Build   *report.Build `json:"build,omitempty"`
	History []report.Past `json:"history,omitempty"`
	*feedDetails
}

// feedDetails are what a page shows of a result in addition. They are set only if the site has more machines
// than a page includes.
type feedDetails struct {
	// Place is the number of the machine's tab in the block's panel.
	Place       int               `json:"place"`
	Interpreter string            `json:"interpreter,omitempty"`
	Packages    []report.Package  `json:"packages,omitempty"`
	Stdout      *report.Stream    `json:"stdout,omitempty"`
	Stderr      *report.Stream    `json:"stderr,omitempty"`
	Diff        []report.DiffLine `json:"diff,omitempty"`
	Figures     []feedFigure      `json:"figures,omitempty"`
	// Text is the text of pages about the reason and the measurement, by language.
	Text map[string][]string `json:"text,omitempty"`
}

// A feedFigure has the address of a picture below the site's root, HTML that is safe on any page, or
// the text of LaTeX that is no formula. It has none of them if nothing of the HTML can be shown.
type feedFigure struct {
	URL    string        `json:"url,omitempty"`
	Width  int           `json:"width,omitempty"`
	Height int           `json:"height,omitempty"`
	HTML   template.HTML `json:"html,omitempty"`
	Text   string        `json:"text,omitempty"`
}

// A listed check has a block that contains it.
type listed struct {
	feedCheck
	block *site.Block
}

// listed returns all checks of the site, once each, in reading order, beginning with the default language.
func (s *Site) listed() []*listed {
	var list []*listed
	byID := map[report.ID]*listed{}
	for _, l := range s.Content.Languages {
		for _, e := range s.Nav.Checked(l) {
			p := *e.Placed
			for _, b := range p.Page.Runs() {
				here := feedPlace{l.Code, p.Page.Title, nav.Escape(p.URL()) + "#" + b.Anchor() + ".results"}
				for _, of := range b.Checks() {
					c := byID[of.ID]
					if c == nil {
						check := feedCheck{ID: of.ID, Kind: string(b.Kind), Page: p.Page.Key, Name: of.Name, Want: of.String() + values(b)}
						c = &listed{check, b}
						byID[of.ID], list = c, append(list, c)
					}
					c.Places = append(c.Places, here)
				}
			}
		}
	}
	return list
}

// values returns the values of a combination, or "".
func values(b *site.Block) string { return strings.Trim(b.Combination(), "[]") }

func (s *Site) feedIndex() feedIndex {
	f := feedIndex{Schema: feedSchema, Generator: s.Generator, Title: s.Nav.Title(s.Content.Languages[0]), BaseURL: s.Nav.BaseURL,
		Machines: []feedSummary{}, Unreadable: s.Reports.Unreadable, Checks: []feedCheck{}}
	checks := s.listed()
	for _, c := range checks {
		f.Checks = append(f.Checks, c.feedCheck)
	}
	for _, m := range s.Reports.Machines {
		v := feedSummary{
			Name:      m.Name,
			Results:   m.Name + ".json",
			OS:        m.OS,
			Arch:      m.Arch,
			CPU:       m.CPU,
			GPU:       feedGPUOf(m.GPU),
			Signature: newFeedSignature(m.Signature),
			Counts:    s.Reports.Checks(m, s.Content.Pages...).JSON(),
		}
		if last := m.Last.UTC(); !last.IsZero() {
			v.LastRan = &last
		}
		f.Machines = append(f.Machines, v)
	}
	return f
}

func newFeedSignature(g results.Signature) *feedSignature {
	if g.State == "" {
		return nil
	}
	return &feedSignature{string(g.State), invisible.Visible(g.By)}
}

func (s *Site) feedMachine(m *results.Machine) feedMachine {
	f := feedMachine{Schema: feedSchema, Machine: m.Name, Signature: newFeedSignature(m.Signature), Results: []feedResult{}}
	detailed := len(s.Reports.Machines) > results.MaxIncluded
	if detailed {
		g := feedGPUOf(m.GPU)
		f.OS, f.GPU = m.OS, &g
	}
	for _, l := range s.listed() {
		found := s.Reports.Find(m, l.ID, l.block.Page, l.Name)
		c := found.Check
		if c == nil {
			continue
		}
		state := found.State()
		r := feedResult{
			ID:            l.ID,
			Page:          l.Page,
			Name:          l.Name,
			Status:        string(c.Outcome),
			Outcome:       c.Outcome,
			NotApplicable: state.Standing == standing.NotApplicable,
			Lost:          state.Lost,
			Answer:        state.Answer,
			Ran:           c.Ran.UTC(),
			DurationMS:    c.DurationMS,
			Unsteady:      c.Unsteady(),
			Reason:        c.Reason,
			Want:          c.Want,
			Found:         c.Found,
			Captures:      c.Captures,
			Measurement:   c.Measurement,
			History:       c.History,
		}
		if state.Standing == standing.Stale || state.Standing == standing.Altered {
			r.Status = state.String()
		}
		if r.Want == "" && l.block.Values != nil {
			r.Want, r.Found = values(l.block), results.Captured(c)
		}
		if c.Build != nil {
			build := *c.Build
			if !detailed {
				build.Stdout, build.Stderr = nil, nil
			}
			r.Build = &build
		}
		if detailed {
			r.feedDetails = s.feedDetails(l, found)
		}
		f.Results = append(f.Results, r)
	}
	return f
}

func feedGPUOf(g report.GPU) feedGPU {
	f := feedGPU{Status: g.Status, Code: g.Code, Driver: g.Driver, CUDA: g.CUDA, Devices: []string{}}
	for _, d := range g.Devices {
		f.Devices = append(f.Devices, d.Name)
	}
	return f
}

func (s *Site) feedDetails(l *listed, found results.Finding) *feedDetails {
	c := found.Check
	d := &feedDetails{Interpreter: c.Interpreter, Packages: c.Packages, Stdout: c.Stdout, Stderr: c.Stderr, Diff: c.Diff}
	for _, r := range s.Reports.For(l.block) {
		if r.Compare(found.Machine) <= 0 {
			d.Place++
		}
	}
	for _, f := range c.Figures {
		width, height, err := f.Size()
		if err != nil {
			continue
		}
		shown := feedFigure{Width: width, Height: height}
		if f.Picture() {
			shown.URL = results.FigureFile(f)
		} else if shown.HTML = s.Display(f); shown.HTML == "" && f.Form() == report.LaTeX {
			shown.Text = invisible.Visible(f.LaTeX)
		}
		d.Figures = append(d.Figures, shown)
	}
	for _, lang := range s.Content.Languages {
		if words := s.Reports.Present(s.Theme.Text(lang.Code), "", nil).Sentences(found); words != nil {
			if d.Text == nil {
				d.Text = map[string][]string{}
			}
			d.Text[lang.Code] = words
		}
	}
	return d
}
