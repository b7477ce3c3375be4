package ask

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// maxDepth limits nesting, so that no input can exhaust the stack.
const maxDepth = 32

// An Error is a fault at a place of the expression, in bytes.
type Error struct {
	Offset, Width int
	Message, Hint diag.Text
}

func (e *Error) Error() string { return e.Message.String() }

// Unwrap returns the message, which can be worded in other languages.
func (e *Error) Unwrap() error { return e.Message }

// Parse parses an expression. An empty one is met on every machine.
func Parse(source string) (Expr, error) {
	p := &parser{tokens: scan(source), end: len(source)}
	if len(p.tokens) == 0 {
		return Expr{}, nil
	}
	root, err := p.or(0)
	if err == nil && !p.done() {
		err = p.fail(diag.Say("diag.unexpected", "quote", strconv.Quote(p.peek().text)), diag.Say("blocks.connective-hint"))
	}
	if err != nil {
		return Expr{}, err
	}
	return Expr{root: root, source: normal(p.tokens)}, nil
}

// ParseComparison parses exactly one comparison: a line of a gpu block. After one without an operator, which asks, "== yes"
// demands the answer.
func ParseComparison(source string) (Expr, error) {
	p := &parser{tokens: scan(source), end: len(source)}
	if n := len(p.tokens) - 2; n > 0 && p.tokens[n].text == "==" && p.tokens[n+1].text == yes {
		question := &parser{tokens: slices.Clone(p.tokens[:n]), end: len(source)}
		if c, err := question.comparison(); err == nil && question.done() && c.(*comparison).op == "" {
			return Expr{root: c, source: normal(question.tokens) + " == " + yes}, nil
		}
	}
	c, err := p.comparison()
	if err == nil && !p.done() {
		err = p.fail(diag.Say("diag.unexpected", "quote", strconv.Quote(p.peek().text)), diag.Say("blocks.gpu-block-line-hint"))
	}
	if err != nil {
		return Expr{}, err
	}
	return Expr{root: c, source: normal(p.tokens)}, nil
}

const yes = "yes"

type token struct {
	text   string
	offset int
}

// scan splits the source into words, texts in quotes, operators, parentheses and commas.
func scan(source string) []token {
	var tokens []token
	for i := 0; i < len(source); {
		c := source[i]
		j := i + 1
		switch {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			i = j
			continue
		case strings.IndexByte("<>=!", c) >= 0:
			if j < len(source) && source[j] == '=' {
				j++
			}
		case strings.IndexByte("(),", c) >= 0:
		case strings.IndexByte(quotes, c) >= 0:
			if n := strings.IndexByte(source[j:], c); n >= 0 {
				j += n + 1
			} else {
				j = len(source)
			}
		default:
			for j < len(source) && strings.IndexByte(" \t\r\n<>=!(),"+quotes, source[j]) < 0 {
				j++
			}
		}
		tokens = append(tokens, token{source[i:j], i})
		i = j
	}
	return tokens
}

// normal joins tokens, so that expressions that differ only in blanks become the same.
func normal(tokens []token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && tokens[i-1].text != "(" && t.text != ")" && t.text != "," {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}

type parser struct {
	tokens []token
	at     int
	end    int
}

func (p *parser) done() bool { return p.at >= len(p.tokens) }

func (p *parser) peek() token {
	if p.done() {
		return token{"", p.end}
	}
	return p.tokens[p.at]
}

func (p *parser) accept(words ...string) bool {
	if p.done() || !slices.Contains(words, p.peek().text) {
		return false
	}
	p.at++
	return true
}

func (p *parser) fail(message, hint diag.Text) error {
	t := p.peek()
	return &Error{Offset: t.offset, Width: max(1, len(t.text)), Message: message, Hint: hint}
}

func (p *parser) or(depth int) (node, error) {
	left, err := p.and(depth)
	for err == nil && p.accept("or") {
		var right node
		right, err = p.and(depth)
		left = pair{true, left, right}
	}
	return left, err
}

func (p *parser) and(depth int) (node, error) {
	left, err := p.unary(depth)
	for err == nil && p.accept("and", ",") {
		var right node
		right, err = p.unary(depth)
		left = pair{false, left, right}
	}
	return left, err
}

func (p *parser) unary(depth int) (node, error) {
	if depth > maxDepth {
		return nil, p.fail(diag.Say("blocks.nesting-too-deep"), diag.Say("blocks.nesting-too-deep-hint"))
	}
	switch {
	case p.accept("not"):
		of, err := p.unary(depth + 1)
		return not{of}, err
	case p.accept("("):
		n, err := p.or(depth + 1)
		if err == nil && !p.accept(")") {
			err = p.fail(diag.Say("blocks.parenthesis-not-closed"), diag.Say("blocks.parenthesis-not-closed-hint"))
		}
		return n, err
	default:
		return p.comparison()
	}
}

var example = diag.Say("blocks.requirement-example-hint")

func (p *parser) comparison() (node, error) {
	if p.done() {
		return nil, p.fail(diag.Say("blocks.comparison-missing"), example)
	}
	start := p.at
	word := p.peek()
	if slices.Contains([]string{"not", "and", "or", "("}, word.text) {
		return nil, p.fail(diag.Say("blocks.word-misplaced", "word", word.text), diag.Say("blocks.word-misplaced-hint", "example", example))
	}
	if p.accept(string(Runs)) {
		return p.runs()
	}
	fact, err := p.fact()
	if err != nil {
		return nil, err
	}
	op := p.peek()
	switch {
	case fact.isProgram() && p.between():
		return &comparison{fact: fact, source: string(fact)}, nil
	case !p.accept(operators...):
		return nil, p.fail(diag.Say("blocks.operator-missing", "word", fact, "op", op.text), diag.Say("blocks.operator-missing-hint"))
	case fact.isAnswer() && !fact.hasVersion(), fact.isText() && op.text != "==" && op.text != "!=":
		p.at--
		message, hint := "blocks.text-operator", diag.Say("blocks.text-operator-hint", "word", fact)
		switch {
		case !fact.isText():
			message, hint = "blocks.function-operator", diag.Say("blocks.function-operator-hint", "word", fact)
		case fact == GPU:
			hint = diag.Say("diag.did-you-mean-hint", "name", GPUs)
		}
		return nil, p.fail(diag.Say(message, "word", fact), hint)
	}
	value, err := p.value(fact)
	if err != nil {
		return nil, err
	}
	return &comparison{fact, op.text, value, normal(p.tokens[start:p.at])}, nil
}

var operators = []string{">=", "<=", ">", "<", "==", "!="}

// packages are Python packages that an author may take for facts.
var packages = []string{"numpy", "scipy", "pandas", "matplotlib", "triton", "transformers"}

// fact parses the name of a fact, or a function with its argument.
func (p *parser) fact() (Fact, error) {
	word := p.peek()
	if p.at+1 < len(p.tokens) && p.tokens[p.at+1].text == "(" {
		return p.call()
	}
	known := slices.Concat(Facts(), machineFacts, Programs(), []string{string(Runs)})
	switch {
	case slices.Contains(known, word.text):
		p.at++
		return Fact(word.text), nil
	case slices.Contains(functions, word.text):
		return "", p.fail(diag.Say("blocks.function-argument", "word", word.text), functionHint(word.text))
	}
	message := diag.Say("blocks.fact-unknown", "word", word.text)
	names := slices.Concat(known, slices.DeleteFunc(slices.Clone(functions), func(f string) bool { return slices.Contains(known, f) })) // python is both
	if slices.Contains(packages, word.text) {                                                                                           // of which some look like facts: numpy, cupy
		return "", p.fail(message, diag.Say("diag.did-you-mean-hint", "name", Call(Pip, word.text)))
	}
	return "", p.fail(message, diag.Suggest(word.text, names, diag.Say("blocks.fact-unknown-hint", "known", strings.Join(names, ", "))))
}

// between reports whether a comparison may end here.
func (p *parser) between() bool {
	return p.done() || slices.Contains([]string{"and", "or", ",", ")"}, p.peek().text)
}

func (p *parser) value(f Fact) (Value, error) {
	t := p.peek()
	var v Value
	switch {
	case f == Memory || f == RAM:
		return p.memory(f)
	case f.isText():
		return p.pattern(f)
	case f == GPUs || f == Cores:
		n, err := strconv.ParseUint(t.text, 10, 16)
		if err != nil {
			return Value{}, p.fail(diag.Say("blocks.count-invalid", "name", t.text), diag.Say("blocks.count-invalid-hint", "fact", f))
		}
		v = Count(int(n))
	default:
		var err error
		if v, err = Version(t.text); err != nil {
			return Value{}, p.fail(diag.Plain(err), diag.Say("blocks.version-comparison-hint", "name", f, "version_example", f.versionExample()))
		}
	}
	p.at++
	if _, is := units[p.peek().text]; is {
		return Value{}, p.fail(diag.Say("blocks.unit-misplaced", "fact", f), diag.Say("blocks.unit-misplaced-hint", "fact", f, "value", v))
	}
	return v, nil
}

var units = map[string]float64{
	"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
	"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
}

// memory parses a number and its unit, together ("8GiB") or apart ("8 GiB"), that the fact is
// compared with.
func (p *parser) memory(f Fact) (Value, error) {
	t := p.peek()
	digits := strings.TrimRight(t.text, "BkKMGTi")
	unit := t.text[len(digits):]
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || n < 0 || math.IsInf(n, 0) || math.IsNaN(n) {
		return Value{}, p.fail(diag.Say("blocks.memory-invalid", "name", t.text), diag.Say("blocks.memory-invalid-hint", "fact", f))
	}
	if unit != "" { // two tokens from here on, so that both spellings have one String
		p.tokens = slices.Replace(p.tokens, p.at, p.at+1, token{digits, t.offset}, token{unit, t.offset + len(digits)})
	}
	p.at++
	unit = p.peek().text
	factor, ok := units[unit]
	if !ok {
		return Value{}, p.fail(diag.Say("blocks.memory-unit-missing"), diag.Say("blocks.memory-unit-missing-hint", "fact", f))
	}
	if n*factor >= math.MaxInt64 {
		return Value{}, p.fail(diag.Say("blocks.memory-too-large"), diag.Say("blocks.memory-too-large-hint"))
	}
	p.at++
	return Value{parts: []uint64{uint64(n * factor)}, text: digits + " " + unit}, nil
}
