package verify

import (
	"html"
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/verify/tools"
)

// A redactor replaces private facts in what snippets print, because a report is
// published. It is applied before the output is compared, so that authors can expect
// what pages show:
//
//	the site's folder               $SITE
//	the user's home folder          ~
//	the host's name                 <host>
//	the user's name                 <user>
//	UUIDs of GPUs and MIG devices   GPU-<uuid>, MIG-<uuid>
//	PCI addresses                   <pci>
//	the text after "serial:"        <serial>
//
// The snippet's own folder becomes $WORK. Other secrets that a snippet prints are
// published: they cannot be recognized.
type redactor struct{ rules []rule }

type rule struct {
	pattern      *regexp.Regexp
	text, markup string // the replacement, as text and in HTML
}

// genericUsers are user names that do not identify a person.
var genericUsers = []string{"root", "user", "nobody", "admin", "ubuntu", "debian", "runner", "jovyan"}

func newRedactor(root string) *redactor {
	p := &redactor{}
	if root != "" {
		p.addFolder(root, "$SITE")
	}
	u, userErr := user.Current()
	if home, err := os.UserHomeDir(); err == nil {
		p.addFolder(home, "~")
	}
	if userErr == nil {
		p.addFolder(u.HomeDir, "~")
	}
	p.add(`\b(GPU|MIG)-[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}\b`, "$1-<uuid>")
	p.add(`(?m)^[0-9a-fA-F]{2}:[01][0-9a-fA-F]\.[0-7]( \pL)`, "<pci>$1") // as lspci writes it; elsewhere it could be a time
	p.add(`(?i)\b(serial(?: number)?\s*[:=]\s*)[^\s<]+`, "$1<serial>")
	p.add(`\b[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]\b`, "<pci>")
	if host, err := os.Hostname(); err == nil {
		p.addHost(host)
	}
	for _, name := range []string{"SLURMD_NODENAME", "SLURM_SUBMIT_HOST"} { // within a Slurm job
		p.addHost(os.Getenv(name))
	}
	if userErr == nil && !slices.Contains(genericUsers, u.Username) {
		p.addWord(u.Username, "<user>")
	}
	return p
}

func (p *redactor) add(pattern, text string) {
	p.rules = append(p.rules, rule{regexp.MustCompile(pattern), text, html.EscapeString(text)})
}

// addFolder adds the path of a folder, as given and with symbolic links resolved, as
// programs print either.
func (p *redactor) addFolder(dir, text string) {
	abs, err := filepath.Abs(dir)
	if err != nil || dir == "" {
		return
	}
	p.addPath(abs, text)
	if real, err := filepath.EvalSymlinks(abs); err == nil && real != abs {
		p.addPath(real, text)
	}
}

// addPath adds a path. It is not replaced within a longer name: /home/ana is not in
// /home/anabel, and /root not in /opt/root.
func (p *redactor) addPath(name, text string) {
	if len(name) < 2 {
		return
	}
	pattern := regexp.QuoteMeta(name) + `([^\p{L}\p{N}_]|$)`
	if name[0] == '/' {
		pattern = `\B` + pattern // no letter or digit is before the slash
	}
	p.add(pattern, strings.ReplaceAll(text, "$", "$$")+"$1")
}

// addHost adds the host's name, with and without its domain.
func (p *redactor) addHost(name string) {
	p.addWord(name, "<host>")
	if short, _, ok := strings.Cut(name, "."); ok {
		p.addWord(short, "<host>")
	}
}

// addWord adds a name that is replaced if it is a whole word. Very short names and
// localhost are ignored, as replacing them would remove more than it protects.
func (p *redactor) addWord(name, text string) {
	if len(name) >= 3 && name != "localhost" {
		p.add(`\b`+regexp.QuoteMeta(name)+`\b`, text)
	}
}

func (p *redactor) redact(s string) string {
	for _, r := range p.rules {
		s = r.pattern.ReplaceAllString(s, r.text)
	}
	return s
}

// reference matches a character reference of HTML or XML.
var reference = lazyregexp.New(`&(?:#[xX]?[0-9a-fA-F]+;?|\w+;)`)

// redactMarkup does the same in HTML or XML, where letters may be written as character references.
func (p *redactor) redactMarkup(s string) string {
	s = reference.ReplaceAllStringFunc(s, func(r string) string {
		if c := html.UnescapeString(r); html.EscapeString(c) == c && !strings.ContainsFunc(c, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return c
		}
		return r
	})
	for _, r := range p.rules {
		s = r.pattern.ReplaceAllString(s, r.markup)
	}
	return s
}

// redactModules redacts the names of modules: one may be that of the user or the host.
func (p *redactor) redactModules(all tools.Set) {
	for _, t := range all {
		t.Env.Modules, t.Packages = slices.Clone(t.Env.Modules), slices.Clone(t.Packages)
		for i := range t.Env.Modules {
			t.Env.Modules[i] = p.redact(t.Env.Modules[i])
		}
		for i := range t.Packages {
			t.Packages[i].Name = p.redact(t.Packages[i].Name)
		}
	}
}

// Redactor returns a function that redacts private facts in a text, for a site in the
// folder root. See redact.go.
func Redactor(root string) func(string) string { return newRedactor(root).redact }
