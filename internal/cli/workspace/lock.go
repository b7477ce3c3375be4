package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"
	"time"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// Lock makes this run the only one that writes the machine's report. Other machines may verify the
// same site on a shared file system at the same time.
func Lock(a *env.Env, machine string) (release func(), err error) {
	release, err = tryLock(a, machine)
	if busy, ok := errors.AsType[*verify.Busy](err); ok {
		return nil, env.Usage(diag.Say("cli.fault-locked-hint"), diag.Say("cli.fault-locked", "machine", machine, "by", busy))
	}
	return release, err
}

// LockAll takes the locks of several machines, or none.
func LockAll(a *env.Env, machines []string) (release func(), err error) {
	var held []func()
	release = func() {
		for _, r := range held {
			r()
		}
	}
	machines = slices.Clone(machines)
	slices.Sort(machines)
	for _, m := range slices.Compact(machines) {
		one, err := Lock(a, m)
		if err != nil {
			release()
			return nil, err
		}
		held = append(held, one)
	}
	return release, nil
}

// WaitLock waits until no other run writes the machine's report. If it has to wait, it prints a message
// and calls waits, once.
func WaitLock(ctx context.Context, a *env.Env, machine string, waits func()) (release func(), err error) {
	for waiting := false; ; waiting = true {
		release, err = tryLock(a, machine)
		busy, ok := errors.AsType[*verify.Busy](err)
		if !ok {
			return release, err
		}
		if !waiting {
			waits()
			a.Around(func() {
				fmt.Fprintln(a.Stdout, a.Text.Get("waiting_lock", "machine", machine, "by", a.Text.Error(busy)))
			})
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
func tryLock(a *env.Env, machine string) (release func(), err error) {
	err = Gitignore(a.Path(PrivateDir))
	if err == nil {
		release, err = verify.Lock(a.Path(PrivateDir, machine+".lock"))
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		a.Warn(diag.Say("verify.lock-failed", "why", err))
		return func() {}, nil
	}
	return release, err
}
