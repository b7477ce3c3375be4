package content

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/translate"
)

// The stamp of a translation in its front matter, a line for each section, so that two
// translators who work on two sections do not meet:
//
//	translated:
//	  from: pt
//	  sections:
//	    (top): 5xrnfq2k4b
//	    repetições: c7d2aaxk3q

var stampHint = diag.Say("gpudocs translations --stamp writes it; of two versions of a line either will do, and then it is stamped again")

// stamp reads what stands behind translated.
func (r *frontMatterReader) stamp(n ast.Node) {
	var s translate.Stamp
	for _, v := range r.mapping(n, diag.Say("translated must have the keys from and sections")) {
		switch key := v.Key.GetToken().Value; key {
		case "from":
			r.text(v.Value, &s.From)
		case "sections":
			s.Sections = r.marks(v.Value)
		default:
			r.fault(v.Key, diag.Say("unknown key %q in translated", key), stampHint)
		}
	}
	if !s.IsZero() && s.From == "" {
		r.fault(n, diag.Say("translated does not say from which language"), diag.Say("write from: and the code of the source's language"))
	}
	r.fm.stamp = s
}

func (r *frontMatterReader) marks(n ast.Node) (marks []translate.Mark) {
	for _, v := range r.mapping(n, diag.Say("sections must be anchors with their hashes")) {
		var hash string
		if !r.text(v.Value, &hash) {
			continue
		}
		if !translate.IsHash(hash) {
			r.fault(v.Key, diag.Say("%q is not the hash of a section", hash), stampHint)
			continue
		}
		marks = append(marks, translate.Mark{Anchor: v.Key.GetToken().Value, Hash: hash})
	}
	return marks
}

// mapping returns the keys and values of a node; nothing is none.
func (r *frontMatterReader) mapping(n ast.Node, message diag.Text) []*ast.MappingValueNode {
	switch n := n.(type) {
	case *ast.NullNode:
	case *ast.MappingNode:
		return n.Values
	default:
		r.fault(n, message, stampHint)
	}
	return nil
}

// ErrStamp is the error of a front matter that a stamp cannot be written into.
var ErrStamp = errors.New("the stamp cannot be written into this front matter")

// WriteStamp returns a page's file with a new stamp, and every other byte as it was.
// Comments within the stamp stay with their line. The result is read again: where it
// does not say the same but for the stamp, it is an error.
func WriteStamp(data []byte, s translate.Stamp) ([]byte, error) {
	bare := withoutBOM(data)
	bom := data[:len(data)-len(bare)]
	start, stop, _, ok, open := splitFrontMatter(bare)
	if open {
		return nil, fmt.Errorf("%w: it is not closed", ErrStamp)
	}
	w := stampWriter{eol: lineEnd(bare)}
	if !ok {
		w.write(s, nil)
		out := slices.Concat(bom, []byte("---"+w.eol), w.out.Bytes(), []byte("---"+w.eol), bare)
		return out, sameButStamp(data, out, s)
	}
	from, to, err := stampPlace(bare[start:stop])
	if err != nil {
		return nil, err
	}
	w.write(s, bare[start+from:start+to])
	out := slices.Concat(bom, bare[:start+from], w.out.Bytes(), bare[start+to:])
	return out, sameButStamp(data, out, s)
}

func lineEnd(data []byte) string {
	first, _, more := bytes.Cut(data, []byte("\n"))
	if more && bytes.HasSuffix(first, []byte("\r")) {
		return "\r\n"
	}
	return "\n"
}

// stampPlace finds the lines of the stamp in the YAML; where there is none, the end.
func stampPlace(yaml []byte) (from, to int, err error) {
	if len(yaml) > maxFrontMatter {
		return 0, 0, fmt.Errorf("%w: it is too large", ErrStamp)
	}
	doc, err := parser.ParseBytes(yaml, 0)
	if err != nil || len(doc.Docs) > 1 {
		return 0, 0, fmt.Errorf("%w: it is broken YAML", ErrStamp)
	}
	for _, d := range doc.Docs {
		m, ok := d.Body.(*ast.MappingNode)
		if !ok {
			continue
		}
		if m.IsFlowStyle || slices.ContainsFunc(m.Values, func(v *ast.MappingValueNode) bool { return v.Key.GetToken().Position.Column != 1 }) {
			return 0, 0, fmt.Errorf("%w: its keys do not stand at the beginning of lines", ErrStamp)
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

// indented returns the length of the first line and of those below it that belong to
// it, which are indented; empty lines behind them do not.
func indented(text []byte) int {
	n := 0
	for at, line := range byteLines(text) {
		blank := len(bytes.TrimSpace(line)) == 0
		if at > 0 && !blank && line[0] != ' ' && line[0] != '\t' {
			break
		}
		if !blank {
			n = at + len(line)
		}
	}
	return n
}

// byteLines are the lines of a text with their ends, by their offset.
func byteLines(text []byte) func(yield func(int, []byte) bool) {
	return func(yield func(int, []byte) bool) {
		at := 0
		for line := range bytes.Lines(text) {
			if !yield(at, line) {
				return
			}
			at += len(line)
		}
	}
}

// A stampWriter writes a stamp with the comments of the old one.
type stampWriter struct {
	eol string
	out bytes.Buffer
	// above are the comment lines above a key, behind what follows its value.
	above, behind map[string]string
	rest          string
}

var stampLine = lazyregexp.New(`^ *("(?:[^"\\]|\\.)*"|[^\s"'{\[#&*!|>%@][^:]*): *[a-z0-9-]*( +#.*)?$`)

// comments notes those of the old stamp by the key of their line.
func (w *stampWriter) comments(old []byte) {
	w.above, w.behind = map[string]string{}, map[string]string{}
	for line := range bytes.Lines(old) {
		text := strings.TrimRight(string(line), " \t\r\n")
		if strings.HasPrefix(strings.TrimLeft(text, " "), "#") {
			w.rest += text + w.eol
		} else if m := stampLine.FindStringSubmatch(text); m != nil {
			w.above[m[1]], w.behind[m[1]], w.rest = w.rest, m[2], ""
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
	w.out.WriteString(w.above[key] + indent + key + ":" + value + w.behind[key] + w.eol)
}

var plainKey = lazyregexp.New(`^[\p{L}\p{M}]([\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}])?$`)

// yamlWords mean something else than themselves to some reader of YAML.
var yamlWords = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}

// yamlKey writes an anchor as a key.
func yamlKey(anchor string) string {
	if anchor == translate.Top || plainKey.MatchString(anchor) && !slices.Contains(yamlWords, strings.ToLower(anchor)) {
		return anchor
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(anchor) + `"`
}

// sameButStamp reads a page before and after, and tells whether nothing but the stamp
// has changed and that is what was to be written.
func sameButStamp(before, after []byte, s translate.Stamp) error {
	old, was := bareFrontMatter(before)
	_, is := bareFrontMatter(after)
	if is.stamp.From != s.From || !slices.Equal(is.stamp.Sections, s.Sections) {
		return fmt.Errorf("%w: it would be read as another", ErrStamp)
	}
	was.stamp, is.stamp, was.slugAt, is.slugAt = translate.Stamp{}, translate.Stamp{}, 0, 0
	if !reflect.DeepEqual(was, is) || !bytes.HasSuffix(after, old) {
		return fmt.Errorf("%w: another key would change", ErrStamp)
	}
	return nil
}

// bareFrontMatter reads a file's front matter for itself, and returns the rest.
func bareFrontMatter(data []byte) (rest []byte, fm frontMatter) {
	bare := withoutBOM(data)
	_, _, end, _, _ := splitFrontMatter(bare)
	_, fm, _ = takeFrontMatter(diag.NewFile("", bare), Defaults{}, unreadConfig())
	return bare[end:], fm
}
