package fleet

import (
	"fmt"
	"strings"

	"github.com/gpudocs/gpudocs/internal/child"
)

// sshFailed is the exit code of ssh where it is not that of the command.
const sshFailed = 255

// keyChanged stands in what ssh says of a host with another key than before.
const keyChanged = "REMOTE HOST IDENTIFICATION HAS CHANGED"

// hintFor knows the messages of OpenSSH, which come in one language.
func hintFor(said string, h Host) string {
	for _, k := range []struct{ part, hint string }{
		{keyChanged, "if the machine was installed anew, remove the old key with the command above; else ask who runs it"},
		{"Host key verification failed", "connect once by hand, and compare the key: ssh %s"},
		{"Permission denied (", "no password is asked for: put your key there, ssh-copy-id %s, or into your agent, ssh-add"},
		{"Could not resolve hostname", "is it in ~/.ssh/config? else write --host LABEL=USER@ADDRESS"},
		{"Bad owner or permissions", "ssh refuses its own configuration; try: ssh %s true"},
	} {
		if strings.Contains(said, k.part) {
			return strings.ReplaceAll(k.hint, "%s", h.Destination)
		}
	}
	return fmt.Sprintf("try: ssh %s true", h.Destination)
}

// noStart explains a program that did not come up.
func noStart(code errNoStart, said string) error {
	const static = "send one that needs no libraries: CGO_ENABLED=0 go build -tags static -o FILE ./cmd/gpudocs; --host-binary FILE"
	f := &Fault{Message: "gpudocs does not start there: " + code.Error(), Said: said}
	if strings.Contains(said, "GLIBC_") || code == "127" || code == "126" {
		f.Hint = static
	}
	return f
}

// maxSaid bounds the lines of standard error that are kept.
const maxSaid = 20

// lastLines are the last lines of what was said, fit for a terminal.
func lastLines(said *child.Tail) string {
	var out []string
	for line := range strings.Lines(said.String()) {
		if s := strings.TrimSpace(printable(strings.TrimRight(line, "\r\n"))); strings.Trim(s, "@") != "" { // nor frames
			out = append(out, s)
		}
	}
	return strings.Join(out[max(0, len(out)-maxSaid):], "\n")
}
