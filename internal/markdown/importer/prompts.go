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
	at    int    // the offset of the opening marks
	info  string // may be empty
	where int    // the offset of info
	lines []line
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
		f.info, f.where = string(n.Info.Segment.Value(p.src.data)), n.Info.Segment.Start
	}
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		l := line{s.Start, s.Stop, s.Stop}
		l.stop = s.Start + len(bytes.TrimRight(p.src.data[s.Start:s.Stop], "\r\n"))
		f.lines = append(f.lines, l)
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
	pythons = []string{"python", "py", "python3"}
	shells  = []string{"bash", "sh", "shell", "zsh"}
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
	language := languageOf(f.info)
	at := func(l line) string { return string(p.src.data[l.start:l.stop]) }
	job := slices.ContainsFunc(f.lines, func(l line) bool { return jobForm.MatchString(at(l)) })
	switch {
	case slices.Contains(pythons, language) || language == "pycon":
		if first := slices.IndexFunc(f.lines, func(l line) bool { return strings.TrimSpace(at(l)) != "" }); first >= 0 && strings.HasPrefix(strings.TrimSpace(at(f.lines[first])), ">>> ") {
			return p.typed(f, language)
		}
	case job && (slices.Contains(shells, language) || language == "" || language == "slurm" || language == "sbatch"):
		return p.job(f, language)
	case slices.Contains(shells, language):
		return p.prompts(f, language)
	}
	return nil
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

// typed relabels a Python session that is marked as plain Python.
func (p *page) typed(f codeFence, language string) []edit {
	attributes := "run session=" + session
	if language == "pycon" && !p.options.Run {
		return nil
	}
	what := diag.Say("import.session-with-output", "attributes", attributes)
	if p.options.Run {
		what = diag.Say("import.session-repeated")
	} else {
		attributes = ""
	}
	return p.relabel(f, what, diag.Say("import.session-hint"), language, "pycon", attributes)
}

// job relabels a job script for Slurm.
func (p *page) job(f codeFence, language string) []edit {
	attributes := "run=sbatch"
	what := diag.Say("import.job-script-slurm")
	if p.options.Run {
		what = diag.Say("import.job-script")
	} else {
		attributes = ""
	}
	return p.relabel(f, what, diag.Say("import.job-script-hint"), language, "bash", attributes)
}

// prompts removes the $ from commands. If there is output between them, it is relabelled as a
// terminal session instead.
func (p *page) prompts(f codeFence, language string) []edit {
	var cuts []edit
	outputs, continued, here := false, false, ""
	for _, l := range f.lines {
		t := string(p.src.data[l.start:l.stop])
		command := strings.TrimLeft(t, " \t")
		switch {
		case here != "": // the lines of a here-document
			if strings.TrimSpace(t) == here {
				here = ""
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
		if m := hereForm.FindStringSubmatch(t); m != nil {
			here = m[1]
		}
	}
	switch {
	case len(cuts) == 0:
		return nil
	case outputs:
		return p.relabel(f, diag.Say("import.prompt-commands-with-output"), diag.Say("import.prompt-commands-with-output-hint"), language, "console", "")
	}
	edits := p.relabel(f, diag.Say("import.prompt-commands"), diag.Say("import.prompt-commands-hint"), language, "bash", "")
	return append(edits, cuts...)
}

var hereForm = lazyregexp.New(`<<-?\s*['"]?(\w+)['"]?`)

// relabel returns the edits that give a fence a mark, another language and attributes.
func (p *page) relabel(f codeFence, what, hint diag.Text, from, to, attributes string) []edit {
	m := p.guess(true, f.at, f.at+3, what, hint)
	edits := []edit{{f.at, f.at, m + p.eol + p.margin(f.at)}}
	where, open := f.where, strings.IndexByte(f.info, '{')
	if f.info == "" {
		where = f.at
		for where < len(p.src.data) && p.src.data[where] == p.src.data[f.at] {
			where++
		}
	}
	if from != to {
		edits = append(edits, edit{where, where + len(from), to})
	}
	switch {
	case attributes == "":
	case open >= 0:
		edits = append(edits, edit{where + open + 1, where + open + 1, attributes + " "})
	default:
		edits = append(edits, edit{where + len(from), where + len(from), " {" + attributes + "}"})
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
