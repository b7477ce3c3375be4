package page

import (
	"html/template"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/match"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
)

// Words say above code what its attributes mean. What the author wrote is a tooltip.
type Words struct {
	Text    text.Catalog
	Results *results.Presenter
}

// Block returns what the attributes of a block mean.
func (v Words) Block(b *site.Block) (list []theme.WordsView) {
	list = v.requirement(list, "needs", b.Needs)
	if n := v.Results.Need(b); n.Compiled {
		key := "words_nvcc"
		if n.Toolkit != "" {
			key = "words_nvcc_of"
		}
		list = append(list, theme.WordsView{Text: v.Text.Get(key, "version", n.Toolkit)})
	}
	if b.Kind == site.Sbatch {
		list = append(list, theme.WordsView{Text: v.Text.Get("words_sbatch"), Source: "run=sbatch"})
	}
	if b.NoBuild {
		list = append(list, theme.WordsView{Text: v.Text.Get("words_no_build"), Source: "build=fails"})
	}
	if b.Exit != 0 {
		list = append(list, theme.WordsView{Text: v.Text.Get("words_fails"), Source: "exit=" + strconv.Itoa(b.Exit)})
	}
	return list
}

// Where returns the machines that an expected output is for, unless it is for all.
func (v Words) Where(e *site.Expect) []theme.WordsView { return v.requirement(nil, "when", e.When) }

// requirement adds needs= or when= in words, or as it was written if it is too long.
func (v Words) requirement(list []theme.WordsView, name string, e ask.Expr) []theme.WordsView {
	if e.IsZero() {
		return list
	}
	words, without := e.Words(v.Text)
	key := name + "_with"
	if without {
		key = name + "_without"
	}
	if words == "" {
		return append(list, theme.WordsView{Text: v.Text.Get(name), Code: e.String()})
	}
	return append(list, theme.WordsView{Text: v.Text.Get(key, "what", words), Source: name + "=" + strconv.Quote(e.String())})
}

// Compared returns how an expected output is compared.
func (v Words) Compared(e *site.Expect) (list []theme.WordsView) {
	for _, source := range e.Attributes() {
		w := theme.WordsView{Source: source}
		switch name, value, _ := strings.Cut(source, "="); name {
		case "rtol":
			w.Text = v.Text.Get("words_rtol", "percent", v.decimal(100*e.Tolerance.RTol))
		case "atol":
			w.Text = v.Text.Get("words_atol", "n", v.decimal(e.Tolerance.ATol))
		case "number":
			w.Text = v.Text.Get("words_number")
		case "stream":
			w.Text = v.Text.Get("words_stderr")
		case "exit":
			w.Text = v.Text.Get("words_exit", "n", value)
		}
		list = append(list, w)
	}
	return list
}

// decimal returns a number with as many decimals as it has.
func (v Words) decimal(x float64) string {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64) // 100 times 0.07 is 7
	_, decimals, _ := strings.Cut(strconv.FormatFloat(x, 'f', -1, 64), ".")
	return v.Text.Number(x, min(len(decimals), 6))
}

// expectedText returns an expected text with its captures in words, or "" if it captures nothing.
func (v *codeWriter) expectedText(f *site.Fence) template.HTML {
	pieces := match.Pieces(f.Code)
	if len(pieces) < 2 && (len(pieces) == 0 || pieces[0].Capture == nil) {
		return ""
	}
	var b strings.Builder
	for _, p := range pieces {
		if p.Capture == nil {
			b.WriteString(string(v.Highlighter.HTML("", p.Text)))
		} else {
			b.WriteString(`<span class="code-value" title="` + attribute(p.Text) + `">` + attribute(p.Words(v.t)) + `</span>`)
		}
	}
	return template.HTML(b.String())
}
