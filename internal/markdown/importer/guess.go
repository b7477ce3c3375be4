package importer

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// markOpen begins every mark of a guess, for people and for programs that look
// for them: grep -rn 'gpudocs import: guess' content.
const markOpen = "<!-- gpudocs import: guess: "

// mark is the comment that stands in the text where something was guessed. It is
// an HTML block of its own (https://spec.commonmark.org/0.31.2/#html-blocks, 2),
// of which nothing comes to the page.
func mark(what string) string {
	what = strings.NewReplacer("\n", " ", "\r", " ").Replace(what)
	for strings.Contains(what, "--") { // would end the comment for some readers
		what = strings.ReplaceAll(what, "--", "- -")
	}
	return markOpen + what + " -->"
}

// guess reports a guess about a span of the text as it is now, and returns its mark.
// hint says what else it could be; if the guess is sure, there is no hint, because a page
// of guesses is long enough.
func (p *page) guess(sure bool, start, stop int, what, hint diag.Text) string {
	severity := diag.Warning
	if sure {
		severity, hint = diag.Notice, diag.Text{}
	}
	from := p.src.origin(start)
	p.result.Diags.Add(p.file.At(severity, from, max(p.src.origin(stop), from+1), diag.Say("import.guess", "what", what), hint))
	p.result.Guesses++
	return mark(what.String())
}
