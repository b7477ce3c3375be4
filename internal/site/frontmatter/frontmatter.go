package frontmatter

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/translate"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// FrontMatter holds the values of the YAML between the first two "---" lines.
type FrontMatter struct {
	Title, Description, Translation string
	Weight                          int
	Draft, Original                 bool
	// DraftUnknown is set if the page may be one that its author does not publish yet, or whose solutions are
	// not, but this cannot be read.
	DraftUnknown bool
	Blocks       site.Defaults
	// Group, Hidden, Image and Requires are as in [site.Page]. Time is the time of reading in minutes, if the page sets one.
	Group, Hidden, Image site.Named
	Requires             []site.Named
	Time                 *int
	// NoIndex, NoContents, Prev and Next are as in [site.Page].
	NoIndex, NoContents bool
	Prev, Next          *site.Named
	// Slug replaces the file's name in the page's address. SlugAt is its offset.
	Slug   string
	SlugAt int
	Stamp  translate.Stamp
	// Dialects are the page's, if it sets them, or else the given ones.
	Dialects    markdown.Dialect
	DialectsSet bool
	// Aliases are further names of the page, by which Obsidian's links find it. Redirects are its
	// former addresses.
	Tags, Aliases []string
	Redirects     []site.OldAddress
	Unpublished   bool // Obsidian's publish: false
	// Smart is set if quotes and dashes are shown in the style of the language.
	Smart   bool
	Updated time.Time
	// SolutionsAfter is as in [site.Page].
	SolutionsAfter time.Time
	// FrontMatter is what the dialects of the page need.
	markdown.FrontMatter
}

var yamlHint = diag.Say("frontmatter.yaml-hint")

// MaxSize bounds the YAML, in bytes, because the parser's time grows with the square of the
// nesting.
const MaxSize = 16 << 10

// Split finds the YAML of a page, between start and stop. end is the offset after the closing line.
// ok is false if the page has no front matter; open is set if the closing line is missing.
func Split(data []byte) (start, stop, end int, ok, open bool) {
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

// Read reads the front matter and returns the file with the front matter blanked, so that all other
// bytes keep their offsets. dialects are those of a page that sets none.
func Read(f *diag.File, defaults site.Defaults, dialects markdown.Dialect, c *site.Config) (*diag.File, FrontMatter, diag.List) {
	fm := FrontMatter{Blocks: defaults, Dialects: dialects, Smart: c.Smart}
	start, stop, end, ok, open := Split(f.Data)
	if !ok {
		return f, fm, nil
	}
	if open {
		fm.DraftUnknown = draftForm.Match(f.Data[start:min(stop, start+MaxSize)])
		return f, fm, diag.List{f.Error(0, 3, diag.Say("frontmatter.not-closed"))}
	}
	r := reader{file: f, start: start, fm: &fm, config: c}
	r.read(f.Data[start:stop])
	blanked := slices.Clip(slices.Clone(f.Data))
	for i := range end {
		if blanked[i] != '\n' {
			blanked[i] = ' '
		}
	}
	for _, s := range r.kept {
		copy(blanked[s.Start:s.Stop], f.Data[s.Start:s.Stop])
	}
	return f.With(blanked), fm, r.diags
}

type reader struct {
	file   *diag.File
	start  int // offset of the YAML in the file
	fm     *FrontMatter
	config *site.Config
	diags  diag.List
	// dialectKeys are the keys that only some dialects have.
	dialectKeys []*ast.MappingValueNode
	// kept are parts that are text of the page.
	kept []markdown.Span
}

// draftForm matches the names of the keys that keep a page, or a part of it, from being published. They may stand anywhere: YAML has
// many forms of a key, and broken YAML has more.
var draftForm = lazyregexp.New(`(?i)draft|publish|solutions_after`)

func (r *reader) read(data []byte) {
	if len(data) > MaxSize {
		r.fm.DraftUnknown = draftForm.Match(data)
		r.diags.Add(r.file.Error(0, 3, diag.Say("frontmatter.too-large", "most", MaxSize>>10)))
		return
	}
	doc, err := parser.ParseBytes(data, 0)
	if err != nil {
		r.fm.DraftUnknown = draftForm.Match(data)
		r.syntax(err)
		return
	}
	for _, d := range doc.Docs {
		if d.Body != nil {
			ast.Walk(r, d.Body) // checks its texts
		}
		switch body := d.Body.(type) {
		case nil, *ast.NullNode, *ast.CommentGroupNode:
		case *ast.MappingNode:
			for _, v := range body.Values {
				r.value(v)
			}
		default:
			r.fm.DraftUnknown = r.fm.DraftUnknown || draftForm.Match(data)
			r.fault(body, diag.Say("frontmatter.not-mapping"))
		}
	}
	for _, v := range r.dialectKeys {
		r.dialectKey(v)
	}
}

func (r *reader) syntax(err error) {
	if e, ok := errors.AsType[yaml.Error](err); ok && e.GetToken() != nil {
		message, _, _ := strings.Cut(e.GetMessage(), " at [") // the position counts from the front matter's first line
		begin, end := r.place(e.GetToken())
		r.diags.Add(r.file.Error(begin, end, diag.Say("frontmatter.yaml-invalid", "message", message).WithHint(yamlHint)))
		return
	}
	r.diags.Add(r.file.Error(0, 3, diag.Say("frontmatter.yaml-invalid", "message", err).WithHint(yamlHint)))
}

// place returns the offsets of a token in the file. The YAML begins on the second line.
func (r *reader) place(t *token.Token) (begin, end int) {
	begin = r.file.Offset(t.Position.Line+1, t.Position.Column)
	return begin, begin + len(strings.TrimSpace(t.Value))
}

func (r *reader) fault(n ast.Node, message diag.Text) {
	begin, end := r.place(n.GetToken())
	r.diags.Add(r.file.Error(begin, end, message))
}

func (r *reader) warn(n ast.Node, message diag.Text) {
	begin, end := r.place(n.GetToken())
	r.diags.Add(r.file.Warning(begin, end, message))
}

func (r *reader) value(v *ast.MappingValueNode) {
	key := v.Key.GetToken().Value
	switch key {
	case "title":
		r.text(v.Value, &r.fm.Title)
	case "description":
		r.text(v.Value, &r.fm.Description)
	case "translation":
		r.text(v.Value, &r.fm.Translation)
	case "weight":
		r.decode(v.Value, &r.fm.Weight, diag.Say("frontmatter.whole-number"))
	case "draft":
		r.fm.DraftUnknown = !r.decode(v.Value, &r.fm.Draft, diag.Say("diag.kind-boolean"))
	case "original":
		r.decode(v.Value, &r.fm.Original, diag.Say("diag.kind-boolean"))
	case "group":
		r.named(v.Value, &r.fm.Group)
	case "image":
		r.named(v.Value, &r.fm.Image)
	case "hidden":
		var hidden bool
		if r.decode(v.Value, &hidden, diag.Say("diag.kind-boolean")) && hidden {
			r.named(v.Value, &r.fm.Hidden)
		}
	case "time":
		r.time(v.Value)
	case "prerequisites":
		for _, n := range items(v.Value) {
			var name site.Named
			if r.named(n, &name); name.Text != "" {
				r.fm.Requires = append(r.fm.Requires, name)
			}
		}
	case "noindex":
		r.decode(v.Value, &r.fm.NoIndex, diag.Say("diag.kind-boolean"))
	case "toc":
		contents := true
		r.decode(v.Value, &contents, diag.Say("diag.kind-boolean"))
		r.fm.NoContents = !contents
	case "prev":
		r.fm.Prev = r.neighbour(v.Value)
	case "next":
		r.fm.Next = r.neighbour(v.Value)
	case "updated":
		r.day(v.Value, &r.fm.Updated)
	case "solutions_after":
		r.fm.DraftUnknown = r.fm.DraftUnknown || !r.day(v.Value, &r.fm.SolutionsAfter)
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
		r.dialectKeys = append(r.dialectKeys, v)
	}
}

// mkdocsKeys are keys of Material for MkDocs without effect: https://squidfunk.github.io/mkdocs-material/.
var mkdocsKeys = []string{"authors", "categories", "comments", "date", "hide", "icon", "links", "pin", "readtime", "search",
	"social", "status", "subtitle", "template"}

// dialectKey reads a key that only some dialects have, or that they read differently. The page's
// dialects are known by now.
func (r *reader) dialectKey(v *ast.MappingValueNode) {
	switch v.Key.GetToken().Value {
	case "tags":
		r.tags(v.Value)
		return
	case "aliases":
		r.aliases(v.Value)
		return
	}
	if r.fm.Dialects.Has(markdown.Obsidian) && r.obsidian(v) ||
		(r.fm.Dialects.Has(markdown.MyST) || r.fm.Dialects.Has(markdown.Quarto)) && r.myst(v) {
		return
	}
	if r.fm.Dialects.Has(markdown.Carpentries) && r.lesson(v) {
		return
	}
	if r.fm.Dialects.Has(markdown.MkDocs) && slices.Contains(mkdocsKeys, v.Key.GetToken().Value) {
		return
	}
	if r.fm.Dialects.Has(markdown.Quarto) { // any key may be metadata
		return
	}
	// Pages written for another tool have keys of that tool, which is not an error.
	key := v.Key.GetToken().Value
	r.warn(v.Key, diag.Say("frontmatter.key-unknown", "key", key).WithHint(diag.Known(key, pageKeys)))
}

func (r *reader) blocks(n ast.Node) {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		r.fault(n, diag.Say("frontmatter.blocks-not-mapping"))
		return
	}
	for _, v := range m.Values {
		var s string
		key := v.Key.GetToken().Value
		if !slices.Contains(blockKeys, key) {
			r.fault(v.Key, diag.Say("frontmatter.blocks-key-unknown", "key", key).WithHint(diag.Known(key, blockKeys)))
			continue
		}
		switch {
		case key == "run":
			r.decode(v.Value, &r.fm.Blocks.Run, diag.Say("diag.kind-boolean"))
		case key == "files":
			r.files(v.Value)
		case r.text(v.Value, &s):
			r.blockDefault(key, s, v.Value)
		}
	}
}

// files reads a list of patterns, or one text of them.
func (r *reader) files(n ast.Node) {
	_, isList := n.(*ast.SequenceNode)
	for _, n := range items(n) {
		var s string
		if !r.text(n, &s) || s == "" {
			continue
		}
		start, end := r.place(n.GetToken())
		patterns := []string{s}
		if !isList {
			patterns = strings.Fields(s)
		}
		for _, pattern := range patterns {
			r.fm.Blocks.Files = append(r.fm.Blocks.Files, site.FilePattern{Pattern: pattern, File: r.file, Start: start, End: end})
		}
	}
}

// dialects reads a list of names. A single one needs no brackets.
func (r *reader) dialects(n ast.Node) {
	r.fm.Dialects, r.fm.DialectsSet = 0, true
	for _, n := range items(n) {
		var name string
		if !r.text(n, &name) || name == "" {
			continue
		}
		d, ok := markdown.ParseDialect(name)
		if !ok {
			r.fault(n, diag.Say("config.dialect-unknown", "name", name).WithHint(site.DialectHint(name)))
		}
		r.fm.Dialects |= d
	}
}

// punctuation reads the value smart or plain.
func (r *reader) punctuation(n ast.Node) {
	var name string
	if !r.text(n, &name) || name == "" {
		return
	}
	smart, ok := site.Punctuations[name]
	if !ok {
		r.fault(n, diag.Say("config.punctuation-invalid", "punctuation", name).WithHint(diag.Say("frontmatter.punctuation-hint")))
	}
	r.fm.Smart = smart
}

func (r *reader) blockDefault(key, s string, n ast.Node) {
	if key == "env" {
		if r.fm.Blocks.Env = s; !r.config.HasEnv(s) && s != "" {
			r.fault(n, diag.Say("blocks.environment-unknown", "env", s).WithHint(diag.Say("blocks.environment-default-unknown-hint", "env", s)))
		}
		return
	}
	if message := r.fm.Blocks.Set(key, s); !message.IsZero() {
		r.fault(n, message)
	}
}

// named reads a text with its place.
func (r *reader) named(n ast.Node, to *site.Named) bool {
	if !r.text(n, &to.Text) {
		return false
	}
	to.File = r.file
	to.Start, to.End = r.place(n.GetToken())
	return true
}

// neighbour reads the key of a page, or false for no page.
func (r *reader) neighbour(n ast.Node) *site.Named {
	to := &site.Named{}
	switch n := n.(type) {
	case *ast.NullNode:
		return nil
	case *ast.BoolNode:
		if n.Value {
			return nil
		}
	default:
		if !r.named(n, to) || to.Text == "" {
			return nil
		}
	}
	return to
}

// maxTime is the longest time of reading, in minutes.
const maxTime = 6000

// time reads a number of minutes, or false for none.
func (r *reader) time(n ast.Node) {
	minutes := 0
	switch s, _ := scalar(n); {
	case s == "false", n.Type() == ast.NullType:
	case !r.decode(n, &minutes, diag.Say("frontmatter.whole-number")):
		return
	case minutes < 0 || minutes > maxTime:
		r.fault(n, diag.Say("frontmatter.time-invalid", "most", maxTime))
		return
	}
	r.fm.Time = &minutes
}

// day reads a date, and reports whether the value is one.
func (r *reader) day(n ast.Node, to *time.Time) bool {
	var day string
	if !r.text(n, &day) {
		return false
	} else if day == "" {
		return true
	}
	var err error
	if *to, err = time.Parse(time.DateOnly, day); err != nil || to.IsZero() {
		r.fault(n, diag.Say("frontmatter.day-invalid", "day", day))
		return false
	}
	return true
}

// text reads a scalar as it is written, so that title: 2024 is a title too.
func (r *reader) text(n ast.Node, to *string) bool {
	s, ok := scalar(n)
	switch {
	case ok:
		*to = s
	case n.Type() != ast.NullType:
		// Anchors and aliases of YAML are refused too: they could grow without bound.
		r.fault(n, diag.Say("frontmatter.text-expected"))
		return false
	}
	return true
}

// scalar returns the text of a scalar. ok is false for null and any other node.
func scalar(n ast.Node) (s string, ok bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return strings.TrimSpace(n.Value.Value), true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// items returns the nodes of a list, or a single node.
func items(n ast.Node) []ast.Node {
	if list, ok := n.(*ast.SequenceNode); ok {
		return list.Values
	}
	return []ast.Node{n}
}

// decode reads a whole number or a boolean, and never converts one to the other. It reports whether
// the value is one.
func (r *reader) decode(n ast.Node, to any, expected diag.Text) bool {
	switch n.(type) {
	case *ast.NullNode:
		return true
	case *ast.IntegerNode, *ast.BoolNode:
		if yaml.NodeToValue(n, to) == nil {
			return true
		}
	}
	r.fault(n, diag.Say("frontmatter.value-expected", "expected", expected))
	return false
}
