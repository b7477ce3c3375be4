package ask

import (
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// maxDepth limits nesting, so that no input can exhaust the stack.
const maxDepth = 32

// A Fault is a mistake at a place of the expression, in bytes.
type Fault struct {
	Offset, Width int
	Message       diag.Text
}

func (e *Fault) Error() string { return e.Message.String() }

// Unwrap returns the message, which can be worded in other languages.
func (e *Fault) Unwrap() error { return e.Message }

// Parse parses an expression. An empty one is met on every machine.
func Parse(source string) (Expr, error) {
	p := scan(source)
	if p.done() {
		return Expr{}, nil
	}
	root, err := p.or(0)
	if err == nil && !p.done() {
		err = p.fail(diag.Say("diag.unexpected", "quote", strconv.Quote(p.peek().text)).WithHint(diag.Say("blocks.connective-hint")))
	}
	if err != nil {
		return Expr{}, err
	}
	return Expr{root: root, source: normal(p.tokens)}, nil
}

// reported are the requirements of reports, of which pages word the same few again and again.
var reported sync.Map

// ParseReported parses a requirement of a report, once.
func ParseReported(source string) (Expr, error) {
	if e, ok := reported.Load(source); ok {
		return e.(Expr), nil
	}
	e, err := Parse(source)
	if err == nil && len(source) < 200 {
		reported.Store(source, e)
	}
	return e, err
}

type token struct {
	text   string
	offset int
}

// scan splits the source into words, texts in quotes, operators, parentheses and commas.
func scan(source string) *parser {
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
	return &parser{source: source, tokens: tokens}
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

// A parser reads the tokens of a source from at on.
type parser struct {
	source string
	tokens []token
	at     int
	line   bool // of a gpu block, where "== yes" may follow what asks
}

func (p *parser) done() bool { return p.at >= len(p.tokens) }

func (p *parser) peek() token { return p.ahead(0) }

// ahead returns the token after n others, or an empty one at the end.
func (p *parser) ahead(n int) token {
	if p.at+n >= len(p.tokens) {
		return token{"", len(p.source)}
	}
	return p.tokens[p.at+n]
}

func (p *parser) next() string {
	t := p.peek()
	p.at = min(p.at+1, len(p.tokens))
	return t.text
}

func (p *parser) accept(words ...string) bool {
	if p.done() || !slices.Contains(words, p.peek().text) {
		return false
	}
	p.at++
	return true
}

// fail returns an error at the next token.
func (p *parser) fail(message diag.Text) error { return p.failAt(p.at, p.at+1, message) }

// failAt returns an error at the tokens from one to before another.
func (p *parser) failAt(from, to int, message diag.Text) error {
	e := &Fault{Offset: len(p.source), Width: 1, Message: message}
	if from < len(p.tokens) {
		last := p.tokens[max(from, min(to, len(p.tokens))-1)]
		e.Offset = p.tokens[from].offset
		e.Width = last.offset + len(last.text) - e.Offset
	}
	return e
}

// written returns the source of the tokens from one up to the next, with single blanks.
func (p *parser) written(from int) string {
	last := p.tokens[p.at-1]
	return strings.Join(strings.Fields(p.source[p.tokens[from].offset:last.offset+len(last.text)]), " ")
}

// unexpected is the error of a line or expression that goes on after its end.
func (p *parser) unexpected(hint diag.Text) error {
	return p.failAt(p.at, len(p.tokens), diag.Say("diag.unexpected", "quote", strconv.Quote(p.peek().text)).WithHint(hint))
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
		return nil, p.fail(diag.Say("blocks.nesting-too-deep"))
	}
	switch {
	case p.accept("not"):
		of, err := p.unary(depth + 1)
		return not{of}, err
	case p.accept("("):
		n, err := p.or(depth + 1)
		if err == nil && !p.accept(")") {
			err = p.fail(diag.Say("blocks.parenthesis-not-closed"))
		}
		return n, err
	default:
		return p.comparison()
	}
}

var example = diag.Say("blocks.requirement-example-hint")

func (p *parser) comparison() (node, error) {
	if p.done() {
		return nil, p.fail(diag.Say("blocks.comparison-missing").WithHint(example))
	}
	start := p.at
	word := p.peek()
	if slices.Contains(reserved, word.text) {
		return nil, p.fail(diag.Say("blocks.word-misplaced", "word", word.text, "example", example))
	}
	fact, err := p.fact()
	if err != nil {
		return nil, err
	}
	e := fact.Entry()
	if e.Source == FromRules {
		return p.runs()
	}
	op := p.peek()
	switch {
	case e.Installed() && p.between():
		return &comparison{fact: fact, source: string(fact)}, nil
	case !p.accept(operators...):
		return nil, p.fail(diag.Say("blocks.operator-missing", "word", fact, "op", op.text))
	case e.Kind == OfAnswer, e.Kind == OfWord && op.text != "==" && op.text != "!=":
		p.at--
		message, hint := "blocks.text-operator", diag.Say("blocks.text-operator-hint", "word", fact)
		switch {
		case e.Kind == OfAnswer:
			message, hint = "blocks.function-operator", diag.Say("blocks.function-operator-hint", "word", fact)
		case fact == GPU:
			hint = diag.Say("diag.did-you-mean-hint", "name", GPUs)
		}
		return nil, p.fail(diag.Say(message, "word", fact).WithHint(hint))
	}
	value, err := p.value(fact, e)
	if err != nil {
		return nil, err
	}
	return &comparison{fact, op.text, value, normal(p.tokens[start:p.at])}, nil
}

var (
	operators = []string{">=", "<=", ">", "<", "==", "!="}
	reserved  = []string{"not", "and", "or", "("}
)

// packages are Python packages that an author may take for facts.
var packages = []string{"numpy", "scipy", "pandas", "matplotlib", "triton", "transformers"}

// fact parses the name of a fact, or a function with its argument.
func (p *parser) fact() (Fact, error) {
	word := p.peek()
	if p.ahead(1).text == "(" {
		return p.call()
	}
	if e := Fact(word.text).Entry(); e.inExpressions() {
		p.at++
		return e.Fact, nil
	}
	if e := Fact(word.text + "()").Entry(); e.Fact != "" {
		return "", p.fail(diag.Say("blocks.function-argument", "word", word.text).WithHint(e.hint()))
	}
	message := diag.Say("blocks.fact-unknown", "word", word.text)
	if slices.Contains(packages, word.text) { // of which some look like facts: numpy, cupy
		return "", p.fail(message.WithHint(diag.Say("diag.did-you-mean-hint", "name", Call(Pip, word.text))))
	}
	known := namesOf((*Entry).inExpressions)
	return "", p.fail(message.WithHint(diag.Suggest(word.text, known,
		diag.Say("blocks.fact-unknown-hint", "known", strings.Join(known, ", ")))))
}

// hint says how the fact is compared.
func (e *Entry) hint() diag.Text { return diag.Say("blocks.example-hint", "example", e.Example) }

// argument matches the arguments of functions. They are given to a shell, and published.
var argument = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9._+/-]{0,99}$`)

func (e *Entry) takes(arg string) bool {
	return argument.MatchString(arg) && (string(e.Fact) == Module || !strings.Contains(arg, "/"))
}

// call parses a function with its argument.
func (p *parser) call() (Fact, error) {
	start, name := p.at, p.peek().text
	e := Fact(name + "()").Entry()
	if e.Fact == "" {
		functions := namesOf(func(e *Entry) bool { return e.Argument != "" })
		return "", p.fail(diag.Say("blocks.function-unknown", "word", name).WithHint(diag.Known(name, functions)))
	}
	p.at += 2
	t := p.peek()
	arg, err := p.text(e.hint())
	if err != nil {
		return "", err
	}
	if !e.takes(arg) {
		return "", &Fault{t.offset, len(t.text), diag.Say("blocks.function-argument-invalid", "name", arg, "word", name).WithHint(e.hint())}
	}
	if !p.accept(")") {
		return "", p.fail(diag.Say("blocks.parenthesis-not-closed").WithHint(e.hint()))
	}
	f := Call(name, arg)
	p.tokens = slices.Replace(p.tokens, start, p.at, token{string(f), p.tokens[start].offset}) // one token, without blanks
	p.at = start + 1
	return f, nil
}

// Asked returns the fact that a report has the machine's answer for, if its text is one that verify asks for.
func Asked(text string) (f Fact, ok bool) {
	f = Fact(text)
	e := f.Entry()
	function, arg := f.Call()
	return f, e.Source == FromAnswers && (function == "" || e.takes(arg) && Call(function, arg) == f)
}

// between reports whether a comparison may end here.
func (p *parser) between() bool {
	demands := p.line && p.peek().text == "==" && p.ahead(1).text == yes
	return p.done() || demands || slices.Contains([]string{"and", "or", ",", ")"}, p.peek().text)
}

func (p *parser) value(f Fact, e *Entry) (v Value, err error) {
	t := p.peek()
	switch e.Kind {
	case OfSize:
		return p.size(e)
	case OfWord:
		return p.pattern(f)
	case OfCount:
		n, err := strconv.ParseUint(t.text, 10, 16)
		if err != nil {
			return Value{}, p.fail(diag.Say("blocks.count-invalid", "name", t.text).WithHint(e.hint()))
		}
		v = Count(int(n))
	default:
		if v, err = Version(t.text); err != nil {
			return Value{}, p.fail(diag.Plain(err).WithHint(e.hint()))
		}
	}
	p.at++
	if _, is := sizes[p.peek().text]; is {
		return Value{}, p.fail(diag.Say("blocks.unit-misplaced", "fact", f, "value", v))
	}
	return v, nil
}

// quotes begin and end a text.
const quotes = `"'`

// text parses a text in quotes, or a word without. In the normal form it is in quotes.
func (p *parser) text(hint diag.Text) (string, error) {
	t := p.peek()
	s, n := t.text, len(t.text)
	switch {
	case n > 0 && strings.IndexByte(quotes, s[0]) >= 0:
		if n < 2 || s[n-1] != s[0] {
			return "", p.fail(diag.Say("blocks.quote-not-closed").WithHint(diag.Say("blocks.text-end-hint", "quote", s[:1])))
		}
		s = s[1 : n-1]
	case slices.Contains(operators, s), slices.Contains(reserved, s), slices.Contains([]string{")", ",", "=", "!"}, s):
		s = ""
	}
	if s == "" {
		return "", p.fail(diag.Say("blocks.text-missing").WithHint(hint))
	}
	quote := `"`
	if strings.Contains(s, quote) {
		quote = "'"
	}
	p.tokens[p.at].text = quote + s + quote
	p.at++
	return s, nil
}

func (p *parser) pattern(f Fact) (Value, error) {
	t := p.peek()
	s, err := p.text(diag.Say("blocks.text-operator-hint", "word", f))
	if err != nil {
		return Value{}, err
	}
	if _, err := path.Match(asPath(s), ""); err != nil {
		return Value{}, &Fault{t.offset, max(1, len(t.text)), diag.Say("blocks.pattern-invalid", "name", s)}
	}
	return Value{text: s}, nil
}

// sizes are the units of memory.
var sizes = map[string]float64{
	"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
	"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
}

// size parses a number and its unit, together ("8GiB") or apart ("8 GiB").
func (p *parser) size(e *Entry) (Value, error) {
	t := p.peek()
	digits := strings.TrimRight(t.text, "BkKMGTi")
	unit := t.text[len(digits):]
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || n < 0 || math.IsInf(n, 0) || math.IsNaN(n) {
		return Value{}, p.fail(diag.Say("blocks.memory-invalid", "name", t.text).WithHint(e.hint()))
	}
	if unit != "" { // two tokens from here on, so that both spellings have one String
		p.tokens = slices.Replace(p.tokens, p.at, p.at+1, token{digits, t.offset}, token{unit, t.offset + len(digits)})
	}
	p.at++
	unit = p.peek().text
	factor, ok := sizes[unit]
	if !ok {
		return Value{}, p.fail(diag.Say("blocks.memory-unit-missing", "example", e.Example))
	}
	if n*factor >= math.MaxInt64 {
		return Value{}, p.fail(diag.Say("blocks.memory-too-large"))
	}
	p.at++
	return Value{parts: []uint64{uint64(n * factor)}, text: digits + " " + unit}, nil
}

// ParseSize parses an amount of memory: "8 GiB".
func ParseSize(s string) (Value, error) {
	p := scan(s)
	v, err := p.size(Memory.Entry())
	if err != nil || !p.done() {
		return Value{}, diag.Say("blocks.memory-invalid", "name", strings.TrimSpace(s))
	}
	return v, nil
}

// toolkit matches a CUDA toolkit in the style of PyTorch's wheels: cu118 is 11.8.
var toolkit = lazyregexp.New(`^cu[1-9][0-9][0-9]$`)

// spelled matches other spellings of a toolkit: "12.4", "cuda12.4", "CU124".
var spelled = lazyregexp.New(`^(?i:cu|cuda)?-?([1-9][0-9])[.]?([0-9])$`)

// numbered matches anything else that begins like a toolkit.
var numbered = lazyregexp.New(`^(?i:cu|cuda)?-?[0-9]`)

// runs parses what follows the word runs.
func (p *parser) runs() (node, error) {
	name := p.peek().text
	if toolkit.MatchString(name) || Fact(name).Entry().framework() {
		p.at++
		return &comparison{fact: Runs, value: Value{text: name}, source: "runs " + name}, nil
	}
	known := Frameworks()
	hint := diag.Suggest(name, known, diag.Say("blocks.framework-toolkit-hint", "name", strings.Join(known, ", ")))
	if t := spelled.FindStringSubmatch(name); t != nil {
		hint = diag.Say("blocks.framework-cuda-hint", "name", t[1], "other", t[2])
	} else if numbered.MatchString(name) {
		hint = diag.Say("blocks.framework-wheel-hint")
	}
	return nil, p.fail(diag.Say("blocks.framework-unknown", "name", name).WithHint(hint))
}
