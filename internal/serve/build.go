package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A state is what the server knows after a build. It never changes: the next
// one takes its place and closes replaced. So whoever waits sees the latest
// state, however slow, and nobody who is slow delays a build.
type state struct {
	snapshot Snapshot  // of the last good build; nil before
	build    string    // its name
	problems diag.List // of the last build, good or not
	message  []byte    // build and problems as JSON; nil before the first build
	replaced chan struct{}
	sums     sync.Map // of the snapshot's files, string: string
}

// buildOnChange builds whenever the inbox holds something, until ctx ends.
func (s *Server) buildOnChange(ctx context.Context) {
	for {
		changed, ok := s.inbox.take(ctx, s.options.Debounce)
		if !ok {
			return
		}
		snapshot, problems := s.options.Build(ctx, changed)
		if ctx.Err() != nil {
			return // what a cancelled build found is no news
		}
		s.publish(snapshot, problems)
	}
}

func (s *Server) publish(snapshot Snapshot, problems diag.List) {
	old := s.state.Load()
	next := &state{
		snapshot: old.snapshot,
		build:    old.build,
		problems: mostSevereFirst(problems),
		replaced: make(chan struct{}),
	}
	if snapshot != nil && !problems.HasErrors() {
		s.builds++
		next.snapshot = snapshot
		next.build = fmt.Sprintf("%s-%d", s.run, s.builds)
	}
	next.message = encode(next)
	s.state.Store(next)
	close(old.replaced)
}

// built returns the current state, after the first build if need be. It is nil
// when ctx ends before.
func (s *Server) built(ctx context.Context) *state {
	for {
		st := s.state.Load()
		if st.message != nil {
			return st
		}
		select {
		case <-st.replaced:
		case <-ctx.Done():
			return nil
		}
	}
}

const (
	// maxProblems bounds what is sent: nobody reads more in a browser.
	maxProblems = 50
	// maxSource bounds a source line, in bytes. A longer one is not shown.
	maxSource = 2000
)

// A localizedProblem is a problem in English, and in the other languages by their codes: pages
// of all languages get it.
type localizedProblem struct {
	diag.Diagnostic
	Translations map[string]translatedProblem `json:"translations,omitempty"`
}

type translatedProblem struct {
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// encode writes what pages are sent of a state. JSON without line breaks is also what
// the data of a server-sent event must be.
func encode(st *state) []byte {
	shown := []localizedProblem{}
	for _, d := range st.problems[:min(len(st.problems), maxProblems)] {
		if len(d.Source) > maxSource {
			d.Source = ""
		}
		p := localizedProblem{Diagnostic: d, Translations: map[string]translatedProblem{}}
		for _, c := range catalogs()[1:] {
			p.Translations[c.Code()] = translatedProblem{d.Message.In(c), d.Hint.In(c)}
		}
		shown = append(shown, p)
	}
	data, err := json.Marshal(struct {
		Build    string             `json:"build"`
		Errors   int                `json:"errors"`
		Warnings int                `json:"warnings"`
		Problems []localizedProblem `json:"problems"`
	}{st.build, st.problems.Count(diag.Error), st.problems.Count(diag.Warning), shown})
	if err != nil {
		panic(err) // strings and numbers can always be written
	}
	return data
}

func mostSevereFirst(l diag.List) diag.List {
	l = l.Sorted()
	slices.SortStableFunc(l, func(a, b diag.Diagnostic) int { return cmp.Compare(a.Severity, b.Severity) })
	return l
}
