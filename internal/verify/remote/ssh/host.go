package ssh

import (
	"strings"
	"unicode"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
)

// A Host is a machine to run on.
type Host struct {
	// Label names the machine in its report.
	Label string
	// Destination is what ssh is given: an alias, user@address, or an ssh:// URI.
	Destination string
}

// ParseHost reads "alias" or "label=destination". An alias that is a valid label
// stands for both.
func ParseHost(s string) (Host, error) {
	label, destination, named := strings.Cut(s, "=")
	if !named {
		destination = s
	}
	switch {
	case destination == "":
		return Host{}, &remote.Error{Message: text.Say("verify.machine-name-missing", "name", s), Hint: text.Say("verify.host-hint")}
	case strings.HasPrefix(destination, "-"), strings.ContainsFunc(destination,
		func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }):
		return Host{}, &remote.Error{
			Message: text.Say("verify.destination-invalid", "name", destination),
			Hint:    text.Say("verify.destination-hint"),
		}
	}
	if err := report.CheckName(label); err != nil {
		hint := text.Message{}
		if !named {
			hint = text.Say("verify.host-label-hint", "flag", "--host LABEL="+destination)
		}
		return Host{}, &remote.Error{Message: text.Plain(err), Hint: hint}
	}
	return Host{label, destination}, nil
}

// ParseHosts reads several hosts. No two may have the same label.
func ParseHosts(list []string) ([]Host, error) {
	var hosts []Host
	seen := map[string]bool{}
	for _, s := range list {
		h, err := ParseHost(s)
		if err != nil {
			return nil, err
		}
		if seen[h.Label] {
			return nil, &remote.Error{
				Message: text.Say("verify.host-duplicate", "name", h.Label),
				Hint:    text.Say("verify.host-duplicate-hint", "flag", "--host LABEL="+h.Destination),
			}
		}
		seen[h.Label] = true
		hosts = append(hosts, h)
	}
	return hosts, nil
}
