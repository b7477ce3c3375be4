package textout

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/test/rendertest"
)

// TestOutputs checks how what a machine found is an output of a cell.
func TestOutputs(t *testing.T) {
	stream := func(text string) *report.Stream { return &report.Stream{Text: text} }
	for name, c := range map[string]struct {
		check report.Check
		want  string
	}{
		"nothing": {report.Check{}, `[]`},
		"streams": {
			report.Check{Stdout: stream("a\n\x1b[31mb\x1b[0m"), Stderr: stream("c\n")},
			`[{"name":"stdout","output_type":"stream","text":["a\n","b"]},{"name":"stderr","output_type":"stream","text":["c\n"]}]`,
		},
		"only errors": {report.Check{Stdout: stream(""), Stderr: stream("c")}, `[{"name":"stderr","output_type":"stream","text":["c"]}]`},
		"png":         {report.Check{Figures: []report.Figure{{PNG: []byte("PNG")}}}, `[{"data":{"image/png":"UE5H"},"metadata":{},"output_type":"display_data"}]`},
		"jpeg":        {report.Check{Figures: []report.Figure{{JPEG: []byte("JPEG")}}}, `[{"data":{"image/jpeg":"SlBFRw=="},"metadata":{},"output_type":"display_data"}]`},
		"svg":         {report.Check{Figures: []report.Figure{{SVG: "a\nb"}}}, `[{"data":{"image/svg+xml":["a\n","b"]},"metadata":{},"output_type":"display_data"}]`},
		"html and latex": {
			report.Check{Figures: []report.Figure{{HTML: "h"}, {LaTeX: "$x$"}}},
			`[{"data":{"text/html":["h"]},"metadata":{},"output_type":"display_data"},{"data":{"text/latex":["$x$"]},"metadata":{},"output_type":"display_data"}]`,
		},
	} {
		got, err := json.Marshal(outputs(&c.check))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s\n%s", name, err, got, c.want)
		}
	}
	in := onePage(t, "", "```bash {run}\ntrue\n```\n```pycon {run}\n>>> 1\n1\n>>> 2\n2\n```\n")
	in.Outputs = func(b *site.Block) *report.Check { return &report.Check{Stdout: stream(string(b.Kind))} }
	got := ""
	for _, c := range cells(t, in) {
		for _, o := range c.Outputs {
			got += c.ID + ": " + o["text"].([]any)[0].(string) + "\n"
		}
	}
	if got != "code: bash\ncode-3: pycon\n" { // that of a session is what its last cell prints
		t.Errorf("outputs of cells:\n%s", got)
	}
}

// TestAddresses checks that in a notebook of a site with a base URL all addresses are absolute.
func TestAddresses(t *testing.T) {
	lab := rendertest.Make(t, txtar.Parse([]byte(`
-- gpudocs.toml --
[languages.pt]
-- content/pt/f.png --
-- content/pt/data.csv --
-- data/hidden.csv --
-- content/pt/index.md --
# A

[b](b.md#x) ![](f.png) <img src="f.png" srcset="f.png 1x, f.png 2x"> <a href="b.md">b</a> <a href="https://example.com/">c</a>

~~~bash {run files="data.csv ../../data/hidden.csv"}
cat data.csv
~~~
-- content/pt/b.md --
# B
`)))
	in := inputs(t, lab, "https://example.org/docs/")[1]
	if in.Page.Key != "index" {
		in = inputs(t, lab, "https://example.org/docs/")[0]
	}
	const want = `[setup]
# Não instala; escolha um ambiente de execução que o tenha:
# - data/hidden.csv
import urllib.request
urllib.request.urlretrieve("https://example.org/docs/pt/data.csv", "data.csv")
[text-a]
# A

[b](https://example.org/docs/pt/b/#x) ![](https://example.org/docs/pt/f.png) <img src="https://example.org/docs/pt/f.png" srcset="https://example.org/docs/pt/f.png 1x, https://example.org/docs/pt/f.png 2x"> <a href="https://example.org/docs/pt/b/">b</a> <a href="https://example.com/">c</a>
[code-a]
%%bash -e
cat data.csv
[text-a-2]
---

Feito da página [A](https://example.org/docs/pt/), que mostra o que as máquinas encontraram para este código.
`
	if d := cmp.Diff(want, listing(cells(t, in))); d != "" {
		t.Error(d)
	}
}

// TestExitCodes checks that a program in a notebook fails only with another exit code than its page expects.
func TestExitCodes(t *testing.T) {
	for attributes, want := range map[string]string{
		"":            "assert _exit_code == 0",
		"exit=3":      "assert _exit_code == 3",
		"build=fails": "assert _exit_code != 0",
		"\n```\n```text {expect exit=2 when=\"gpus >= 1\"}\n": "assert _exit_code >= 0", // it depends on the machine
	} {
		text := "```c {run name=p " + attributes + "}\nx\n```\n"
		if head, rest, ok := strings.Cut(attributes, "\n"); ok {
			text = "```c {run name=p " + head + "}\nx" + "\n" + rest + "\n```\n"
		}
		list := cells(t, onePage(t, "", text))
		if got := listing(list[len(list)-1:]); !strings.Contains(listing(list), want+"\n") {
			t.Errorf("%q: %s", attributes, got)
		}
	}
}

// TestRequirements reads what files require of pip.
func TestRequirements(t *testing.T) {
	files := fstest.MapFS{
		"a.txt":  {Data: []byte("# x\nnumpy==2.0 # c\n-r other.txt\ntorch==2.1 \\\n    --hash=sha256:0\n\nurl @ https://x.example/ --no-deps\r\n")},
		"b.toml": {Data: []byte("[project]\ndependencies = [\"numpy>=2\", \"torch\"]\n")},
		"c.toml": {Data: []byte("[")},
	}
	for name, want := range map[string]string{"a.txt": "numpy==2.0|torch==2.1|url @ https://x.example/", "b.toml": "numpy>=2|torch", "c.toml": "", "none.txt": ""} {
		if got := strings.Join(requirements(files, name), "|"); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestLeft checks which block of a page stays text in its notebook, and which pages have none.
func TestLeft(t *testing.T) {
	block := func(info string) string { return "```" + info + "\nx\n```\n" }
	python, bash, gpu, job := block("python {run}"), block("bash {run}"), "```gpu\ngpus >= 1\n```\n", "```bash {run=sbatch}\n#!/bin/bash\n```\n"
	for _, c := range []struct {
		name, text, left, kernel string
		none                     bool
	}{
		{"no block", "a", "", "Python 3", true},
		{"text", gpu + job, "gpu", "Python 3", true},
		{"all", python + bash + gpu + job + block("c {run}") + block("r {run}"), "", "Python 3", false},
		{"most", block("r {run}") + block("r {run}") + python, "python", "R", false},
		{"equally many", block("r {run}") + python, "", "Python 3", false},
		{"of another kernel", python + block("rust {run kernel=evcxr}"), "kernel", "Python 3", false},
		{"of a version", block("julia {run kernel=julia-1.10}") + bash, "bash", "Julia", false},
	} {
		b, kernel, none := Left(onePage(t, "", c.text).Page)
		left := ""
		if b != nil {
			left = string(b.Kind)
		}
		if left != c.left || kernel != c.kernel && b != nil || none != c.none {
			t.Errorf("%s: %q stays text for %q, none: %v", c.name, left, kernel, none)
		}
	}
}

// TestClean checks that only the metadata of gpudocs goes.
func TestClean(t *testing.T) {
	got, err := Clean([]byte(`{"cells": [{"metadata": {"gpudocs": {"a": 1}, "tags": ["x"]}, "source": "<b>"}, 1], "metadata": {"gpudocs": 2, "n": 1.50}}`))
	const want = "{\n \"cells\": [\n  {\n   \"metadata\": {\n    \"tags\": [\n     \"x\"\n    ]\n   },\n   \"source\": \"<b>\"\n  },\n  1\n ],\n \"metadata\": {\n  \"n\": 1.50\n }\n}\n"
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	if _, err := Clean([]byte("{")); err == nil {
		t.Error("no error for what is no notebook")
	}
}
