//go:build unix

package verify

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Lock takes the lock that is the file, or says who has it: [*Busy]. The lock is
// the kernel's and ends with the process that holds it, however that ends; the
// file itself stays and means nothing. Where a file system knows no locks it is
// granted to everybody.
func Lock(file string) (release func(), err error) {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
	case errors.Is(err, unix.EWOULDBLOCK):
		defer f.Close()
		return nil, holder(f)
	case err != nil && !errors.Is(err, unix.ENOLCK) && !errors.Is(err, unix.ENOTSUP) && !errors.Is(err, unix.ENOSYS):
		f.Close()
		return nil, &os.PathError{Op: "lock", Path: file, Err: err}
	}
	introduce(f)
	return func() {
		_ = f.Truncate(0)
		f.Close()
	}, nil
}

// introduce writes into the file who has it. It is for the other's message
// only, so a failure does not matter.
func introduce(f *os.File) {
	host, _ := os.Hostname()
	if data, err := json.Marshal(Busy{os.Getpid(), host, time.Now().UTC().Truncate(time.Second)}); err == nil && f.Truncate(0) == nil {
		_, _ = f.WriteAt(append(data, '\n'), 0)
	}
}

func holder(f *os.File) *Busy {
	b := &Busy{}
	data, err := io.ReadAll(io.LimitReader(f, 4<<10))
	if err != nil || json.Unmarshal(data, b) != nil {
		return &Busy{}
	}
	return b
}
