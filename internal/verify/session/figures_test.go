//go:build unix

package session

import (
	"bytes"
	"cmp"
	"image/png"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
)

// withMatplotlib returns the options of a Python that has Matplotlib; GPUDOCS_TEST_MATPLOTLIB
// names another one.
func withMatplotlib(t *testing.T) Command {
	t.Helper()
	executable(t, Python) // skips without Python
	path := matplotlib()
	if path == "" {
		t.Skip("no Python with Matplotlib on this machine")
	}
	o := options(t, Python)
	o.Path = path
	home, err := os.UserHomeDir() // otherwise each test builds the cache of fonts again
	o.Env = append(o.Env, "MPLBACKEND=Agg", "HOME="+cmp.Or(home, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// matplotlib is a Python that has it, or "". The search takes a second, so it is done once.
var matplotlib = sync.OnceValue(func() string {
	for _, path := range []string{os.Getenv("GPUDOCS_TEST_MATPLOTLIB"), "python3", "/usr/bin/python3"} {
		if path == "" {
			continue
		}
		out, err := exec.Command(path, "-c", "import matplotlib.pyplot, sys; print(sys.executable)").Output()
		if err == nil {
			return strings.TrimSpace(string(out))
		}
	}
	return ""
})

func size(t *testing.T, data []byte) [2]int {
	t.Helper()
	c, err := png.Decode(bytes.NewReader(data)) // all of it, not the header only
	if err != nil {
		t.Fatalf("no PNG: %v", err)
	}
	return [2]int{c.Bounds().Dx(), c.Bounds().Dy()}
}

func TestFigures(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		steps   []string
		figures []int // by step
	}{
		// The steps of each case run in one session, and the cases after one another except for
		// the last: Matplotlib takes most of the time.
		{"without pyplot", []string{"from matplotlib.figure import Figure\nFigure().text(0, 0, 'a');"}, []int{0}},
		{"left open, and closed by us", []string{
			"import matplotlib.pyplot as plt\nplt.plot([1, 2]);", "plt.get_fignums()", "plt.figure(); plt.figure(3).text(0, 0, 'a');"}, []int{1, 0, 1}},
		{"shown", []string{"import matplotlib.pyplot as plt\nplt.plot([1]); plt.show()\nlen(plt.gca().lines)"}, []int{2}},
		{"shown by name", []string{"from matplotlib.pyplot import plot, show\nplot([1]); show(block=False)"}, []int{1}},
		{"closed by the author", []string{"import matplotlib.pyplot as plt\nplt.plot([1]); plt.close()"}, []int{0}},
		{"more than the bound", []string{"import matplotlib.pyplot as plt\nfor i in range(11): plt.figure().text(0, 0, str(i))"}, []int{MaxFigures}},
		{"before an exception", []string{"import matplotlib.pyplot as plt\nplt.plot([1])\n1 / 0", "plt.get_fignums()"}, []int{1, 0}},
		{"in a forked child", []string{"import matplotlib.pyplot as plt, os\nplt.plot([1])\nif os.fork(): os.wait();"}, []int{1}},
		{"magic and display", []string{"%matplotlib inline\nimport os; os.environ['DISPLAY'] = ':99'\nimport matplotlib.pyplot as plt\nf = plt.figure(); f.text(0, 0, 'a'); f.show(); plt.show()"}, []int{1}},
	}
	o := withMatplotlib(t)
	s := start(t, o)
	for n, tt := range tests {
		if n == len(tests)-1 {
			o.Scratch = t.TempDir()
			s = start(t, o)
		}
		t.Run(tt.name, func(t *testing.T) {
			for i, code := range tt.steps {
				r := run(t, s, Step{Code: code})
				if len(r.Figures) != tt.figures[i] {
					t.Errorf("%q gave %d figures, want %d", code, len(r.Figures), tt.figures[i])
				}
				for _, f := range r.Figures {
					size(t, f.PNG)
				}
				if out := string(r.Stdout.Text); strings.Contains(code, "fignums") && out != "[]\n" {
					t.Errorf("still open: %s", out)
				}
				if err := string(r.Stderr.Text); err != "" && !strings.Contains(code, "1 / 0") {
					t.Errorf("%q wrote %s", code, err)
				}
			}
		})
	}
}

func TestFigureOfSeveralExamples(t *testing.T) {
	t.Parallel()
	s := start(t, withMatplotlib(t))
	for i, code := range []string{"import matplotlib.pyplot as plt", "p = plt.plot([1, 2])", "p = plt.title('a')", "len(plt.gca().lines)"} {
		r := run(t, s, Step{Code: code, Mode: Single})
		if len(r.Figures) != 0 || i == 3 && string(r.Stdout.Text) != "1\n" {
			t.Errorf("%q: %d figures, %q", code, len(r.Figures), r.Stdout.Text)
		}
	}
	if r := run(t, s, Step{Code: "plt.show()", Mode: Single}); len(r.Figures) != 1 {
		t.Errorf("show() gave %d figures", len(r.Figures))
	}
	run(t, s, Step{Code: "p = plt.plot([1, 2])", Mode: Single})
	if r := run(t, s, Step{}); len(r.Figures) != 1 {
		t.Errorf("the end of the block gave %d figures", len(r.Figures))
	}
}

func TestFigureBytes(t *testing.T) {
	t.Parallel()
	s := start(t, withMatplotlib(t))
	figure := func(code string) []byte {
		t.Helper()
		r := run(t, s, Step{Code: "import matplotlib.pyplot as plt, random\n" + code})
		if len(r.Figures) != 1 || len(r.Stderr.Text) > 0 {
			t.Fatalf("%q: %d figures, %s", code, len(r.Figures), r.Stderr.Text)
		}
		return r.Figures[0].PNG
	}
	a, b := figure("plt.plot([1, 2]);"), figure("plt.plot([1, 2]);")
	if !bytes.Equal(a, b) || bytes.Contains(a, []byte("Software")) || bytes.Contains(a, []byte("tIME")) {
		t.Error("the same figure gives another file, or the file has the program's version or a date")
	}
	if got := size(t, a); got[0] < 300 || got[0] > 700 {
		t.Errorf("a plain figure has %v pixels", got)
	}
	for _, code := range []string{
		"plt.figure(figsize=(500, 100)).text(0, 0, 'a');",          // 50,000 pixels wide
		"plt.plot([1]); plt.text(10, 5000, 'far away');",           // a label that widens the picture
		"plt.figure(dpi=5000).text(0, 0, 'a');",                    // 32,000 pixels wide
		"plt.figure(figsize=(0.01, 30), dpi=300).text(0, 0, 'a');", // hardly any width
	} {
		if got := size(t, figure(code)); got[0] > 2001 || got[1] > 2001 {
			t.Errorf("%q has %v pixels", code, got)
		}
	}
	noise := figure("f = plt.figure(figsize=(15, 15)); f.figimage([[random.random() for _ in range(1500)] for _ in range(1500)], cmap='prism');")
	if len(noise) > report.MaxFigure {
		t.Errorf("%d bytes", len(noise))
	}
}

// A figure that cannot be drawn fails its block, as in a notebook.
func TestFigureThatCannotBeDrawn(t *testing.T) {
	t.Parallel()
	s := start(t, withMatplotlib(t))
	r := run(t, s, Step{Code: "import matplotlib.pyplot as plt\nplt.title(r'$\\nope$');"})
	if r.Exit != 1 || !strings.HasPrefix(r.Exception, "ValueError: ") || strings.Contains(string(r.Stderr.Text), "gpudocs") {
		t.Errorf("exit %d, %s\n%s", r.Exit, r.Exception, r.Stderr.Text)
	}
	if r := run(t, s, Step{Code: "plt.get_fignums()"}); string(r.Stdout.Text) != "[]\n" {
		t.Errorf("still open: %s", r.Stdout.Text)
	}
}

// The time of drawing counts for the time limit of the block.
func TestFigureThatTakesForever(t *testing.T) {
	t.Parallel()
	s := start(t, withMatplotlib(t))
	run(t, s, Step{Code: "import matplotlib.pyplot as plt, time"})
	r := run(t, s, Step{Timeout: time.Second, Code: `
class Slow(plt.Line2D):
    def draw(self, renderer): time.sleep(1000)
plt.gca().add_line(Slow([0, 1], [0, 1]));`})
	if r.Status != TimedOut || len(r.Figures) != 0 {
		t.Errorf("%v, %d figures", r.Status, len(r.Figures))
	}
}
