package page

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/include"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// withholding parses a page, and again without its solutions.
func withholding(t testing.TB, text string) (whole, public *site.Page) {
	parse := func(withheld map[string]Withheld) *site.Page {
		c := site.UnreadableConfig()
		c.Dialects, c.DialectsSet = markdown.MyST|markdown.Carpentries, true
		r := NewParser(c)
		r.Withheld = withheld
		return r.Parse(File{Name: "content/pt/a.md", Path: "a.md", Language: &site.Language{Code: "pt"}}, []byte(text), nil, include.NewLibrary(include.NewCache(nil, nil))).Page
	}
	whole = parse(nil)
	return whole, parse(map[string]Withheld{"content/pt/a.md": {Whole: whole}})
}

// TestWithheldSource checks what is left of the source, and that each line stays where it is.
func TestWithheldSource(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"container", "a\n:::solution T {#x}\nsecret\n\n## secret\n:::\nb\n", "a\n\x01\n\n\n\n\nb\n"},
		{"in an exercise", "::::exercise\na\n:::solution\nsecret\n:::\n::::\nb\n", "::::exercise\na\n\x01\n\n\n::::\nb\n"},
		{"in quotes and lists", "> - a\n>\n>   :::solution\n>   > secret\n>   :::\n>   b\n", "> - a\n>\n>   \x01\n>\n>\n>   b\n"},
		{"not closed", "a\n\n:::solution\nsecret\n", "a\n\n\x01\n\n"},
		{"quote of a lesson", "> ## A\n> > secret\n> {: .solution}\n{: .challenge}\nb\n", "> ## A\n> \x01\n> {: .solution}\n{: .challenge}\nb\n"},
		{"gates", "```{exercise}\n:label: e\n```\n\n```{solution-start} e\n```\nsecret\n```{solution-end}\n```\nb\n", "```{exercise}\n:label: e\n```\n\n\x01\n\n\n\n\nb\n"},
		{"notes of solutions only", "a[^b]\n\n:::solution\n[^a] [^b] [c][]\n:::\n\n[^a]: secret\n    secret\n[^b]: b\n[c]: secret\n", "a[^b]\n\n\x01\n\n\n\n\n\n[^b]: b\n\n"},
		{"no end", "- :::{solution-start} e\n  :::\n  secret\n\nsecret\n\n:::{solution-end}\n:::\n", "- \x01\n\n\n\n\n\n\n\n"},
		{"notes of notes", "a\n\n:::solution\n[^a]\n:::\n\n[^c]: secret\n[^a]: secret [^b] [^c] [^a]\n[^b]: b [c]\n[c]: b\n\n[^d]: d [d]\n[d]: d\n", "a\n\n\x01\n\n\n\n\n\n\n\n\n[^d]: d [d]\n[d]: d\n"},
		{"text after a note", "a\n\n:::solution\n[^a]\n:::\n\n[^a]: secret\n\nb\n", "a\n\n\x01\n\n\n\n\n\nb\n"},
		{"labels in two ways", "a\n\n:::solution\n[x][Some\n label] [a\\]]\n:::\n\n[some  label]: secret\n[a\\]]: secret\n", "a\n\n\x01\n\n\n\n\n\n\n"},
		{"other callouts", ":::note Solution\na\n:::\n", ":::note Solution\na\n:::\n"},
	} {
		whole, public := withholding(t, c.page)
		var lines []string
		for line := range bytes.Lines(public.Source.Data) {
			lines = append(lines, strings.TrimRight(string(line), " \n")+"\n")
		}
		if got := strings.Join(lines, ""); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if len(public.Source.Data) != len(whole.Source.Data) || public.HasSolutions != whole.HasSolutions {
			t.Errorf("%s: %d bytes, %d before; solutions %v, %v", c.name, len(public.Source.Data), len(whole.Source.Data), public.HasSolutions, whole.HasSolutions)
		}
	}
}

// TestWithheldNames checks that the other blocks keep the names and the IDs by which their results are known.
func TestWithheldNames(t *testing.T) {
	whole, public := withholding(t, ":::exercise\n:::\n:::solution\n```bash {run session=s}\na\n```\n:::\n```bash {run session=s matrix=\"n=1,2\"}\nn=1\n```\n")
	if len(whole.Blocks) != 2 || len(public.Blocks) != 1 || len(public.Blocks[0].Runs()) != 2 {
		t.Fatal(whole.Blocks, public.Blocks)
	}
	for i, b := range public.Blocks[0].Runs() {
		if of := whole.Blocks[1].Runs()[i]; !strings.HasPrefix(b.Name, "#2") || b.Name != of.Name || b.ID != of.ID {
			t.Errorf("%q %q, want %q %q", b.Name, b.ID, of.Name, of.ID)
		}
	}
	if !public.Anchors["block-2"] || !slices.Equal(public.Sections, whole.Sections) {
		t.Error(public.Anchors, public.Sections)
	}
}

func FuzzWithhold(f *testing.F) {
	for _, text := range []string{":::solution\na\n:::\n", "> ::: solution\n> - a\n>   :::\n", "```{solution} a\n```\n", "> a\n{: .solution}\n", "```{solution-start} a\n```\nb\n```{solution-end}\n```\n", "[^a]: b\n\tc\n:::solution\n[^a]\n", "- ```{solution-start} a\n  ```\nb\n", "a [b\n[c]: d\n:::solution\n[c]\n:::\n", "\x01\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, bad := sitefile.InvalidUTF8(diag.NewFile("p.md", []byte(text))); bad {
			return
		}
		whole, public := withholding(t, text)
		if whole == nil {
			return
		}
		a, b := whole.Source.Data, public.Source.Data
		if len(a) != len(b) || bytes.Count(a, []byte("\n")) != bytes.Count(b, []byte("\n")) || !whole.HasSolutions && !bytes.Equal(a, b) {
			t.Fatalf("%q became %q", a, b)
		}
		for _, block := range public.Blocks {
			if !slices.ContainsFunc(whole.Blocks, func(w *site.Block) bool { return w.Pos == block.Pos }) {
				t.Fatalf("a new block at %d of %q", block.Pos, b)
			}
		}
	})
}

func TestWithholdIsLinear(t *testing.T) {
	for _, unit := range []string{":::solution\na\n:::\n", "> :::solution\n> a\n\n", "[^a]: b\n\n", "> a\n{: .solution}\n", ":::solution\n[a][b]\n:::\n[b]: c\n", ":::{solution-start} e\n:::\na\n"} {
		complexitytest.Check(t, unit, 2000, func(n int) { withholding(t, strings.Repeat(unit, n)) })
	}
}
