package verify

import (
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A report is published. What a snippet prints may hold facts that are nobody's
// business; they are replaced before the output is compared, so that what the
// page shows is what an author can expect:
//
//	the site's folder               $SITE
//	the user's home folder          ~
//	the host's name                 <host>
//	the user's name                 <user>
//	UUIDs of GPUs and MIG devices   GPU-<uuid>, MIG-<uuid>
//	PCI addresses                   <pci>
//
// The snippet's own folder is $WORK. A snippet that prints other secrets
// publishes them: nothing can know what is secret.
type private struct {
	exact *strings.Replacer
	words []wordRule
}

type wordRule struct {
	pattern *regexp.Regexp
	with    string
}

// everybody are user names that say nothing of a person.
var everybody = []string{"root", "user", "nobody", "admin", "ubuntu", "debian", "runner", "jovyan"}

func newPrivate(root string) *private {
	p := &private{words: []wordRule{
		{regexp.MustCompile(`\b(GPU|MIG)-[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}\b`), "$1-<uuid>"},
		{regexp.MustCompile(`\b[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]\b`), "<pci>"},
	}}
	var pairs []string
	if abs, err := filepath.Abs(root); err == nil && root != "" && abs != "/" {
		pairs = append(pairs, abs, "$SITE")
	}
	if home, err := os.UserHomeDir(); err == nil && len(home) > 1 {
		pairs = append(pairs, home, "~")
	}
	p.exact = strings.NewReplacer(pairs...)
	if host, err := os.Hostname(); err == nil {
		p.word(host, "<host>")
	}
	if u, err := user.Current(); err == nil && !slices.Contains(everybody, u.Username) {
		p.word(u.Username, "<user>")
	}
	return p
}

// word adds a name that is replaced where it stands as a word of its own. Very
// short names and localhost would take more out than they protect.
func (p *private) word(name, with string) {
	if len(name) < 3 || name == "localhost" {
		return
	}
	p.words = append(p.words, wordRule{regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`), with})
}

func (p *private) scrub(s string) string {
	s = p.exact.Replace(s)
	for _, w := range p.words {
		s = w.pattern.ReplaceAllString(s, w.with)
	}
	return s
}
