package memo

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
)

// texts caches texts. The text of a key is its name, twice.
func texts(file []byte) *Memo[string] { return New[string](tableOf(file), 1000) }

func double(name string) func(context.Context) ([]byte, error) {
	return func(context.Context) ([]byte, error) { return []byte(name + name), nil }
}

func never(context.Context) ([]byte, error) { return nil, errors.New("it is made again") }

func mark(raw []byte) (string, error) { return "<" + string(raw) + ">", nil }

func TestGet(t *testing.T) {
	m := texts(nil)
	for _, first := range []func(context.Context) ([]byte, error){double("a"), never} {
		if got, err := m.Get(t.Context(), textKey("a"), first, mark); got != "<aa>" || err != nil {
			t.Error(got, err)
		}
	}
	bad := errors.New("bad")
	for _, first := range []func(context.Context) ([]byte, error){func(context.Context) ([]byte, error) { return nil, bad }, never} {
		if _, err := m.Get(t.Context(), textKey("b"), first, mark); !errors.Is(err, bad) {
			t.Error(err)
		}
	}
	if !m.Known(textKey("a")) || !m.Known(textKey("b")) || m.Known(textKey("c")) || !m.stored.Fresh() {
		t.Error("the result in memory is not the one computed")
	}
	later := texts(written(t, m.stored))
	if !later.Known(textKey("a")) || later.Known(textKey("b")) {
		t.Error("the stored result is not the one computed")
	}
	if got, err := later.Get(t.Context(), textKey("a"), never, mark); got != "<aa>" || err != nil || later.stored.Fresh() {
		t.Error(got, err)
	}
}

// The result of a canceled call is not cached.
func TestGivenUp(t *testing.T) {
	m := texts(nil)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := m.Get(ctx, textKey("a"), func(ctx context.Context) ([]byte, error) { cancel(); return nil, errors.New("stopped") }, mark)
	if !errors.Is(err, context.Canceled) || m.Known(textKey("a")) {
		t.Error(err)
	}
	if got, err := m.Get(t.Context(), textKey("a"), double("a"), mark); got != "<aa>" {
		t.Error(got, err)
	}
}

// Concurrent calls with one key compute the result once, and a waiting call can be canceled.
func TestOnce(t *testing.T) {
	m := texts(nil)
	var calls atomic.Int32
	begun, end := make(chan struct{}), make(chan struct{})
	first := func(context.Context) ([]byte, error) {
		calls.Add(1)
		close(begun)
		<-end
		return []byte("aa"), nil
	}
	var all sync.WaitGroup
	ask := func() {
		if got, err := m.Get(t.Context(), textKey("a"), first, mark); got != "<aa>" || err != nil {
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
	if _, err := m.Get(gone, textKey("a"), first, mark); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(end)
	all.Wait()
	if calls.Load() != 1 {
		t.Errorf("computed %d times, want once", calls.Load())
	}
}

// TestLimit checks that the number of results in memory is limited, and that stored results survive.
func TestLimit(t *testing.T) {
	m := New[string](tableOf(nil), 10)
	for range 2 {
		for i := range 30 {
			name := strconv.Itoa(i)
			if got, err := m.Get(t.Context(), textKey(name), double(name), mark); got != "<"+name+name+">" || err != nil {
				t.Error(got, err)
			}
		}
	}
	if len(m.known) > 10 {
		t.Errorf("%d results are in memory, want at most 10", len(m.known))
	}
}
