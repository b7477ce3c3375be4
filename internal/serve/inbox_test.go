package serve

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestInboxWaitsForQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, began := newInbox(), time.Now()
		go func() {
			for _, name := range []string{"b", "a", "b"} {
				in.add(name)
				time.Sleep(40 * time.Millisecond)
			}
		}()
		changed, ok := in.take(t.Context(), 50*time.Millisecond)
		if !ok || !slices.Equal(changed, []string{"a", "b"}) {
			t.Errorf("took %q, %v", changed, ok)
		}
		if waited := time.Since(began); waited != 130*time.Millisecond {
			t.Errorf("waited %v", waited)
		}
	})
}

func TestInboxWaitsNoLongerThanTenTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, began := newInbox(), time.Now()
		var work sync.WaitGroup
		defer work.Wait()
		work.Go(func() {
			for range 20 {
				in.add("log")
				time.Sleep(40 * time.Millisecond)
			}
		})
		_, ok := in.take(t.Context(), 50*time.Millisecond)
		if waited := time.Since(began); !ok || waited != 500*time.Millisecond {
			t.Errorf("waited %v, %v", waited, ok)
		}
	})
}

func TestInboxAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newInbox()
		in.add("a")
		in.addAll()
		if changed, ok := in.take(t.Context(), time.Second); changed != nil || !ok {
			t.Errorf("took %q, %v", changed, ok)
		}
		in.add("b")
		if changed, _ := in.take(t.Context(), time.Second); !slices.Equal(changed, []string{"b"}) {
			t.Errorf("then took %q", changed)
		}
	})
}

func TestInboxEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newInbox()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, ok := in.take(ctx, time.Second); ok {
			t.Error("got changes from an empty inbox")
		}
	})
}

// TestStorm checks that changes with short pauses between them, as of a Git checkout, lead to one build,
// and that changes that never stop do not delay it for ever.
func TestStorm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const quiet = 20 * time.Millisecond
		b := newInbox()
		names := func(n int) (list []string) {
			for i := range maxEdited + 1 {
				list = append(list, fmt.Sprint(n, " ", i))
			}
			return list
		}
		b.add(names(0)...)
		go func() {
			for n := range 5 {
				time.Sleep(2 * quiet)
				b.add(names(n + 1)...)
			}
		}()
		if changed, ok := b.take(t.Context(), quiet); !ok || len(changed) != 6*(maxEdited+1) {
			t.Errorf("after a storm, %d paths", len(changed))
		}
		ended := make(chan struct{})
		go func() {
			for n := 0; ; n++ {
				select {
				case <-ended:
					return
				case <-time.After(quiet / 20):
					b.add(names(n)...)
				}
			}
		}()
		began := time.Now()
		b.take(t.Context(), quiet)
		close(ended)
		if took := time.Since(began); took < 200*quiet || took > patience {
			t.Errorf("waited %v while changes did not stop", took)
		}
	})
}
