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
//	what stands behind "serial:"    <serial>
//
// The snippet's own folder is $WORK. A snippet that prints other secrets
// publishes them: nothing can know what is secret.
type private struct{ rules []rule }

type rule struct {
	pattern *regexp.Regexp
	with    string
}

// everybody are user names that say nothing of a person.
var everybody = []string{"root", "user", "nobody", "admin", "ubuntu", "debian", "runner", "jovyan"}

func newPrivate(root string) *private {
	p := &private{}
	if root != "" {
		p.folder(root, "$SITE")
	}
	u, userErr := user.Current()
	if home, err := os.UserHomeDir(); err == nil {
		p.folder(home, "~")
	}
	if userErr == nil {
		p.folder(u.HomeDir, "~")
	}
	p.add(`\b(GPU|MIG)-[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}\b`, "$1-<uuid>")
	p.add(`(?m)^[0-9a-fA-F]{2}:[01][0-9a-fA-F]\.[0-7]( \pL)`, "<pci>$1") // as lspci writes it; elsewhere it could be a time
	p.add(`(?i)\b(serial(?: number)?\s*[:=]\s*)[^\s<]\S*`, "$1<serial>")
	p.add(`\b[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]\b`, "<pci>")
	if host, err := os.Hostname(); err == nil {
		p.host(host)
	}
	for _, name := range []string{"SLURMD_NODENAME", "SLURM_SUBMIT_HOST"} { // in a job of Slurm
		p.host(os.Getenv(name))
	}
	if userErr == nil && !slices.Contains(everybody, u.Username) {
		p.word(u.Username, "<user>")
	}
	return p
}

func (p *private) add(pattern, with string) {
	p.rules = append(p.rules, rule{regexp.MustCompile(pattern), with})
}

// folder adds a folder's path, as it is given and without symbolic links, for
// programs print the one or the other.
func (p *private) folder(dir, with string) {
	abs, err := filepath.Abs(dir)
	if err != nil || dir == "" {
		return
	}
	p.path(abs, with)
	if real, err := filepath.EvalSymlinks(abs); err == nil && real != abs {
		p.path(real, with)
	}
}

// path adds a path, but not where it only begins another name, or ends one:
// /home/ana is not in /home/anabel, and /root not in /opt/root.
func (p *private) path(name, with string) {
	if len(name) < 2 {
		return
	}
	pattern := regexp.QuoteMeta(name) + `([^\p{L}\p{N}_]|$)`
	if name[0] == '/' {
		pattern = `\B` + pattern // no letter or digit stands before the slash
	}
	p.add(pattern, strings.ReplaceAll(with, "$", "$$")+"$1")
}

// host adds the host's name, with and without its domain.
func (p *private) host(name string) {
	p.word(name, "<host>")
	if short, _, ok := strings.Cut(name, "."); ok {
		p.word(short, "<host>")
	}
}

// word adds a name that is replaced where it stands as a word of its own. Very
// short names and localhost would take more out than they protect.
func (p *private) word(name, with string) {
	if len(name) >= 3 && name != "localhost" {
		p.add(`\b`+regexp.QuoteMeta(name)+`\b`, with)
	}
}

func (p *private) scrub(s string) string {
	for _, r := range p.rules {
		s = r.pattern.ReplaceAllString(s, r.with)
	}
	return s
}
