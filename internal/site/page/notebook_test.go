package page_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

func TestNotebook(t *testing.T) {
	s := sitetest.LoadValid(t, map[string]string{
		"content/pt/a/x.ipynb": sitetest.Notebook(`{"gpudocs": {"description": "D", "weight": 4, "blocks": {"timeout": "7s"}}}`,
			"# Título\n\n[o outro](../y.md), [fim](#fim) e [o bloco](#code-cell-2)", ">a = 1", "- um\n- dois[^1]\n\n[^1]: nota\n", ">a", "## Fim"),
		"content/es/a/x.md": "# Título\n\n[cuaderno](/pt/a/x.ipynb)\n```python {run session=notebook}\na = 1\n```\n```python {run session=notebook}\na\n```\n",
		"content/pt/y.md":   "[notebook](a/x.ipynb#fim) e [endereço](a/x/#fim)",
	})
	p := s.Page("a/x", "pt")
	if p == nil || p.Title != "Título" || p.Description != "D" || p.Weight != 4 || p.URL != "pt/a/x/" {
		t.Fatalf("the page is %+v", p)
	}
	if len(s.Translations("a/x")) != 2 {
		t.Error("a notebook and a Markdown file of one key are no translations of one another")
	}
	var got []string
	for _, b := range p.Blocks {
		got = append(got, fmt.Sprintf("%s %s %d:%d:%d %s %s %q", b.Name, b.Kind, b.Cell, b.Line, b.CodeLine, b.Session.Name, b.Timeout, b.Code))
	}
	want := []string{`cell-2 python 2:1:1 notebook 7s "a = 1\n"`, `cell-4 python 4:1:1 notebook 7s "a\n"`}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("blocks (-want +got)\n%s", d)
	}
	if p.Blocks[0].Session != p.Blocks[1].Session {
		t.Error("the cells do not share a session")
	}
	for n := p.Doc().FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind().String() == "GpudocsCell" {
			t.Error("a cell is left in the page")
		}
	}
}

// TestNotebookRunsAsItsMarkdown checks that the same code has the same ID in a notebook and in Markdown.
// Blocks that belong together in Markdown also do in two cells, and a block that a cell leaves open ends
// with the cell.
func TestOverCells(t *testing.T) {
	s := sitetest.LoadValid(t, map[string]string{
		"content/pt/_n.md": "Um.\n\nDois.\n",
		"content/pt/p.ipynb": strings.Replace(sitetest.Notebook(`{}`,
			":::tab Linux\na\n:::", ":::tab Windows\nb\n:::", ">a = 1  # (1)!", "1. uma nota", ":::include _n.md\n:::\n"),
			`"metadata": {}, "source": "a = 1`, `"metadata": {"gpudocs": {"annotate": true}}, "source": "a = 1`, 1),
	})
	p := s.Page("p", "pt")
	var groups, tabs int
	var notes []site.Annotation
	_ = ast.Walk(p.Doc(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *markdown.Tabs:
			if entering {
				groups++
			}
		case *markdown.Tab:
			if entering {
				tabs++
			}
		case *site.Fence:
			notes = n.Annotations
		}
		return ast.WalkContinue, nil
	})
	if groups != 1 || tabs != 2 || len(notes) != 1 {
		t.Errorf("%d groups of %d tabs, notes %v; 1 group of 2 tabs and 1 note expected", groups, tabs, notes)
	}
	if text := string(p.Source.Data); strings.Contains(text, ":::include") || strings.Count(text, "\x00") != 5 {
		t.Errorf("the text is %q", text)
	}
	_, out := sitetest.Load(t, map[string]string{"content/pt/_n.md": "Um.\n", "content/pt/p.ipynb": sitetest.Notebook(`{}`, "```text\nx", ":::include _n.md\n:::\n")})
	if !strings.Contains(out, "not closed") || strings.Contains(out, "unknown container") {
		t.Errorf("an open fence of another cell: %s", out)
	}
}

// TestTabsOverCells checks that code for several frameworks in adjacent cells is one group, and that each
// tab has the output of its cell.
func TestTabsOverCells(t *testing.T) {
	s := sitetest.LoadValid(t, map[string]string{
		"gpudocs.toml":       "[markdown]\ndialects = [\"d2l\"]\n",
		"content/pt/x.ipynb": sitetest.Notebook("{}", "# A", ">#@tab pytorch\na = 1", ">#@tab jax\nb = 1", ">#@tab pytorch\nc = 1", "texto", ">#@tab jax\nd = 1", ">e = 1"),
	})
	var got []string
	for n := s.Page("x", "pt").Doc().FirstChild(); n != nil; n = n.NextSibling() {
		group, ok := n.(*markdown.Tabs)
		if !ok {
			continue
		}
		text := ""
		for c := group.FirstChild(); c != nil; c = c.NextSibling() {
			text += c.(*markdown.Tab).Title + ":"
			for f := c.FirstChild(); f != nil; f = f.NextSibling() {
				if f, ok := f.(*site.Fence); ok && f.Cell != nil {
					text += " " + strings.TrimSpace(f.Code)
				}
			}
			text += "; "
		}
		got = append(got, text)
	}
	if diff := cmp.Diff([]string{"PyTorch: a = 1 c = 1; JAX: b = 1; ", "JAX: d = 1; "}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestNotebookRunsAsItsMarkdown(t *testing.T) {
	s := sitetest.LoadValid(t, map[string]string{
		"content/pt/x.ipynb": sitetest.Notebook(`{}`, ">a = 1", ">a"),
		"content/es/x.md":    "```python {run session=notebook}\na = 1\n```\n```python {run session=notebook}\na\n```\n",
	})
	pt, es := s.Page("x", "pt").Blocks, s.Page("x", "es").Blocks
	for i := range pt {
		if pt[i].ID != es[i].ID {
			t.Errorf("block %d: %s and %s", i, pt[i].ID, es[i].ID)
		}
	}
}

func TestNotebookOfMuchText(t *testing.T) {
	_, out := sitetest.Load(t, map[string]string{"content/pt/x.ipynb": sitetest.Notebook(`{}`, strings.Repeat("a", sitefile.MaxPage))})
	if !strings.HasPrefix(out, "content/pt/x.ipynb: error: text and code of more than 16 MiB") {
		t.Errorf("got %.200s", out)
	}
}

// FuzzNotebookPage checks that no notebook panics, that its cells stay separate, and that every place is in
// one of them.
func FuzzNotebookPage(f *testing.F) {
	f.Add("# A\n```\nopen", "a = 1", "<!-- open\n\n> - x\n:::machines", `{"name": "a", "needs": "gpus >"}`)
	f.Add("[a]: b.md\n[a] ![x](attachment:y)", "~~~\n\x00", "    code\n\n[^1]\n\n[^1]: c", `{"session": "s", "run": false, "x y": 1}`)
	f.Add("| a |\n|-|", "%%bash\n", "a\n: b\n\n<div>", `[]`)
	f.Fuzz(func(t *testing.T, before, code, after, metadata string) {
		if !json.Valid([]byte(metadata)) || !utf8.ValidString(metadata) {
			metadata = "{}"
		}
		quoted := func(s string) string { b, _ := json.Marshal(s); return string(b) }
		data := `{"nbformat": 4, "metadata": {"gpudocs": ` + metadata + `}, "cells": [{"cell_type": "markdown", "source": ` + quoted(before) +
			`}, {"cell_type": "code", "metadata": {"gpudocs": ` + metadata + `}, "source": ` + quoted("x"+code) +
			`}, {"cell_type": "markdown", "source": ` + quoted("## Marca\n\n"+after) + `}]}`
		s, diags := load.Load(sitetest.FS(map[string]string{"content/pt/x.ipynb": data}), load.Options{Drafts: true})
		for _, d := range diags {
			if d.File != "content/pt/x.ipynb" || d.Message.IsZero() || d.Severity == diag.Error && d.Hint.IsZero() || d.Cell > 3 || d.Line < 0 || d.Line > 0 && d.Cell == 0 {
				t.Fatalf("%+v", d)
			}
		}
		if s == nil || len(s.Pages) == 0 {
			return
		}
		p := s.Pages[0]
		if p.Title != "Marca" && !slices.ContainsFunc(p.Headings, func(h site.Heading) bool { return h.Text == "Marca" }) {
			t.Fatalf("a cell took the heading of the next: %q", p.Source.Data)
		}
		cells := 0
		for n := p.Doc().FirstChild(); n != nil; n = n.NextSibling() {
			if f, ok := n.(*site.Fence); ok && f.Cell != nil {
				cells++
			}
		}
		if cells != 1 {
			t.Fatalf("%d code cells in %q", cells, p.Source.Data)
		}
	})
}

func TestOwnLanguageFirst(t *testing.T) {
	s := sitetest.LoadValid(t, map[string]string{
		"content/pt/x.ipynb": sitetest.Notebook(`{}`, "# X\n\n## Fim"),
		"content/es/x.md":    "# X\n\n## Fin\n",
		"content/pt/y.md":    "[endereço](x/#fim)",
	})
	if len(s.Pages) != 3 {
		t.Fatal(len(s.Pages))
	}
}
