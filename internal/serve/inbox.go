package serve

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// An inbox collects changes until the next build takes them. Adding never
// blocks, so that the kernel's queue of events is emptied during a long build.
type inbox struct {
	wake  chan struct{} // holds at most one: something was added
	mu    sync.Mutex
	all   bool
	paths map[string]bool
}

func newInbox() *inbox {
	return &inbox{wake: make(chan struct{}, 1), paths: map[string]bool{}}
}

func (b *inbox) add(paths ...string) {
	if len(paths) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range paths {
		b.paths[p] = true
	}
	b.signal()
}

// addAll says that anything may have changed.
func (b *inbox) addAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = true
	b.signal()
}

func (b *inbox) signal() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// take waits for a change, then until no more come for the time given, at most
// ten times as long, and empties the inbox. Of a storm it waits for the end with more
// patience: a build in the midst of a checkout finds files missing. changed is nil when
// anything may have changed; ok is false when ctx ended.
func (b *inbox) take(ctx context.Context, quiet time.Duration) (changed []string, ok bool) {
	select {
	case <-ctx.Done():
		return nil, false
	case <-b.wake:
	}
	for began := time.Now(); ; {
		wait, most := quiet, 10*quiet
		if b.storm() {
			wait, most = 6*quiet, 200*quiet
		}
		left := most - time.Since(began)
		select {
		case <-ctx.Done():
			return nil, false
		case <-b.wake:
			if left > 0 {
				continue // begins the quiet time anew
			}
		case <-time.After(min(wait, left)):
		}
		return b.empty(), true
	}
}

// calm is how many paths change at once when people write, at most.
const calm = 50

// storm reports whether so much has changed that a program must be at it.
func (b *inbox) storm() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.paths) > calm
}

func (b *inbox) empty() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	// A signal that came since the last look is about what is taken now.
	select {
	case <-b.wake:
	default:
	}
	changed := slices.Sorted(maps.Keys(b.paths))
	if b.all {
		changed = nil
	}
	b.all, b.paths = false, map[string]bool{}
	return changed
}
