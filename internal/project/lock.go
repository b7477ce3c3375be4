package project

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"syscall"
	"time"

	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// Lock makes this run the only one that writes the reports of machines: it takes the locks of all of them, or none.
// Other machines may verify the same site on a shared file system at the same time.
func (p *Project) Lock(machines ...string) (release func(), err error) {
	var held []func()
	release = func() {
		for _, r := range held {
			r()
		}
	}
	machines = slices.Sorted(slices.Values(machines))
	for _, m := range slices.Compact(machines) {
		one, err := p.tryLock(m)
		if busy, ok := errors.AsType[*verify.Busy](err); ok {
			err = diag.Wrong(diag.Say("cli.fault-locked", "machine", m, "by", busy))
		}
		if err != nil {
			release()
			return nil, err
		}
		held = append(held, one)
	}
	return release, nil
}

// WaitLock waits until no other run writes the machine's report. If it has to wait it calls waits, once, with the
// message that says so.
func (p *Project) WaitLock(ctx context.Context, machine string, waits func(diag.Text)) (release func(), err error) {
	for waiting := false; ; waiting = true {
		release, err = p.tryLock(machine)
		busy, ok := errors.AsType[*verify.Busy](err)
		if !ok {
			return release, err
		}
		if !waiting {
			waits(diag.Say("cli.waiting_lock", "machine", machine, "by", busy))
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Second / 2):
		}
	}
}

// tryLock takes the lock in the private folder. A site that cannot be written to has no such
// folder, and is verified without a lock.
func (p *Project) tryLock(machine string) (release func(), err error) {
	err = p.MakePrivate()
	if err == nil {
		release, err = verify.Lock(p.Path(PrivateDir, machine+".lock"))
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		p.warn(diag.Say("verify.lock-failed", "why", err))
		return func() {}, nil
	}
	return release, err
}
