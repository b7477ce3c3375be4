package text

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

func TestHint(t *testing.T) {
	for _, tt := range []struct {
		m    Message
		want string
	}{
		{Say("config.edition-name-twice", "name", "a"), Say("config.edition-name-twice-hint").String()},
		{Say("translations.outdated", "source", "a", "what", "b", "name", "c.md"), Say("translations.outdated-hint", "name", "c.md").String()},
		{Say("cli.nothing"), ""},
		{Say("translations.outdated").WithHint(Plain("x")), "x"},
		{Say("translations.outdated").WithHint(Message{}), ""},
		{Plain(Say("cli.nothing").WithHint(Plain("x"))), "x"},
		{Plain(fmt.Errorf("more: %w", Say("cli.nothing").WithHint(Plain("x")))), "x"},
		{Plain(fs.ErrExist), ""},
		{Plain("x"), ""},
		{Message{}, ""},
	} {
		if got := tt.m.Hint().String(); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.m, got, tt.want)
		}
	}
}

func TestMessage(t *testing.T) {
	cause := &fs.PathError{Op: "open", Path: "a", Err: fs.ErrNotExist}
	wrong := Say("bench.wrong_copy", "gpu", 1)
	for _, tt := range []struct {
		m          Message
		en, pt, es string
	}{
		{Say("cli.wrote", "file", "a.md"), "wrote a.md", "gravado: a.md", "escrito: a.md"},
		{Say("cli.pages", "n", 1), "1 page", "1 página", "1 página"},
		{Say("cli.pages", "n", 2), "2 pages", "2 páginas", "2 páginas"},
		{Say("cli.fault-unread", "files", Say("cli.files", "n", 1)), "1 file could not be read", "não foi possível ler 1 arquivo", "no se pudo leer 1 archivo"},
		{Say("cli.as_before", "what", cause), "as before: open a: file does not exist", "como antes: open a: file does not exist", "como antes: open a: file does not exist"},
		{Say("cli.as_before", "what", fmt.Errorf("%w", Say("cli.no_gpu", "why", "x"))), "as before: no GPU (x)", "como antes: sem GPU (x)", "como antes: sin GPU (x)"},
		{Say("cli.as_before", "what", fmt.Errorf("more: %w", Say("cli.nothing"))), "as before: more: nothing", "como antes: more: nothing", "como antes: more: nothing"},
		{Plain("{file}"), "{file}", "{file}", "{file}"},
		{Join([]Message{Say("cli.nothing"), Plain(7)}, ", "), "nothing, 7", "nada, 7", "nada, 7"},
		{Message{}, "", "", ""},
		{wrong, "GPU 1 copies WRONGLY: what arrived is not what was sent", wrong.In(Of("pt")), wrong.In(Of("es"))},
	} {
		for code, want := range map[string]string{"en": tt.en, "pt": tt.pt, "es": tt.es, "de": tt.en} {
			if got := tt.m.In(Of(code)); got != want {
				t.Errorf("%s: got %q, want %q", code, got, want)
			}
		}
		if tt.m.String() != tt.en || tt.m.Error() != tt.en || tt.m.In(Catalog{}) != tt.en {
			t.Errorf("in English: %q", tt.m)
		}
	}
}

// TestPlaceholders checks which braces are replaced, and that placeholders within values are not.
func TestPlaceholders(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"{a}{b}", "1{b}"},
		{"{a:q}", `"1"`},
		{"{bad:q}", `"\x1b[2J\"{a}\u202e"`},
		{"{bad}", "\x1b[2J\"{a}\u202e"},
		{"{{a}}", "{1}"},
		{"{ {a", "{ {a"},
		{`{{define "{a}"}}`, `{{define "1"}}`},
		{"a}{", "a}{"},
		{"", ""},
	} {
		got := fill(tt.text, func(name string) (string, bool) {
			v, ok := map[string]string{"a": "1", "bad": "\x1b[2J\"{a}\u202e"}[name]
			return v, ok
		})
		if got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestMessageAsError(t *testing.T) {
	var err error = Say("cli.as_before", "what", fs.ErrNotExist)
	var m Message
	if !errors.Is(err, fs.ErrNotExist) || !errors.Is(err, Say("cli.as_before")) || errors.Is(err, Say("cli.nothing")) || errors.Is(err, Plain("x")) {
		t.Error("the cause or the key is not found")
	}
	if wrapped := fmt.Errorf("a: %w", err); !errors.As(wrapped, &m) || m.Key() != "cli.as_before" {
		t.Error("the message is not found")
	}
	if !(Message{}).IsZero() || !Plain("").IsZero() || Say("cli.nothing").IsZero() || Plain("x").IsZero() {
		t.Error("IsZero")
	}
	if !Say("cli.nothing").Equal(Plain("nothing")) || Say("cli.nothing").Equal(Plain("n")) {
		t.Error("Equal")
	}
	data, err := json.Marshal(map[string]any{"m": Say("cli.pages", "n", 3)})
	if err != nil || string(data) != `{"m":"3 pages"}` {
		t.Errorf("%s %v", data, err)
	}
}

// TestArgumentsAreKept checks that a message does not change if its arguments change later.
func TestArgumentsAreKept(t *testing.T) {
	list := []string{"a"}
	m := Say("cli.wrote", "file", list)
	list[0] = "b"
	if got := m.String(); got != "wrote [a]" {
		t.Error(got)
	}
	if got := Say("no.such", "a", 1).String(); got != "[no.such][a 1]" {
		t.Error(got)
	}
}
