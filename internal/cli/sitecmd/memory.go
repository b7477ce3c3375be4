package sitecmd

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// minGarbage is how much garbage a build may make before a collection, if its heap is small: a build
// is short. For a larger heap it is as much as is in use, which is Go's default. Half of that took a
// sixth of a build of ten thousand pages for collections, for a quarter less memory.
const minGarbage = 96 << 20

// gcPercent returns the percentage, as in GOGC, for a heap with so many live bytes.
func gcPercent(live uint64) int {
	live = max(live, 4<<20) // the runtime's minimum
	return int(max(minGarbage, live) * 100 / live)
}

// A pacer sets the percentage again after each collection.
type pacer struct{ ended atomic.Bool }

// paceMemory starts a pacer and returns a function that ends it. It does nothing if the user has set
// GOGC or GOMEMLIMIT.
func paceMemory() (end func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	p := &pacer{}
	before := debug.SetGCPercent(gcPercent(0))
	p.watch()
	return func() {
		p.ended.Store(true)
		debug.SetGCPercent(before)
	}
}

// watch calls pace after the next collection, as the finalizer of an unreachable value.
func (p *pacer) watch() {
	runtime.SetFinalizer(&struct{ *pacer }{p}, func(*struct{ *pacer }) { p.pace() })
}

func (p *pacer) pace() {
	if p.ended.Load() {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if live[0].Value.Kind() == metrics.KindUint64 {
		debug.SetGCPercent(gcPercent(live[0].Value.Uint64()))
	}
	p.watch()
}
