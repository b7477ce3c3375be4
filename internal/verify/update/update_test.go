package update

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/match"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/verify"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
)

// withoutExpectations returns a file without the blocks that an update may change.
func withoutExpectations(p *site.Page, data []byte) []byte {
	lines := bytes.SplitAfter(data, []byte("\n"))
	drop := func(fence, size int) {
		for i := fence - 1; i <= min(fence+size, len(lines)-1); i++ {
			lines[i] = nil
		}
	}
	for _, b := range p.Blocks {
		if b.Kind == site.Pycon {
			drop(b.Line, len(judge.Lines(b.Code)))
		}
		for _, e := range b.Expects {
			drop(e.Line-1, len(judge.Lines(e.Text)))
		}
	}
	return bytes.Join(lines, nil)
}

// FuzzUpdate: for any page and output, an update changes only expectations, these pass by its
// report, and there is nothing left to update.
func FuzzUpdate(f *testing.F) {
	for _, doc := range []string{
		"```bash {run}\nx\n```\n```{expect}\nold\n[...]\n... (re)\n```\nend",
		"> ~~~bash {run exit=3}\r\n> x\r\n> ~~~\r\n> ~~~{expect stream=stderr}\r\n> <t:number s>\r\n> ~~~\r\n",
		"```pycon {run}\n>>> 1\n2\n\nprose\n>>> f(\n... )\nTraceback (most recent call last):\n  x\nE: y\n```\n- ```bash {run}\n  x\n  ```\n  ```{expect number}\n  1.0\n  ```\n",
	} {
		for _, out := range []string{"new\n", "", "a\n\n```\n  b (re)\n", ">>> 1\n...\n<BLANKLINE>\n", "1.04\n~~~~\n"} {
			f.Add([]byte(doc), out, "E: z")
		}
	}
	f.Fuzz(func(t *testing.T, doc []byte, out, exception string) {
		out, exception = match.Plain(strings.ToValidUTF8(out, "")), match.Plain(strings.ToValidUTF8(exception, ""))
		fsys := fstest.MapFS{"gpudocs.toml": {Data: []byte("[languages.en]\n")}, "content/en/p.md": {Data: doc}}
		site, diags := load.Load(fsys, load.Options{Drafts: true})
		if diags.HasErrors() || len(site.Pages) != 1 {
			return
		}
		plan, err := verify.NewPlan(site, verify.Filter{})
		if err != nil {
			return
		}
		r, seen := ranWith(plan, out, exception)
		u, err := New(site, plan, r, seen, fsys)
		if err != nil {
			t.Fatal(err)
		}
		if len(u.Pages) == 0 {
			return
		}
		page := u.Pages[0]
		if before, after := withoutExpectations(site.Pages[0], page.Old), withoutExpectations(u.next.Pages[0], page.New); !bytes.Equal(before, after) {
			t.Fatalf("changes outside of expectations\n%q\n%q", before, after)
		}
		next, err := u.Report()
		if err != nil {
			t.Fatal(err)
		}
		fsys["content/en/p.md"] = &fstest.MapFile{Data: page.New}
		again, diags := load.Load(fsys, load.Options{Drafts: true})
		if diags.HasErrors() {
			t.Fatalf("%v\n%q", diags, page.New)
		}
		plan, err = verify.NewPlan(again, verify.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		passed := 0
		for _, c := range next.Checks {
			if len(plan.Order(map[report.ID]report.Check{c.ID: c})) == 0 {
				t.Errorf("the report has %s, but the site does not", c.ID)
			}
			if c.Outcome == report.Passed {
				passed++
			}
		}
		if passed == 0 {
			t.Errorf("no check passes after the update\n%q\n%q", page.Old, page.New)
		}
		examples := map[report.ID][]judge.Printed{}
		for i, b := range site.Pages[0].Blocks {
			examples[again.Pages[0].Blocks[i].ID] = seen[b.ID]
		}
		twice, err := New(again, plan, next, examples, fsys)
		if err != nil || len(twice.Pages) > 0 {
			t.Errorf("a second update has changes: %v\n%q\n%q", err, page.New, twice.Pages)
		}
	})
}

// ranWith returns the report of a run in which every block printed the same, and every other
// example of a pycon block raised an exception.
func ranWith(p *verify.Plan, out, exception string) (*report.Report, map[report.ID][]judge.Printed) {
	r := &report.Report{Machine: report.Machine{Name: "m", GPU: report.GPU{Status: report.GPUNone}}}
	seen := map[report.ID][]judge.Printed{}
	for _, s := range p.Sessions {
		for _, b := range s.Chosen() {
			if slices.ContainsFunc(r.Checks, func(c report.Check) bool { return c.ID == b.ID }) {
				continue
			}
			c := p.Order(map[report.ID]report.Check{b.ID: {Kind: string(b.Kind), Ran: time.Unix(1e9, 0),
				Outcome: report.Failed, Reason: &report.Reason{Code: report.ReasonMismatch},
				Stdout: &report.Stream{Text: out}, Stderr: &report.Stream{Text: out}}})
			r.Checks = append(r.Checks, c...)
			for i := range b.Examples {
				e := judge.Printed{Output: out}
				if i%2 == 1 {
					e.Exception = exception
				}
				seen[b.ID] = append(seen[b.ID], e)
			}
		}
	}
	return r, seen
}
