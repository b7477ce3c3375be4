package verify

import (
	"html"
	"maps"
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/tools"
)

// A redactor replaces private facts in what snippets print, because a report is
// published. It is applied before the output is compared, so that authors can expect
// what pages show:
//
//	the site's folder                 $SITE
//	the user's home folder            ~
//	the folder for temporary files    $TMPDIR
//	the folder of an environment      $ENV, also of any Python whose libraries a path leads to
//	that of the Python it is made of  $PYTHON
//	the host's name                   <host>
//	the user's name                   <user>
//	UUIDs of GPUs and MIG devices     GPU-<uuid>, MIG-<uuid>
//	PCI addresses                     <pci>
//	the text after "serial:"          <serial>
//
// The snippet's own folder becomes $WORK. Folders that any machine may have, such as /usr and /tmp, stay. Other
// secrets that a snippet prints are published: they cannot be recognized.
type redactor struct{ rules []rule }

type rule struct {
	has          string // is in every match, and found much faster; it may be empty
	pattern      *regexp.Regexp
	text, markup string                  // the replacement, as text and in HTML
	keeps        func(match string) bool // whether a match stays; nil if none does
	short        string                  // a name of two letters, for which the rule is
}

// genericUsers are user names that do not identify a person.
var genericUsers = []string{"root", "user", "nobody", "admin", "ubuntu", "debian", "runner", "jovyan", "pi"}

// newRedactor returns the redactor of a run with these tools.
func newRedactor(root string, all tools.Set) *redactor {
	p := &redactor{}
	p.addFolder(root, "$SITE")
	u, userErr := user.Current()
	if home, err := os.UserHomeDir(); err == nil {
		p.addFolder(home, "~")
	}
	if userErr == nil {
		p.addFolder(u.HomeDir, "~")
	}
	p.addEnvironments(all)
	p.add("-", `\b(GPU|MIG)-[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}\b`, "$1-<uuid>")
	p.add(".", `(?m)^[0-9a-fA-F]{2}:[01][0-9a-fA-F]\.[0-7]( \pL)`, "<pci>$1") // as lspci writes it; elsewhere it could be a time
	p.add("", `(?i)\b(serial(?: number)?\s*[:=]\s*)[^\s<]+`, "$1<serial>")
	p.add(":", `\b[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]\b`, "<pci>")
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

func (p *redactor) add(has, pattern, text string) *rule {
	p.rules = append(p.rules, rule{has: has, pattern: regexp.MustCompile(pattern), text: text, markup: html.EscapeString(text)})
	return &p.rules[len(p.rules)-1]
}

// of returns the redactor for blocks: a short name that is a word of their code is one of the page.
func (p *redactor) of(blocks ...*site.Block) *redactor {
	return &redactor{slices.DeleteFunc(slices.Clone(p.rules), func(r rule) bool {
		return r.short != "" && slices.ContainsFunc(blocks, func(b *site.Block) bool {
			return slices.Contains(r.pattern.FindAllString(b.Code, -1), r.short)
		})
	})}
}

// addEnvironments adds the folders of Pythons, and of those to which their links lead. A folder within another
// comes first.
func (p *redactor) addEnvironments(all tools.Set) {
	temporary, _ := filepath.EvalSymlinks(os.TempDir())
	folders := map[string]string{os.TempDir(): "$TMPDIR", temporary: "$TMPDIR"}
	for _, t := range all {
		text, path := "$ENV", t.Env.Python.Path
		for range maxLinks {
			dir := filepath.Dir(filepath.Dir(path))
			real, _ := filepath.EvalSymlinks(dir)
			for _, dir := range []string{dir, real} {
				if folders[dir] != "$ENV" {
					folders[dir] = text
				}
			}
			to, err := os.Readlink(path)
			if err != nil {
				break
			}
			if !filepath.IsAbs(to) {
				to = filepath.Join(filepath.Dir(path), to)
			}
			text, path = "$PYTHON", to
		}
	}
	for _, dir := range slices.Backward(slices.Sorted(maps.Keys(folders))) {
		if strings.Count(dir, "/") > 1 && dir != "/var/tmp" && !strings.HasPrefix(dir, "/usr/") {
			p.addPath(dir, folders[dir])
		}
	}
	p.add("/python", `(^|[^\pL\pN_.~/-]|file://)(?:/[^/\s:;,"'()<>|=]+)+?(/lib(?:64)?/python\d[\d.]*t?/)`, "$1$$ENV$2").keeps = func(match string) bool {
		_, path, _ := strings.Cut(strings.TrimPrefix(match, "file://"), "/")
		return strings.HasPrefix(path, "usr/")
	}
}

// maxLinks limits the links from an environment's Python to the one that it is made of.
const maxLinks = 20

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

// addPath adds a path, also as addresses, JSON, HTML and Windows write it. It is not replaced within a longer name: /home/ana
// is not in /home/anabel, and /root not in /opt/root.
func (p *redactor) addPath(name, text string) {
	if len(name) < 2 {
		return
	}
	ascii := strconv.QuoteToASCII(name)
	var forms []string
	for _, form := range []string{name, (&url.URL{Path: name}).EscapedPath(), url.QueryEscape(name), ascii[1 : len(ascii)-1]} {
		form = strings.TrimPrefix(strings.ReplaceAll(form, "%2F", "/"), "/")
		forms = append(forms, regexp.QuoteMeta(form), regexp.QuoteMeta(html.EscapeString(form)))
	}
	slices.Sort(forms)
	pattern, first := "(?:"+strings.Join(slices.Compact(forms), "|")+")", ""
	switch {
	case strings.Count(name, "/") > 1:
		pattern, first = strings.ReplaceAll(pattern, "/", `(?:/|\\{1,2}/?|%2[fF])`), `(?:\B/|\\{1,2}/?|%2[fF])`
	case name[0] == '/': // and not \root, which may be anything
		first = `\B/` // no letter or digit is before the slash
	}
	has := "" // the longest part of the name that all forms have
	for _, part := range plain.FindAllString(name, -1) {
		if len(part) >= len(has) {
			has = part
		}
	}
	p.add(has, first+pattern+`([^\p{L}\p{N}_]|$)`, strings.ReplaceAll(text, "$", "$$")+"$1")
}

var plain = lazyregexp.New(`[A-Za-z0-9_]+`)

// addHost adds the host's name, with and without its domain.
func (p *redactor) addHost(name string) {
	p.addWord(name, "<host>")
	if short, _, ok := strings.Cut(name, "."); ok {
		p.addWord(short, "<host>")
	}
}

// addWord adds a name that is replaced if it is a whole word, for one of two letters one without hyphens and dots. Of
// names of one letter and localhost, replacing them would remove more than it protects.
func (p *redactor) addWord(name, text string) {
	switch n := utf8.RuneCountInString(name); {
	case n < 2 || name == "localhost":
	case n == 2:
		r := p.add(name, `[\pL\pN_]+(?:[.-]+[\pL\pN_]+)*`, text)
		r.short, r.keeps = name, func(match string) bool { return match != name }
	case name[0] < utf8.RuneSelf:
		p.add(name, `\b`+regexp.QuoteMeta(name)+`([^\pL\pN_]|$)`, text+"$1")
	default: // \b knows the letters of English
		p.add(name, regexp.QuoteMeta(name)+`([^\pL\pN_]|$)`, text+"$1")
	}
}

func (r rule) replace(s, text string) string {
	if !strings.Contains(s, r.has) {
		return s
	}
	if r.keeps == nil {
		return r.pattern.ReplaceAllString(s, text)
	}
	return r.pattern.ReplaceAllStringFunc(s, func(match string) string {
		if r.keeps(match) {
			return match
		}
		return r.pattern.ReplaceAllString(match, text)
	})
}

func (p *redactor) redact(s string) string {
	for _, r := range p.rules {
		s = r.replace(s, r.text)
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
		s = r.replace(s, r.markup)
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
func Redactor(root string) func(string) string { return newRedactor(root, nil).redact }
