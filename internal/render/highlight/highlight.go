// Package highlight makes HTML of code, coloured by chroma's classes, and the stylesheet for them. No other
// package knows chroma.
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

// A Highlighter colours code with chroma's classes. Finding the tokens is the dear part of it,
// and translations repeat the same code, so each distinct block is read once, in this run and
// between runs; what is remembered are the kinds and lengths of its tokens, never markup. The
// zero Highlighter remembers nothing between runs. It may serve several sites one after the other.
type Highlighter struct {
	known  sync.Once
	table  *memo.Table
	lexers sync.Map  // language: chroma.Lexer; finding one tries 300 file patterns
	rooms  sync.Pool // of *[]byte, what markup is written into
}

// patience guards the one setting of the regular expression library behind
// chroma's lexers. chroma ends a match after 250 ms and takes that for "no
// match"; the library's clock, a goroutine that ticks every 100 ms, is late on
// a busy machine, so that quick matches ended too: builtins lost their colour
// and two builds differed. Most builds now end before the first tick, and a
// match without end still has one.
var patience sync.Once

// aliases are languages that chroma has no lexer for, and the nearest it has.
var aliases = map[string]string{
	"cuda": "c++", "cu": "c++", "cuh": "c++",
	"py3": "python", "ipython": "python", "ipython3": "python",
	"sh-session": "console", "shell-session": "console",
}

// maxHighlighted bounds the code that is coloured, in bytes; longer code, a
// log most likely, is shown as it is.
const maxHighlighted = 256 << 10

func (h *Highlighter) HTML(language, code string) template.HTML {
	tokens, err := h.tokens(language, code)
	if err != nil {
		tokens = []chroma.Token{{Type: chroma.Text, Value: code}}
	}
	room, _ := h.rooms.Get().(*[]byte)
	if room == nil {
		room = new([]byte)
	}
	defer h.rooms.Put(room)
	out := (*room)[:0]
	for _, t := range tokens {
		out = appendToken(out, t)
	}
	*room = out
	return template.HTML(withoutZero(string(out)))
}

// lineEnds makes those of Unix of all.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// errTooLong is the error for code that is not coloured.
var errTooLong = errors.New("too long to be coloured")

// tokens are the coloured pieces of code.
func (h *Highlighter) tokens(language, code string) ([]chroma.Token, error) {
	if len(code) > maxHighlighted {
		return nil, errTooLong
	}
	language = strings.ToLower(language)
	if strings.Contains(code, "\r") {
		code = lineEnds.Replace(code) // as lexers do, or nothing of a site from Windows would be remembered
	}
	key := tokensKey(language, code)
	if stored, ok := h.remembered().Get(key); ok {
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
		h.remembered().Put(key, stored)
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
	patience.Do(func() { regexp2.SetTimeoutCheckPeriod(30 * time.Second) })
	name := cmp.Or(aliases[language], language)
	l := lexers.Get(name)
	if l == nil {
		l = lexers.Fallback
	}
	l = chroma.Coalesce(l)
	h.lexers.Store(language, l)
	return l
}

// pycon colours a Python session: chroma has no lexer for it. The code behind
// the prompts is tokenised as one text, so that strings over several lines are
// seen as such, and then dealt out to its lines again.
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

// cutPrompt parts a line of a Python session from its prompt.
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
