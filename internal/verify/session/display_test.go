//go:build unix

package session

import (
	"fmt"
	"strings"
	"testing"
)

// rich are classes with forms for a notebook.
const rich = `
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1"
class Table:
    def __repr__(self): return "table"
    def _repr_html_(self): return "<b>é\"\\</b>"
class Formula(Table):
    _repr_html_ = None
    def _repr_latex_(self): return "$x$"
class Drawing(Table):
    def _repr_svg_(self): return "<svg/>"
class Photo(Table):
    def _repr_jpeg_(self): return b"\xff\xd8\xff", {"width": 1}
class Bundle(Table):
    def _repr_mimebundle_(self, include=None, exclude=None): return {"image/png": PNG, "text/plain": "p"}, {}
class Broken(Table):
    def _repr_svg_(self): raise ValueError("no")
    def _repr_png_(self): return "no base64"
    def _repr_jpeg_(self): return b"GIF"
    def _repr_mimebundle_(self, include=None, exclude=None): return 5
class Nothing(Broken):
    def _repr_html_(self): 1 / 0
class Large(Broken):
    def _repr_png_(self): return PNG + bytes(1 << 20)
    def _repr_html_(self): return "a" * (256 * 1024 + 1)
    def _repr_latex_(self): return "$y$"
class Wide(Table):
    def _repr_png_(self): return PNG.replace(b"\0\0\0\1", b"\0\1\0\0", 1)
class Opaque:
    def _repr_html_(self): return "opaque"
class Words:
    def _repr_markdown_(self): return "**words**"
`

// TestDisplay: what is printed, and what is displayed, in order. Names of the author come last.
func TestDisplay(t *testing.T) {
	t.Parallel()
	s := start(t, options(t, Python))
	run(t, s, Step{Code: rich})
	for _, tt := range []struct{ name, code, out, figures string }{
		{"the last expression", "Table()", "table\n", `html:<b>é"\</b>`},
		{"quiet", "Table();", "", ""},
		{"not the last", "Table()\n1", "1\n", ""},
		{"a class", "Table", "<class '__main__.Table'>\n", ""},
		{"a plain value", "display('a', 2)", "'a'\n2\n", ""},
		{"every form", "for x in Table(), Formula(), Drawing(), Photo(), Bundle(): display(x)", "table\ntable\n", "html:<b>é\"\\</b> latex:$x$ svg:<svg/> jpeg:3 png:24"},
		{"a picture of the last expression has its text", "Drawing()", "table\n", "svg:<svg/>"},
		{"a broken form", "display(Broken())", "table\n", `html:<b>é"\</b>`},
		{"nothing but broken forms", "Nothing()", "table\n", ""},
		{"too large", "Large()", "table\n", "latex:$y$"},
		{"too wide", "Wide()", "table\n", `html:<b>é"\</b>`},
		{"no text but an address", "display(Opaque(), Words())", "**words**\n", "html:opaque"},
		{"more than the bound", "for i in range(11): display({'text/latex': '$%d$' % i}, raw=True)", "", "latex:$0$ latex:$1$ latex:$2$ latex:$3$ latex:$4$ latex:$5$ latex:$6$ latex:$7$ latex:$8$"},
		{"an update", "h = display(Drawing(), display_id=True)\ndisplay(Photo())\nh.update(Formula())", "table\n", "latex:$x$ jpeg:3"},
		{"cleared", "display(Drawing(), Photo())\ndisplay(Bundle(), clear=True)", "", "png:24"},
		{"raw", "display({'text/html': 'h\\ud800', 'text/plain': 'p'}, raw=True)", "p\n", "html:h?"},
		{"before an exception", "display(Drawing())\n1 / 0", "", "svg:<svg/>"},
		{"in a forked child", "import os\nif not os.fork(): display(Photo()); os._exit(0)\nos.wait()\ndisplay(Drawing())", "", "svg:<svg/>"},
		{"in threads", "import sys, threading\nsys.setswitchinterval(1e-6)\nb = threading.Barrier(40)\ndef work(): b.wait(); display(Drawing())\n" +
			"ts = [threading.Thread(target=work) for _ in range(40)]\n[t.start() for t in ts]; [t.join() for t in ts];", "", strings.TrimSpace(strings.Repeat("svg:<svg/> ", MaxFigures))},
		{"the prompt", "Single", "table\n", ""},
		{"cells of HTML", "%%html\n<i>\n  a</i>\n", "", "html:<i>\n  a</i>"},
		{"cells of SVG", "%%svg\n<svg/>", "", "svg:<svg/>"},
		{"cells of LaTeX", "%%latex\n$z$", "", "latex:$z$"},
		{"cells of Markdown", "%%markdown\n# a", "# a\n", ""},
		{"captured", "%%capture c\ndisplay(Drawing())\nTable()", "", ""},
		{"the author's own display", "shown, display = display, print\ndisplay(Drawing())", "table\n", ""},
		{"the author's own hook", "import sys\nsys.displayhook = lambda v: print('mine', v)\nDrawing()", "mine table\n", "svg:<svg/>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			step := Step{Code: tt.code}
			if tt.code == "Single" {
				step = Step{Code: "Drawing()", Mode: Single}
			}
			if strings.HasPrefix(tt.code, "import sys\n") { // a hook belongs to the blocks after it
				lines := strings.Split(tt.code, "\n")
				run(t, s, Step{Code: strings.Join(lines[:2], "\n")})
				step.Code = lines[2]
			}
			r := run(t, s, step)
			var got []string
			for _, f := range r.Figures {
				what := f.SVG + f.HTML + f.LaTeX
				if len(f.PNG)+len(f.JPEG) > 0 {
					what = fmt.Sprint(len(f.PNG) + len(f.JPEG))
				}
				got = append(got, string(f.Form())+":"+what)
			}
			if figures := strings.Join(got, " "); figures != tt.figures || strings.Contains(string(r.Stderr.Text), "in thread") || string(r.Stdout.Text) != tt.out {
				t.Errorf("printed %q, displayed %q, want %q and %q\n%s", r.Stdout.Text, figures, tt.out, tt.figures, r.Stderr.Text)
			}
			if again := run(t, s, Step{Code: ""}); len(again.Figures) > 0 {
				t.Errorf("the next block has %d", len(again.Figures))
			}
		})
	}
}

// Of Matplotlib and display(), the order is that of display; a figure that was displayed is not kept twice.
func TestDisplayOrder(t *testing.T) {
	t.Parallel()
	s := start(t, withMatplotlib(t))
	r := run(t, s, Step{Code: `import matplotlib.pyplot as plt
f = plt.figure(); f.text(0, 0, 'a')
display(f)
display({"text/html": "between"}, raw=True)
plt.figure().text(0, 0, 'b');`})
	var forms []string
	for _, f := range r.Figures {
		forms = append(forms, string(f.Form()))
	}
	if got := strings.Join(forms, " "); got != "png html png" || len(r.Stdout.Text)+len(r.Stderr.Text) > 0 {
		t.Errorf("%q, printed %s%s", got, r.Stdout.Text, r.Stderr.Text)
	}
}
