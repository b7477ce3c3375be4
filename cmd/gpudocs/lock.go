package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"
	"time"

	"github.com/gpudocs/gpudocs/internal/verify"
)

// lock makes this the only run that writes the machine's report. Another machine
// may verify the same site, on a file system that they share, at the same time.
func (a *app) lock(machine string) (release func(), err error) {
	release, err = a.tryLock(machine)
	if busy := (*verify.Busy)(nil); errors.As(err, &busy) {
		return nil, a.fault("locked", "machine", machine, "by", busy.Error())
	}
	return release, err
}

// lockAll takes the locks of several machines, or none.
func (a *app) lockAll(machines []string) (release func(), err error) {
	var held []func()
	release = func() {
		for _, r := range held {
			r()
		}
	}
	machines = slices.Clone(machines)
	slices.Sort(machines)
	for _, m := range slices.Compact(machines) {
		one, err := a.lock(m)
		if err != nil {
			release()
			return nil, err
		}
		held = append(held, one)
	}
	return release, nil
}

// waitLock waits until no other run writes the machine's report, and says so, once to
// whoever else wants to know.
func (a *app) waitLock(ctx context.Context, machine string, waits func()) (release func(), err error) {
	for said := false; ; said = true {
		release, err = a.tryLock(machine)
		busy := (*verify.Busy)(nil)
		if !errors.As(err, &busy) {
			return release, err
		}
		if !said {
			waits()
			a.say(func() {
				fmt.Fprintln(a.stdout, a.w.Get("waiting_lock", "machine", machine, "by", a.w.own(busy.Error())))
			})
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Second / 2):
		}
	}
}

// tryLock takes the lock in the private folder. A site that cannot be written has
// no such folder, and is verified without one.
func (a *app) tryLock(machine string) (release func(), err error) {
	err = gitignore(a.path(privateDir))
	if err == nil {
		release, err = verify.Lock(a.path(privateDir, machine+".lock"))
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		a.warn("no lock could be taken, so see that nobody else verifies this site: %v", err)
		return func() {}, nil
	}
	return release, err
}
