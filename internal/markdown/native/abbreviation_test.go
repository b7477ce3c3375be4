package native_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
	"github.com/gpudocs/gpudocs/internal/markdown/native"
)

func TestAbbreviations(t *testing.T) {
	const gpu = "\n\n*[GPU]: Graphics \"Processing\" Unit"
	const abbr = `<abbr title="Graphics &quot;Processing&quot; Unit">GPU</abbr>`
	for _, c := range []struct{ name, source, want string }{
		{"a word", "A GPU, (GPU) and GPU." + gpu, "<p>A " + abbr + ", (" + abbr + ") and " + abbr + ".</p>\n"},
		{"before", gpu + "\n\nGPU", "<p>" + abbr + "</p>\n"},
		{"a list of them", "GPU e SM\n\n*[GPU]: G\n*[SM]: S", "<p><abbr title=\"G\">GPU</abbr> e <abbr title=\"S\">SM</abbr></p>\n"},
		{"ends a paragraph", "GPU\n*[GPU]: G\nGPU", "<p><abbr title=\"G\">GPU</abbr></p>\n<p><abbr title=\"G\">GPU</abbr></p>\n"},
		{"parts of words", "GPUs, gpu, éGPU, GPUé, GPU_1, 9GPU" + gpu, "<p>GPUs, gpu, éGPU, GPUé, GPU_1, 9GPU</p>\n"},
		{"accents", "A AÇÃO é\n\n*[AÇÃO]: Á", "<p>A <abbr title=\"Á\">AÇÃO</abbr> é</p>\n"},
		{"marks", "*GPU* __GPU__ ~~GPU~~ [GPU](GPU)" + gpu, "<p><em>" + abbr + "</em> <strong>" + abbr + "</strong> <del>" + abbr + "</del> <a href=\"GPU\">" + abbr + "</a></p>\n"},
		{"code", "`GPU` ![GPU](GPU \"GPU\") x <https://GPU.example>\n\n    GPU\n" + gpu, "<p><code>GPU</code> <img src=\"GPU\" alt=\"GPU\" title=\"GPU\" /> x <a href=\"https://GPU.example\">https://GPU.example</a></p>\n<pre><code>GPU\n</code></pre>\n"},
		{"the longest", "SM SM 90 SM 9\n\n*[SM]: s\n*[SM 90]: t", "<p><abbr title=\"s\">SM</abbr> <abbr title=\"t\">SM 90</abbr> <abbr title=\"s\">SM</abbr> 9</p>\n"},
		{"a shorter one", "SM 900\n\n*[SM]: s\n*[SM 90]: t", "<p><abbr title=\"s\">SM</abbr> 900</p>\n"},
		{"not words", "C++ .NET x.NET\n\n*[C++]: c\n*[.NET]: n", "<p><abbr title=\"c\">C++</abbr> <abbr title=\"n\">.NET</abbr> x<abbr title=\"n\">.NET</abbr></p>\n"},
		{"cut by marks", "CUDA_HOME a_b\n\n*[CUDA_HOME]: c", "<p><abbr title=\"c\">CUDA_HOME</abbr> a_b</p>\n"},
		{"line ends", "a GPU\nGPU  \nGPU b" + gpu, "<p>a " + abbr + "\n" + abbr + "<br />\n" + abbr + " b</p>\n"},
		{"headings and tables", "# GPU\n\n| GPU |\n|---|" + gpu, "<h1>" + abbr + "</h1>\n<table>\n<thead>\n<tr>\n<th>" + abbr + "</th>\n</tr>\n</thead>\n</table>\n"},
		{"footnotes", "a[^1]\n\n[^1]: GPU" + gpu, "GPU</abbr>"},
		{"in a quote", "> GPU\n>\n> *[GPU]: G", "<blockquote>\n<p><abbr title=\"G\">GPU</abbr></p>\n</blockquote>\n"},
		{"HTML", "<abbr title=\"x\">GPU</abbr> <kbd>GPU</kbd> <b>GPU</b>" + gpu, "<p><abbr title=\"x\">GPU</abbr> <kbd>GPU</kbd> <b>" + abbr + "</b></p>\n"},
		{"HTML that is open", "<abbr>GPU\n\nGPU" + gpu, "<p><abbr>GPU</p>\n<p>" + abbr + "</p>\n"},
		{"no meaning", "GPU\n\n*[GPU]:", "<p>GPU</p>\n<p>*[GPU]:</p>\n"},
		{"a list item", "* [GPU]: x", "<ul>\n<li>\n</li>\n</ul>\n"},
		{"code of one", "```\n*[GPU]: x\n```\nGPU", "<pre><code>*[GPU]: x\n</code></pre>\n<p>GPU</p>\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := markdowntest.HTML(t, dialects.New(markdown.Options{}), c.source)
			if got != c.want && !(c.name == "footnotes" && strings.Contains(got, c.want)) {
				t.Errorf("%s:\n got %s\nwant %s", c.source, got, c.want)
			}
		})
	}
}

func TestAbbreviationFaults(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"GPU\n\n*[GPU]: a", ""},
		{"text\r\n\r\n  *[GPU]: a \r\n", "*[GPU]: a: the abbreviation GPU is not on this page\n"},
		{"GPU\n\n> *[GPU]: a\n> *[GPU]: b", "*[GPU]: b: this definition of GPU is not used, for the abbreviation is defined already in \n"},
		{"CUDA Graphs\n\n*[CUDA]: a\n*[CUDA Graphs]: b", ""},
		{"`GPU`\n\n-\t*[GPU]: a", "*[GPU]: a: the abbreviation GPU is not on this page\n"},
	} {
		_, faults := markdowntest.Parse(markdown.Options{}, c.source)
		slices.SortFunc(faults, func(a, b markdown.Fault) int { return cmp.Compare(a.Start, b.Start) })
		got := ""
		for _, f := range faults {
			got += fmt.Sprintf("%s: %s\n", c.source[f.Start:f.Stop], f.Message)
			if f.Rule != "unused" || f.Hint.IsZero() || f.Error {
				t.Errorf("%+v", f)
			}
		}
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.source, got, c.want)
		}
	}
}

// FuzzAbbreviations checks that no text is lost or duplicated by marking abbreviations.
func FuzzAbbreviations(f *testing.F) {
	f.Add("GPU", "A *GPU* and GPU\nGPUs")
	f.Add("SM 90", "> SM 90\n> SM 9\n\n`SM 90`")
	f.Fuzz(func(t *testing.T, label, source string) {
		plain, _ := markdowntest.Parse(markdown.Options{}, source)
		doc, faults := markdowntest.Parse(markdown.Options{}, source+"\n\n*["+label+"]: x\n")
		if !strings.HasSuffix(source, "\n") || len(markdown.Find[*native.AbbreviationDefinition](doc)) != len(markdown.Find[*native.AbbreviationDefinition](plain))+1 {
			return // the definition has become part of something else
		}
		for _, fault := range faults {
			if fault.Start < 0 || fault.Start >= fault.Stop {
				t.Fatalf("%+v", fault)
			}
		}
		if a, b := markdowntest.Written(plain, source), markdowntest.Written(doc, source+"\n\n*["+label+"]: x\n"); a != b {
			t.Fatalf("%q in %q:\n%q\n%q", label, source, a, b)
		}
		for _, a := range markdown.Find[*native.Abbreviation](doc) {
			if a.ChildCount() != 1 || a.FirstChild().Kind() != ast.KindText {
				t.Fatalf("%q in %q", label, source)
			}
		}
	})
}
