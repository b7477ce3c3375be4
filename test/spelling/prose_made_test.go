package spelling

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// TestProse checks that only the words that a reader sees as prose are checked. Those begin with v,
// others with x.
func TestProse(t *testing.T) {
	const page = "---\ntitle: vtitle\ndescription: \"vmatter xcode_x\"\nweight: 1\nslug: xslug\n---\n# vheading {#xid}\n\n" +
		"vpara *vem*, **vstrong** `xcode` vco-vjoined [vlink](xaddress.md \"vhint\") <https://xauto.example> $xmath$ <span class=\"xclass\">vspan</span> x1 H100 libx.so CUDA_VISIBLE_DEVICES vend.\nVnext&nbsp;vafter\n\n" +
		"![valt *valto*](x.svg \"vcaption *vcap*\"){#fig-x width=10px}\n\n" +
		":::note vcallout {fold}\nvinside\n:::\n\n:::details vsummary\n- vitem\n:::\n\n::::tabs\n:::tab vtab\nvtabbed\n:::\n::::\n\n" +
		"| vcell | `xcell` |\n|---|---|\n| vrow | $$xb$$ |\n\nvterm\n:   vdefinition[^1]\n\n[^1]: vfootnote\n\n> [!TIP]\n> vtip\n\n" +
		"```python {title=\"vcode x.py\"}\nxprint\n```\n\n```python {title=\"xpath/x.py\"}\nxprint\n```\n\n```mermaid\nflowchart LR\n  xa --> xb\n```\n\n    xindented\n\n$$\nxblock\n$$\n\n<div>xraw</div>\n\nX86\n\n*[X86]: vabbreviation\n\nvlast\n"
	site, diags := load.Load(fstest.MapFS{
		"gpudocs.toml": {Data: []byte("[languages.pt]\n")}, "content/pt/a.md": {Data: []byte(page)},
		"content/pt/xaddress.md": {Data: []byte("# A\n")}, "content/pt/x.svg": {Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`)},
	}, load.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	var got []string
	for _, w := range proseOf(site.Page("a", "pt"), []byte(page)) {
		if page[w.start:w.start+len(w.text)] != w.text {
			t.Errorf("%s is not at %d", w.text, w.start)
		}
		got = append(got, strings.ToLower(w.text))
	}
	want := spelled.FindAllString(strings.ToLower(page), -1)
	want = slices.DeleteFunc(want, func(w string) bool { return !strings.HasPrefix(w, "v") })
	slices.Sort(got)
	slices.Sort(want)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestDrawn(t *testing.T) {
	const svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"x\"><title>Uma placa</title><style>.rotulo { fill: red }</style>\n<text x=\"1\">dois <tspan>rótulos</tspan> &amp; 3x</text></svg>"
	words, err := drawn(diag.NewFile("a.svg", []byte(svg)))
	var got []string
	for _, w := range words {
		got = append(got, w.text)
	}
	if d := cmp.Diff([]string{"Uma", "placa", "dois", "rótulos"}, got); d != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, d)
	}
	if at := words[3].file.Error(words[3].start, words[3].start, diag.Text{}, diag.Text{}); at.Line != 2 || at.Column != 25 {
		t.Errorf("%+v", at)
	}
	if _, err := drawn(diag.NewFile("a.svg", []byte("<svg><text>"))); err == nil {
		t.Error("a broken drawing is not reported")
	}
}

func TestTexts(t *testing.T) {
	const toml = "# xcomment = \"x\"\n[strings]\nxkey = \"vum {xn} `xcode` vdois\"\nxlong-key  = \"vtrês\" # xend\n"
	var got []string
	for _, w := range texts("pt.toml", []byte(toml)) {
		if got = append(got, w.text); toml[w.start:w.start+len(w.text)] != w.text {
			t.Errorf("%s is not at %d", w.text, w.start)
		}
	}
	if d := cmp.Diff([]string{"vum", "vdois", "vtrês"}, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestLists(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pt.txt")
	read := func(text string) (*list, error) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return readList(file)
	}
	for _, bad := range []string{"b\na\n", "a\na\n", "a", "a b\n", "\na\n"} {
		if _, err := read(bad); err == nil {
			t.Errorf("%q is accepted as a list", bad)
		}
	}
	l, err := read("PyTorch\nkernel\nwarp\n")
	if err != nil {
		t.Fatal(err)
	}
	for w, want := range map[string]bool{"PyTorch": true, "Pytorch": false, "pytorch": false, "kernel": true, "Kernel": true, "KERNEL": true, "kernels": false} {
		if l.has(w) != want {
			t.Errorf("%s: %v", w, !want)
		}
	}
	if got := l.orphans(); !slices.Equal(got, []string{"warp"}) {
		t.Errorf("orphans %q", got)
	}
	if err := l.write([]string{"toolkit", "Debian"}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "Debian\nPyTorch\nkernel\ntoolkit\n" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := read(""); err != nil {
		t.Error(err)
	}
}

// TestUnknown checks that hunspell's answers are assigned to the right words.
func TestUnknown(t *testing.T) {
	if err := installed("pt_BR"); err != nil {
		t.Skip(err)
	}
	words := []string{"amanhã", "computadorr", "guarda-chuva", "d’água", "!comando", "memória-xyzw", "+", "paralelo"}
	got, err := unknown("pt_BR", words)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || len(got["computadorr"]) != 1 || !strings.Contains(got["computadorr"][0].suggestions, "computador") ||
		len(got["memória-xyzw"]) != 1 || got["memória-xyzw"][0].part != "xyzw" {
		t.Errorf("%+v", got)
	}
	if _, err := unknown("xx_XX", words); err == nil {
		t.Error("no error for a dictionary that does not exist")
	}
	if installed("xx_XX") == nil {
		t.Error("a dictionary that does not exist is installed")
	}
}
