package highlight

import (
	"encoding/binary"
	"fmt"
	"html"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/alecthomas/chroma/v2"

	"github.com/gpudocs/gpudocs/internal/memo"
)

// For each token of code, one byte for its type and its length are stored, in memory and between runs.
// The text is that of the page, and the markup is written here from both, so that a manipulated file
// can change colours only.

// tokensVersion is the version of the format and of how code is tokenised here: [aliases], pycon.
const tokensVersion = "2"

// New returns a Highlighter that uses what [Highlighter.Store] has written in an earlier run, which open returns. open may
// be nil.
func New(open func() ([]byte, error)) *Highlighter {
	version, ok := lexersVersion()
	if !ok {
		open = nil // the tokens might not be the same
	}
	return &Highlighter{table: memo.NewTable(version, open)}
}

// Fresh reports whether Store would write more than was read.
func (h *Highlighter) Fresh() bool { return h.table.Fresh() }

// Store writes the tokens of all code for a later run.
func (h *Highlighter) Store(w io.Writer) error { return h.table.Write(w) }

// lexersVersion names the versions that determine the tokens of code: those of chroma and of its
// regular expressions, if they are known from the build.
func lexersVersion() (version string, ok bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", false
	}
	version, found := tokensVersion, 0
	for _, m := range info.Deps {
		if strings.Contains(m.Path, "/chroma") || strings.Contains(m.Path, "/regexp2") {
			found++
			for ; m != nil; m = m.Replace {
				version += fmt.Sprintf(" %s %s %s", m.Path, m.Version, m.Sum)
			}
		}
	}
	return version, found == 2
}

func tokensKey(language, code string) memo.Key { return memo.KeyOf("tokens", language, code) }

// tokenTypes are the types that have a byte, tokenBytes their bytes.
var tokenTypes, tokenBytes = func() ([]chroma.TokenType, map[chroma.TokenType]uint8) {
	types, numbers := []chroma.TokenType{}, map[chroma.TokenType]uint8{}
	for t := range chroma.StandardTypes {
		types = append(types, t)
	}
	slices.Sort(types)
	types = types[:min(len(types), 256)]
	for i, t := range types {
		numbers[t] = uint8(i)
	}
	return types, numbers
}()

// writeTokens encodes tokens. It reports false if they do not add up to the code, because lexers
// rewrite invalid UTF-8. Pages contain none.
func writeTokens(tokens []chroma.Token, code string) (out []byte, ok bool) {
	for _, t := range tokens {
		number, known := tokenBytes[t.Type]
		rest, found := strings.CutPrefix(code, t.Value)
		if !known || !found || t.Value == "" {
			return nil, false
		}
		out = binary.AppendUvarint(append(out, number), uint64(len(t.Value)))
		code = rest
	}
	return slices.Clip(out), code == ""
}

// readTokens decodes the tokens of code, and reports false if they do not fit the code.
func readTokens(stored []byte, code string) (tokens []chroma.Token, ok bool) {
	tokens = make([]chroma.Token, 0, len(stored)/2)
	for len(stored) > 0 {
		number := int(stored[0])
		length, n := binary.Uvarint(stored[1:])
		if number >= len(tokenTypes) || n <= 0 || length == 0 || length > uint64(len(code)) {
			return nil, false
		}
		tokens = append(tokens, chroma.Token{Type: tokenTypes[number], Value: code[:length]})
		stored, code = stored[1+n:], code[length:]
	}
	return tokens, code == ""
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
