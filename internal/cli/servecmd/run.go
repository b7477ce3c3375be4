package servecmd

import (
	"context"
	"strings"

	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/serve"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// blockRuns are the actions of serve --allow-run: running one block, after the blocks of its
// session that it needs.
type blockRuns struct {
	*previewer
	server *serve.Server
}

// Of lists the blocks of a page, each with what runs for it.
func (r *blockRuns) Of(file string) []serve.Action {
	page := pageIn(r.latest.content(), file)
	if page == nil {
		return nil
	}
	var out []serve.Action
	for _, b := range page.Blocks {
		plan, err := planOf(r.latest.content(), b)
		if err != nil {
			continue // the site has changed since
		}
		out = append(out, serve.Action{ID: runID(b), Behind: b.Anchor() + ".results", Steps: steps(plan, b)})
	}
	return out
}

// runID names a block and its code, so that a button never runs other code than the one shown
// beside it. A file's name holds no line break.
func runID(b *site.Block) string {
	return b.Page.Source.Name + "\n" + b.Name + "\n" + string(b.ID)
}

func planOf(site *site.Site, b *site.Block) (*verify.Plan, error) {
	return verify.NewPlan(site, verify.Filter{Paths: []string{b.Page.Source.Name}, Names: []string{b.Name}})
}

// steps returns the names of the blocks that run, the chosen one last.
func steps(plan *verify.Plan, of *site.Block) (names []string) {
	for _, s := range plan.Sessions {
		for _, b := range s.Chosen() {
			names = append(names, b.CheckName())
		}
	}
	if len(names) == 0 {
		names = append(names, of.Name)
	}
	return names
}

// pageIn finds the page that is published in a file: in its own language, or in one
// that lacks a translation of it.
func pageIn(site *site.Site, file string) *site.Page {
	address, ok := strings.CutSuffix(file, "index.html")
	if site == nil || !ok {
		return nil
	}
	_, rest, _ := strings.Cut(address, "/")
	for _, p := range site.Pages {
		if p.URL == address {
			return p
		}
	}
	for _, p := range site.Pages {
		if p.URL == p.Language.Code+"/"+rest && site.Source(p.Key) == p {
			return p
		}
	}
	return nil
}

// Run runs a block as serve --verify would, and has the site built again with its result.
func (r *blockRuns) Run(ctx context.Context, id string, say func(string)) (serve.Outcome, error) {
	file, rest, _ := strings.Cut(id, "\n")
	name, _, _ := strings.Cut(rest, "\n")
	release, err := r.waitLock(ctx, func() { say("") })
	if err != nil {
		return serve.Outcome{}, err
	}
	defer release()
	site := r.latest.content() // after a wait that may have been long
	block := blockNamed(site, file, name)
	if block == nil {
		return serve.Outcome{}, serve.ErrUnknown
	}
	if runID(block) != id {
		return serve.Outcome{}, serve.ErrEdited
	}
	plan, err := planOf(site, block)
	if err != nil {
		return serve.Outcome{}, err
	}
	r.Around(func() {
		r.Println(r.Text.Get("asked_from_page", "place", block.Place(block.Line).Text().In(r.Text), "name", block.Name))
	})
	found, err := r.run(ctx, site, plan, func(e verify.Event) {
		if e.Started != nil {
			say(e.Started.CheckName())
		}
	})
	if err != nil { // an unfinished run changes nothing
		return serve.Outcome{}, err
	}
	r.take(found)
	r.server.Rebuild(project.PrivateDir)
	of := plan.Of(found)
	n := standing.Report(of)
	return serve.Outcome{OK: n.Passed() == len(of.Checks), Text: words.Tally(words.English(), n)}, nil
}

func blockNamed(site *site.Site, file, name string) *site.Block {
	if site == nil {
		return nil
	}
	for _, p := range site.Pages {
		if p.Source.Name != file {
			continue
		}
		for _, b := range p.Blocks {
			if b.Name == name {
				return b
			}
		}
	}
	return nil
}
