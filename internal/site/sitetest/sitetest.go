// Package sitetest loads small sites for tests.
package sitetest

import (
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// FS returns a site's folder with these files. An empty PNG becomes one of 4 by 3 pixels. If there
// is no gpudocs.toml, an empty one is added.
func FS(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{site.ConfigFile: {}}
	for name, text := range files {
		if text == "" && strings.HasSuffix(name, ".png") {
			text = PNG(4, 3)
		}
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// PNG returns an image of that size.
func PNG(width, height int) string {
	var b strings.Builder
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		panic(err)
	}
	return b.String()
}

// Load loads a site and returns what would be printed about it. Every error must have a hint.
func Load(t *testing.T, files map[string]string) (*site.Site, string) {
	t.Helper()
	s, diags := load.Load(FS(files), load.Options{})
	RequireHints(t, diags)
	return s, Print(diags)
}

// RequireHints fails the test if an error does not say what to do about it.
func RequireHints(t *testing.T, l diag.List) {
	t.Helper()
	for _, d := range l {
		if d.Severity == diag.Error && d.Hint.IsZero() {
			t.Errorf("no hint: %v", d)
		}
	}
}

// Print returns what is printed about diagnostics.
func Print(l diag.List) string {
	var b strings.Builder
	diag.Print(&b, l, diag.Style{})
	return b.String()
}

// LoadValid loads a site that must have no diagnostics.
func LoadValid(t *testing.T, files map[string]string) *site.Site {
	t.Helper()
	s, out := Load(t, files)
	if out != "" {
		t.Fatalf("unexpected diagnostics:\n%s", out)
	}
	return s
}

// Page loads a page that must have no diagnostics. Its site is that of [PageSite].
func Page(t *testing.T, text string) *site.Page {
	t.Helper()
	return PageSite(t, text).Page("p", "pt")
}

// PageSite loads a site of one page, content/pt/p.md, with the languages pt and es and the
// environments torch and jax. It must have no diagnostics.
func PageSite(t *testing.T, text string) *site.Site {
	t.Helper()
	return LoadValid(t, map[string]string{
		site.ConfigFile:   "[languages.pt]\n[languages.es]\n[env.torch]\npython = 'python3'\n[env.jax]\nconda = 'jax'\n",
		"content/pt/p.md": text,
	})
}

// Fences returns the fenced blocks of a page, in order.
func Fences(p *site.Page) (fences []*site.Fence) {
	for n := range markdown.Nodes(p.Doc()) {
		if f, ok := n.(*site.Fence); ok {
			fences = append(fences, f)
		}
	}
	return fences
}

// Findings returns the diagnostics of a rule, each as file:line:column, severity and the first word
// of its message.
func Findings(diags diag.List, rule string) string {
	var out []string
	for _, d := range diags {
		if d.Rule == rule {
			word, _, _ := strings.Cut(d.Message.String(), " ")
			out = append(out, fmt.Sprintf("%s:%d:%d %s %s", d.File, d.Line, d.Column, d.Severity, word))
		}
	}
	return strings.Join(out, "\n")
}

// Unreadable is a file system that refuses to open one name.
type Unreadable struct {
	fs.FS
	Name string
}

// Open implements fs.FS.
func (u Unreadable) Open(name string) (fs.File, error) {
	if name == u.Name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return u.FS.Open(name)
}

// PageIn loads the page content/pt/p.md of a site in these dialects, and returns what would be printed.
func PageIn(t *testing.T, dialects string, files map[string]string) (*site.Page, string) {
	t.Helper()
	if dialects != "" {
		files["content/pt/p.md"] = "---\ndialects: [" + dialects + "]\n---\n" + files["content/pt/p.md"]
	}
	s, out := Load(t, files)
	if s == nil || len(s.Pages) == 0 {
		t.Fatal(out)
	}
	return s.Page("p", "pt"), out
}

// Notebook returns a notebook of these cells. A cell that begins with ">" is code.
func Notebook(metadata string, cells ...string) string {
	var list []string
	for _, c := range cells {
		kind, rest := "markdown", ""
		if code, ok := strings.CutPrefix(c, ">"); ok {
			kind, c, rest = "code", code, `, "outputs": []`
		}
		text, _ := json.Marshal(c)
		list = append(list, fmt.Sprintf(`{"cell_type": %q, "metadata": {}, "source": %s%s}`, kind, text, rest))
	}
	return `{"nbformat": 4, "nbformat_minor": 4, "metadata": ` + metadata + `, "cells": [` + strings.Join(list, ",") + `]}`
}
