package blocks

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/report/match"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/attribute"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A block with matrix= is one check for each combination of values. Its code sets each parameter, as in
// n = 1024, to one of the values: so the code that readers copy runs as it is, in any language, and is one
// of the combinations. The others are copies of the block with other values in these places, each in a
// copy of the session up to the block.

// maxCombinations limits the combinations of a block, maxOfPage those of all blocks of a page.
const maxCombinations, maxOfPage = 100, 1000

// maxParameters limits the parameters of a block, maxName and maxValue their names and values in bytes: all are
// in the names of checks.
const maxParameters, maxName, maxValue = 8, 32, 64

// A parameter of a matrix, with its offsets in the attribute.
type parameter struct {
	name       string
	values     []string
	start, end int
}

var (
	parameterName  = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)
	parameterValue = lazyregexp.New(`^[A-Za-z0-9_.+:/-]+$`)
)

// parseMatrix parses a matrix: "n=1024,4096 dtype=fp32,bf16".
func parseMatrix(s string) ([]parameter, *attribute.Fault) {
	var list []parameter
	combinations, end := 1, 0
	for _, word := range strings.Fields(s) {
		start := end + strings.Index(s[end:], word)
		end = start + len(word)
		fault := func(message diag.Text) ([]parameter, *attribute.Fault) {
			return nil, &attribute.Fault{Start: start, End: end, Message: message}
		}
		name, values, _ := strings.Cut(word, "=")
		p := parameter{name, strings.Split(values, ","), start, end}
		switch {
		case len(name) > maxName || !parameterName.MatchString(name):
			return fault(diag.Say("blocks.matrix-name-invalid", "name", diag.Clip(name, maxValue)).
				WithHint(diag.Say("blocks.matrix-name-hint", "most", maxName)))
		case slices.ContainsFunc(list, func(o parameter) bool { return o.name == name }):
			return fault(diag.Say("blocks.matrix-name-duplicate", "name", name).WithHint(diag.Say("blocks.matrix-hint")))
		case len(list) == maxParameters:
			return fault(diag.Say("blocks.matrix-parameters-too-many", "most", maxParameters).WithHint(diag.Say("blocks.matrix-too-large-hint")))
		case values == "":
			return fault(diag.Say("blocks.matrix-values-missing", "name", name).WithHint(diag.Say("blocks.matrix-hint")))
		}
		for i, value := range p.values {
			if len(value) > maxValue || !parameterValue.MatchString(value) {
				return fault(diag.Say("blocks.matrix-value-invalid", "value", diag.Clip(value, maxValue)).
					WithHint(diag.Say("blocks.matrix-value-hint", "most", maxValue)))
			}
			if slices.Contains(p.values[:i], value) {
				return fault(diag.Say("blocks.matrix-value-duplicate", "value", value).WithHint(diag.Say("diag.keep-one-hint")))
			}
		}
		if combinations *= len(p.values); combinations > maxCombinations {
			return fault(diag.Say("blocks.matrix-too-large", "most", maxCombinations))
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil, &attribute.Fault{Message: diag.Say("blocks.matrix-empty").WithHint(diag.Say("blocks.matrix-hint"))}
	}
	return list, nil
}

// comment matches the beginning of a comment, up to a parameter in it.
var comment = lazyregexp.New(`^[ \t]*(?:--[ \t]|[*!%;])|//|/\*`)

// assignments finds the values to which code sets a parameter, except in comments: n = 1024, n: int = 1024,
// const int n = 1024;, n <- 1024, #define n 1024, and in a job script #SBATCH --n=1024.
func assignments(code, name string) (places [][2]int) {
	set := regexp.MustCompile(`(?m)^(?:[ \t]*#[ \t]*define[ \t]+` + name + `[ \t]+|(?:#SBATCH[ \t]+--|[^\n=("'#.]*\b)` + name +
		`\b(?:[ \t]*:[ \t]*\w+)?[ \t]*(?::=|<-|=)[ \t]*)["']?([\w.+:/-]+)`)
	for _, m := range set.FindAllStringSubmatchIndex(code, -1) {
		if !comment.MatchString(code[m[0]:m[2]]) {
			places = append(places, [2]int{m[2], m[3]})
		}
	}
	return places
}

// A matrix is that of a block. places are where its code has the values.
type matrix struct {
	block      *site.Block
	parameters []parameter
	places     [][2]int
}

// readMatrix reads the attribute matrix.
func (r *Reader) readMatrix(b *site.Block, a fenceAttributes) {
	at, ok := a.by["matrix"]
	if !ok {
		return
	}
	parameters, fault := parseMatrix(at.Value)
	switch {
	case fault == nil:
	case fault.End == 0:
		a.fault(at, fault.Message)
		return
	default:
		r.Diags.Add(r.File.Error(a.base+at.ValueStart+fault.Start, a.base+at.ValueStart+fault.End, fault.Message))
		return
	}
	m, combinations := matrix{block: b, parameters: parameters}, 1
	for _, p := range parameters {
		fault := func(message diag.Text) {
			r.Diags.Add(r.File.Error(a.base+at.ValueStart+p.start, a.base+at.ValueStart+p.end, message))
		}
		places := assignments(b.Code, p.name)
		if places == nil {
			fault(diag.Say("blocks.matrix-not-set", "name", p.name, "value", p.values[0]))
			return
		}
		value := func(place [2]int) string { return b.Code[place[0]:place[1]] }
		written := value(places[0])
		if !slices.Contains(p.values, written) {
			fault(diag.Say("blocks.matrix-own-missing", "name", p.name, "value", diag.Clip(written, maxValue)))
			return
		}
		for _, place := range places[1:] {
			if slices.Contains(p.values, value(place)) { // which the other combinations would not change
				fault(diag.Say("blocks.matrix-set-again", "name", p.name, "value", value(place),
					"line", b.LineOf(strings.Count(b.Code[:place[0]], "\n"))))
				return
			}
		}
		m.places = append(m.places, places[0])
		b.Values = append(b.Values, site.Value{Name: p.name, Text: written})
		combinations *= len(p.values)
	}
	if r.combinations += combinations; r.combinations > maxOfPage {
		a.fault(at, diag.Say("blocks.matrix-page-too-large", "most", maxOfPage).WithHint(diag.Say("blocks.matrix-too-large-hint")))
		return
	}
	r.matrices = append(r.matrices, m)
}

// combine adds the other combinations to the blocks that have a matrix.
func (r *Reader) combine() {
	for _, m := range r.matrices {
		for _, values := range m.combinations() {
			if slices.Equal(values, m.block.Values) {
				m.block.Combinations = append(m.block.Combinations, m.block)
				continue
			}
			b, session := *m.block, *m.block.Session
			b.Values, b.Code, b.Combinations, b.Session = values, m.code(values), nil, &session
			if b.Kind == site.Pycon {
				b.Examples, _ = match.Examples(b.Code)
			}
			session.Blocks = append(slices.Clone(session.Blocks[:slices.Index(session.Blocks, m.block)]), &b)
			if flags := r.flags[m.block]; flags != nil {
				r.flags[&b] = flags
			}
			r.sessions = append(r.sessions, &session)
			m.block.Combinations = append(m.block.Combinations, &b)
		}
	}
}

// combinations returns all combinations of values. The last parameter changes first.
func (m matrix) combinations() [][]site.Value {
	list := [][]site.Value{nil}
	for _, p := range m.parameters {
		var longer [][]site.Value
		for _, values := range list {
			for _, text := range p.values {
				longer = append(longer, append(slices.Clone(values), site.Value{Name: p.name, Text: text}))
			}
		}
		list = longer
	}
	return list
}

// code returns the code with other values.
func (m matrix) code(values []site.Value) string {
	order := make([]int, len(m.places))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(m.places[a][0], m.places[b][0]) })
	var out strings.Builder
	end := 0
	for _, i := range order {
		out.WriteString(m.block.Code[end:m.places[i][0]] + values[i].Text)
		end = m.places[i][1]
	}
	return out.String() + m.block.Code[end:]
}
