package script

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

// library is a program of a few functions.
func library(source string) *Library {
	return &Library{Name: "test", Source: func() (string, error) { return source, nil }, Function: "lib.call", Depth: 500, Timeout: time.Minute}
}

const program = `var lib = {call: function(what, n) {
	switch (what) {
	case "add": return String(n + 1)
	case "promise": return Promise.resolve("kept")
	case "broken promise": return new Promise(function() {})
	case "object": return {}
	case "time": return String(Date.now())
	case "throw": var e = new Error("bad"); e.name = "ParseError"; e.position = n; throw e
	case "throw text": throw "text"
	case "deep": return lib.call(what, n)
	case "slow": for (;;) {}
	}
}}`

func TestCall(t *testing.T) {
	p := NewPool(library(program))
	for _, tt := range []struct {
		what, want string
		err        error
	}{
		{"add", "8", nil},
		{"promise", "kept", nil},
		{"time", "0", nil},
		{"broken promise", "", ErrBroken},
		{"object", "", ErrBroken},
		{"deep", "", ErrDeep},
		{"add", "8", nil}, // an ended call does not affect the next one
	} {
		if got, err := p.Call(t.Context(), tt.what, 7); got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %q %v", tt.what, got, err)
		}
	}
	var thrown *Thrown
	if _, err := p.Call(t.Context(), "throw", 7); !errors.As(err, &thrown) || *thrown != (Thrown{"ParseError", "bad", 7}) {
		t.Errorf("%#v", err)
	}
	if _, err := p.Call(t.Context(), "throw text"); !errors.As(err, &thrown) || thrown.Position != -1 || !strings.Contains(thrown.Message, "text") {
		t.Errorf("%#v", err)
	}
	if p.Idle() != 1 {
		t.Errorf("%d interpreters for sequential calls", p.Idle())
	}
}

func TestEnd(t *testing.T) {
	l := library(program)
	p := NewPool(l)
	if _, err := p.Call(t.Context(), "add", 1); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := p.Call(ctx, "slow"); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled call: %v", err)
	}
	if _, err := p.Call(ctx, "add", 1); !errors.Is(err, context.Canceled) || p.Idle() != 0 {
		t.Errorf("%v, %d interpreters that were stopped in the middle", err, p.Idle())
	}
	l.Timeout = 50 * time.Millisecond
	if _, err := p.Call(t.Context(), "slow"); !errors.Is(err, ErrSlow) {
		t.Errorf("a call without end: %v", err)
	}
}

func TestNoLibrary(t *testing.T) {
	for source, want := range map[string]string{"var lib = {}": "no function lib.call", "": "no function lib.call", "(": "test: ", "throw 1": "test: "} {
		if _, err := NewPool(library(source)).Call(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", source, err)
		}
	}
	no := errors.New("no source")
	l := &Library{Name: "test", Source: func() (string, error) { return "", no }}
	for range 2 {
		if _, err := NewPool(l).Call(t.Context()); !errors.Is(err, no) {
			t.Error(err)
		}
	}
}

func TestTogether(t *testing.T) {
	p := NewPool(library(program))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 20 {
				if got, err := p.Call(t.Context(), "add", 1); got != "2" || err != nil {
					t.Error(got, err)
				}
			}
		})
	}
	all.Wait()
}
