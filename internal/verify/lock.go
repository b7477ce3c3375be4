package verify

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"github.com/gpudocs/gpudocs/internal/filelock"
	"github.com/gpudocs/gpudocs/internal/text"
)

// Busy is the error of [Lock] if another process holds the lock. The fields describe
// that process, and are empty if it has not written them yet.
type Busy struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
}

func (b *Busy) Error() string { return b.In(text.Catalog{}) }

// In returns the message in the language of the catalog.
func (b *Busy) In(c text.Catalog) string {
	if b.PID == 0 {
		return c.Say(text.Say("verify.lock-held"))
	}
	since := b.Since.Local().Format(time.DateTime)
	if host, err := os.Hostname(); err != nil || host != b.Host {
		return c.Say(text.Say("verify.lock-process-on-host", "pid", b.PID, "host", b.Host, "since", since))
	}
	return c.Say(text.Say("verify.lock-process", "pid", b.PID, "since", since))
}

// Lock takes the lock on a file, or returns a [*Busy] error. The lock is released if
// the process ends, for whatever reason; the file stays. If the system or the file
// system has no locks, Lock succeeds.
func Lock(file string) (release func(), err error) {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	switch err := filelock.TryLock(f); {
	case errors.Is(err, filelock.ErrLocked):
		defer f.Close()
		return nil, holder(f)
	case err != nil && !errors.Is(err, errors.ErrUnsupported):
		f.Close()
		return nil, err
	}
	introduce(f)
	return func() {
		_ = f.Truncate(0)
		f.Close()
	}, nil
}

// introduce writes a description of this process to the lock file. It is only for the
// message of [Busy], so errors are ignored.
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
