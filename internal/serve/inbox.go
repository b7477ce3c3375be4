package serve

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// An inbox collects changes until the next build takes them. Adding never blocks, so that the kernel's queue of
// events does not overflow during a long build.
type inbox struct {
	wake  chan struct{} // has an element if something was added
	mu    sync.Mutex
	all   bool // anything may have changed
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

// addAll records that anything may have changed.
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

// take waits for a change, then until there are no more for the time quiet, but at most ten times as long, and
// empties the inbox. It waits longer if very many files change, because a build in the middle of a checkout finds files
// missing. changed is nil if anything may have changed. ok is false if ctx ended.
func (b *inbox) take(ctx context.Context, quiet time.Duration) (changed []string, ok bool) {
	select {
	case <-ctx.Done():
		return nil, false
	case <-b.wake:
	}
	for began := time.Now(); ; {
		wait, most := quiet, 10*quiet
		if b.isBulk() {
			wait, most = 6*quiet, 200*quiet
		}
		left := most - time.Since(began)
		select {
		case <-ctx.Done():
			return nil, false
		case <-b.wake:
			if left > 0 {
				continue // the quiet time begins again
			}
		case <-time.After(min(wait, left)):
		}
		return b.empty(), true
	}
}

// maxEdited is the number of paths up to which changes may be those of an editor.
const maxEdited = 50

// isBulk reports whether so many paths have changed that a program must have changed them.
func (b *inbox) isBulk() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.paths) > maxEdited
}

func (b *inbox) empty() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	// A signal since then is about a path that is taken now.
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
