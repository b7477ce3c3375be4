package main

import (
	"cmp"
	"embed"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// messages/<code>.toml holds, by the English ones, what ends a command and what to do
// about it, and errors of the system and of libraries that people meet there. What
// differs from time to time is a {hole}. A text of diag.Say is none of them: what it is
// made of is known, and need not be looked for.
//
//go:embed messages
var messageFiles embed.FS

// own says an English message in the language of who reads: as it is, where nobody
// has translated it.
func (w words) own(english string) string {
	read := catalogues[w.primary()]
	if read == nil || len(english) > longestMessage {
		return english
	}
	return read().say(english)
}

// longestMessage bounds what is looked for, in bytes: what is longer quotes something.
const longestMessage = 4 << 10

// catalogues are read when there is something to say.
var catalogues = map[string]func() catalogue{"es": readCatalogue("es"), "pt": readCatalogue("pt")}

func readCatalogue(language string) func() catalogue {
	return sync.OnceValue(func() catalogue {
		var texts map[string]string
		data, err := messageFiles.ReadFile("messages/" + language + ".toml")
		if err == nil {
			err = toml.Unmarshal(data, &texts)
		}
		if err != nil {
			panic(err) // the texts are a part of the program
		}
		return newCatalogue(texts)
	})
}

// say is an error, or a text, in the language of who reads: what is made of texts that
// [phrases] has is said by these.
func (w words) say(err error) string { return w.own(diag.Say("%v", err).In(w.catalog())) }

// A catalogue holds messages, those with the most words of their own first: they
// say the most exactly what is meant.
type catalogue []message

type message struct {
	parts []string // of the English one, between its holes
	holes []string
	own   string
}

func newCatalogue(texts map[string]string) (c catalogue) {
	for english, own := range texts {
		m := message{own: own}
		for rest := english; ; {
			part, behind, found := strings.Cut(rest, "{")
			m.parts = append(m.parts, part)
			if !found {
				break
			}
			hole, after, _ := strings.Cut(behind, "}")
			m.holes, rest = append(m.holes, hole), after
		}
		c = append(c, m)
	}
	slices.SortFunc(c, func(a, b message) int {
		x, y := strings.Join(a.parts, ""), strings.Join(b.parts, "")
		return cmp.Or(cmp.Compare(len(y), len(x)), cmp.Compare(x, y))
	})
	return c
}

// say translates a message, and what fills its holes where that is one too.
func (c catalogue) say(english string) string {
	for _, m := range c {
		filled, ok := m.match(english)
		if !ok {
			continue
		}
		var pairs []string
		for i, hole := range m.holes {
			pairs = append(pairs, "{"+hole+"}", c.say(filled[i]))
		}
		return strings.NewReplacer(pairs...).Replace(m.own)
	}
	return english
}

// match finds what fills the holes of a message in a text.
func (m message) match(text string) (filled []string, ok bool) {
	last := len(m.parts) - 1
	if last == 0 {
		return nil, text == m.parts[0]
	}
	if text, ok = strings.CutPrefix(text, m.parts[0]); !ok {
		return nil, false
	}
	for _, part := range m.parts[1:last] {
		what, behind, found := strings.Cut(text, part)
		if !found {
			return nil, false
		}
		filled, text = append(filled, what), behind
	}
	text, ok = strings.CutSuffix(text, m.parts[last])
	return append(filled, text), ok
}
