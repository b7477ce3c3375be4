package render

import (
	"slices"
	"strings"
	"testing"
)

// What is packed comes back as it was, with each form written once.
func TestPack(t *testing.T) {
	pane := func(machine, number, output string) string {
		return `<div class="pane is-passed" id="a.` + number + `" data-of="` + machine + `"><b>` + machine + ` passou</b><a href="#a.` + number + `">x</a><pre>` + output + "</pre>\n</div>"
	}
	found := map[string]*pieces{
		"m1": {text: []string{pane("m1", "1", "5\n"), "", pane("m1", "2", "m1, m10 e xm1")}, own: []string{"só m1"}},
		"m2": {text: []string{pane("m2", "3", "7\n"), "<b>m2", pane("m2", "4", "&lt;/script&gt;")}, own: []string{"só m2"}},
	}
	data, err := pack(found)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.TrimSuffix(strings.TrimPrefix(string(data), "gpudocsDeliver("), ");\n")
	for name, got := range unpack(t, text) {
		if want := found[name]; !slices.Equal(got[0], want.text) || !slices.Equal(got[1], want.own) {
			t.Errorf("%s: got %q, want %q", name, got, *want)
		}
	}
	for _, once := range []string{`data-of=\"`, `só `} {
		if n := strings.Count(text, once); n != 1 {
			t.Errorf("%s stands there %d times: %s", once, n, text)
		}
	}
	if strings.Contains(text, "</") {
		t.Errorf("it ends scripts: %s", text)
	}
}

// Whatever pieces are, even no HTML at all, they come back letter by letter; but for the two
// characters that HTML has not.
func FuzzPack(f *testing.F) {
	f.Add("m1", `<p id="m1">m1</p>`, `<p id="m1" class="x">m10 "m1"</p>`, `a < b > "c`)
	f.Add("a", "a", "<a a=\"", "<>\"<\"\x00\x01")
	f.Fuzz(func(t *testing.T, machine, a, b, c string) {
		if machine == "" || strings.ContainsAny(machine, gapMark+nameMark) {
			return // no machine has such a name
		}
		machine = strings.ToValidUTF8(machine, "?")
		clean := func(list ...string) (out []string) {
			for _, s := range list {
				out = append(out, strings.ToValidUTF8(s, "\ufffd"))
			}
			return out
		}
		found := map[string]*pieces{machine: {clean(a, b), clean(c)}, machine + "0": {clean(b, a), clean(c)}, "-": {clean(c, c), clean(a)}}
		data, err := pack(found)
		if err != nil {
			t.Fatal(err)
		}
		got := unpack(t, strings.TrimSuffix(strings.TrimPrefix(string(data), "gpudocsDeliver("), ");\n"))
		for name, p := range found {
			for i, list := range [][]string{p.text, p.own} {
				for n, piece := range list {
					if want := unmarked.Replace(piece); got[name][i][n] != want {
						t.Errorf("%s: got %q, want %q", name, got[name][i][n], want)
					}
				}
			}
		}
	})
}
