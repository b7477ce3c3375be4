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

// samples are contexts in HTML: what is before and after an action. The escapers that html/template adds to the action
// identify the context. By executing a sample, html/template is asked what a value becomes there.
var samples = [][2]string{
	{"<p>", "</p>"}, {`<p title="`, `">`}, {"<title>", "</title>"}, {`<a href="`, `">`}, {`<a href="?x=`, `">`},
	{`<meta content="0; url=`, `">`},
}

// An escaper escapes values in one context.
type escaper struct {
	sample        *template.Template
	before, after string
	// become has the replacements of bytes. For a text with a byte whose replacement is empty, html/template is asked.
	become [256]string
	// keepsHTML is set if values of type template.HTML are written as they are.
	keepsHTML bool
	// keepsScheme is set if https:// is written as it is.
	keepsScheme bool
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

// escapers are those of all contexts, by the names of html/template's escapers.
var escapers = sync.OnceValue(func() map[string]*escaper {
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
})

func (e *escaper) learn() {
	const html, address = template.HTML(`<b title="x">&amp;'+</b>`), "https://a/b"
	e.keepsHTML = e.ask(html) == string(html)
	e.keepsScheme = e.ask(address) == address
	for c := range e.become {
		s := e.ask("a" + string([]byte{byte(c)}) + "b")
		e.become[c] = s[1 : len(s)-1]
	}
	// In an address, what a colon and a percent sign become depends on what is before and after them.
	if s := "javascript:a%zz"; e.ask(s) != s {
		e.become[':'], e.become['%'] = "", ""
	}
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
	size, from := out.Len(), 0
	if e.keepsScheme && strings.HasPrefix(s, "https://") {
		from = len("https://")
		out.WriteString(s[:from])
	}
	for at := from; at < len(s); at++ {
		switch to := e.become[s[at]]; {
		case to == "":
			out.Truncate(size)
			out.WriteString(e.ask(s))
			return
		case to != s[at:at+1]:
			out.WriteString(s[from:at])
			out.WriteString(to)
			from = at + 1
		}
	}
	out.WriteString(s[from:])
}

var htmlType = reflect.TypeFor[template.HTML]()

// value appends a value, escaped. For types other than these, html/template is asked.
func (e *escaper) value(out *bytes.Buffer, v reflect.Value) {
	v = concrete(v)
	if !v.IsValid() {
		panic(unfit{})
	}
	switch t := v.Type(); {
	case t == stringType:
		e.write(out, v.String())
	case t == intType:
		e.write(out, strconv.FormatInt(v.Int(), 10))
	case t == htmlType && e.keepsHTML:
		out.WriteString(v.String())
	default:
		out.WriteString(e.ask(v.Interface()))
	}
}
