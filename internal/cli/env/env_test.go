package env

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"unicode"

	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// TestAround: other output erases the live line before it is written, also after the line has ended.
func TestAround(t *testing.T) {
	var b strings.Builder
	a := New(nil, &b, &b)
	line := terminal.NewLine(&b, func() int { return 80 })
	a.live.Store(line)
	line.Set("[1/2] a")
	a.Around(func() { fmt.Fprintln(&b, "built again") })
	if got := b.String(); got != "[1/2] a\r\x1b[Kbuilt again\n" {
		t.Errorf("got %q", got)
	}
	line.End()
	a.Around(func() { b.Reset() })
	if b.Len() != 0 {
		t.Errorf("after the end: %q", &b)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestUnwritten: the first error of a write to standard output is kept, but for a closed pipe.
func TestUnwritten(t *testing.T) {
	for _, tt := range []struct {
		out  io.Writer
		want error
	}{{io.Discard, nil}, {failing{syscall.ENOSPC}, syscall.ENOSPC}, {failing{&os.PathError{Err: syscall.EPIPE}}, nil}} {
		a := New(nil, tt.out, io.Discard)
		for _, write := range []func(){
			func() { a.Println("a") }, func() { a.Line("%s", "a") }, func() { _ = a.WriteJSONLine(1) }, func() { _ = WriteJSON(a.Stdout, 1) },
		} {
			write()
			if err := a.Unwritten(); !errors.Is(err, tt.want) {
				t.Errorf("%v, want %v", err, tt.want)
			}
		}
		a.Stdout = io.Discard // as --json does
		if err := a.Unwritten(); !errors.Is(err, tt.want) {
			t.Errorf("standard output was replaced: %v, want %v", err, tt.want)
		}
	}
}

// TestPrintable: what a report says does not move the cursor.
func TestPrintable(t *testing.T) {
	t.Setenv("CLICOLOR_FORCE", "")
	for name, write := range map[string]func(*Env, string){
		"Indented": func(a *Env, s string) { a.Indented(2, s) },
		"Line":     func(a *Env, s string) { a.Line("  %s", s) },
		"Heading":  func(a *Env, s string) { a.Heading("31", "  ", s) },
	} {
		var b strings.Builder
		write(New(nil, &b, io.Discard), "a\x1b[2Jb  ")
		if got := b.String(); strings.TrimRight(got, " \n") != "  a\uFFFD[2Jb" || !strings.HasSuffix(got, "\n") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestSetLanguage(t *testing.T) {
	for code, want := range map[string]string{"pt": "pt", "pt-BR": "pt-br", "es_ES": "es-es", "en": "en", "de": "", "../../pt": ""} {
		a := New(nil, io.Discard, io.Discard)
		if err := a.SetLanguage(code); (err == nil) != (want != "") || err == nil && a.Text.Code() != want {
			t.Errorf("%s: %s, %v", code, a.Text.Code(), err)
		}
	}
}

// FuzzJSONLine: a line decodes to the value that was encoded, and holds no byte that a terminal
// or a CI runner interprets.
func FuzzJSONLine(f *testing.F) {
	for _, s := range []string{"plain", "\x00\x1b[31m\u0085\u009b\u202e\x7f", `\##[error]x`, "##[##[", "a\nb<&>\u2028", "\U0001F600"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		line, err := JSONLine(map[string]string{"s": s})
		if err != nil {
			t.Fatal(err)
		}
		var back map[string]string
		if err := json.Unmarshal(line, &back); err != nil || back["s"] != strings.ToValidUTF8(s, "\uFFFD") && len([]rune(back["s"])) != len([]rune(s)) {
			t.Fatalf("encoded %q, decoded %q: %v", s, back["s"], err)
		}
		body, ended := bytes.CutSuffix(line, []byte("\n"))
		if !ended || bytes.Contains(body, []byte("##[")) {
			t.Fatalf("%q", line)
		}
		for _, r := range string(body) {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Fatalf("%U in %q", r, line)
			}
		}
	})
}
