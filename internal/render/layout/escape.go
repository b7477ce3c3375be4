package layout

import (
	"bytes"
	"html/template"
	"io"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"text/template/parse"
)

// The escapers that html/template adds to an action tell its context in the HTML. For each context there
// is a small template with one action, by which html/template is asked what a value becomes there. Most
// characters are asked about once; for values with others html/template is asked each time.

// samples are contexts in HTML: what is before and after an action.
var samples = [][2]string{
	{"<p>", "</p>"}, {`<p title="`, `">`}, {"<title>", "</title>"}, {`<a href="`, `">`}, {`<a href="?x=`, `">`},
	{`<meta content="0; url=`, `">`},
}

// An escaper escapes values in one context.
type escaper struct {
	sample        *template.Template
	before, after string
	// become has the replacements of bytes. Those in plain are written as they are.
	become [256]string
	plain  [256]bool
	// keepsHTML is set if values of type template.HTML are written as they are.
	keepsHTML bool
	// secure is set if https:// is written as it is before plain bytes.
	secure bool
}

const escaperPrefix = "_html_template_"

// escaperNames returns the names of some commands, and reports whether all are escapers.
func escaperNames(commands []*parse.CommandNode) (string, bool) {
	var names []string
	for _, c := range commands {
		id, ok := c.Args[0].(*parse.IdentifierNode)
		if !ok || len(c.Args) > 1 || !strings.HasPrefix(id.Ident, escaperPrefix) {
			return "", false
		}
		names = append(names, id.Ident)
	}
	return strings.Join(names, " "), true
}

// letters and others are the characters that most addresses and texts consist of, notInTexts those that
// are escaped in texts.
const (
	letters    = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._/"
	others     = " \t\n!#$%()*,:;=?@[\\]^`{|}~"
	inTexts    = letters + others
	notInTexts = "\x00\r\"&'+<>"
)

// escapers are those of all contexts, by the names of html/template's escapers.
var escapers = sync.OnceValue(learn)

func learn() map[string]*escaper {
	known := map[string]*escaper{}
	for _, s := range samples {
		t, err := template.New("").Parse(s[0] + "{{.}}" + s[1])
		if err != nil || t.Execute(io.Discard, "") != nil {
			continue
		}
		for _, n := range t.Tree.Root.Nodes {
			if a, ok := n.(*parse.ActionNode); ok {
				if chain, ok := escaperNames(a.Pipe.Cmds[1:]); ok {
					e := &escaper{sample: t, before: s[0], after: s[1]}
					e.learn()
					known[chain] = e
				}
			}
		}
	}
	return known
}

func (e *escaper) learn() {
	e.keepsHTML = e.ask(template.HTML(`<b title="x">&amp;'+</b>`)) == `<b title="x">&amp;'+</b>`
	e.secure = e.ask("https://"+letters) == "https://"+letters
	same := func(s string) bool { return e.ask(s) == s }
	// A context is text if it keeps these characters, invalid UTF-8, and what is not allowed in addresses.
	if text := inTexts + "é、\u2028\U0001f680"; same(text) && same("\xff\xc3") && same("a\xe9b") && same("javascript:x") && same("%") {
		for c := range 0x80 {
			e.plain[c] = strings.IndexByte(inTexts, byte(c)) >= 0
			e.plain[c+0x80] = true
		}
		for i := range len(notInTexts) {
			e.become[notInTexts[i]] = e.ask(notInTexts[i : i+1])
		}
		return
	}
	// In an address, what a colon and a percent sign become depends on their position.
	for i := range len(others) {
		if c := others[i]; c != ':' && c != '%' {
			e.plain[c] = same("a" + others[i:i+1] + "b")
		}
	}
	// In a query, a slash is escaped.
	asked := strings.TrimSuffix(letters, "/")
	plain := same(asked)
	for i := range len(asked) {
		e.plain[asked[i]] = plain
	}
	e.plain['/'] = same("a/b")
}

// ask returns what html/template writes for a value in this context.
func (e *escaper) ask(value any) string {
	var b strings.Builder
	if e.sample.Execute(&b, value) != nil {
		panic(unfit{})
	}
	return strings.TrimSuffix(strings.TrimPrefix(b.String(), e.before), e.after)
}

// write appends a text, escaped.
func (e *escaper) write(out *bytes.Buffer, s string) {
	size, at := out.Len(), 0
	if e.secure && strings.HasPrefix(s, "https://") {
		at = len("https://")
	}
	from := 0
	for ; at < len(s); at++ {
		c := s[at]
		if e.plain[c] {
			continue
		}
		to := e.become[c]
		if to == "" {
			out.Truncate(size)
			out.WriteString(e.ask(s))
			return
		}
		out.WriteString(s[from:at])
		out.WriteString(to)
		from = at + 1
	}
	out.WriteString(s[from:])
}

// write compiles an action: the value of an expression, escaped by the escapers in chain.
func write(e expr, chain string) (step, bool) {
	to := escapers()[chain]
	switch {
	case to == nil:
		return nil, false
	case e.text != nil:
		return func(f *frame, dot reflect.Value) { to.write(f.out, e.text(f, dot)) }, true
	case e.value == nil || e.typ == nil:
		return nil, false
	case e.typ == intType:
		return func(f *frame, dot reflect.Value) { to.write(f.out, strconv.FormatInt(e.value(f, dot).Int(), 10)) }, true
	case e.typ == reflect.TypeFor[template.HTML]() && to.keepsHTML:
		return func(f *frame, dot reflect.Value) { f.out.WriteString(e.value(f, dot).String()) }, true
	}
	return nil, false
}
