package coursefile

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// MaxSize bounds a file, in bytes. maxIndent and maxDepth bound its nesting, because the parser's time
// grows with the square of that, and maxNodes the values that are read.
const (
	MaxSize            = 512 << 10
	maxIndent          = 200
	maxDepth, maxNodes = 24, 50_000
)

// A value is a value of YAML: a text, a list, or a mapping, whose keys have the same indexes as its items.
type value struct {
	text  string
	keys  []string
	items []value
}

// get returns the value of a key, or of a key of the value of a key, and so on.
func (v value) get(keys ...string) value {
	for _, key := range keys {
		i := slices.Index(v.keys, key)
		if i < 0 {
			return value{}
		}
		v = v.items[i]
	}
	return v
}

// texts returns the texts of a list, or a single one.
func (v value) texts() (list []string) {
	if v.text != "" {
		return []string{v.text}
	}
	for _, item := range v.items {
		if item.text != "" {
			list = append(list, item.text)
		}
	}
	return list
}

// section returns the lines of a top-level key. The other lines are empty, so that places stay.
func section(data []byte, of string) []byte {
	var out bytes.Buffer
	keep := false
	for line := range bytes.Lines(data) {
		if first := line[0]; first != ' ' && first != '-' && first != '#' && first != '\n' && first != '\r' && first != ']' && first != '}' {
			key, _, _ := strings.Cut(string(line), ":")
			keep = strings.Trim(key, `"' `) == of
		}
		if keep {
			out.Write(line)
		} else {
			out.WriteByte('\n')
		}
	}
	return out.Bytes()
}

// tooDeep reports whether indentation or brackets are nested deeper than in any real file.
func tooDeep(data []byte) bool {
	brackets := 0
	for line := range bytes.Lines(data) {
		if len(line)-len(bytes.TrimLeft(line, " -")) > maxIndent {
			return true
		}
		count := func(bracket string) int { return bytes.Count(line, []byte(bracket)) }
		brackets = max(0, brackets+count("[")+count("{")-count("]")-count("}"))
		if brackets > maxDepth {
			return true
		}
	}
	return false
}

// An unreadError says why a file cannot be read as a whole, and which part of it is lost.
type unreadError struct {
	error
	lost []byte
}

// parse reads some top-level keys of a file, or all of a list. If a key cannot be read, the others are.
func parse(data []byte, keys ...string) (v value, err error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(data) > MaxSize {
		return v, &unreadError{diag.Say("config.course-file-too-large", "most", MaxSize>>10), data}
	}
	if len(keys) == 0 {
		if v, err = parseYAML(data); err != nil {
			err = &unreadError{err, data}
		}
		return v, err
	}
	for _, key := range keys {
		part := section(data, key)
		one, fault := parseYAML(part)
		if fault != nil {
			unread, _ := cmp.Or[error](err, &unreadError{error: fault}).(*unreadError)
			unread.lost = append(unread.lost, part...)
			err = unread
		}
		v.keys, v.items = append(v.keys, one.keys...), append(v.items, one.items...)
	}
	return v, err
}

func parseYAML(data []byte) (value, error) {
	if tooDeep(data) {
		return value{}, diag.Say("config.course-file-too-deep")
	}
	doc, err := parser.ParseBytes(data, 0)
	if err != nil {
		message, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
		return value{}, diag.Say("config.course-yaml-invalid", "message", message)
	}
	r := reader{}
	for _, d := range doc.Docs {
		if v := r.value(d.Body, 0); len(v.items) > 0 {
			return v, nil
		}
	}
	return value{}, nil
}

// A reader counts the values that it reads.
type reader struct{ nodes int }

func (r *reader) value(n ast.Node, depth int) (v value) {
	if r.nodes++; r.nodes > maxNodes || depth > maxDepth {
		return v
	}
	switch n := n.(type) {
	case *ast.StringNode:
		v.text = n.Value
	case *ast.LiteralNode:
		v.text = strings.TrimSpace(n.Value.Value)
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		v.text = n.GetToken().Value
	case *ast.TagNode:
		return r.value(n.Value, depth)
	case *ast.AnchorNode:
		return r.value(n.Value, depth)
	case *ast.SequenceNode:
		for _, item := range n.Values {
			v.items = append(v.items, r.value(item, depth+1))
		}
	case *ast.MappingNode:
		for _, item := range n.Values {
			v.keys = append(v.keys, item.Key.GetToken().Value)
			v.items = append(v.items, r.value(item.Value, depth+1))
		}
	}
	return v
}
