package page

import (
	"bufio"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	gtext "github.com/yuin/goldmark/text"
)

func TestCodeSpan(t *testing.T) {
	span := func(s string) string { return `<span class="option">` + s + `</span>` }
	for source, want := range map[string]string{
		"--gpus-per-node=2":   span("--gpus") + "-per-node=2",
		"srun --pty -l 1":     "srun " + span("--pty") + " " + span("-l") + " 1",
		"a[-1] < b-c -- d":    "a[" + span("-1") + "] &lt; b-c -- d",
		"nvidia-smi":          "nvidia-smi",
		"x\n--time=3:00 &amp": "x " + span("--time") + "=3:00 &amp;amp",
		"--<b>":               "--&lt;b&gt;",
	} {
		var out strings.Builder
		w := bufio.NewWriter(&out)
		n := ast.NewCodeSpan()
		n.AppendChild(n, ast.NewRawTextSegment(gtext.NewSegment(0, len(source))))
		if err := new(writer).codeSpan(w, []byte(source), n); err != nil {
			t.Fatal(err)
		}
		_ = w.Flush()
		if want = "<code>" + want + "</code>"; out.String() != want {
			t.Errorf("%q: %s, want %s", source, out.String(), want)
		}
	}
}
