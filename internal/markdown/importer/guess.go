package importer

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// markOpen begins every mark of a guess, so that they can be found: grep -rn 'gpudocs import:
// guess' content.
const markOpen = "<!-- gpudocs import: guess: "

// mark returns the comment that marks a guess in the text. It is an HTML block
// (https://spec.commonmark.org/0.31.2/#html-blocks, 2), which is not shown.
func mark(what string) string {
	what = strings.NewReplacer("\n", " ", "\r", " ").Replace(what)
	for strings.Contains(what, "--") { // which some parsers do not allow in a comment
		what = strings.ReplaceAll(what, "--", "- -")
	}
	return markOpen + what + " -->"
}

// guess reports a guess about a span of the current text, and returns its mark. hint says what else
// it could be. It is omitted if the guess is sure, to keep the report short.
func (p *page) guess(sure bool, start, stop int, what, hint diag.Text) string {
	severity := diag.Warning
	if sure {
		severity, hint = diag.Notice, diag.Text{}
	}
	from := p.src.from[start]
	return p.report(p.file.At(severity, from, max(p.src.from[stop], from+1), what, hint))
}

// report reports a guess, whose message is what was guessed, and returns its mark.
func (p *page) report(guess diag.Diagnostic) string {
	what := guess.Message
	guess.Message = diag.Say("import.guess", "what", what)
	p.result.Diags.Add(guess)
	p.result.Guesses++
	return mark(what.String())
}
