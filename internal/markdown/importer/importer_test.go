package importer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// An example is a page before and after the import. G( and )G represent the mark of a guess.
type example struct {
	name, in, want string
}

func runExamples(t *testing.T, o Options, list []example) {
	t.Helper()
	for _, e := range list {
		t.Run(e.name, func(t *testing.T) {
			want := strings.ReplaceAll(strings.ReplaceAll(e.want, "G(", "<!-- gpudocs import: guess: "), ")G", " -->")
			got := string(lossless(t, "x.md", []byte(e.in), o).Data)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			// The same with the line ends of Windows.
			if got := string(Convert("x.md", []byte(strings.ReplaceAll(e.in, "\n", "\r\n")), o).Data); got != strings.ReplaceAll(want, "\n", "\r\n") {
				t.Errorf("with \\r\\n: %q", got)
			}
		})
	}
}

func TestFlattened(t *testing.T) {
	const run = "; to run it write python {run session=notebook})G\n```python\n"
	runExamples(t, Options{}, []example{
		{"a printed value", "Olá.\n\nIn [1]:\nx = 2\nprint(x)\n\n2\n\n\nFim do texto.\n",
			"Olá.\n\nG(In [1] is 2 lines of code and 1 line of output" + run + "x = 2\nprint(x)\n```\n\n```text\n2\n```\n\n\nFim do texto.\n"},
		{"no output, then a sentence", "In [2]:\ny = 1\n\nAgora somamos os valores da lista.\n",
			"G(In [2] is 1 line of code" + run + "y = 1\n```\n\nAgora somamos os valores da lista.\n"},
		{"code with empty lines, comments and a function", "In [3]:\nimport math\n\n# metade\ndef half(n):\n\n    # um comentário\n    m = n / 2\n\n    return m\n\nhalf(4)\n\n2.0\n\n## Depois\n",
			"G(In [3] is 11 lines of code and 1 line of output" + run + "import math\n\n# metade\ndef half(n):\n\n    # um comentário\n    m = n / 2\n\n    return m\n\nhalf(4)\n```\n\n```text\n2.0\n```\n\n## Depois\n"},
		{"a heading is no comment", "In [4]:\nz = 3\n\n# Título da seção\n\nTexto da seção, com palavras.\n",
			"G(In [4] is 1 line of code" + run + "z = 3\n```\n\n# Título da seção\n\nTexto da seção, com palavras.\n"},
		{"a repr of several lines", "In [5]:\nA = make()\nA\n\nmatrix([[1, 2],\n        [3, 4]])\n\nY agora vemos la matriz que se hizo.\n",
			"G(In [5] is 2 lines of code and 2 lines of output" + run + "A = make()\nA\n```\n\n```text\nmatrix([[1, 2],\n        [3, 4]])\n```\n\nY agora vemos la matriz que se hizo.\n"},
		{"a repr of a module", "In [6]:\nnet\n\nNet(\n  (0): Layer(in=3, out=1)\n)\n",
			"G(In [6] is 1 line of code and 3 lines of output" + run + "net\n```\n\n```text\nNet(\n  (0): Layer(in=3, out=1)\n)\n```\n"},
		{"an open bracket with empty lines", "In [7]:\nv = [\n\n    1,\n]\n\n* item\n",
			"G(In [7] is 4 lines of code" + run + "v = [\n\n    1,\n]\n```\n\n* item\n"},
		{"the words of the code", "In [8]:\nfor e in range(2):\n    print(f'Passo {e} de treino do modelo')\n\nPasso 0 de treino do modelo\nPasso 1 de treino do modelo\n\n\nTexto.\n",
			"G(In [8] is 2 lines of code and 2 lines of output" + run + "for e in range(2):\n    print(f'Passo {e} de treino do modelo')\n```\n\n```text\nPasso 0 de treino do modelo\nPasso 1 de treino do modelo\n```\n\n\nTexto.\n"},
		{"commands", "In [ ]:\n!pip install gpu-tools\n\n# GPUs\n",
			"G(In [ ] is 1 line of code; to run it write bash {run})G\n```bash\npip install gpu-tools\n```\n\n# GPUs\n"},
		{"a comment among commands", "In [ ]:\n# ready!\n!nvidia-smi\n",
			"G(In [ ] is 2 lines of code; to run it write bash {run})G\n```bash\n# ready!\nnvidia-smi\n```\n"},
		{"commands on several lines of IPython", "In [1]: !nvidia-smi\n   ...: !ls\n   ...: \n",
			"G(In [1] is 2 lines of code; to run it write bash {run})G\n```bash\nnvidia-smi\nls\n```\n"},
		{"Out says it", "In [9]:\nfive()\n\nOut[9]:\numa frase de saída que parece texto\n\nE isto é o texto da página.\n",
			"G(In [9] is 1 line of code and 2 lines of output" + run + "five()\n```\n\n```text\numa frase de saída que parece texto\n```\n\nE isto é o texto da página.\n"},
		{"a magic line", "In [10]:\n%matplotlib inline\nimport plots\n\nTexto que segue.\n",
			"G(In [10] is 2 lines of code" + run + "%matplotlib inline\nimport plots\n```\n\nTexto que segue.\n"},
		{"code that holds a fence", "In [11]:\ns = '''\n```\n'''\n",
			"G(In [11] is 3 lines of code; to run it write python {run session=notebook})G\n````python\ns = '''\n```\n'''\n````\n"},
		{"a traceback", "In [12]:\nf()\n\nTraceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nValueError: não é um número\n\nO erro diz o que falta.\n",
			"G(In [12] is 1 line of code and 3 lines of output" + run + "f()\n```\n\n```text\nTraceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nValueError: não é um número\n```\n\nO erro diz o que falta.\n"},
		{"cut in the middle", "In [13]:\nf(1,\n", "G(In [13] is 1 line of code" + run + "f(1,\n```\n"},
		{"code on the line of the prompt", "In [1]: import gpu\nIn [2]: for i in range(2):\n   ...:     print(i)\n   ...: \n0\n1\n\nIn [3]: gpu.sum()\nOut[3]: tensor(2.)\n\nO texto segue aqui, com palavras.\n\nIn [4]: aqui não há código\n",
			"G(In [1] is 1 line of code" + run + "import gpu\n```\nG(In [2] is 2 lines of code and 2 lines of output" + run + "for i in range(2):\n    print(i)\n```\n```text\n0\n1\n```\n\nG(In [3] is 1 line of code and 1 line of output" + run + "gpu.sum()\n```\n```text\ntensor(2.)\n```\n\nO texto segue aqui, com palavras.\n\nIn [4]: aqui não há código\n"},
		{"in a fence it is text", "```text\nIn [1]:\nx = 1\n```\n", "```text\nIn [1]:\nx = 1\n```\n"},
		{"in a sentence it is text", "Escreva In [1]: e pronto.\n", "Escreva In [1]: e pronto.\n"},
	})
	runExamples(t, Options{Run: true}, []example{
		{"a value that stays", "In [1]:\n6 * 7\n\n42\n\nFim.\n",
			"G(In [1] is 1 line of code and 1 line of output, which looks the same each time)G\n```python {run session=notebook}\n6 * 7\n```\n\n```text {expect}\n42\n```\n\nFim.\n"},
		{"a time does not", "In [1]:\nimport time\ntime.time()\n\n1700000000.25\n",
			"G(In [1] is 2 lines of code and 1 line of output)G\n```python {run session=notebook}\nimport time\ntime.time()\n```\n\n```text\n1700000000.25\n```\n"},
		{"what installs is never run", "In [1]:\n!pip install gpu-tools\n",
			"G(In [1] is 1 line of code; to run it write bash {run})G\n```bash\npip install gpu-tools\n```\n"},
	})
}

func TestPrompts(t *testing.T) {
	runExamples(t, Options{}, []example{
		{"a session", "```python\n>>> 1 + 1\n2\n```\n", "G(a Python session with its output; to run it write pycon {run session=pycon})G\n```pycon\n>>> 1 + 1\n2\n```\n"},
		{"in a list", "- passo\n\n  ```py title=\"x\"\n  >>> f()\n  ```\n", "- passo\n\n  G(a Python session with its output; to run it write pycon {run session=pycon})G\n  ```pycon title=\"x\"\n  >>> f()\n  ```\n"},
		{"first in an item of a quote", "> 1. ```python\n>    >>> f()\n>    ```\n", "> 1. G(a Python session with its output; to run it write pycon {run session=pycon})G\n>    ```pycon\n>    >>> f()\n>    ```\n"},
		{"native", "```pycon {run}\n>>> 1\n1\n```\n```python\nx = 1\n```\n", "```pycon {run}\n>>> 1\n1\n```\n```python\nx = 1\n```\n"},
		{"commands", "```bash\n$ nvidia-smi\n# isto também\n$ ls \\\n    -l\n```\n", "G(commands that stood behind a $)G\n```bash\nnvidia-smi\n# isto também\nls \\\n    -l\n```\n"},
		{"commands with output", "```sh\n$ echo oi\noi\n```\n", "G(commands behind $ with what they print)G\n```console\n$ echo oi\noi\n```\n"},
		{"a job", "```bash\n#!/bin/bash\n#SBATCH --time=1:00\n./prog\n```\n", "G(a job script for Slurm; to submit it write bash {run=sbatch})G\n```bash\n#!/bin/bash\n#SBATCH --time=1:00\n./prog\n```\n"},
		{"a job without a language", "```\n#!/bin/bash\n#SBATCH -n 1\n```\n", "G(a job script for Slurm; to submit it write bash {run=sbatch})G\n```bash\n#!/bin/bash\n#SBATCH -n 1\n```\n"},
	})
	runExamples(t, Options{Run: true}, []example{
		{"a session runs", "```python\n>>> 1 + 1\n2\n```\n", "G(a Python session whose output is expected again)G\n```pycon {run session=pycon}\n>>> 1 + 1\n2\n```\n"},
		{"a job runs, beside its attributes", "```bash {title=a}\n#SBATCH -n 1\n```\n", "G(a job script for Slurm)G\n```bash {run=sbatch title=a}\n#SBATCH -n 1\n```\n"},
	})
}

// TestDialects checks that the markup of a dialect stays, and that prompts in its blocks are converted if the
// dialect has them.
func TestDialects(t *testing.T) {
	runExamples(t, Options{}, []example{
		{"MkDocs", "!!! note \"T\"\n    corpo\n\n    ```bash\n    $ ls\n    ```\n\n=== \"A\"\n\n    ```py\n    >>> 1\n    ```\n",
			"!!! note \"T\"\n    corpo\n\n    G(commands that stood behind a $)G\n    ```bash\n    ls\n    ```\n\n=== \"A\"\n\n    G(a Python session with its output; to run it write pycon {run session=pycon})G\n    ```pycon\n    >>> 1\n    ```\n"},
		{"Obsidian", "Veja [[outra]].\n\n> [!faq]- Por quê?\n> ```sh\n> $ ls\n> ```\n",
			"Veja [[outra]].\n\n> [!faq]- Por quê?\n> G(commands that stood behind a $)G\n> ```bash\n> ls\n> ```\n"},
		{"d2lbook", "# Placas\n:label:`sec_gpu`\n\nIn [1]:\nx = 2\n\nVeja :numref:`sec_gpu`.\n",
			"# Placas\n:label:`sec_gpu`\n\nG(In [1] is 1 line of code; to run it write python {run session=notebook})G\n```python\nx = 2\n```\n\nVeja :numref:`sec_gpu`.\n"},
	})
}

// TestUnchanged checks that a page is reported as not needing an import only if it is written in a dialect
// and has nothing to convert.
func TestUnchanged(t *testing.T) {
	for _, e := range []struct {
		in        string
		unchanged bool
		message   string
	}{
		{"!!! note\n    [[b]]\n", true, "x.md: warning: the page is written for obsidian, mkdocs, which gpudocs reads as it is: it needs no import"},
		{"[[b]]\n\n```sh\n$ ls\n```\n", false, "x.md: notice: the page is written for obsidian, which gpudocs reads as it is: that part is not converted"},
		{"texto\n", false, ""},
		{"```sh\n$ ls\n```\n", false, ""},
	} {
		r := Convert("x.md", []byte(e.in), Options{})
		message := ""
		for _, d := range r.Diags {
			if d.Line == 0 {
				message = fmt.Sprintf("%s: %s: %s", d.File, d.Severity, d.Message)
			}
		}
		if r.Unchanged != e.unchanged || message != e.message {
			t.Errorf("%q: %v, %q", e.in, r.Unchanged, message)
		}
	}
}

func TestLinksToNotebooks(t *testing.T) {
	runExamples(t, Options{Files: map[string]bool{"a b.ipynb": true, "outra.ipynb": true}}, []example{
		{"of notebooks that are imported too", "[a](outra.ipynb), [b](outra.ipynb#c), [d](<outra.ipynb>), [e](longe.ipynb)\n\n```text\n[a](outra.ipynb)\n```\n",
			"[a](outra.md), [b](outra.md#c), [d](<outra.md>), [e](longe.ipynb)\n\n```text\n[a](outra.ipynb)\n```\n"},
	})
}

// TestPlaces checks that diagnostics name the line of the file, although the text above it has changed.
func TestPlaces(t *testing.T) {
	in := "In [1]:\nx = 1\n\nTexto que segue aqui.\n\n```bash\n$ ls\n```\n"
	r := Convert("a.md", []byte(in), Options{})
	var places []int
	for _, d := range r.Diags {
		places = append(places, d.Line)
		if d.Severity != diag.Notice || d.File != "a.md" {
			t.Errorf("%v", d)
		}
	}
	if diff := cmp.Diff([]int{1, 6}, places); diff != "" || r.Guesses != 2 {
		t.Errorf("%d guesses at %v", r.Guesses, places)
	}
	bad := Convert("a.md", []byte("ok\n\xff\n"), Options{})
	if bad.Data != nil || len(bad.Diags) != 1 || bad.Diags[0].Line != 2 {
		t.Errorf("%+v", bad)
	}
}

func TestLook(t *testing.T) {
	for in, want := range map[string]string{
		"[[a]] ==b==\n":                               "obsidian",
		"x ==b== #tag\n":                              "",
		"Veja :numref:`a`\n":                          "d2l",
		"```{.python .input}\n#@tab x\n```\n":         "d2l",
		"!!! note\n    x\n\n[[b]]\n":                  "obsidian, mkdocs",
		"`!!! note`, `[[a]]`\n\n```\n!!! note\n```\n": "",
		"## A { #a }\n":                               "",
		"---\ntitle: '[[a]]'\n---\n":                  "",
	} {
		if got := Survey("x.md", []byte(in)).Dialects().String(); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// TestCellAttributes checks that an attribute that is removed with false removes only itself, and that
// only "run": false keeps a cell from running.
func TestCellAttributes(t *testing.T) {
	for metadata, want := range map[string]string{
		`{"name": "sum", "needs": false}`:                           "```python {run name=sum session=notebook}\n1\n```\n",
		`{"needs": "gpus >= 1", "network": true, "session": "a b"}`: "```python {run needs=\"gpus >= 1\" network session=\"a b\"}\n1\n```\n",
		`{"session": false}`:                                        "```python {run}\n1\n```\n",
		`{"name": "sum", "run": false}`:                             "```python\n1\n```\n",
	} {
		cell := `{"cell_type": "code", "source": "1", "outputs": [], "metadata": {"gpudocs": ` + metadata + `}}`
		r := Convert("x.ipynb", []byte(`{"nbformat": 4, "metadata": {}, "cells": [`+cell+`]}`), Options{Run: true})
		if got := string(r.Data); got != want {
			t.Errorf("%s: %q, want %q", metadata, got, want)
		}
	}
}

func TestCellsOfKernels(t *testing.T) {
	r := Convert("x.ipynb", []byte(`{"nbformat": 4, "metadata": {"kernelspec": {"name": "ir"}, "language_info": {"name": "R"}}, "cells": [
		{"cell_type": "code", "source": "1", "outputs": [], "metadata": {}}]}`), Options{Run: true})
	if got, want := string(r.Data), "```R {run session=notebook kernel=ir}\n1\n```\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
