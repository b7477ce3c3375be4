package content

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/require"
	"github.com/gpudocs/gpudocs/internal/translate"
)

// frontMatter is what the YAML between the first two "---" lines says.
type frontMatter struct {
	title, description, translation string
	weight                          int
	draft, original                 bool
	blocks                          Defaults
	// slug names the page in its address, in place of the file's name; slugAt is
	// where it stands.
	slug   string
	slugAt int
	stamp  translate.Stamp
	// dialects are those of the page, in place of the site's.
	dialects markdown.Dialect
	// aliases are further names of the page, by which links of Obsidian find it;
	// redirects are addresses that it had.
	tags, aliases []string
	redirects     []oldAddress
	unpublished   bool // what Obsidian's publish: false says
	// smart is set where quotes and dashes are shown as those of the language.
	smart   bool
	updated time.Time
}

var (
	pageKeys = []string{"title", "description", "weight", "translation", "draft", "blocks", "slug", "original", "translated", "dialects", "punctuation", "updated",
		"tags", "aliases", "redirect_from"}
	blockKeys = []string{"session", "env", "needs", "timeout", "run"}
)

// FrontMatterKeys are those that a page can have in any dialect.
func FrontMatterKeys() []string { return slices.Clone(pageKeys) }

var yamlHint = diag.Say(`write key: value on each line, without tabs, each key once; a value with : # [ or { in it needs quotes`)

// maxFrontMatter bounds the YAML, in bytes: the parser's time grows with the
// square of the nesting.
const maxFrontMatter = 16 << 10

// splitFrontMatter finds the YAML of a page. end is the offset behind the
// closing line. ok is false where the page has none; open is set where the
// closing line is missing.
func splitFrontMatter(data []byte) (start, stop, end int, ok, open bool) {
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	if string(bytes.TrimRight(first, " \t\r")) != "---" {
		return 0, 0, 0, false, false
	}
	start = len(data) - len(rest)
	for at := start; at < len(data); {
		line, _, more := bytes.Cut(data[at:], []byte("\n"))
		next := at + len(line)
		if more {
			next++
		}
		if s := string(bytes.TrimRight(line, " \t\r")); s == "---" || s == "..." {
			return start, at, next, true, false
		}
		at = next
	}
	return start, len(data), len(data), true, true
}

// takeFrontMatter reads the front matter and returns the file with those bytes
// blanked: every other byte keeps its offset.
func takeFrontMatter(f *diag.File, defaults Defaults, c *Config) (*diag.File, frontMatter, diag.List) {
	fm := frontMatter{blocks: defaults, dialects: c.Dialects, smart: c.Smart}
	start, stop, end, ok, open := splitFrontMatter(f.Data)
	if !ok {
		return f, fm, nil
	}
	if open {
		return f, fm, diag.List{f.Error(0, 3, diag.Say("the front matter is not closed"), diag.Say(`end it with a line "---"`))}
	}
	r := frontMatterReader{file: f, start: start, fm: &fm, config: c}
	r.read(f.Data[start:stop])
	blanked := slices.Clip(slices.Clone(f.Data))
	for i := range end {
		if blanked[i] != '\n' {
			blanked[i] = ' '
		}
	}
	return f.With(blanked), fm, r.diags
}

type frontMatterReader struct {
	file   *diag.File
	start  int // offset of the YAML in the file
	fm     *frontMatter
	config *Config
	diags  diag.List
	// others are the keys that a dialect may have.
	others []*ast.MappingValueNode
}

func (r *frontMatterReader) read(data []byte) {
	if len(data) > maxFrontMatter {
		r.diags.Add(r.file.Error(0, 3, diag.Say("the front matter is larger than %d KiB", maxFrontMatter>>10), diag.Say("keep the page's facts there, and its text below")))
		return
	}
	doc, err := parser.ParseBytes(data, 0)
	if err != nil {
		r.syntax(err)
		return
	}
	for _, d := range doc.Docs {
		if d.Body != nil {
			ast.Walk(r, d.Body) // judges its texts
		}
		switch body := d.Body.(type) {
		case nil, *ast.NullNode, *ast.CommentGroupNode:
		case *ast.MappingNode:
			for _, v := range body.Values {
				r.value(v)
			}
		default:
			r.fault(body, diag.Say("the front matter must be keys and values"), diag.Say("title: A page"))
		}
	}
	for _, v := range r.others {
		r.other(v)
	}
}

func (r *frontMatterReader) syntax(err error) {
	var e yaml.Error
	if errors.As(err, &e) && e.GetToken() != nil {
		message, _, _ := strings.Cut(e.GetMessage(), " at [") // a place counted from the front matter's own first line
		r.at(e.GetToken(), diag.Say("broken YAML: %s", message), yamlHint)
		return
	}
	r.diags.Add(r.file.Error(0, 3, diag.Say("broken YAML: %s", err), yamlHint))
}

// at reports a token. The YAML begins behind the first line, so its lines are
// one less than the file's.
func (r *frontMatterReader) at(t *token.Token, message, hint diag.Text) {
	begin := r.file.Offset(t.Position.Line+1, t.Position.Column)
	r.diags.Add(r.file.Error(begin, begin+len(strings.TrimSpace(t.Value)), message, hint))
}

func (r *frontMatterReader) fault(n ast.Node, message, hint diag.Text) {
	r.at(n.GetToken(), message, hint)
}

func (r *frontMatterReader) value(v *ast.MappingValueNode) {
	key := v.Key.GetToken().Value
	switch key {
	case "title":
		r.text(v.Value, &r.fm.title)
	case "description":
		r.text(v.Value, &r.fm.description)
	case "translation":
		r.text(v.Value, &r.fm.translation)
	case "weight":
		r.decode(v.Value, &r.fm.weight, diag.Say("a whole number"))
	case "draft":
		r.decode(v.Value, &r.fm.draft, diag.Say("true or false"))
	case "original":
		r.decode(v.Value, &r.fm.original, diag.Say("true or false"))
	case "updated":
		r.updated(v.Value)
	case "slug":
		r.slug(v.Value)
	case "translated":
		r.stamp(v.Value)
	case "blocks":
		r.blocks(v.Value)
	case "dialects":
		r.dialects(v.Value)
	case "punctuation":
		r.punctuation(v.Value)
	case "redirect_from":
		r.redirects(v.Value)
	default:
		r.others = append(r.others, v)
	}
}

// other reads the keys that dialects have, or read in their own way: by now the
// page's are known.
func (r *frontMatterReader) other(v *ast.MappingValueNode) {
	switch v.Key.GetToken().Value {
	case "tags":
		r.tags(v.Value)
		return
	case "aliases":
		r.aliases(v.Value)
		return
	}
	if r.fm.dialects.Has(markdown.Obsidian) && r.obsidian(v) {
		return
	}
	t := v.Key.GetToken()
	key := t.Value
	begin := r.file.Offset(t.Position.Line+1, t.Position.Column)
	// Pages written for another tool carry keys of that tool: no reason to refuse them.
	r.diags.Add(r.file.Warning(begin, begin+len(key), diag.Say("unknown key %q in the front matter", key),
		diag.Suggest(key, pageKeys, diag.Say("known are %s", strings.Join(pageKeys, ", ")))))
}

func (r *frontMatterReader) blocks(n ast.Node) {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		r.fault(n, diag.Say("blocks must be keys and values"), diag.Say("blocks: {timeout: 30s, session: main}"))
		return
	}
	for _, v := range m.Values {
		var s string
		key := v.Key.GetToken().Value
		if !slices.Contains(blockKeys, key) {
			r.fault(v.Key, diag.Say("unknown key %q in blocks", key),
				diag.Suggest(key, blockKeys, diag.Say("known are %s", strings.Join(blockKeys, ", "))))
			continue
		}
		if key == "run" {
			r.decode(v.Value, &r.fm.blocks.Run, diag.Say("true or false"))
		} else if r.text(v.Value, &s) {
			r.blockDefault(key, s, v.Value)
		}
	}
}

// dialects reads a list of names; one alone needs no brackets.
func (r *frontMatterReader) dialects(n ast.Node) {
	names := []ast.Node{n}
	if list, ok := n.(*ast.SequenceNode); ok {
		names = list.Values
	}
	r.fm.dialects = 0
	for _, n := range names {
		var name string
		if !r.text(n, &name) || name == "" {
			continue
		}
		d, ok := markdown.ParseDialect(name)
		if !ok {
			r.fault(n, diag.Say("there is no dialect %q", name), dialectHint(name))
		}
		r.fm.dialects |= d
	}
}

// punctuation is smart or plain, in place of the site's.
func (r *frontMatterReader) punctuation(n ast.Node) {
	var name string
	if !r.text(n, &name) || name == "" {
		return
	}
	smart, ok := punctuations[name]
	if !ok {
		r.fault(n, diag.Say("punctuation is smart or plain, not %q", name), diag.Say("punctuation: smart"))
	}
	r.fm.smart = smart
}

func dialectHint(name string) diag.Text {
	return diag.Suggest(name, markdown.DialectNames(), diag.Say("known are %s", strings.Join(markdown.DialectNames(), ", ")))
}

func (r *frontMatterReader) blockDefault(key, s string, n ast.Node) {
	var err error
	switch key {
	case "session":
		if s != "" && !blockName.MatchString(s) {
			r.fault(n, diag.Say("%q cannot name a session", s), nameHint)
		}
		r.fm.blocks.Session = s
	case "env":
		if !r.config.hasEnv(s) && s != "" {
			r.fault(n, diag.Say("there is no environment %q", s), diag.Say("add [env.%s] to gpudocs.toml", s))
		}
		r.fm.blocks.Env = s
	case "needs":
		if r.fm.blocks.Needs, err = require.Parse(s); err != nil {
			r.fault(n, diag.Say("needs: %s", err), hintOf(err))
		}
	case "timeout":
		var d time.Duration
		if d, err = parseTimeout(s); err != nil {
			r.fault(n, diag.Say("%s", err), timeoutHint)
		}
		r.fm.blocks.Timeout = d
	}
}

// updated reads a day.
func (r *frontMatterReader) updated(n ast.Node) {
	var day string
	if !r.text(n, &day) || day == "" {
		return
	}
	var err error
	if r.fm.updated, err = time.Parse(time.DateOnly, day); err != nil || r.fm.updated.IsZero() {
		r.fault(n, diag.Say("%q is not a day", day), diag.Say("write it as updated: 2026-11-02"))
	}
}

// text takes a scalar as it is written, so that title: 2024 is a title too.
func (r *frontMatterReader) text(n ast.Node, to *string) bool {
	switch n := n.(type) {
	case *ast.StringNode:
		*to = n.Value
	case *ast.LiteralNode:
		*to = strings.TrimSpace(n.Value.Value)
	case *ast.NullNode:
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		*to = n.GetToken().Value
	default:
		// Anchors and aliases end here too: they could grow without bound.
		r.fault(n, diag.Say("a text is expected here"), diag.Say("title: A page; quotes if it holds : or #"))
		return false
	}
	return true
}

// decode takes a whole number or a truth value, and never the one for the other.
func (r *frontMatterReader) decode(n ast.Node, to any, expected diag.Text) {
	switch n.(type) {
	case *ast.NullNode:
		return
	case *ast.IntegerNode, *ast.BoolNode:
		if yaml.NodeToValue(n, to) == nil {
			return
		}
	}
	r.fault(n, diag.Say("%s is expected here", expected), diag.Say("write it without quotes, anchors or lists"))
}

// invalidUTF8 finds the first byte that is not UTF-8.
func invalidUTF8(f *diag.File) (diag.Diagnostic, bool) {
	if utf8.Valid(f.Data) {
		return diag.Diagnostic{}, false
	}
	at := 0
	for at < len(f.Data) {
		r, n := utf8.DecodeRune(f.Data[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return f.Error(at, at+1, diag.Say("byte 0x%02x is not valid UTF-8", f.Data[at]), diag.Say("save the file as UTF-8")), true
}
