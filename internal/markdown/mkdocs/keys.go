package mkdocs

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Keys is a combination of keys, ++ctrl+alt+del++.
type Keys struct {
	markdown.InlineNode
	// Labels are the labels of the keys.
	Labels []string
	markdown.Span
}

// KindKeys is the kind of [Keys].
var KindKeys = ast.NewNodeKind("GpudocsKeys")

// Kind implements ast.Node.
func (*Keys) Kind() ast.NodeKind { return KindKeys }

// keysParser reads the keys of pymdownx.keys:
// https://facelessuser.github.io/pymdown-extensions/extensions/keys/. The text of a key in quotes
// is its label.
type keysParser struct{}

// Trigger implements parser.InlineParser.
func (keysParser) Trigger() []byte { return []byte{'+'} }

var (
	keysForm = lazyregexp.New(`^\+\+(?:[\pL\pN_-]+|"[^"\n]+"|'[^'\n]+')(?:\+(?:[\pL\pN_-]+|"[^"\n]+"|'[^'\n]+'))*\+\+`)
	oneKey   = lazyregexp.New(`[\pL\pN_-]+|"[^"\n]+"|'[^'\n]+'`)
)

// keyLabels are the labels that are not the capitalised name.
var keyLabels = map[string]string{
	"control": "Ctrl", "cmd": "Cmd", "command": "Cmd", "windows": "Win", "option": "Option", "escape": "Esc", "return": "Enter",
	"del": "Delete", "ins": "Insert", "pgup": "Page Up", "pgdn": "Page Down", "pageup": "Page Up", "pagedown": "Page Down",
	"arrow-up": "↑", "arrow-down": "↓", "arrow-left": "←", "arrow-right": "→", "up": "↑", "down": "↓", "left": "←", "right": "→",
	"plus": "+", "minus": "-", "comma": ",", "period": ".", "slash": "/", "backslash": `\`, "prtsc": "Print Screen",
}

// Parse implements parser.InlineParser.
func (keysParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	form := keysForm.Find(line)
	if form == nil || markdown.InWord(before) || before == '+' || segment.Padding != 0 {
		return nil
	}
	n := &Keys{Span: markdown.Span{Start: segment.Start, Stop: segment.Start + len(form)}}
	n.SetPos(segment.Start)
	for _, name := range oneKey.FindAllString(string(form), -1) {
		n.Labels = append(n.Labels, keyLabel(name))
	}
	block.Advance(len(form))
	return n
}

func keyLabel(name string) string {
	if name[0] == '"' || name[0] == '\'' {
		return name[1 : len(name)-1]
	}
	if label, ok := keyLabels[strings.ToLower(name)]; ok {
		return label
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' })
	for i, w := range words {
		r, size := utf8.DecodeRuneInString(w)
		words[i] = string(unicode.ToUpper(r)) + w[size:]
	}
	return strings.Join(words, " ")
}

// writeKeys writes keys as HTML.
func writeKeys(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString(`<span class="keys">`)
	for i, label := range n.(*Keys).Labels {
		if i > 0 {
			_ = w.WriteByte('+')
		}
		_, _ = w.WriteString("<kbd>")
		_, _ = w.Write(util.EscapeHTML([]byte(label)))
		_, _ = w.WriteString("</kbd>")
	}
	_, err := w.WriteString("</span>")
	return ast.WalkContinue, err
}
