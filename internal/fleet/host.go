package fleet

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A Host is a machine to run on.
type Host struct {
	// Label names the machine in its report.
	Label string
	// Destination is what ssh is given: an alias, user@address, or an ssh:// URI.
	Destination string
}

// ParseHost reads "alias" or "label=destination". Only an alias that can name a
// machine stands for both.
func ParseHost(s string) (Host, error) {
	label, destination, named := strings.Cut(s, "=")
	if !named {
		destination = s
	}
	switch {
	case destination == "":
		return Host{}, &Fault{Message: fmt.Sprintf("%q names no machine", s), Hint: "write it as --host deepnine or --host deepnine=user@address"}
	case strings.HasPrefix(destination, "-"), strings.ContainsFunc(destination, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }):
		return Host{}, &Fault{Message: fmt.Sprintf("%q is no destination for ssh", destination), Hint: "an alias of ~/.ssh/config, user@address, or ssh://user@address:port"}
	}
	if err := report.CheckName(label); err != nil {
		hint := ""
		if !named {
			hint = "give it a label for its report: --host LABEL=" + destination
		}
		return Host{}, &Fault{Message: err.Error(), Hint: hint}
	}
	return Host{label, destination}, nil
}

// ParseHosts reads several, no two with the same label.
func ParseHosts(list []string) ([]Host, error) {
	var hosts []Host
	seen := map[string]bool{}
	for _, s := range list {
		h, err := ParseHost(s)
		if err != nil {
			return nil, err
		}
		if seen[h.Label] {
			return nil, &Fault{Message: fmt.Sprintf("two hosts are named %q", h.Label), Hint: "each has a report of its own: --host LABEL=" + h.Destination}
		}
		seen[h.Label] = true
		hosts = append(hosts, h)
	}
	return hosts, nil
}
