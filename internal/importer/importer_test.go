package importer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Examples are before and after, with what import says where it guesses or keeps.
// G stands for the mark of a guess.
type example struct {
	name, in, want string
}

func runExamples(t *testing.T, d markdown.Dialect, o Options, list []example) {
	t.Helper()
	o.Dialects, o.Given = d, true
	if o.Files == nil {
		o.Files = NewFiles([]string{"x.md", "notes/Placa de vídeo.md", "notes/img/foto 1.png", "img/foto 1.png", "outra.ipynb", "video.mp4"})
	}
	for _, e := range list {
		t.Run(e.name, func(t *testing.T) {
			want := strings.ReplaceAll(strings.ReplaceAll(e.want, "G(", "<!-- gpudocs import: guess: "), ")G", " -->")
			got := string(lossless(t, "x.md", []byte(e.in), o, true).Data)
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
	runExamples(t, 0, Options{}, []example{
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
	runExamples(t, 0, Options{Run: true}, []example{
		{"a value that stays", "In [1]:\n6 * 7\n\n42\n\nFim.\n",
			"G(In [1] is 1 line of code and 1 line of output, which looks the same each time)G\n```python {run session=notebook}\n6 * 7\n```\n\n```text {expect}\n42\n```\n\nFim.\n"},
		{"a time does not", "In [1]:\nimport time\ntime.time()\n\n1700000000.25\n",
			"G(In [1] is 2 lines of code and 1 line of output)G\n```python {run session=notebook}\nimport time\ntime.time()\n```\n\n```text\n1700000000.25\n```\n"},
		{"what installs is never run", "In [1]:\n!pip install gpu-tools\n",
			"G(In [1] is 1 line of code; to run it write bash {run})G\n```bash\npip install gpu-tools\n```\n"},
	})
}

func TestPrompts(t *testing.T) {
	runExamples(t, 0, Options{}, []example{
		{"a session", "```python\n>>> 1 + 1\n2\n```\n", "G(a Python session with its output; to run it write pycon {run session=pycon})G\n```pycon\n>>> 1 + 1\n2\n```\n"},
		{"in a list", "- passo\n\n  ```py title=\"x\"\n  >>> f()\n  ```\n", "- passo\n\n  G(a Python session with its output; to run it write pycon {run session=pycon})G\n  ```pycon title=\"x\"\n  >>> f()\n  ```\n"},
		{"first in an item of a quote", "> 1. ```python\n>    >>> f()\n>    ```\n", "> 1. G(a Python session with its output; to run it write pycon {run session=pycon})G\n>    ```pycon\n>    >>> f()\n>    ```\n"},
		{"native", "```pycon {run}\n>>> 1\n1\n```\n```python\nx = 1\n```\n", "```pycon {run}\n>>> 1\n1\n```\n```python\nx = 1\n```\n"},
		{"commands", "```bash\n$ nvidia-smi\n# isto também\n$ ls \\\n    -l\n```\n", "G(commands that stood behind a $)G\n```bash\nnvidia-smi\n# isto também\nls \\\n    -l\n```\n"},
		{"commands with output", "```sh\n$ echo oi\noi\n```\n", "G(commands behind $ with what they print)G\n```console\n$ echo oi\noi\n```\n"},
		{"a job", "```bash\n#!/bin/bash\n#SBATCH --time=1:00\n./prog\n```\n", "G(a job script for Slurm; to submit it write bash {run=sbatch})G\n```bash\n#!/bin/bash\n#SBATCH --time=1:00\n./prog\n```\n"},
		{"a job without a language", "```\n#!/bin/bash\n#SBATCH -n 1\n```\n", "G(a job script for Slurm; to submit it write bash {run=sbatch})G\n```bash\n#!/bin/bash\n#SBATCH -n 1\n```\n"},
	})
	runExamples(t, 0, Options{Run: true}, []example{
		{"a session runs", "```python\n>>> 1 + 1\n2\n```\n", "G(a Python session whose output is expected again)G\n```pycon {run session=pycon}\n>>> 1 + 1\n2\n```\n"},
		{"a job runs, beside its attributes", "```bash {title=a}\n#SBATCH -n 1\n```\n", "G(a job script for Slurm)G\n```bash {run=sbatch title=a}\n#SBATCH -n 1\n```\n"},
	})
}

func TestObsidian(t *testing.T) {
	runExamples(t, markdown.Obsidian, Options{Aliases: map[string]string{"gpu": "notes/Placa de vídeo.md"}}, []example{
		{"wiki links", "Veja [[Placa de vídeo]], [[Placa de vídeo#Memória global|a memória]], [[#Aqui]] e [[outra]].\n",
			"Veja [Placa de vídeo](notes/Placa%20de%20vídeo.md), [a memória](notes/Placa%20de%20vídeo.md#memória-global), [Aqui](#aqui) e [outra](outra.md).\n"},
		{"a wiki link in a table", "| a |\n|---|\n| [[outra\\|b]] |\n", "| a |\n|---|\n| [b](outra.md) |\n"},
		{"an image", "![[foto 1.png|300]]\n\n> ![[foto 1.png|um cartão|300x200]]\n", "![](img/foto%201.png){width=300}\n\n> ![um cartão](img/foto%201.png){width=300 height=200}\n"},
		{"a size in the text", "![placa|120](a.png)\n", "![placa](a.png){width=120}\n"},
		{"marks and comments", "Um ==texto *bom*==, %%nota -- só minha%% e fim.\n\n%%\nlinhas\n\nocultas\n%%\n", "Um <mark>texto *bom*</mark>, <!--nota - - só minha--> e fim.\n\n<!--\nlinhas\n\nocultas\n-->\n"},
		{"a block id", "Uma frase. ^frase-1\n\nVeja [[#^frase-1|isto]].\n", "Uma frase. <a id=\"frase-1\"></a>\n\nVeja [isto](#frase-1).\n"},
		{"a note in its place", "![[Placa de vídeo]]\n", ":::include notes/Placa de vídeo.md\n:::\n"},
		{"a part of a note", "![[Placa de vídeo#Memória global]]\n\nVeja ![[outra]] aqui.\n", "[Placa de vídeo > Memória global](notes/Placa%20de%20vídeo.md#memória-global)G(a link to the text that Obsidian shows in its place)G\n\nVeja [outra](outra.md)G(a link to the text that Obsidian shows in its place)G aqui.\n"},
		{"an alias", "Veja [[GPU]].\n", "Veja [GPU](notes/Placa%20de%20vídeo.md).\n"},
		{"a link of Markdown to a heading's text", "[a](outra.md#Mem%C3%B3ria%20&%20cache! \"t\"), [b](outra.md#ok), [c](https://a.b/#C D)\n", "[a](outra.md#memória--cache \"t\"), [b](outra.md#ok), [c](https://a.b/#C D)\n"},
		{"a callout goes on without a mark", "> [!info] CUDA\n> um\ndois\n\ntrês\n", ":::info CUDA\num\ndois\n:::\n\ntrês\n"},
		{"tags and code stay", "#gpu e `[[nada]]`\n\n```text\n[[nada]]\n```\n", "#gpu e `[[nada]]`\n\n```text\n[[nada]]\n```\n"},
		{"callouts", "> [!faq]- Por que *assim*?\n> Porque sim.\n>\n> > [!note] Dentro\n> > texto\n\nfim\n", "::::question Por que *assim*? {fold}\nPorque sim.\n\n:::note Dentro\ntexto\n:::\n::::\n\nfim\n"},
		{"callouts in lists", "- > [!faq]- T\n  > corpo\n\n1. x\n   > [!note] T\n   > b\n\n> - > [!tip]- A\n>   > b\n", "- :::question T {fold}\n  corpo\n  :::\n\n1. x\n   :::note T\n   b\n   :::\n\n> - :::tip A {fold}\n>   b\n>   :::\n"},
		{"within a paragraph and in code it is text", "> texto\n> [!faq] não\n\n    > [!faq] código\n", "> texto\n> [!faq] não\n\n    > [!faq] código\n"},
		{"GitHub's alert stays", "> [!NOTE]\n> texto\n", "> [!NOTE]\n> texto\n"},
		{"front matter", "---\ntags: [a]\ndialects: [obsidian]\n---\n\n[[outra]]\n", "---\ntags: [a]\n---\n\n[outra](outra.md)\n"},
	})
}

func TestKeys(t *testing.T) {
	keys := []string{"title", "description", "tags", "aliases", "draft"}
	runExamples(t, markdown.Obsidian, Options{Keys: keys}, []example{
		{"what gpudocs knows stays", "---\ntitle: A\ntags: [a]\naliases:\n  - b\n---\nt\n", "---\ntitle: A\ntags: [a]\naliases:\n  - b\n---\nt\n"},
		{"other names", "---\nalias: Um nome\ntag: a, b\npublish: false\n---\nt\n", "---\naliases: Um nome\ntags: a, b\ndraft: true\n---\nt\n"},
		{"both names", "---\ntags: [a]\ntag: b\npublish: true\n---\nt\n", "---\ntags: [a]\n# tag: b\n# publish: true\n---\nt\n"},
		{"other keys", "---\ndescription: |\n  x\ncssclasses:\n- larga\n\n# minha\n\"status do texto\": lido\nrevisto: {por: Ana,\n  em: 2024}\n---\nt\n",
			"---\ndescription: |\n  x\n# cssclasses:\n# - larga\n\n# minha\n# \"status do texto\": lido\n# revisto: {por: Ana,\n#   em: 2024}\n---\nt\n"},
		{"broken YAML stays", "---\na: [\n---\nt\n", "---\na: [\n---\nt\n"},
		{"flow style stays", "---\n{title: A, b: c}\n---\nt\n", "---\n{title: A, b: c}\n---\nt\n"},
		{"without keys", "t\n", "t\n"},
	})
	r := Convert("x.md", []byte("---\ntitle: A\nhide: [toc]\nicon: x\n---\n!!! note\n    a\n"), Options{Keys: keys})
	if len(r.Diags) != 1 || r.Diags[0].Line != 3 || r.Diags[0].Message.String() != "gpudocs does not know hide, icon in the front matter, which becomes a comment" {
		t.Errorf("%+v", r.Diags)
	}
}

func TestAliases(t *testing.T) {
	for in, want := range map[string]string{
		"---\naliases: [Ão, B c]\n---\n": "ão|b c", "---\naliases: um, Dois\n---\n": "um|dois", "aliases: [a]\n": "", "---\naliases: [\n---\n": "", "---\r\naliases:\r\n  - X\r\n---\r\n": "x",
	} {
		if got := strings.Join(Aliases([]byte(in)), "|"); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestD2L(t *testing.T) {
	runExamples(t, markdown.D2L, Options{Labels: map[string]string{"sec_far": "sub/far.md"}}, []example{
		{"labels and references", "# Placas\n:label:`sec_gpu`\n\nVeja :numref:`sec_gpu`, :ref:`sec_far` e :cite:`Ana.2020,Rui.2021`.\n",
			"# Placas {#sec_gpu}\n\nVeja [](#sec_gpu), [](sub/far.md#sec_far) e [@Ana.2020; @Rui.2021].\n"},
		{"a label of nobody's", "Veja :numref:`sec_nada`.\n", "Veja [sec\\_nada](#sec_nada).\n"},
		{"a figure", "> ![Um \"cartão\" de $x$.](a.svg)\n> :width:`300px`\n> :label:`fig_a`\n", "> ![Um \"cartão\" de $x$.](a.svg \"Um \\\"cartão\\\" de $x$.\"){#fig_a width=300px}\n"},
		{"an equation", "$$a = b$$\n:eqlabel:`eq_a`\n\nDe :eqref:`eq_a`.\n", "$$a = b$$ {#eq_a}\n\nDe \\eqref{eq_a}.\n"},
		{"a table", ":Uma tabela\n\n|a|b|\n|-|-|\n|1|2|\n:label:`tab_a`\n\nFim.\n", ":::figure Uma tabela {#tab_a}\n\n|a|b|\n|-|-|\n|1|2|\n:::\n\nFim.\n"},
		{"code", "```{.python .input  n=3}\n#@tab all\nx = 1  #@save\n```\n\n```{.python .input}\nfrom d2l import mxnet as d2l\n```\n\n```{.python .input}\n#@tab pytorch\nimport torch\n```\n",
			"```python\nx = 1  #@save\n```\n\n```python {tab=\"MXNet\"}\nfrom d2l import mxnet as d2l\n```\n\n```python {tab=\"PyTorch\"}\nimport torch\n```\n"},
		{"text and code of a framework", ":begin_tab:`mxnet`\nTexto um.\n:end_tab:\n\n:begin_tab:`pytorch, tensorflow`\nTexto dois.\n:end_tab:\n\n```{.python .input}\nnp\n```\n\n```{.python .input}\n#@tab pytorch, tensorflow\nx\n```\n",
			":::tab MXNet\nTexto um.\n\n```python\nnp\n```\n:::\n:::tab PyTorch, TensorFlow\nTexto dois.\n\n```python\nx\n```\n:::\n"},
		{"a tab that is not closed ends with its paragraph", ":begin_tab:`mxnet` Um texto\nque segue.\n\nOutro.\n\n:begin_tab:`jax`\nJ.\n:end_tab:\n", ":::tab MXNet\nUm texto\nque segue.\n:::\n\nOutro.\n\n:::tab JAX\nJ.\n:::\n"},
		{"what cannot be one group", "```{.python .input}\n#@tab mxnet, pytorch\na\n```\n\n```{.python .input}\n#@tab pytorch\nb\n```\n",
			"::::tabs\n:::tab MXNet, PyTorch\n```python\na\n```\n:::\n::::\n\n::::tabs\n:::tab PyTorch\n```python\nb\n```\n:::\n::::\n"},
		{"marks of slides", "[**Mostrado**] e (~~não~~)fim.\n", "Mostrado e fim.\n"},
		{"a list of pages", "# A\n\n```toc\n:maxdepth: 2\n\noutra\nlonge/nada_x\n```\n", "# A\n\n- [](outra.md)\n- [longe/nada\\_x](longe/nada_x.md)\n"},
		{"roles", "Com :func:`~torch.nn.Linear` e :class:`Net`, :rocket:`x`.\n", "Com `Linear` e `Net`, :rocket:`x`.\n"},
	})
}

func TestMkDocs(t *testing.T) {
	runExamples(t, markdown.MkDocs, Options{Files: NewFiles([]string{"x.md", "a.md", "parts/a b.md", "src/a.py", "b.sh", "c.py"})}, []example{
		{"a callout", "!!! note \"Um *título*\"\n    Texto.\n\n    ```python\n    x = 1\n    ```\n\nfim\n", ":::note Um *título*\nTexto.\n\n```python\nx = 1\n```\n:::\n\nfim\n"},
		{"folds", "??? faq\n    a\n\n???+ \"Mais\"\n    b\n", ":::question {fold}\na\n:::\n\n:::details Mais {fold=open}\nb\n:::\n"},
		{"tabs in a callout in a list", "- item\n\n    !!! tip \"T\"\n        === \"Um\"\n            a\n        === \"Dois\"\n            b\n\n    mais\n", "- item\n\n    ::::tip T\n    :::tab Um\n    a\n    :::\n    :::tab Dois\n    b\n    :::\n    ::::\n\n    mais\n"},
		{"blocks of slashes", "/// details | Por quê?\n    type: warning\n\nTexto.\n\n//// tab | A\n\n1\n\n////\n\n///\n", "::::warning Por quê? {fold}\n\nTexto.\n\n:::tab A\n\n1\n\n:::\n\n::::\n"},
		{"code of a file", "{* src/a.py ln[9,1:5] hl[2,9] *}\n\n- x\n\n    {* b.sh hl[1:2] *}\n", "```python {file=\"src/a.py\" lines=\"1-5 9\" hl_lines=\"2 6\" numbers}\n```\n\n- x\n\n    ```bash {file=\"b.sh\" hl_lines=\"1-2\"}\n    ```\n"},
		{"code of a file with a title", "{* b.sh title[\"app/á.sh\"] *}\n", "```bash {file=\"b.sh\" title=\"app/á.sh\"}\n```\n"},
		{"code of a file that is not there", "{* ../src/n.py hl[2] *}\n", "G(the code of ../src/n.py was not there; with it write python {file=\"../src/n.py\" hl_lines=\"2\"})G\n`../src/n.py`\n"},
		{"a terminal", "<div class=\"termy\">\n\n```console\n$ <font color=\"#fff\">run</font> <u>x</u> &lt;y&gt;\n<file> stays\n```\n\n</div>\n", "<div class=\"termy\">\n\n```console\n$ run x <y>\n<file> stays\n```\n\n</div>\n"},
		{"snippets", "--8<-- \"parts/a b.md\"\n\n--8<-- \"a.md:intro\"\n\n```py linenums=\"1\"\n--8<-- \"c.py:2:4\"\n```\n\n--8<-- \"nada.md\"\n", ":::include parts/a b.md\n:::\n\n:::include a.md {region=intro}\n:::\n\n```py {numbers file=\"c.py\" lines=\"2-4\"}\n```\n\n--8<-- \"nada.md\"\n"},
		{"a block of snippets", "--8<--\na.md\n; b.md\nnada.md\n--8<--\n\nfim\n", ":::include a.md\n:::\n--8<-- \"nada.md\"\n\nfim\n"},
		{"marks in a line", "++ctrl+c++, ==a *b*==, ^^c^^, H~2~O, x^2^ e ~~d~~\n", "<kbd>Ctrl</kbd>+<kbd>C</kbd>, <mark>a *b*</mark>, <ins>c</ins>, H<sub>2</sub>O, x<sup>2</sup> e ~~d~~\n"},
		{"a snippet among code", "```py\nx = 1\n--8<-- \"c.py\"\n```\n\n```py\n{!c.py!}\n```\n", "```py\nx = 1\n--8<-- \"c.py\"\n```\n\n```py {file=\"c.py\"}\n```\n"},
		{"a kind of its author's own", "!!! pied-piper\n    x\n\n/// écran | Título\n\ny\n\n///\n", ":::note Pied-piper\nx\n:::\n\n:::note écran | Título\n\ny\n\n:::\n"},
		{"captions", "# A\n![a](b)\n/// caption\n    attrs: {id: x, class: 'y z'}\nUma *carta*\nde vídeo\n///\n\n```sh\nls\n\n```\n\n/// figure-caption | <\nC\n///\n",
			"# A\n:::figure Uma *carta* de vídeo {#x .y .z}\n![a](b)\n:::\n\n:::figure C\n```sh\nls\n\n```\n\n:::\n"},
		{"captions within blocks, and of one", "!!! note\n    | a |\n    |---|\n\n    /// table-caption\n    T\n    ///\n\n/// caption\nC\n///\n", ":::::figure C\n::::note\n:::figure T\n| a |\n|---|\n\n:::\n::::\n\n:::::\n"},
		{"captions that are for nothing plain", "- a\n/// caption\nC\n///\n", "- a\n\nC\n"},
		{"HTML around Markdown", "/// html | div.a\n    attrs: {id: b}\n\nTexto.\n\n//// note\nx\n////\n\n///\n", "<div id=\"b\" class=\"a\">\n\nTexto.\n\n:::note\nx\n:::\n\n</div>\n"},
		{"HTML in a quote", "> /// html | section.a\n> x\n> ///\n> y\n", "> <section class=\"a\">\n>\n> x\n>\n> </section>\n>\n> y\n"},
		{"HTML in a list and a note, to its end", "!!! note\n    - /// html | div\n      x\n\nz\n", "::::note\n- <div>\n\n  x\n\n  </div>\n::::\n\nz\n"},
		{"an element of text", "a\n\n/// html | span.x\nb\n///\n", "a\n\nb\n"},
		{"code stays", "```text\n!!! note\n    x\n```\n\n!!! sem título\n", "```text\n!!! note\n    x\n```\n\n:::note Sem {.título}\n:::\n"},
		{"attributes of a heading", "## Placa {: #placa }\n", "## Placa {#placa }\n"},
		{"an element with Markdown in it", "<div class=\"grid cards\" markdown>\n- um\n- *dois*\n</div>\nTexto *x*.\n", "<div class=\"grid cards\">\n\n- um\n- *dois*\n\n</div>\n\nTexto *x*.\n"},
		{"elements in elements", "<details markdown=\"1\" class=\"a\">\n<summary>Por *quê*?</summary>\ncorpo\n\n<div markdown=\"span\" data-x=\"a markdown b\">texto *y*</div>\n</details>\n",
			"<details class=\"a\">\n<summary>Por *quê*?</summary>\n\ncorpo\n\n<div data-x=\"a markdown b\">\n\ntexto *y*\n\n</div>\n\n</details>\n"},
		{"an element in a quote and in a list", "> <div markdown>\n> # T\n> </div>\n\n- a\n\n    <section markdown id=q>\n    b\n\n    </section>\n", "> <div>\n>\n> # T\n>\n> </div>\n\n- a\n\n    <section id=q>\n\n    b\n\n    </section>\n"},
		{"elements without Markdown stay", "<div>\n*cru*\n</div>\n\n<div markdown></div>\n", "<div>\n*cru*\n</div>\n\n<div></div>\n"},
		{"a callout in a quote", "> !!! note \"T\"\n>     corpo\n>\n>     === \"Um\"\n>\n>         a\n>\n> fim\n", "> ::::note T\n> corpo\n>\n> :::tab Um\n>\n> a\n> :::\n> ::::\n>\n> fim\n"},
		{"first in an item", "- !!! tip \"T\"\n      corpo\n\n      mais\n\n- outro\n", "- :::tip T\n  corpo\n\n  mais\n  :::\n\n- outro\n"},
		{"in a list in a quote", "> - item\n>\n>     ??? faq\n>         corpo\n", "> - item\n>\n>     :::question {fold}\n>     corpo\n>     :::\n"},
		{"a quote in a callout", "!!! note\n    > !!! tip\n    >     b\n", "::::note\n> :::tip\n> b\n> :::\n::::\n"},
		{"in HTML, math and indented code it is text", "<!--\n!!! note\n    x\n-->\n\n$$\n=== \"a\"\n$$\n\n    !!! note\n        x\n", "<!--\n!!! note\n    x\n-->\n\n$$\n=== \"a\"\n$$\n\n    !!! note\n        x\n"},
		{"a block that is not closed goes to the end", "/// note\n\ntexto\n", ":::note\n\ntexto\n:::\n"},
	})
}

// TestNavigation holds that a page says what a navigation said of it.
func TestNavigation(t *testing.T) {
	nav, err := ReadNav([]byte("site_name: X\nmarkdown_extensions:\n  - a:\n      b: !!python/name:c.d\ndocs_dir: src\nnav:\n  - index.md\n  - Guia:\n    - Uso da GPU: guia/uso.md\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := &Nav{Docs: "src", Pages: []NavPage{{"index.md", ""}, {"guia/uso.md", "Uso da GPU"}}}
	if diff := cmp.Diff(want, nav); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for in, want := range map[string]string{
		"texto\n":                       "---\ntitle: \"Uso\"\nweight: 2\n---\n\ntexto\n",
		"# A\n":                         "---\nweight: 2\n---\n\n# A\n",
		"---\nweight: 1\n---\n# A\n":    "---\nweight: 1\n---\n# A\n",
		"---\ndescription: d\n---\nt\n": "---\ndescription: d\ntitle: \"Uso\"\nweight: 2\n---\nt\n",
	} {
		if got := string(Convert("x.md", []byte(in), Options{Title: "Uso", Weight: 2}).Data); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestPlaces holds that what is said names the line of the file, though the text
// above it has changed.
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
		if got := Look("x.md", []byte(in)).Dialects().String(); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	s := Look("x.md", []byte("{{< figure >}}\n\n.. note:: x\n\n```{note}\nx\n```\n\n:abbr:`x`\n"))
	if len(s.Unknown) != 4 || s.Unknown[3].Line != 9 {
		t.Errorf("%v", s.Unknown)
	}
}
