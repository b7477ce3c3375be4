package importer

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/diag"
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

// guess says a guess: hint tells what else it could be. It returns the mark for
// the text.
func (p *page) guess(sure bool, start, stop int, what, hint diag.Text) string {
	severity := diag.Notice
	if !sure {
		severity = diag.Warning
	}
	if sure {
		hint = diag.Text{} // a page of guesses is long enough
	}
	p.say(severity, start, stop, diag.Say("guess: %s", what), hint)
	p.result.Guesses++
	return mark(what.String())
}
