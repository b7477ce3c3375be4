package verify

import (
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
)

// checkpointEvery is the shortest time between two reports of an unfinished run.
// checkpointShare limits the share of the time that is spent on writing them.
const (
	checkpointEvery = 2 * time.Second
	checkpointShare = 50 // one fiftieth
)

// A checkpointer saves finished results from time to time, so that little is lost if
// gpudocs is killed or the machine goes down. It writes in a goroutine of its own, so
// that a block that takes an hour does not delay the results before it.
type checkpointer struct {
	dirty chan struct{} // signals new results
	stop  chan struct{}
	work  sync.WaitGroup
}

// newCheckpointer starts a checkpointer. If save is nil, it does nothing. Errors of
// save are ignored: the report at the end of the run is written in the same way.
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

// changed signals that there are new results to save. A nil checkpointer ignores it.
func (c *checkpointer) changed() {
	if c == nil {
		return
	}
	select {
	case c.dirty <- struct{}{}:
	default:
	}
}

// close stops the checkpointer and waits for a write that is in progress.
func (c *checkpointer) close() {
	close(c.stop)
	c.work.Wait()
}
