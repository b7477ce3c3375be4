// Package highlight turns code into HTML with chroma's classes, and makes the stylesheet for them. No
// other package imports chroma.
package highlight

import (
	"cmp"
	"errors"
	"html/template"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/dlclark/regexp2/v2"

	"github.com/gpudocs/gpudocs/internal/memo"
)

// A Highlighter highlights code with chroma's classes. Tokenising is the expensive part, and
// translations repeat the same code, so each distinct block is tokenised once, in this run and between
// runs: the types and lengths of its tokens are cached, never markup. It may be used for several sites, one after the
// other. Create it with [New].
type Highlighter struct {
	table  *memo.Table
	lexers sync.Map // language: chroma.Lexer; a lookup tries 300 file patterns
}

// setTimeout guards the timeout of the regular expression library that chroma's lexers use, a global
// variable. chroma ends a match after 250 ms and takes that for "no match". The library's clock, a
// goroutine that ticks every 100 ms, is late on a busy machine, so that quick matches timed out too:
// builtins lost their colour, and two builds differed. With this timeout most builds end before the
// first tick, and an endless match still has an end.
var setTimeout sync.Once

// aliases maps languages for which chroma has no lexer to similar ones.
var aliases = map[string]string{
	"cuda": "c++", "cu": "c++", "cuh": "c++", "cc": "c++", "cxx": "c++",
	"f95": "fortran", "f03": "fortran", "f08": "fortran", "node": "javascript",
	"py3": "python", "ipython": "python", "ipython3": "python",
	"sh-session": "console", "shell-session": "console",
}

// maxHighlighted limits the size of code that is highlighted, in bytes; longer code, probably a log,
// is shown without colours.
const maxHighlighted = 256 << 10

// HTML returns highlighted code.
func (h *Highlighter) HTML(language, code string) template.HTML {
	var b strings.Builder
	b.Grow(2 * len(code))
	for _, t := range h.tokensOrText(language, code) {
		writeToken(&b, t)
	}
	return template.HTML(withoutZero(b.String()))
}

// tokensOrText returns the tokens of code, or all of it as one token if it cannot be highlighted.
func (h *Highlighter) tokensOrText(language, code string) []chroma.Token {
	tokens, err := h.tokens(language, code)
	if err != nil {
		return []chroma.Token{{Type: chroma.Text, Value: code}}
	}
	return tokens
}

// lineEnds converts all line ends to \n.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// errTooLong is the error for code that is not highlighted.
var errTooLong = errors.New("too long to be coloured")

// tokens returns the tokens of code.
func (h *Highlighter) tokens(language, code string) ([]chroma.Token, error) {
	if len(code) > maxHighlighted {
		return nil, errTooLong
	}
	language = strings.ToLower(language)
	if strings.Contains(code, "\r") {
		code = lineEnds.Replace(code) // as lexers do, or no code with \r\n would be cached
	}
	key := tokensKey(language, code)
	if stored, ok := h.table.Get(key); ok {
		if tokens, ok := readTokens(stored, code); ok {
			return tokens, nil
		}
	}
	tokenise := h.tokenise
	if language == "pycon" {
		tokenise = func(_, code string) (chroma.Iterator, error) { return h.pycon(code) }
	}
	it, err := tokenise(language, code)
	if err != nil {
		return nil, err
	}
	tokens := it.Tokens()
	if stored, ok := writeTokens(tokens, code); ok {
		h.table.Put(key, stored)
	}
	return tokens, nil
}

func (h *Highlighter) tokenise(language, code string) (chroma.Iterator, error) {
	return h.lexer(language).Tokenise(nil, code)
}

func (h *Highlighter) lexer(language string) chroma.Lexer {
	if l, ok := h.lexers.Load(language); ok {
		return l.(chroma.Lexer)
	}
	setTimeout.Do(func() { regexp2.SetTimeoutCheckPeriod(30 * time.Second) })
	l := lexers.Fallback
	if language != "" { // which chroma looks up among 300 file patterns
		if found := lexers.Get(cmp.Or(aliases[language], language)); found != nil {
			l = found
		}
	}
	l = chroma.Coalesce(l)
	h.lexers.Store(language, l)
	return l
}

// pycon highlights a Python session, for which chroma has no lexer. The code after the prompts is
// tokenised as one text, so that strings may span several lines, and then distributed to its lines.
func (h *Highlighter) pycon(session string) (chroma.Iterator, error) {
	lines := strings.SplitAfter(session, "\n")
	var code strings.Builder
	for _, line := range lines {
		if _, rest, ok := cutPrompt(line); ok {
			code.WriteString(rest)
			if !strings.HasSuffix(rest, "\n") {
				code.WriteByte('\n')
			}
		}
	}
	it, err := h.tokenise("python", code.String())
	if err != nil {
		return nil, err
	}
	coded := chroma.SplitTokensIntoLines(it.Tokens())
	var out []chroma.Token
	for _, line := range lines {
		prompt, _, ok := cutPrompt(line)
		switch {
		case ok && len(coded) > 0:
			out = append(out, chroma.Token{Type: chroma.GenericPrompt, Value: prompt})
			out = append(out, coded[0]...)
			coded = coded[1:]
		case line != "":
			out = append(out, chroma.Token{Type: chroma.GenericOutput, Value: line})
		}
	}
	return chroma.Literator(out...), nil
}

// cutPrompt splits the prompt off a line of a Python session.
func cutPrompt(line string) (prompt, rest string, ok bool) {
	for _, p := range []string{">>> ", "... "} {
		if rest, ok := strings.CutPrefix(line, p); ok {
			return p, rest, true
		}
	}
	if t := strings.TrimRight(line, "\r\n"); t == ">>>" || t == "..." {
		return t, line[3:], true
	}
	return "", line, false
}
