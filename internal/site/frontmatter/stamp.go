package frontmatter

import (
	"bytes"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/site/translate"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// The stamp of a translation in its front matter has a line for each section, so that changes of two
// translators in two sections do not conflict:
//
//	translated:
//	  from: pt
//	  sections:
//	    (top): 5xrnfq2k4b
//	    repetições: c7d2aaxk3q

var stampHint = diag.Say("translations.stamp-hint")

// stamp reads the value of the key translated.
func (r *reader) stamp(n ast.Node) {
	var s translate.Stamp
	for _, v := range r.mapping(n, diag.Say("translations.translated-invalid")) {
		switch key := v.Key.GetToken().Value; key {
		case "from":
			r.text(v.Value, &s.From)
		case "sections":
			s.Sections = r.sections(v.Value)
		default:
			r.fault(v.Key, diag.Say("translations.translated-key-unknown", "key", key).WithHint(stampHint))
		}
	}
	if !s.IsZero() && s.From == "" {
		r.fault(n, diag.Say("translations.translated-from-missing"))
	}
	r.fm.Stamp = s
}

func (r *reader) sections(n ast.Node) (marks []translate.Mark) {
	for _, v := range r.mapping(n, diag.Say("translations.sections-invalid")) {
		var hash string
		if !r.text(v.Value, &hash) {
			continue
		}
		if !translate.IsHash(hash) {
			r.fault(v.Key, diag.Say("translations.section-hash-invalid", "hash", hash).WithHint(stampHint))
			continue
		}
		marks = append(marks, translate.Mark{Anchor: v.Key.GetToken().Value, Hash: hash})
	}
	return marks
}

// mapping returns the keys and values of a node. An empty node has none.
func (r *reader) mapping(n ast.Node, message diag.Text) []*ast.MappingValueNode {
	switch n := n.(type) {
	case *ast.NullNode:
	case *ast.MappingNode:
		return n.Values
	default:
		r.fault(n, message.WithHint(stampHint))
	}
	return nil
}

// ErrStamp is returned if a stamp cannot be written into the front matter.
var ErrStamp = diag.Say("frontmatter.stamp-impossible")

func unstampable(why diag.Text) error {
	return diag.Say("diag.cause-at", "place", ErrStamp, "why", why)
}

// WriteStamp returns a page's file with a new stamp; all other bytes stay the same. Comments within
// the stamp stay with their lines. The result is read again: it is an error if anything but the
// stamp has changed.
func WriteStamp(data []byte, s translate.Stamp) ([]byte, error) {
	bare := sitefile.WithoutBOM(data)
	bom := data[:len(data)-len(bare)]
	start, stop, _, ok, open := Split(bare)
	if open {
		return nil, unstampable(diag.Say("frontmatter.stamp-not-closed"))
	}
	w := stampWriter{eol: lineEnd(bare)}
	if !ok {
		w.write(s, nil)
		out := slices.Concat(bom, []byte("---"+w.eol), w.out.Bytes(), []byte("---"+w.eol), bare)
		return out, checkOnlyStampChanged(data, out, s)
	}
	from, to, err := stampPlace(bare[start:stop])
	if err != nil {
		return nil, err
	}
	w.write(s, bare[start+from:start+to])
	out := slices.Concat(bom, bare[:start+from], w.out.Bytes(), bare[start+to:])
	return out, checkOnlyStampChanged(data, out, s)
}

func lineEnd(data []byte) string {
	first, _, more := bytes.Cut(data, []byte("\n"))
	if more && bytes.HasSuffix(first, []byte("\r")) {
		return "\r\n"
	}
	return "\n"
}

// stampPlace returns the offsets of the stamp's lines in the YAML, or of its end if there is no
// stamp.
func stampPlace(yaml []byte) (from, to int, err error) {
	if len(yaml) > MaxSize {
		return 0, 0, unstampable(diag.Say("frontmatter.stamp-too-large"))
	}
	doc, err := parser.ParseBytes(yaml, 0)
	if err != nil || len(doc.Docs) > 1 {
		return 0, 0, unstampable(diag.Say("frontmatter.stamp-broken"))
	}
	for _, d := range doc.Docs {
		m, ok := d.Body.(*ast.MappingNode)
		if !ok {
			continue
		}
		if m.IsFlowStyle || slices.ContainsFunc(m.Values, func(v *ast.MappingValueNode) bool { return v.Key.GetToken().Position.Column != 1 }) {
			return 0, 0, unstampable(diag.Say("frontmatter.stamp-keys"))
		}
		for _, v := range m.Values {
			if v.Key.GetToken().Value == "translated" {
				from = diag.NewFile("", yaml).Offset(v.Key.GetToken().Position.Line, 1)
				return from, from + indented(yaml[from:]), nil
			}
		}
	}
	return len(yaml), len(yaml), nil
}

// indented returns the length of the first line and of the indented lines below it, without
// trailing empty lines.
func indented(text []byte) int {
	n, at := 0, 0
	for line := range bytes.Lines(text) {
		blank := len(bytes.TrimSpace(line)) == 0
		if at > 0 && !blank && line[0] != ' ' && line[0] != '\t' {
			break
		}
		at += len(line)
		if !blank {
			n = at
		}
	}
	return n
}

// A stampWriter writes a stamp and keeps the comments of the old one.
type stampWriter struct {
	eol string
	out bytes.Buffer
	// above are the comment lines above a key, and after the comments after its value.
	above, after map[string]string
	rest         string
}

var stampLine = lazyregexp.New(`^ *("(?:[^"\\]|\\.)*"|[^\s"'{\[#&*!|>%@][^:]*): *[a-z0-9-]*( +#.*)?$`)

// comments stores the comments of the old stamp by the key of their line.
func (w *stampWriter) comments(old []byte) {
	w.above, w.after = map[string]string{}, map[string]string{}
	for line := range bytes.Lines(old) {
		text := strings.TrimRight(string(line), " \t\r\n")
		if strings.HasPrefix(strings.TrimLeft(text, " "), "#") {
			w.rest += text + w.eol
		} else if m := stampLine.FindStringSubmatch(text); m != nil {
			w.above[m[1]], w.after[m[1]], w.rest = w.rest, m[2], ""
		}
	}
}

func (w *stampWriter) write(s translate.Stamp, old []byte) {
	w.comments(old)
	w.line("", "translated", "")
	w.line("  ", "from", s.From)
	w.line("  ", "sections", "")
	for _, m := range s.Sections {
		w.line("    ", yamlKey(m.Anchor), m.Hash)
	}
	w.out.WriteString(w.rest)
}

func (w *stampWriter) line(indent, key, value string) {
	if value != "" {
		value = " " + value
	}
	w.out.WriteString(w.above[key] + indent + key + ":" + value + w.after[key] + w.eol)
}

var plainKey = lazyregexp.New(`^[\p{L}\p{M}]([\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}])?$`)

// yamlWords have a special meaning for some YAML parsers.
var yamlWords = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}

// yamlKey quotes an anchor if it is not a plain YAML key.
func yamlKey(anchor string) string {
	if anchor == translate.Top || plainKey.MatchString(anchor) && !slices.Contains(yamlWords, strings.ToLower(anchor)) {
		return anchor
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(anchor) + `"`
}

// checkOnlyStampChanged returns an error unless the stamp is as intended and nothing else has
// changed.
func checkOnlyStampChanged(before, after []byte, s translate.Stamp) error {
	text, earlier := readBare(before)
	_, now := readBare(after)
	if now.Stamp.From != s.From || !slices.Equal(now.Stamp.Sections, s.Sections) {
		return unstampable(diag.Say("frontmatter.stamp-other"))
	}
	now.Stamp = earlier.Stamp
	if !reflect.DeepEqual(earlier, now) || !bytes.HasSuffix(after, text) {
		return unstampable(diag.Say("frontmatter.stamp-changes"))
	}
	return nil
}

// readBare reads a file's front matter without a site, and returns the rest.
func readBare(data []byte) (rest []byte, fm FrontMatter) {
	bare := sitefile.WithoutBOM(data)
	_, _, end, _, _ := Split(bare)
	_, fm, _ = Read(diag.NewFile("", bare), site.Defaults{}, 0, site.UnreadableConfig())
	fm.removePlaces()
	return bare[end:], fm
}

// removePlaces removes where the values stand in the file.
func (fm *FrontMatter) removePlaces() {
	fm.SlugAt = 0
	for i := range fm.Redirects {
		fm.Redirects[i].Start, fm.Redirects[i].End = 0, 0
	}
	for i := range fm.Blocks.Files {
		fm.Blocks.Files[i] = site.FilePattern{Pattern: fm.Blocks.Files[i].Pattern}
	}
	named := []*site.Named{&fm.Group, &fm.Hidden, &fm.Image}
	for i := range fm.Requires {
		named = append(named, &fm.Requires[i])
	}
	for _, n := range append(named, fm.Prev, fm.Next) {
		if n != nil {
			*n = site.Named{Text: n.Text}
		}
	}
}
