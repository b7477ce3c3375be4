package session

import "errors"

// Bounds hold the sessions of a run within limits, by the best means that the
// machine lets us use.
type Bounds struct {
	limits  Limits
	base    *base    // nil where no cgroup can be made
	watcher *watcher // nil if there is nothing to watch for
	family  family
}

// NewBounds finds the means; Close gives back what it took.
func NewBounds(limits Limits) *Bounds {
	b := newBounds(limits)
	b.base, _ = openBase() // without, we watch
	return b
}

func newBounds(limits Limits) *Bounds {
	b := &Bounds{limits: limits}
	if limits != (Limits{}) {
		b.watcher = newWatcher()
	}
	return b
}

// Means is ByCgroup or ByWatching.
func (b *Bounds) Means() string {
	if b.base != nil {
		return ByCgroup
	}
	return ByWatching
}

// Containment says what no process of a session outside of a sandbox gets away from:
// InCgroup, BelowReaper or Marked.
func (b *Bounds) Containment() string {
	switch {
	case b.base != nil:
		return InCgroup
	case b.family.parent() != nil:
		return BelowReaper
	}
	return Marked
}

// Close is for after the last session. It ends what sessions have left behind.
func (b *Bounds) Close() error {
	if b.watcher != nil {
		b.watcher.close()
	}
	err := b.family.close()
	if b.base != nil {
		err = errors.Join(err, b.base.close())
	}
	return err
}
