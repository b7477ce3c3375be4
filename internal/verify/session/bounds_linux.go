package session

import (
	"errors"

	"github.com/gpudocs/gpudocs/internal/report"
)

// Bounds enforce the limits of the sessions of a run, by the best means available.
type Bounds struct {
	limits   Limits
	cgroups  *cgroupParent // nil if no cgroup can be created
	watcher  *watcher      // nil if there are no limits
	registry processRegistry
}

// NewBounds chooses the means. Close releases what it has taken.
func NewBounds(limits Limits) *Bounds {
	b := newBounds(limits)
	b.cgroups, _ = openCgroupParent() // if this fails, the watcher enforces the limits
	return b
}

func newBounds(limits Limits) *Bounds {
	b := &Bounds{limits: limits}
	if limits != (Limits{}) {
		b.watcher = newWatcher()
	}
	return b
}

// Means returns how the limits are enforced: by a cgroup for each session
// ([report.LimitsCgroup]), or by the watcher ([report.LimitsPrlimit]).
func (b *Bounds) Means() string {
	if b.cgroups != nil {
		return report.LimitsCgroup
	}
	return report.LimitsPrlimit
}

// Containment returns what keeps the processes of sessions without a sandbox together,
// so that none outlives its session: a cgroup below the reaper
// ([report.ContainmentCgroup]), the reaper ([report.ContainmentReaper]), or the tag alone
// ([report.ContainmentMark]).
func (b *Bounds) Containment() string {
	switch {
	case b.cgroups != nil:
		return report.ContainmentCgroup
	case b.registry.startedReaper() != nil:
		return report.ContainmentReaper
	}
	return report.ContainmentMark
}

// Close is called after the last session. It kills what sessions have left behind.
func (b *Bounds) Close() error {
	if b.watcher != nil {
		b.watcher.close()
	}
	err := b.registry.close()
	if b.cgroups != nil {
		err = errors.Join(err, b.cgroups.close())
	}
	return err
}
