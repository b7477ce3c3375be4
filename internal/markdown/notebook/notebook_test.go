package notebook

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// of returns a notebook of nbformat 4.5 with these cells.
func of(cells ...string) []byte {
	return []byte(`{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [` + strings.Join(cells, ",\n") + `]}`)
}

func code(source, rest string) string {
	s, _ := json.Marshal(source)
	return `{"cell_type": "code", "execution_count": null, "source": ` + string(s) + `, ` + rest + `}`
}

const noOutput = `"metadata": {}, "outputs": []`

func output(o string) string { return code("x", `"metadata": {}, "outputs": [`+o+`]`) }

func printed(l diag.List) string {
	var b strings.Builder
	diag.Print(&b, l, diag.Style{})
	return b.String()
}

func valid(t *testing.T, data []byte) *Notebook {
	t.Helper()
	nb, diags := Read("x.ipynb", data)
	if len(diags) > 0 {
		t.Fatalf("unexpected diagnostics:\n%s", printed(diags))
	}
	return nb
}

func TestRead(t *testing.T) {
	for _, tt := range []struct{ name, data, want string }{
		{"empty", "", "x.ipynb:1:1: error: broken notebook: unexpected end of JSON input"},
		{"broken in the third line", "{\n \"nbformat\": 4,\n  oops\n}", "x.ipynb:3:3: error: broken notebook: invalid character 'o'"},
		{"cut off", `{"nbformat": 4, "cells": [`, "x.ipynb:1:26: error: broken notebook: unexpected end"},
		{"no object", `[]`, `must not be a JSON array`},
		{"something else", `{"a": 1}`, "this is no notebook"},
		{"2", `{"nbformat": 2, "worksheets": []}`, "nbformat 2 cannot be read"},
		{"6", `{"nbformat": 6, "cells": []}`, "nbformat 6 cannot be read"},
		{"5 like 4", `{"nbformat": 5, "metadata": {}, "cells": []}`, ""},
		{"5 unlike 4", `{"nbformat": 5, "metadata": {}, "body": []}`, "without cells"},
		{"cells of a wrong type", `{"nbformat": 4, "cells": {}}`, `"cells" must not be a JSON object`},
		{"a cell that is none", string(of(code("1", noOutput), `7`)), "x.ipynb, cell 2: error: broken notebook"},
		{"a source of a wrong type", string(of(`{"cell_type": "markdown", "metadata": {}, "source": {"a": 1}}`)), "x.ipynb, cell 1: error: broken notebook: a text must be"},
		{"a cell of no known type", string(of(`{"cell_type": "sql", "source": ""}`)), `x.ipynb, cell 1: error: a cell of the type "sql"`},
		{"metadata of a wrong type", `{"nbformat": 4, "metadata": [], "cells": []}`, "x.ipynb: error: broken notebook"},
		{"metadata of other tools", `{"nbformat": 4, "metadata": {"title": 7, "kernelspec": {"name": 1}}, "cells": []}`, ""},
		{"attributes of a wrong type", string(of(code("1", `"metadata": {"gpudocs": 1}, "outputs": []`))), "cell 1: error: metadata.gpudocs must be"},
		{"an attribute that ends the fence's line", string(of(code("1", `"metadata": {"gpudocs": {"name": "a\nb"}}, "outputs": []`))), "cannot be an attribute"},
		{"an output that is none", string(of(output(`3`))), "cell 1: warning: output 1 cannot be read"},
		{"an unknown output", string(of(output(`{"output_type": "hologram"}`))), `output 1: the type "hologram"`},
		{"bad base64", string(of(output(`{"output_type": "display_data", "data": {"image/png": "?"}}`))), "cell 1: warning: output 1: the image/png is no base64"},
		{"HTML for a PNG", string(of(output(`{"output_type": "display_data", "data": {"image/png": "PHNjcmlwdD4="}}`))), "cannot be read"},
		{"an attachment that is none", string(of(`{"cell_type": "markdown", "metadata": {}, "source": "", "attachments": {"a.png": {"image/png": 4}}}`)), `the attachment "a.png" is not published`},
		{"many cells", string(of(strings.Split(strings.Repeat("1 ", MaxCells)+"1", " ")...)), "cells, more than"},
		{"deep", `{"nbformat": 4, "cells": [` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `]}`, "exceeded max depth"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			nb, diags := Read("x.ipynb", []byte(tt.data))
			got := printed(diags)
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("got\n%swant %s", got, tt.want)
			}
			if inCell := strings.Contains(got, "cell 1: error") || strings.Contains(got, "cell 2: error"); (nb == nil) != (diags.HasErrors() && !inCell) {
				t.Errorf("nil is %t, with\n%s", nb == nil, got)
			}
		})
	}
}

// TestCellWithErrors checks that a cell of which a part is wrong costs only that part.
func TestCellWithErrors(t *testing.T) {
	nb, diags := Read("x.ipynb", of(`7`, `{"cell_type": "sql", "source": "SELECT 1"}`, `{"cell_type": "markdown", "source": "a", "attachments": []}`,
		code("1", `"metadata": {"tags": 1, "gpudocs": 1}, "outputs": 7`), code("2", noOutput)))
	var got []string
	for _, c := range nb.Cells {
		got = append(got, string(c.Kind)+" "+c.Source)
	}
	if want := "markdown , markdown SELECT 1, markdown a, code 1, code 2"; strings.Join(got, ", ") != want || diags.Count(diag.Error) != 5 {
		t.Errorf("got %q with\n%swant %q", got, printed(diags), want)
	}
}

// TestVersions checks that a notebook has the same content in the formats 3 and 4.
func TestVersions(t *testing.T) {
	data, err := os.ReadFile("testdata/v3.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	four := valid(t, of(
		`{"cell_type": "markdown", "metadata": {}, "source": "## Soma"}`,
		`{"cell_type": "markdown", "metadata": {}, "source": ["Um *texto*."]}`,
		code("print 1\n2", `"metadata": {}, "outputs": [
			{"output_type": "stream", "name": "stderr", "text": "aviso\n"},
			{"output_type": "execute_result", "execution_count": 4, "metadata": {}, "data": {"text/plain": "2", "text/html": ["<b>2</b>"]}},
			{"output_type": "error", "ename": "E", "evalue": "x", "traceback": ["\u001b[0;31mE\u001b[0m: x"]}]`)))
	four.Cells[2].Language = "python"
	if d := cmp.Diff(four, valid(t, data), cmp.AllowUnexported(Cell{})); d != "" {
		t.Errorf("(-4 +3)\n%s", d)
	}
}

func TestMarkdown(t *testing.T) {
	for _, tt := range []struct {
		name, metadata string
		cells          []string
		want           string
	}{
		{"one session", `{}`, []string{code("a = 1", noOutput), code("a\n", `"id": "sum-2", "metadata": {}, "outputs": []`)},
			"---\n{}\n---\n\x00\n~~~python {run name=cell-1 session=notebook}\na = 1\n~~~\n\x00\n~~~python {run name=sum-2 session=notebook}\na\n~~~\n"},
		{"text", `{"title": "T", "gpudocs": {"weight": 2}}`, []string{`{"cell_type": "markdown", "source": "# A\r\nb\u0000"}`},
			"---\n{\"title\":\"T\",\"weight\":2}\n---\n\x00\n# A\nb\ufffd\n"},
		{"attributes", `{}`, []string{code("1", `"metadata": {"gpudocs": {"name": "n", "needs": "gpus >= 1 and \"x\"", "network": true, "env": false, "timeout": "3s"}}, "outputs": []`)},
			"---\n{}\n---\n\x00\n~~~python {run session=notebook name=\"n\" needs=\"gpus >= 1 and \\\"x\\\"\" network timeout=\"3s\"}\n1\n~~~\n"},
		{"not run", `{}`, []string{code("1", `"metadata": {"gpudocs": {"run": false}}, "outputs": []`), code("2", `"metadata": {"tags": ["skip-execution"]}, "outputs": []`)},
			"---\n{}\n---\n\x00\n~~~python\n1\n~~~\n\x00\n~~~python\n2\n~~~\n"},
		{"to raise", `{}`, []string{code("1/0", `"metadata": {"tags": ["raises-exception"]}, "outputs": []`)},
			"---\n{}\n---\n\x00\n~~~python {run name=cell-1 session=notebook exit=1}\n1/0\n~~~\n"},
		{"another kernel", `{"kernelspec": {"name": "ir"}, "language_info": {"name": "R"}}`, []string{code("1", noOutput), code("2", `"metadata": {"gpudocs": {"kernel": "ark"}}, "outputs": []`)},
			"---\n{}\n---\n\x00\n~~~R {run name=cell-1 session=notebook kernel=ir}\n1\n~~~\n\x00\n~~~R {run name=cell-2 session=notebook kernel=\"ark\"}\n2\n~~~\n"},
		{"a Python kernel", `{"kernelspec": {"name": "torch", "language": "python"}}`, []string{code("1", noOutput)}, "---\n{}\n---\n\x00\n~~~python {run name=cell-1 session=notebook}\n1\n~~~\n"},
		{"a kernel that cannot run", `{"kernelspec": {"name": "../ir", "language": "R"}}`, []string{code("1", noOutput)}, "---\n{}\n---\n\x00\n~~~R\n1\n~~~\n"},
		{"no kernel", `{"language_info": {"name": "R"}}`, []string{code("1", noOutput)}, "---\n{}\n---\n\x00\n~~~R\n1\n~~~\n"},
		{"a kernel known by name only", `{"kernelspec": {"name": "bash"}}`, []string{code("1", noOutput)}, "---\n{}\n---\n\x00\n~~~bash {run name=cell-1 session=notebook kernel=bash}\n1\n~~~\n"},
		{"a fence in the code", `{}`, []string{code("s = '''\n~~~~\n'''", `"metadata": {"tags": ["skip-execution"]}, "outputs": []`)},
			"---\n{}\n---\n\x00\n~~~~~python\ns = '''\n~~~~\n'''\n~~~~~\n"},
		{"nothing to run", `{}`, []string{code(" \n", noOutput)}, "---\n{}\n---\n\x00\n"},
		{"raw", `{}`, []string{`{"cell_type": "raw", "source": "a"}`, `{"cell_type": "raw", "metadata": {"raw_mimetype": "text/html"}, "source": "<b>"}`,
			`{"cell_type": "raw", "metadata": {"format": "text/latex"}, "source": "c"}`}, "---\n{}\n---\n\x00\n\x00\n<b>\n\x00\n"},
		{"one ID twice", `{}`, []string{code("1", `"id": "a", "metadata": {}, "outputs": []`), code("2", `"id": "a", "metadata": {}, "outputs": []`), code("3", `"id": "-b", "metadata": {}, "outputs": []`)},
			"---\n{}\n---\n\x00\n~~~python {run name=a session=notebook}\n1\n~~~\n\x00\n~~~python {run name=cell-2 session=notebook}\n2\n~~~\n\x00\n~~~python {run name=cell-3 session=notebook}\n3\n~~~\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			nb := valid(t, []byte(`{"nbformat": 4, "metadata": `+tt.metadata+`, "cells": [`+strings.Join(tt.cells, ",")+`]}`))
			f := nb.Markdown("x.ipynb")
			if d := cmp.Diff(tt.want, string(f.Data)); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestPlaces(t *testing.T) {
	f := valid(t, of(`{"cell_type": "markdown", "source": "one\ntwo"}`, code("three\nfour", noOutput))).Markdown("x.ipynb")
	for text, want := range map[string][2]int{"---": {0, 0}, "one": {1, 1}, "two": {1, 2}, "~~~python": {2, 0}, "three": {2, 1}, "four": {2, 2}} {
		cell, line := f.Cell(f.Line(bytes.Index(f.Data, []byte(text))))
		if got := [2]int{cell, line}; got != want {
			t.Errorf("%s is in cell and line %v, want %v", text, got, want)
		}
	}
}

func picturePNG(w, h int) string {
	var b bytes.Buffer
	_ = png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h)))
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func TestOutputs(t *testing.T) {
	var b bytes.Buffer
	_ = jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 5, 2)), nil)
	jpg := base64.StdEncoding.EncodeToString(b.Bytes())
	bundle := func(kind, data string) string {
		return `{"output_type": "` + kind + `", "metadata": {}, "data": ` + data + `}`
	}
	for _, tt := range []struct{ name, output, want string }{
		{"text", bundle("execute_result", `{"text/plain": ["a\n", "b"]}`), "result:a\nb"},
		{"HTML over text", bundle("execute_result", `{"text/plain": "p", "text/html": "<b>"}`), "html:<b> (p)"},
		{"a picture over HTML", bundle("display_data", `{"text/html": "<b>", "image/png": "`+picturePNG(3, 4)[:8]+`\n`+picturePNG(3, 4)[8:]+`\n"}`), "png 3x4"},
		{"JPEG", bundle("display_data", `{"image/jpeg": "`+jpg+`"}`), "jpg 5x2"},
		{"SVG over PNG", bundle("display_data", `{"image/png": "`+picturePNG(3, 4)+`", "image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg' width='72pt' height='10'/>"}`), "svg 96x10"},
		{"LaTeX", bundle("display_data", `{"text/latex": "$x$", "text/plain": "x"}`), "latex:$x$"},
		{"streams in pieces", `{"output_type": "stream", "name": "stdout", "text": "a"}, {"output_type": "stream", "name": "stdout", "text": "b"}, {"output_type": "stream", "name": "stderr", "text": "c"}`, "stdout:ab stderr:c"},
		{"an error without a traceback", `{"output_type": "error", "ename": "E", "evalue": "v", "traceback": []}`, "error:E: v"},
		{"nothing that is known", bundle("display_data", `{"application/x": {"a": 1}}`), ""},
		{"long", `{"output_type": "stream", "name": "stdout", "text": "` + strings.Repeat("é", MaxText) + `"}`, "stdout:" + strings.Repeat("é", MaxText/2) + fmt.Sprintf(" cut %d", MaxText)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, o := range valid(t, of(output(tt.output))).Cells[0].Outputs {
				s := string(o.Kind) + ":" + o.Text
				if o.Picture != nil {
					s = fmt.Sprintf("%s %dx%d", o.Picture.Ext, o.Picture.Width, o.Picture.Height)
				} else if o.Plain != "" {
					s += " (" + o.Plain + ")"
				}
				if o.Cut > 0 {
					s += fmt.Sprintf(" cut %d", o.Cut)
				}
				got = append(got, s)
			}
			if d := cmp.Diff(tt.want, strings.Join(got, " ")); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestSpans(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []Span
	}{
		{"plain\ntext", []Span{{"", "plain\ntext"}}},
		{"\x1b[31mred\x1b[0m not", []Span{{"ansi-red", "red"}, {"", " not"}}},
		{"\x1b[1;92;44mb\x1b[22;39ma\x1b[mc", []Span{{"ansi-green ansi-bg-blue ansi-bold", "b"}, {"ansi-bg-blue", "a"}, {"", "c"}}},
		{"\x1b[38;5;1mr\x1b[38;5;241mg\x1b[38;2;1;2;3;1mb", []Span{{"ansi-red", "r"}, {"", "g"}, {"ansi-bold", "b"}}},
		{"10%\r\x1b[32m100%\n", []Span{{"ansi-green", "100%\n"}}},
		{"a\x1b]8;;https://example.org\x1b\\b\x1b]0;t\x07c\x1b[2Kd", []Span{{"", "abcd"}}},
		{"end\x1b", []Span{{"", "end"}}},
		{"end\x1b[3", []Span{{"", "end"}}},
		{"\x1b[38;5m\x1b[48mx", []Span{{"", "x"}}},
		{"", nil},
	} {
		if d := cmp.Diff(tt.want, Spans(tt.text)); d != "" {
			t.Errorf("%q (-want +got)\n%s", tt.text, d)
		}
	}
}

// An output of any kind is read in time proportional to its length.
func TestSpansOfMany(t *testing.T) {
	for _, s := range []string{"\x1b]", "\x1b[", "\x1b[0ma", "\x1b[31ma\x1b[0m", "\r"} {
		complexitytest.Check(t, s, MaxText, func(n int) { Spans(strings.Repeat(s, n/len(s))) })
	}
}

// TestReal reads what the format's own library writes, in each of its versions.
func TestReal(t *testing.T) {
	const python = "/usr/bin/python3"
	if err := exec.Command(python, "-c", "import nbformat").Run(); err != nil {
		t.Skip("python3-nbformat is not installed: ", err)
	}
	dir := t.TempDir()
	script := `
import nbformat, sys
from nbformat import v4
nb = v4.new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}, cells=[
    v4.new_markdown_cell("# Título\n\ntexto"),
    v4.new_code_cell("print(6*7)", execution_count=1, outputs=[v4.new_output("stream", name="stdout", text="42\n"),
        v4.new_output("execute_result", {"text/plain": "42", "image/png": "` + picturePNG(2, 3) + `"}, execution_count=1)])])
nbformat.validate(nb)
nbformat.write(nb, sys.argv[1] + "/4.ipynb")
nbformat.write(nbformat.convert(nb, 3), sys.argv[1] + "/3.ipynb", version=nbformat.NO_CONVERT)
`
	if out, err := exec.Command(python, "-W", "ignore", "-c", script, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"3.ipynb", "4.ipynb"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		nb := valid(t, data)
		text := string(nb.Markdown(name).Data)
		if !strings.Contains(text, "# Título\n") || !strings.Contains(text, "session=notebook}\nprint(6*7)\n~~~") {
			t.Errorf("%s:\n%s", name, text)
		}
		out := nb.Cells[len(nb.Cells)-1].Outputs
		if len(out) != 2 || out[0].Text != "42\n" || out[1].Picture == nil || out[1].Picture.Height != 3 {
			t.Errorf("%s: outputs %+v", name, out)
		}
	}
}

// large returns a notebook of about that many bytes, most of them pictures, as in real notebooks.
func large(size int) []byte {
	noise := make([]byte, 300<<10)
	for i := range noise {
		noise[i] = byte(i * i >> 3)
	}
	var b bytes.Buffer
	_ = png.Encode(&b, &image.Gray{Pix: noise, Stride: 640, Rect: image.Rect(0, 0, 640, 480)})
	// Bytes after the end of a PNG are ignored: they make it as large as a real one.
	data := base64.StdEncoding.EncodeToString(append(b.Bytes(), noise...))
	var cells []string
	for n := 0; n < size; n += len(data) {
		cells = append(cells, output(`{"output_type": "display_data", "metadata": {}, "data": {"image/png": "`+data+`"}}`))
	}
	return of(cells...)
}

// TestLarge checks that reading a notebook allocates no more than a few times its size.
func TestLarge(t *testing.T) {
	data := large(10 << 20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	nb := valid(t, data)
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(nb)
	if all := after.TotalAlloc - before.TotalAlloc; all > 12*uint64(len(data)) {
		t.Errorf("%d MiB allocated for %d MiB", all>>20, len(data)>>20)
	} else {
		t.Logf("%d MiB allocated for %d MiB", all>>20, len(data)>>20)
	}
}

func BenchmarkRead(b *testing.B) {
	data := large(10 << 20)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if nb, _ := Read("x.ipynb", data); nb == nil {
			b.Fatal("not read")
		}
	}
}

// FuzzNotebook checks that the cells of any notebook stay separate, and that limits are respected.
func FuzzNotebook(f *testing.F) {
	v3, err := os.ReadFile("testdata/v3.ipynb")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(v3)
	f.Add(of(`{"cell_type": "markdown", "source": ["a\u0000", "\r~~~"], "attachments": {"a": {"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg'/>"}}}`,
		code("~~~\n```", `"id": "x", "metadata": {"tags": ["remove-cell", 1], "gpudocs": {"name": "a\"b", "run": true}}, "outputs": [{"output_type": "stream", "text": "\u001b[31m\r\n"}]`)))
	f.Add([]byte(`{"nbformat": 4, "metadata": {"gpudocs": [1], "title": "\u0000"}, "cells": [{"cell_type": "code", "source": "x", "outputs": [{"output_type": "execute_result", "data": {"image/png": "AA", "text/html": "<p>"}}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		nb, diags := Read("x.ipynb", data)
		if diags.HasErrors() != (nb == nil) {
			t.Fatalf("nil is %t, with %v", nb == nil, diags)
		}
		if nb == nil {
			return
		}
		file := nb.Markdown("x.ipynb")
		if n := bytes.Count(file.Data, []byte{Mark}); n != len(nb.Cells) {
			t.Fatalf("%d cells, %d marks in %q", len(nb.Cells), n, file.Data)
		}
		if !bytes.HasPrefix(file.Data, []byte("---\n")) || bytes.Count(file.Data[:bytes.IndexByte(append(file.Data, Mark), Mark)], []byte("\n")) != 3 {
			t.Fatalf("front matter of more than a line: %q", file.Data)
		}
		for _, c := range nb.Cells {
			for _, o := range c.Outputs {
				if len(o.Text) > MaxText || (o.Kind == Drawing) != (o.Picture != nil) {
					t.Fatalf("an output %.100q", o.Text)
				}
				for _, s := range Spans(o.Text) {
					if strings.ContainsRune(s.Text, '\x1b') {
						t.Fatalf("an escape is left in %q", s.Text)
					}
				}
			}
		}
	})
}
