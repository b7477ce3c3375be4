package importer

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// session is the name of the session in which the Python sessions of a page run, one after the
// other.
const session = "pycon"

// A codeFence is a fence of the text.
type codeFence struct {
	*ast.FencedCodeBlock
	at       int    // the offset of the opening marks
	info     string // may be empty
	infoAt   int    // the offset of info, or that of the end of the marks
	language string // the first word of info, in lower case
	lines    []line
}

// fences converts the fences of the page.
func (p *page) fences() {
	var edits []edit
	for _, f := range markdown.Find[*ast.FencedCodeBlock](p.parse()) {
		edits = append(edits, p.fence(p.codeFence(f))...)
	}
	p.src.apply(edits)
}

func (p *page) codeFence(n *ast.FencedCodeBlock) codeFence {
	f := codeFence{FencedCodeBlock: n, at: n.Pos()}
	if n.Info != nil {
		f.info, f.infoAt = string(n.Info.Segment.Value(p.src.data)), n.Info.Segment.Start
	} else {
		marks := p.src.data[f.at:]
		f.infoAt = f.at + len(marks) - len(bytes.TrimLeft(marks, string(marks[:1])))
	}
	f.language = languageOf(f.info)
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		text := bytes.TrimRight(p.src.data[s.Start:s.Stop], "\r\n")
		f.lines = append(f.lines, line{s.Start, s.Start + len(text), s.Stop})
	}
	return f
}

var (
	jobForm = lazyregexp.New(`^#SBATCH\s`)
	// decided matches attributes that already determine what a block is.
	decided = lazyregexp.New(`\{.*\b(?:run|expect|file)\b.*\}`)
)

// The names of Python and of the shell as languages of fences.
var (
	pythons      = []string{"python", "py", "python3"}
	shells       = []string{"bash", "sh", "shell", "zsh"}
	jobLanguages = append([]string{"", "slurm", "sbatch"}, shells...)
)

// languageOf returns the first word of an info string, in lower case.
func languageOf(info string) string {
	language, _, _ := strings.Cut(strings.TrimSpace(info), " ")
	language, _, _ = strings.Cut(language, "{")
	return strings.ToLower(language)
}

func (p *page) fence(f codeFence) []edit {
	if len(f.lines) == 0 || decided.MatchString(f.info) || p.marked(f) {
		return nil
	}
	python := slices.Contains(pythons, f.language)
	job := slices.ContainsFunc(f.lines, func(l line) bool { return jobForm.MatchString(p.src.line(l)) })
	switch {
	case python && p.isSession(f), f.language == "pycon" && p.options.Run && p.isSession(f):
		attributes := "run session=" + session
		return p.runnable(f, "pycon", attributes, diag.Say("import.session-with-output", "attributes", attributes),
			diag.Say("import.session-repeated"), diag.Say("import.session-hint"))
	case python:
	case job && slices.Contains(jobLanguages, f.language):
		return p.runnable(f, "bash", "run=sbatch", diag.Say("import.job-script-slurm"),
			diag.Say("import.job-script"), diag.Say("import.job-script-hint"))
	case slices.Contains(shells, f.language):
		return p.prompts(f)
	}
	return nil
}

// isSession reports whether code begins with a prompt of Python.
func (p *page) isSession(f codeFence) bool {
	for _, l := range f.lines {
		if t := strings.TrimSpace(p.src.line(l)); t != "" {
			return strings.HasPrefix(t, ">>> ")
		}
	}
	return false
}

// marked reports whether the mark of a guess already precedes the fence.
func (p *page) marked(f codeFence) bool {
	before, ok := f.PreviousSibling().(*ast.HTMLBlock)
	if !ok || before.Lines().Len() == 0 {
		return false
	}
	s := before.Lines().At(0)
	return bytes.HasPrefix(bytes.TrimLeft(s.Value(p.src.data), " "), []byte(markOpen))
}

// runnable relabels a fence and, with [Options.Run], makes it run. shown and run are what the guess
// says without and with the option.
func (p *page) runnable(f codeFence, to, attributes string, shown, run, hint diag.Text) []edit {
	if p.options.Run {
		return p.relabel(f, run, hint, to, attributes)
	}
	return p.relabel(f, shown, hint, to, "")
}

// prompts removes the $ from commands. If there is output between them, it is relabelled as a
// terminal session instead.
func (p *page) prompts(f codeFence) []edit {
	var cuts []edit
	outputs, continued, delimiter := false, false, ""
	for _, l := range f.lines {
		t := p.src.line(l)
		command := strings.TrimLeft(t, " \t")
		switch {
		case delimiter != "": // the lines of a here-document
			if strings.TrimSpace(t) == delimiter {
				delimiter = ""
			}
			continue
		case strings.HasPrefix(command, "$ "):
			start := l.start + len(t) - len(command)
			cuts = append(cuts, edit{start, start + 2, ""})
		case continued || command == "" || strings.HasPrefix(command, "#"):
		default:
			outputs = true
		}
		continued = strings.HasSuffix(strings.TrimSpace(t), `\`)
		if m := hereDocument.FindStringSubmatch(t); m != nil {
			delimiter = m[1]
		}
	}
	switch {
	case len(cuts) == 0:
		return nil
	case outputs:
		return p.relabel(f, diag.Say("import.prompt-commands-with-output"), diag.Say("import.prompt-commands-with-output-hint"), "console", "")
	}
	return append(p.relabel(f, diag.Say("import.prompt-commands"), diag.Say("import.prompt-commands-hint"), "bash", ""), cuts...)
}

var hereDocument = lazyregexp.New(`<<-?\s*['"]?(\w+)['"]?`)

// relabel returns the edits that give a fence a mark, another language and attributes.
func (p *page) relabel(f codeFence, what, hint diag.Text, language, attributes string) []edit {
	m := p.guess(true, f.at, f.at+3, what, hint)
	edits := []edit{{f.at, f.at, m + p.eol + p.margin(f.at)}}
	end := f.infoAt + len(f.language)
	if f.language != language {
		edits = append(edits, edit{f.infoAt, end, language})
	}
	open := f.infoAt + strings.IndexByte(f.info, '{') + 1
	switch {
	case attributes == "":
	case open > f.infoAt:
		edits = append(edits, edit{open, open, attributes + " "})
	default:
		edits = append(edits, edit{end, end, " {" + attributes + "}"})
	}
	return edits
}

// margin returns the beginning of a line in the same quotes and lists as the text at an offset.
func (p *page) margin(at int) string {
	start := bytes.LastIndexByte(p.src.data[:at], '\n') + 1
	return strings.Map(func(r rune) rune {
		if r == '>' || r == '\t' {
			return r
		}
		return ' '
	}, string(p.src.data[start:at]))
}
