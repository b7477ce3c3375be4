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

// A state is the result of a build. It never changes: the next one replaces it and closes replaced. So a
// slow client still sees the latest state, and delays no build.
type state struct {
	snapshot Snapshot  // of the last build that made one, or nil
	build    string    // the name of that build
	problems diag.List // of the last build, good or not
	message  []byte    // build and problems as JSON; nil before the first build
	replaced chan struct{}
	sums     sync.Map // hashes of the snapshot's files, string: string
}

// buildOnChange builds whenever the inbox holds something, until ctx ends.
func (s *Server) buildOnChange(ctx context.Context) {
	for {
		changed, ok := s.inbox.take(ctx, s.preview.Debounce)
		if !ok {
			return
		}
		snapshot, problems := s.preview.Build(ctx, changed)
		if ctx.Err() != nil {
			return // the result of a cancelled build means nothing
		}
		s.publish(snapshot, problems)
	}
}

// publish replaces the state after a build.
func (s *Server) publish(snapshot Snapshot, problems diag.List) {
	old := s.state.Load()
	next := &state{
		snapshot: old.snapshot,
		build:    old.build,
		problems: mostSevereFirst(problems),
		replaced: make(chan struct{}),
	}
	if snapshot != nil {
		s.builds++
		next.snapshot = snapshot
		next.build = fmt.Sprintf("%s-%d", s.run, s.builds)
	}
	next.message = encode(next)
	s.state.Store(next)
	close(old.replaced)
}

// built returns the current state. It waits for the first build, and returns nil if ctx ends before.
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
	// maxProblems bounds the problems that are sent: more would not be read in a browser.
	maxProblems = 50
	// maxSource bounds a source line, in bytes. A longer one is left out.
	maxSource = 2000
)

// A localizedProblem is a problem in English, and in the other languages by their codes, because pages of
// all languages get it.
type localizedProblem struct {
	diag.Diagnostic
	Translations map[string]translatedProblem `json:"translations,omitempty"`
}

type translatedProblem struct {
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// encode returns a state as pages get it: JSON without line breaks, which a server-sent event cannot have.
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
		panic(err) // strings and numbers can always be encoded
	}
	return data
}

func mostSevereFirst(l diag.List) diag.List {
	l = l.Sorted()
	slices.SortStableFunc(l, func(a, b diag.Diagnostic) int { return cmp.Compare(a.Severity, b.Severity) })
	return l
}
