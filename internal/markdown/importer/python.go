package importer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// A token of Python. Its kind is 'n' for a name, 'k' for a keyword, '0' for a number, '"' for a
// string, or else the operator's first byte.
type token struct {
	kind byte
	text string
	// depth is the number of brackets that are open before it, and in the innermost one.
	depth int
	in    byte
}

var keywords = strings.Fields(`False None True and as assert async await break class continue def del elif else except finally for from
	global if import in is lambda match nonlocal not or pass raise return try while with yield`)

// tokenForm matches what a line begins with, one group for each kind of token. The operators of more
// than one byte come first: https://docs.python.org/3/reference/lexical_analysis.html#operators.
var tokenForm = lazyregexp.New(`^(?:` +
	`([ \t\f]+|#.*)|` + // blanks, a comment
	`(\\\s*$)|` + // a backslash at the end
	`(?i:[rbfu]{0,2})(?:("""|\'\'\')|"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|["'](.*\\)$)|` + // strings; the last continues on the next line
	`(0[xXoObB][0-9a-fA-F_]+|(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9]+)?[jJ]?)|` +
	`([\p{L}_][\p{L}\p{Nd}\p{M}_]*)|` +
	`(\*\*=|//=|>>=|<<=|\.\.\.|!=|==|<=|>=|->|:=|\+=|-=|\*=|/=|%=|@=|&=|\|=|\^=|\*\*|//|>>|<<|[-+*/%@&|^~<>=.,:;()\[\]{}]))`)

// The groups of tokenForm.
const (
	blankGroup = 1 + iota
	backslashGroup
	tripleGroup
	doubleQuotedGroup
	singleQuotedGroup
	unfinishedGroup
	numberGroup
	nameGroup
	operatorGroup
)

// A scanner reads Python line by line.
type scanner struct {
	tokens []token
	open   []byte // brackets
	triple string // the quotes of an open string
	// continued is set after a backslash at the end of a line, and bad if the text is not Python.
	continued, bad bool
}

// ended reports whether a statement ends here.
func (s *scanner) ended() bool { return len(s.open) == 0 && s.triple == "" && !s.continued }

func (s *scanner) line(text string) {
	s.continued = false
	for text != "" && !s.bad {
		if s.triple != "" {
			_, rest, closed := strings.Cut(text, s.triple)
			if !closed {
				return
			}
			s.triple, text = "", rest
			continue
		}
		m := tokenForm.FindStringSubmatchIndex(text)
		if m == nil { // $ ? ! and others
			s.bad = true
			return
		}
		group := blankGroup
		for m[2*group] < 0 {
			group++
		}
		value, rest := text[m[2*group]:m[2*group+1]], text[m[1]:]
		switch group {
		case backslashGroup:
			s.continued = true
		case tripleGroup:
			s.add('"', rest)
			s.triple = value
		case doubleQuotedGroup, singleQuotedGroup, unfinishedGroup:
			s.add('"', value)
			s.continued = group == unfinishedGroup
		case numberGroup:
			s.add('0', value)
			next, _ := utf8.DecodeRuneInString(rest)
			s.bad = unicode.IsLetter(next) || next == '_' // 3rd, 2x
		case nameGroup:
			kind := byte('n')
			if slices.Contains(keywords, value) {
				kind = 'k'
			}
			s.add(kind, value)
		case operatorGroup:
			s.operator(value)
		}
		text = rest
	}
}

func (s *scanner) add(kind byte, text string) {
	t := token{kind: kind, text: text, depth: len(s.open)}
	if t.depth > 0 {
		t.in = s.open[t.depth-1]
	}
	s.tokens = append(s.tokens, t)
}

// operator adds an operator, and counts brackets.
func (s *scanner) operator(op string) {
	if i := strings.Index(")]}", op); i >= 0 {
		n := len(s.open)
		if n == 0 || s.open[n-1] != "([{"[i] {
			s.bad = true
			return
		}
		s.open = s.open[:n-1]
	}
	s.add(op[0], op)
	if strings.Contains("([{", op) {
		s.open = append(s.open, op[0])
	}
}

// A statementKind is a type of statement.
type statementKind int

const (
	noPython   statementKind = iota
	comment                  // or an empty line
	simple                   // not like any output: an import, an assignment, a def
	opens                    // a statement whose block follows
	expression               // its value is shown if it is the last of a cell
	command                  // of IPython
)

// classify returns the type of the statement that consists of the tokens.
func classify(tokens []token) statementKind {
	if len(tokens) == 0 {
		return comment
	}
	if !joined(tokens) {
		return noPython
	}
	first, last := tokens[0], tokens[len(tokens)-1]
	if first.kind == 'k' {
		switch first.text {
		case "import", "from", "global", "nonlocal", "del":
			if len(tokens) < 2 || tokens[1].kind != 'n' && tokens[1].kind != '.' ||
				first.text == "from" && !slices.ContainsFunc(tokens, func(t token) bool { return t.text == "import" }) {
				return noPython
			}
			return simple
		case "return", "pass", "break", "continue", "assert", "raise":
			return simple
		case "def", "class", "for", "while", "if", "elif", "else", "with", "try", "except", "finally", "async":
			return compound(tokens)
		}
	}
	if first.text == "@" && len(tokens) > 1 && tokens[1].kind == 'n' {
		return opens // a decorator
	}
	for i, t := range tokens {
		if t.depth == 0 && i > 0 && i < len(tokens)-1 && (t.text == "=" ||
			len(t.text) > 1 && strings.HasSuffix(t.text, "=") && !strings.Contains("== != <= >= :=", t.text)) {
			if targets(tokens[:i]) {
				return simple
			}
			return noPython
		}
		if t.text == ":" && t.depth == 0 && (i == 0 || tokens[0].kind != 'n') {
			return noPython
		}
	}
	if last.text == ":" || strings.IndexByte("+-*/%@&|^<=.", last.kind) >= 0 && last.text != "..." {
		return noPython
	}
	if slices.ContainsFunc(tokens, func(t token) bool { return t.depth == 0 && (t.text == ":" || t.text == "=") }) {
		return noPython
	}
	return expression
}

// compound classifies a statement with a block, which may follow the colon.
func compound(tokens []token) statementKind {
	at := slices.IndexFunc(tokens, func(t token) bool { return t.depth == 0 && t.text == ":" })
	head := tokens[0].text
	switch {
	case at < 0,
		head == "for" && !slices.ContainsFunc(tokens[:at], func(t token) bool { return t.text == "in" }),
		(head == "def" || head == "class") && (at < 2 || tokens[1].kind != 'n'),
		(head == "else" || head == "try" || head == "finally") && at != 1:
		return noPython
	case at == len(tokens)-1:
		return opens
	}
	return simple
}

// targets reports whether the tokens can be assigned to.
func targets(tokens []token) bool {
	annotated := slices.ContainsFunc(tokens, func(t token) bool { return t.text == ":" })
	for _, t := range tokens {
		if t.depth > 0 {
			continue
		}
		literal := t.kind == '"' || t.kind == '0'
		if literal && !annotated || !literal && strings.IndexByte("n.,[(*:])=", t.kind) < 0 {
			return false
		}
	}
	return tokens[0].kind == 'n' || strings.IndexByte("([*", tokens[0].kind) >= 0
}

// joined reports whether all neighbouring tokens can be adjacent. Two names, for example, cannot.
func joined(tokens []token) bool {
	lambda := slices.ContainsFunc(tokens, func(t token) bool { return t.text == "lambda" })
	for i, t := range tokens {
		if t.kind == ':' && t.in == '(' && !lambda && t.text == ":" && tokens[0].kind != 'k' {
			return false // "(0): Linear()" of a module's repr
		}
		if i == 0 {
			continue
		}
		before := tokens[i-1]
		operand := t.kind == 'n' || t.kind == '0' || t.kind == '"'
		ends := before.kind == 'n' || before.kind == '0' || strings.IndexByte(")]}", before.kind) >= 0
		if operand && (ends || before.kind == '"' && t.kind != '"') {
			return false
		}
	}
	return true
}

// builtins are the names that are always known.
var builtins = strings.Fields(`print len range type str list dict sum min max open int float bool help dir display isinstance zip map sorted set
	tuple abs enumerate repr id input round next iter getattr setattr hasattr vars globals locals filter any all super property`)

// roots returns the names that the tokens use: no attributes, and no names of arguments.
func roots(tokens []token) (names []string) {
	for i, t := range tokens {
		if t.kind != 'n' || i > 0 && tokens[i-1].text == "." {
			continue
		}
		if i+1 < len(tokens) && tokens[i+1].text == "=" && t.depth > 0 {
			continue
		}
		names = append(names, t.text)
	}
	return names
}
