package memo

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// texts remembers texts. What is made of a key is the key, doubled.
func texts(file string) *Memo[string, string] {
	o := Options[string]{Version: "1", Size: func(s string) int { return len(s) }, Kept: 1000}
	if file != "" {
		o.Open = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(file)), nil }
	}
	return New[string, string](o)
}

func double(key string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return key + key, nil }
}

func never(context.Context) (string, error) { return "", errors.New("it is made again") }

func mark(raw string) (string, error) { return "<" + raw + ">", nil }

func written(t *testing.T, m *Memo[string, string]) string {
	t.Helper()
	var b bytes.Buffer
	if err := m.Write(&b); err != nil || m.Fresh() {
		t.Fatal(err)
	}
	return b.String()
}

func TestGet(t *testing.T) {
	m := texts("")
	for _, first := range []func(context.Context) (string, error){double("a"), never} {
		if got, err := m.Get(t.Context(), "a", first, mark); got != "<aa>" || err != nil {
			t.Error(got, err)
		}
	}
	bad := errors.New("bad")
	for _, first := range []func(context.Context) (string, error){func(context.Context) (string, error) { return "", bad }, never} {
		if _, err := m.Get(t.Context(), "b", first, mark); !errors.Is(err, bad) {
			t.Error(err)
		}
	}
	if !m.Known("a") || !m.Known("b") || m.Known("c") || !m.Fresh() {
		t.Error("not known as it was made")
	}
	later := texts(written(t, m))
	if !later.Known("a") || later.Known("b") {
		t.Error("not stored as it was made")
	}
	if got, err := later.Get(t.Context(), "a", never, mark); got != "<aa>" || err != nil || later.Fresh() {
		t.Error(got, err)
	}
	for _, damaged := range []string{"{", written(t, m)[:20], strings.Replace(written(t, m), `"1"`, `"2"`, 1), `{"version":"1"}`} {
		if texts(damaged).Known("a") {
			t.Errorf("%q is believed", damaged)
		}
	}
}

// What nobody waits for any more is not remembered.
func TestGivenUp(t *testing.T) {
	m := texts("")
	ctx, cancel := context.WithCancel(t.Context())
	_, err := m.Get(ctx, "a", func(ctx context.Context) (string, error) { cancel(); return "", errors.New("stopped") }, mark)
	if !errors.Is(err, context.Canceled) || m.Known("a") {
		t.Error(err)
	}
	if got, err := m.Get(t.Context(), "a", double("a"), mark); got != "<aa>" {
		t.Error(got, err)
	}
}

// A thing that two ask for is made once; who waits may go.
func TestOnce(t *testing.T) {
	m := texts("")
	var calls atomic.Int32
	begun, end := make(chan struct{}), make(chan struct{})
	first := func(context.Context) (string, error) {
		calls.Add(1)
		close(begun)
		<-end
		return "aa", nil
	}
	var all sync.WaitGroup
	ask := func() {
		if got, err := m.Get(t.Context(), "a", first, mark); got != "<aa>" || err != nil {
			t.Error(got, err)
		}
	}
	all.Go(ask)
	<-begun
	for range 3 {
		all.Go(ask)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Get(gone, "a", first, mark); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(end)
	all.Wait()
	if calls.Load() != 1 {
		t.Errorf("it is made %d times", calls.Load())
	}
}

// TestTwoProcesses holds that what another process writes meanwhile stays.
func TestTwoProcesses(t *testing.T) {
	file := ""
	open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(file)), nil }
	o := Options[string]{Version: "1", Open: open, Size: func(s string) int { return len(s) }, Kept: 10}
	one, two := New[string, string](o), New[string, string](o)
	_, _ = one.Get(t.Context(), "a", double("a"), mark)
	_, _ = two.Get(t.Context(), "b", double("b"), mark)
	file = written(t, one)
	file = written(t, two)
	if later := texts(file); !later.Known("a") || !later.Known("b") {
		t.Errorf("%s lacks one of them", file)
	}
}

// TestRoom holds that the file is bounded, and memory with it, and that what this run
// uses is what stays.
func TestRoom(t *testing.T) {
	m := texts("")
	big := strings.Repeat("x", 1<<20)
	get := func(m *Memo[string, string], key, raw string) {
		t.Helper()
		if _, err := m.Get(t.Context(), key, func(context.Context) (string, error) { return raw, nil }, mark); err != nil {
			t.Fatal(err)
		}
	}
	get(m, "huge", strings.Repeat("x", maxOne))
	for i := range 7 {
		get(m, "old"+strconv.Itoa(i), big)
	}
	file := written(t, m)
	if strings.Contains(file, "huge") || len(file) > maxStored {
		t.Errorf("%d bytes", len(file))
	}
	later := texts(file)
	for i := range 7 {
		get(later, "new"+strconv.Itoa(i), big)
	}
	file = written(t, later)
	if third := texts(file); len(file) > maxStored || !third.Known("new0") || !third.Known("new6") || third.Known("old0") && third.Known("old6") {
		t.Errorf("%d bytes, without what was used last", len(file))
	}
	for i := range 100 {
		get(later, "more"+strconv.Itoa(i), big)
	}
	if n := len(later.stored); n > 20 {
		t.Errorf("%d things are held in memory", n)
	}
}
