package blocks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/include"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

func TestCodeFile(t *testing.T) {
	p := sitetest.LoadValid(t, map[string]string{
		"content/pt/p.md": "```python {run file=\"code/x.py\" region=setup numbers}\n```\n```text {expect}\n2\n```\n\n```python {run file=code/x.py lines=\"1,7\"}\n```\n",
		"code/x.py":       "import os\nif os:\n    # region setup\n    a = 1\n\n    print(a)\nb = 2\n    # endregion\n",
	}).Pages[0]
	b := p.Blocks[0]
	if b.Code != "    a = 1\n\n    print(a)\nb = 2\n" || b.CodePlace(b.CodeLine).String() != "code/x.py:4" || b.Place(b.Line).String() != "content/pt/p.md:1" {
		t.Errorf("%q %v %v", b.Code, b.CodePlace(b.CodeLine), b.Place(b.Line))
	}
	if f := sitetest.Fences(p)[0]; fmt.Sprint(f.Numbers) != "[4 5 6 7]" {
		t.Errorf("numbers %v", f.Numbers)
	}
	// If the code is not contiguous in the file, the code that runs has the file's line numbers.
	if b := p.Blocks[1]; b.Code != "import os\nb = 2\n" || b.Source() != "import os\n\n\n\n\n\nb = 2\n" || b.LineOf(1) != 7 {
		t.Errorf("%q %q", b.Code, b.Source())
	}
	same := sitetest.Page(t, "```python {run}\nimport os\nb = 2\n```\n").Blocks[0]
	if same.ID != p.Blocks[1].ID {
		t.Error("the same code in a file and on the page has different IDs")
	}
}

// TestCodeFileRefused checks the errors for code files that are missing, outside of the site or no text.
func TestCodeFileRefused(t *testing.T) {
	tests := []struct{ file, want, hint string }{
		{"", `"" names no file`, `write file="code/x.py"`},
		{"code/", `"code/" names no file`, `write file="code/x.py"`},
		{"code", "code: cannot be read: it is no plain file", "make it a plain file"},
		{"code/nul.bin", "code/nul.bin: it is no text: it holds a byte of zero", "include files of text alone"},
		{"code/latin.py", "code/latin.py: byte 0xe1 is not valid UTF-8", "save the file as UTF-8"},
		{"code/big.py", "code/big.py: it has more than 4 MiB", "copy what is to be shown into a smaller file"},
		{"../../../x.py", `"../../../x.py" leads out of the site's folder`, "copy the file into the site"},
		{"../../.env", ".env is hidden, and is not shown", "a name that begins with a dot is private"},
		{"code/ão.py", "", ""}, // decomposed, as macOS has it
		{"code/fé.py", "", ""},
	}
	for _, tt := range tests {
		_, out := sitetest.Load(t, map[string]string{
			"content/pt/p.md": "```python {file=\"" + tt.file + "\"}\n```\n", "code/nul.bin": "a\x00b\n", "code/latin.py": "\xe1\n",
			"code/big.py": strings.Repeat("x", include.MaxFile+1), ".env": "KEY=1\n", "code/ão.py": "x\n", "code/fé.py": "x\n",
		})
		if tt.want == "" && out != "" || !strings.Contains(out, ": error: "+tt.want+"\n") && tt.want != "" || !strings.Contains(out, tt.hint) {
			t.Errorf("%q: got\n%swant %s", tt.file, out, tt.want)
		}
	}
}

func TestCodeFileOfNothing(t *testing.T) {
	for _, attribute := range []string{"region", `region=""`, "lines", `lines=" "`} {
		_, out := sitetest.Load(t, map[string]string{"content/pt/p.md": "```python {file=x.py " + attribute + "}\n```\n", "x.py": "x\n"})
		name, _, _ := strings.Cut(attribute, "=")
		if want := "content/pt/p.md:1:22: error: " + name + " names nothing\n"; !strings.HasPrefix(out, want) {
			t.Errorf("%s: got\n%swant %s", attribute, out, want)
		}
	}
}

// TestLiteralInclude checks the directives of MyST that show the code of a file.
func TestLiteralInclude(t *testing.T) {
	page := "```{literalinclude} code/x.py\n:start-after: import\n:end-before: c = 3\n:emphasize-lines: 2\n:lineno-match:\n:filename: x\n```\n\n" +
		"```{include} /code/x.py\n:literal:\n:lang: text\n:lines: 1,3-\n```\n\n```{literalinclude} code/x.py\n:caption: C\n:start-at: b\n:end-at: b\n```\n\n" +
		"```{literalinclude} code/y.py\n```\n\n```{literalinclude} code/x.py\n:start-at: zz\n```\n"
	p, out := sitetest.PageIn(t, "myst", map[string]string{"content/pt/p.md": page, "content/pt/code/x.py": "import os\na = 1\nb = 2\nc = 3\n"})
	var got []string
	for _, f := range sitetest.Fences(p) {
		got = append(got, fmt.Sprintf("%s %q %q %v %v %s", f.Language, f.Title, f.Code, f.Numbers, f.Marked, f.Missing))
	}
	want := []string{`py "x" "a = 1\nb = 2\n" [2 3] [[2 2]] `, `text "" "import os\nb = 2\nc = 3\n" [] [] `, `py "" "b = 2\n" [] [] `, `py "" "" [] [] code/y.py`, `py "" "" [] [] code/x.py`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if strings.Count(out, ": warning: ") != 2 || strings.Contains(out, ": error: ") || !strings.Contains(out, `p.md:24:21: warning: there is no file "code/y.py"`) || !strings.Contains(out, `no line with "zz"`) {
		t.Error(out)
	}
}

// TestDiagramOfTheFrontMatter checks a cell of MyST whose language stands in the front matter alone.
func TestDiagramOfTheFrontMatter(t *testing.T) {
	p, out := sitetest.PageIn(t, "", map[string]string{"content/pt/p.md": "---\ndialects: [myst]\nkernelspec: {name: mermaid}\n---\n```{code-cell}\ngraph TD\nA-->B\n```\n\n```{code-cell}\n```\n"})
	if out != "" || len(p.Diagrams) != 2 || p.Diagrams[0].Source != "graph TD\nA-->B\n" {
		t.Errorf("%d %s", len(p.Diagrams), out)
	}
}
