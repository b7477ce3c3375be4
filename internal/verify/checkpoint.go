package verify

import (
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
)

// checkpointEvery is the least time between two reports of an unfinished run,
// and checkpointShare the part of the time that writing them may take.
const (
	checkpointEvery = 2 * time.Second
	checkpointShare = 50 // one fiftieth
)

// A checkpointer keeps what is finished, now and then while a run goes on, so
// that little is lost if gpudocs is killed or the machine goes down. It writes
// beside the sessions, so that a block of an hour does not keep back what
// finished before it.
type checkpointer struct {
	dirty chan struct{} // there is something new
	stop  chan struct{}
	work  sync.WaitGroup
}

// newCheckpointer starts one; without save it does nothing. What fails is not
// said here: the report at the end of the run is written in the same way.
func newCheckpointer(snapshot func() *report.Report, save func(*report.Report) error) *checkpointer {
	c := &checkpointer{dirty: make(chan struct{}, 1), stop: make(chan struct{})}
	if save != nil {
		c.work.Go(func() { c.loop(snapshot, save) })
	}
	return c
}

func (c *checkpointer) loop(snapshot func() *report.Report, save func(*report.Report) error) {
	wait := checkpointEvery
	for {
		select {
		case <-c.stop:
			return
		case <-time.After(wait):
		}
		select {
		case <-c.stop:
			return
		case <-c.dirty:
		}
		began := time.Now()
		_ = save(snapshot())
		wait = max(checkpointEvery, checkpointShare*time.Since(began))
	}
}

// mark says that there is something new to keep. A nil checkpointer keeps nothing.
func (c *checkpointer) mark() {
	if c == nil {
		return
	}
	select {
	case c.dirty <- struct{}{}:
	default:
	}
}

// close ends the checkpoints; the last one has been written when it returns.
func (c *checkpointer) close() {
	close(c.stop)
	c.work.Wait()
}
