package importer

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// fenceFor returns a fence that nothing in the text closes.
func fenceFor(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}

// shellOnly reports whether all lines of code are shell commands: !nvidia-smi.
func shellOnly(code string) bool {
	any := false
	for l := range strings.Lines(code) {
		l = strings.TrimSpace(l)
		switch {
		case l == "" || strings.HasPrefix(l, "#"):
		case strings.HasPrefix(l, "!") && !strings.HasPrefix(l, "!!") && !strings.ContainsAny(l, "{}"): // {name} is a Python variable
			any = true
		default:
			return false
		}
	}
	return any
}

var bangForm = lazyregexp.New(`(?m)^([ \t]*)!`)

// withoutBangs removes the ! from shell commands.
func withoutBangs(code string) string { return bangForm.ReplaceAllString(code, "$1") }

var installForm = lazyregexp.New(`(?m)^\s*[!%]?\s*(?:sudo\s+)?(?:python3?\s+-m\s+)?(?:pip3?|conda|mamba|apt|apt-get|dnf|yum|brew)\s+(?:install|update|upgrade|create|remove)\b`)

// installs reports whether code installs something. It is never made runnable.
func installs(code string) bool { return installForm.MatchString(code) }
