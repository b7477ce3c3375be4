package update

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
)

// pageOf parses one page; ok is false if it has errors.
func pageOf(t testing.TB, data []byte) (*site.Page, bool) {
	t.Helper()
	site, diags := load.Load(fstest.MapFS{
		"gpudocs.toml":    {Data: []byte("[languages.en]\n")},
		"content/en/p.md": {Data: data},
	}, load.Options{Drafts: true})
	if diags.HasErrors() || len(site.Pages) != 1 {
		return nil, false
	}
	return site.Pages[0], true
}

func expectations(p *site.Page) []*site.Expect {
	var out []*site.Expect
	for _, b := range p.Blocks {
		out = append(out, b.Expects...)
	}
	return out
}

// inPlaceOf replaces the whole text of an expectation.
func inPlaceOf(e *site.Expect, text string) replacement {
	size := len(judge.Lines(e.Text))
	return replacement{fence: e.Line - 1, size: size, to: size, lines: judge.Lines(text)}
}

func TestRewrite(t *testing.T) {
	run := "```bash {run}\necho\n```\n"
	tests := []struct{ name, before, text, after string }{
		{"plain", run + "```text {expect}\nold\n```\nend\n", "new\n\n  two\n", run + "```text {expect}\nnew\n\n  two\n```\nend\n"},
		{"CRLF", strings.ReplaceAll(run+"```{expect}\nold\n```\nend", "\n", "\r\n"), "a\nb\n", strings.ReplaceAll(run+"```{expect}\na\nb\n```\nend", "\n", "\r\n")},
		{"BOM and front matter", "\ufeff---\ntitle: x\n---\n" + run + "~~~{expect}\nold\n~~~", "new\n", "\ufeff---\ntitle: x\n---\n" + run + "~~~{expect}\nnew\n~~~"},
		{"in a list", "1. a\n\n   " + strings.ReplaceAll(run, "\n", "\n   ") + "```{expect}\n   old\n   ```\n", "x\n\n  y\n", "1. a\n\n   " + strings.ReplaceAll(run, "\n", "\n   ") + "```{expect}\n   x\n\n     y\n   ```\n"},
		{"beside the marker of a list", run + "- ```{expect}\n  old\n  ```\n", "new\n", run + "- ```{expect}\n  new\n  ```\n"},
		{"in a quote", "> " + strings.ReplaceAll(run, "\n", "\n> ") + "```{expect}\n>old\n> ```\nend\n", "a\n\nb\n", "> " + strings.ReplaceAll(run, "\n", "\n> ") + "```{expect}\n> a\n>\n> b\n> ```\nend\n"},
		{"in a quote in a list", "* > " + strings.ReplaceAll(run, "\n", "\n  > ") + "```{expect}\n  > old\n  > ```\n", "new\n", "* > " + strings.ReplaceAll(run, "\n", "\n  > ") + "```{expect}\n  > new\n  > ```\n"},
		{"in a container", ":::note\n" + run + "```{expect}\nold\n```\n:::\n", "new\n", ":::note\n" + run + "```{expect}\nnew\n```\n:::\n"},
		{"indented by a tab", "- a\n\n\t" + strings.ReplaceAll(run, "\n", "\n\t") + "```{expect}\n\told\n\t```\n", "new\n", "- a\n\n\t" + strings.ReplaceAll(run, "\n", "\n\t") + "```{expect}\n\tnew\n\t```\n"},
		{"nothing was expected", run + "```{expect}\n```\nend\n", "new\n", run + "```{expect}\nnew\n```\nend\n"},
		{"nothing came", run + "```{expect}\nold\n```\nend\n", "", run + "```{expect}\n```\nend\n"},
		{"the fence in the output", run + "```text {expect}\nold\n```\nend\n", "a\n````\n   ```\n~~~~~\n", run + "`````text {expect}\na\n````\n   ```\n~~~~~\n`````\nend\n"},
		{"a fence that does not close", run + "```text {expect}\nold\n```\n", "```bash\n    ```\n", run + "```text {expect}\n```bash\n    ```\n```\n"},
		{"a longer closing fence", run + "~~~text {expect}\nold\n~~~~~~\n", "~~~~\n", run + "~~~~~text {expect}\n~~~~\n~~~~~~\n"},
		{"no final newline", run + "```{expect}\nold\n```", "new\n", run + "```{expect}\nnew\n```"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, ok := pageOf(t, []byte(tt.before))
			if !ok || len(expectations(p)) != 1 {
				t.Fatal("the page has errors")
			}
			before := []byte(tt.before)
			after := rewrite(before, []replacement{inPlaceOf(expectations(p)[0], tt.text)})
			if string(after) != tt.after {
				t.Errorf("got\n%q\nwant\n%q", after, tt.after)
			}
			if string(before) != tt.before {
				t.Error("the input has changed")
			}
			again, ok := pageOf(t, after)
			if !ok || strings.TrimSuffix(expectations(again)[0].Text, "\n") != strings.TrimSuffix(tt.text, "\n") {
				t.Errorf("the new expectation is not there: %q", after)
			}
		})
	}
}

func TestRewriteSeveral(t *testing.T) {
	before := "```pycon {run}\n>>> 1\n2\n>>> 3\n>>> 5\n6\n7\n\nprose\n```\n```bash {run}\na\n```\n```{expect}\nold\n```\n"
	after := "````pycon {run}\n>>> 1\n1\n>>> 3\n```\n>>> 5\n\nprose\n````\n```bash {run}\na\n```\n```{expect}\nnew\nnew\n```\n"
	got := rewrite([]byte(before), []replacement{
		{fence: 1, size: 8, from: 1, to: 2, lines: []string{"1"}},
		{fence: 14, size: 1, to: 1, lines: []string{"new", "new"}},
		{fence: 1, size: 8, from: 3, to: 3, lines: []string{"```"}},
		{fence: 1, size: 8, from: 4, to: 6},
	})
	if string(got) != after {
		t.Errorf("got\n%s\nwant\n%s", got, after)
	}
}

// FuzzRewrite: for any document, a rewritten expectation has the new text and everything else
// is unchanged, or the caller can see that it failed.
func FuzzRewrite(f *testing.F) {
	run := "```bash {run}\necho\n```\n"
	for _, doc := range []string{
		run + "```{expect}\na\nb\n```\nend", "\ufeff> " + strings.ReplaceAll(run, "\n", "\n> ") + "~~~ {expect}\n>x\n> ~~~\r\nend",
		"- a\n\n  " + strings.ReplaceAll(run, "\n", "\n  ") + "```{expect}\n  x\n", run + "- ```{expect}\n  old\n  ```\n" + run + "  ```{expect}\nold\n ```\n",
		"---\ntitle: x\n---\r\n" + strings.ReplaceAll(run, "\n", "\r\n") + "```{expect}", "[^1]: " + run + "    ```{expect}\n    x\n    ```\n[^1]\n",
	} {
		f.Add([]byte(doc), "new\n```\n  \n > x")
		f.Add([]byte(doc), "")
	}
	f.Fuzz(func(t *testing.T, doc []byte, text string) {
		p, ok := pageOf(t, doc)
		if !ok || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' }) || !bytes.Equal([]byte(text), bytes.ToValidUTF8([]byte(text), nil)) {
			return
		}
		want := judge.Lines(text)
		for i, e := range expectations(p) {
			r := inPlaceOf(e, text)
			after := rewrite(doc, []replacement{r})
			// Only the block and its two fences have changed.
			before := bytes.SplitAfter(doc, []byte("\n"))
			head := bytes.Join(before[:r.fence-1], nil)
			tail := bytes.Join(before[min(len(before), r.fence+r.size+1):], nil)
			if !bytes.HasPrefix(after, head) || !bytes.HasSuffix(after, tail) {
				t.Fatalf("changes outside of the block\nbefore %q\nafter  %q", doc, after)
			}
			again, ok := pageOf(t, after)
			if !ok || len(expectations(again)) != len(expectations(p)) {
				continue // the caller refuses
			}
			e := expectations(again)[i]
			if !slices.Equal(judge.Lines(e.Text), want) {
				continue
			}
			if twice := rewrite(after, []replacement{inPlaceOf(e, text)}); !bytes.Equal(twice, after) {
				t.Fatalf("a second rewrite differs\n%q\n%q", after, twice)
			}
		}
	})
}

// Documents of usual forms are all rewritten, not refused.
func TestRewriteOfManyForms(t *testing.T) {
	texts := []string{"", "a\n", "\n\n  a\n\tb\n", "```\n", "> q\n- l\n", "~~~~\n````` x\n`````\n"}
	for _, marker := range []string{"```", "~~~~"} {
		for _, indent := range []string{"", "  ", "> ", ">", "    > ", "- ", "1. ", "> - ", "\t"} {
			for _, ends := range []string{"\n", "\r\n"} {
				for _, text := range texts {
					first, rest := indent, strings.Map(func(r rune) rune {
						if r == '>' || r == '\t' {
							return r
						}
						return ' '
					}, indent)
					if strings.HasPrefix(indent, "    ") || indent == "\t" {
						first, rest = "- a\n\n"+indent, indent
					}
					doc := first + "```bash {run}\n" + rest + "x\n" + rest + "```\n" + rest + marker + "text {expect}\n" + rest + "old\n" + rest + marker + "\n\nend\n"
					doc = strings.ReplaceAll(doc, "\n", ends)
					name := fmt.Sprintf("%q with %q", doc, text)
					p, ok := pageOf(t, []byte(doc))
					if !ok || len(expectations(p)) != 1 {
						t.Fatalf("%s: the page has errors", name)
					}
					after := rewrite([]byte(doc), []replacement{inPlaceOf(expectations(p)[0], text)})
					again, ok := pageOf(t, after)
					if !ok || len(expectations(again)) != 1 || !slices.Equal(judge.Lines(expectations(again)[0].Text), judge.Lines(text)) {
						t.Errorf("%s gives %q", name, after)
					}
				}
			}
		}
	}
}
