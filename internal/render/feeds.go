package render

import (
	"bytes"
	"encoding/json"
	"path"
	"time"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/report"
)

// feedDir is where programs find all results: index.json lists what there is to
// check, and deepnine.json what a machine found. docs/results.schema.json describes
// both.
const feedDir = "_results"

// feedFile is the list of all results.
const feedFile = feedDir + "/index.json"

// feedSchema is the version of that form.
const feedSchema = 1

// atomName is the feed of changes, beside the status page.
const atomName = statusDir + "feed.xml"

// planFeeds names the feeds. Readers of Atom keep entries by absolute addresses, so
// without a base URL there is no such feed.
func (s *Site) planFeeds() {
	if !s.content.HasChecks() || s.content.Config.Without.Feeds {
		return
	}
	s.files[feedFile] = func(s *Site) ([]byte, error) { return encode(s.feedIndex()) }
	for i, m := range s.results.machines {
		s.files[path.Join(feedDir, m.Name+".json")] = func(s *Site) ([]byte, error) { return encode(s.feedMachine(i)) }
	}
	if s.options.BaseURL == "" || !s.anyDate() {
		return
	}
	for _, l := range s.content.Languages {
		s.files[l.Code+"/"+atomName] = func(s *Site) ([]byte, error) { return s.atom(l) }
	}
}

// anyDate tells whether anything is known to have happened at any time: a feed must
// have a date.
func (s *Site) anyDate() bool {
	for i := range s.results.sources {
		if _, ok := s.results.began(i); ok || len(s.results.changes(i)) > 0 {
			return true
		}
	}
	for _, p := range s.content.Pages {
		if !s.changedOn(p).IsZero() {
			return true
		}
	}
	return false
}

// feeds tells a page what programs can read.
func (s *Site) feeds(v *PageView, l *content.Language, from string) {
	if s.files[l.Code+"/"+statusDir+"index.html"] != nil {
		v.Status = href(from, l.Code+"/"+statusDir)
	}
	if name := l.Code + "/" + atomName; s.files[name] != nil {
		v.Feeds = append(v.Feeds, FeedLink{"application/atom+xml", v.T.Get("feed_changes"), href(from, name)})
	}
	if s.files[feedFile] != nil {
		v.Feeds = append(v.Feeds, FeedLink{"application/json", v.T.Get("feed_results"), href(from, feedFile)})
	}
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false) // it is no HTML
	err := e.Encode(v)
	return b.Bytes(), err
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
	Counts    feedCounts     `json:"counts"`
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

type feedCounts struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Errored int `json:"error"`
	Skipped int `json:"skipped"`
	Stale   int `json:"stale"`
	Altered int `json:"altered"`
	NotRun  int `json:"not_run"`
}

// A feedCheck is what there is to check; two languages may show the same.
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
	Signature *feedSignature `json:"signature,omitempty"`
	Results   []feedResult   `json:"results"`
}

// A feedResult is what the machine found. Status differs from Outcome where that does
// not count any more: "stale" or "altered".
type feedResult struct {
	ID          report.ID           `json:"id"`
	Page        string              `json:"page"`
	Name        string              `json:"name"`
	Status      string              `json:"status"`
	Outcome     report.Outcome      `json:"outcome"`
	Ran         time.Time           `json:"ran"`
	DurationMS  float64             `json:"duration_ms"`
	Reason      *report.Reason      `json:"reason,omitempty"`
	Want        string              `json:"want,omitempty"`
	Found       string              `json:"found,omitempty"`
	Captures    []report.Capture    `json:"captures,omitempty"`
	Measurement *report.Measurement `json:"measurement,omitempty"`
	History     []report.Past       `json:"history,omitempty"`
}

// A listed check is one of the site, with a block that holds it and its name there.
type listed struct {
	feedCheck
	block *content.Block
}

// listed are all checks of the site, once each, in reading order, the default
// language first.
func (s *Site) listed() []*listed {
	var list []*listed
	byID := map[report.ID]*listed{}
	for _, l := range s.content.Languages {
		for _, e := range s.checked(l) {
			p := *e.placed
			for _, b := range p.page.Blocks {
				here := feedPlace{l.Code, p.page.Title, escapePath(p.url()) + "#" + b.Anchor() + ".results"}
				note := func(id report.ID, kind, name, want string) {
					c := byID[id]
					if c == nil {
						c = &listed{feedCheck{ID: id, Kind: kind, Page: p.page.Key, Name: name, Want: want}, b}
						byID[id], list = c, append(list, c)
					}
					c.Places = append(c.Places, here)
				}
				if b.Kind != content.GPU {
					note(b.ID, string(b.Kind), b.Name, "")
				}
				for _, line := range b.GPULines {
					note(line.ID, string(b.Kind), line.Name, line.Want())
				}
			}
		}
	}
	return list
}

func (s *Site) feedIndex() feedIndex {
	f := feedIndex{Schema: feedSchema, Generator: s.options.Generator, Title: s.title(s.content.Languages[0]), BaseURL: s.options.BaseURL,
		Machines: []feedSummary{}, Unreadable: s.options.Unreadable, Checks: []feedCheck{}}
	checks := s.listed()
	for _, c := range checks {
		f.Checks = append(f.Checks, c.feedCheck)
	}
	for i, m := range s.results.machines {
		v := feedSummary{Name: m.Name, Results: m.Name + ".json", OS: m.OS, Arch: m.Arch, CPU: m.CPU, Signature: s.feedSignature(i),
			GPU: feedGPU{Status: m.GPU.Status, Code: m.GPU.Code, Driver: m.GPU.Driver, CUDA: m.GPU.CUDA, Devices: []string{}}}
		for _, d := range m.GPU.Devices {
			v.GPU.Devices = append(v.GPU.Devices, d.Name)
		}
		if last := s.results.lasts[i]; !last.IsZero() {
			last = last.UTC()
			v.LastRan = &last
		}
		for _, c := range checks {
			v.Counts.add(s.results.on(i, c))
		}
		f.Machines = append(f.Machines, v)
	}
	return f
}

// on is what one machine found for a check, with no check in it where it found nothing.
func (r *results) on(source int, c *listed) finding {
	src := r.sources[source]
	f := finding{machine: &r.machines[source], local: src.Local, check: r.byID[source][c.ID], signature: src.Signature}
	if f.check == nil {
		f.check, f.stale = r.outdated(source, c.block.Page, c.Name), true
	}
	return f
}

func (n *feedCounts) add(f finding) {
	if f.check == nil {
		n.NotRun++
		return
	}
	switch f.status() {
	case statusPassed:
		n.Passed++
	case statusFailed:
		n.Failed++
	case statusError:
		n.Errored++
	case statusSkipped:
		n.Skipped++
	case statusStale:
		n.Stale++
	case statusAltered:
		n.Altered++
	}
}

func (s *Site) feedSignature(source int) *feedSignature {
	g := s.results.sources[source].Signature
	if g.State == "" {
		return nil
	}
	return &feedSignature{string(g.State), visible(g.By)}
}

func (s *Site) feedMachine(source int) feedMachine {
	f := feedMachine{Schema: feedSchema, Machine: s.results.machines[source].Name, Signature: s.feedSignature(source), Results: []feedResult{}}
	for _, l := range s.listed() {
		found := s.results.on(source, l)
		c := found.check
		if c == nil {
			continue
		}
		f.Results = append(f.Results, feedResult{ID: l.ID, Page: l.Page, Name: l.Name, Status: found.status(), Outcome: c.Outcome, Ran: c.Ran.UTC(),
			DurationMS: c.DurationMS, Reason: c.Reason, Want: c.Want, Found: c.Found, Captures: c.Captures, Measurement: c.Measurement, History: c.History})
	}
	return f
}
