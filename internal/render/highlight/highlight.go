// Package highlight turns code into HTML with chroma's classes, and makes the stylesheet for them. No
// other package imports chroma.
package highlight

import (
	"cmp"
	"html"
	"html/template"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/dlclark/regexp2/v2"
)

// A Highlighter highlights code with chroma's classes. Tokenising is the expensive part, and translations and editions repeat
// the same code, so it keeps the tokens of each distinct block as long as it lives. The zero value is ready for use, also by
// several goroutines.
type Highlighter struct {
	known sync.Map // block: []chroma.Token
}

// A block is code in a language.
type block struct{ language, code string }

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
	for _, t := range h.tokens(language, code) {
		writeToken(&b, t)
	}
	return template.HTML(withoutZero(b.String()))
}

// lineEnds converts all line ends to \n, as lexers do.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// tokens returns the tokens of code, or all of it as one token if it cannot be highlighted.
func (h *Highlighter) tokens(language, code string) []chroma.Token {
	plain := []chroma.Token{{Type: chroma.Text, Value: code}}
	if len(code) > maxHighlighted {
		return plain
	}
	b := block{strings.ToLower(language), lineEnds.Replace(code)}
	if known, ok := h.known.Load(b); ok {
		return known.([]chroma.Token)
	}
	read := tokenise
	if b.language == "pycon" {
		read = pycon
	}
	tokens, err := read(b)
	if err != nil {
		return plain
	}
	h.known.Store(b, tokens)
	return tokens
}

func tokenise(b block) ([]chroma.Token, error) {
	setTimeout.Do(func() { regexp2.SetTimeoutCheckPeriod(30 * time.Second) })
	lexer := lexers.Fallback
	if b.language != "" { // which chroma looks up among 300 file patterns
		if found := lexers.Get(cmp.Or(aliases[b.language], b.language)); found != nil {
			lexer = found
		}
	}
	it, err := chroma.Coalesce(lexer).Tokenise(nil, b.code)
	if err != nil {
		return nil, err
	}
	return it.Tokens(), nil
}

// pycon highlights a Python session, for which chroma has no lexer. The code after the prompts is
// tokenised as one text, so that strings may span several lines, and then distributed to its lines.
func pycon(session block) ([]chroma.Token, error) {
	lines := strings.SplitAfter(session.code, "\n")
	var code strings.Builder
	for _, line := range lines {
		if _, rest, ok := cutPrompt(line); ok {
			code.WriteString(rest)
			if !strings.HasSuffix(rest, "\n") {
				code.WriteByte('\n')
			}
		}
	}
	tokens, err := tokenise(block{"python", code.String()})
	if err != nil {
		return nil, err
	}
	coded := chroma.SplitTokensIntoLines(tokens)
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
	return out, nil
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

// writeToken writes a token as chroma's formatter does, with one span for each of its lines.
func writeToken(b *strings.Builder, t chroma.Token) {
	class := tokenClass(t.Type)
	if class == "" {
		b.WriteString(html.EscapeString(t.Value))
		return
	}
	for line := range strings.Lines(t.Value) {
		b.WriteString(`<span class="` + class + `">` + html.EscapeString(line) + `</span>`)
	}
}

// tokenClass returns chroma's class of a type, or of its nearest ancestor that has one.
func tokenClass(t chroma.TokenType) string {
	class, ok := chroma.StandardTypes[t]
	for !ok && t != 0 {
		t = t.Parent()
		class, ok = chroma.StandardTypes[t]
	}
	return class
}
