package ssh

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
)

// sshFailed is the exit code of ssh if it failed itself, and not the command.
const sshFailed = 255

// keyChanged is part of what ssh prints if a host has another key than before.
const keyChanged = "REMOTE HOST IDENTIFICATION HAS CHANGED"

// hintFor returns a hint for a message of OpenSSH. These are always in English.
func hintFor(stderr string, h Host) text.Message {
	for _, k := range []struct{ part, hint string }{
		{keyChanged, "verify.ssh-key-changed-hint"},
		{"Host key verification failed", "verify.ssh-key-unknown-hint"},
		{"Permission denied (", "verify.ssh-password-hint"},
		{"Could not resolve hostname", "verify.ssh-host-unknown-hint"},
		{"Bad owner or permissions", "verify.ssh-configuration-hint"},
	} {
		if strings.Contains(stderr, k.part) {
			return text.Say(k.hint, "host", h.Destination)
		}
	}
	return text.Say("verify.try-ssh-hint", "host", h.Destination)
}

// noStart explains a program that did not start.
func noStart(code errNoStart, stderr string) error {
	f := &remote.Error{Message: text.Say("verify.start-failed", "why", code), Output: stderr}
	if strings.Contains(stderr, "GLIBC_") || code == "127" || code == "126" {
		f.Hint = text.Say("verify.host-binary-static-hint")
	}
	return f
}

// maxErrorLines limits the lines of standard error that are kept.
const maxErrorLines = 20

// lastLines returns the last lines of standard error, fit for a terminal.
func lastLines(stderr *subprocess.Tail) string {
	var out []string
	for line := range strings.Lines(stderr.String()) {
		if s := strings.TrimSpace(printable(strings.TrimRight(line, "\r\n"))); strings.Trim(s, "@") != "" { // not part of a frame
			out = append(out, s)
		}
	}
	return strings.Join(out[max(0, len(out)-maxErrorLines):], "\n")
}
