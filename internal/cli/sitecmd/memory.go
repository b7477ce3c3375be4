package sitecmd

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// A build is over soon, so it may leave more behind before it cleans up than Go's rule allows a
// small heap. Go's rule, as much as is in use, holds from there on: half of that took a
// sixth of a build of ten thousand pages for collections, and a quarter less memory.
const roomLeast = 96 << 20

// roomFor is the percentage, as GOGC, for a heap of which so many bytes are in use.
func roomFor(live uint64) int {
	live = max(live, 4<<20) // of less the runtime takes it for so much
	return int(max(roomLeast, live) * 100 / live)
}

// A pacer sets the percentage anew after each collection.
type pacer struct{ ended atomic.Bool }

// paceMemory begins that, unless who called has a rule of their own, and returns what ends it.
func paceMemory() (end func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	p := &pacer{}
	before := debug.SetGCPercent(roomFor(0))
	p.watch()
	return func() {
		p.ended.Store(true)
		debug.SetGCPercent(before)
	}
}

// watch has pace called when the next collection is over: nothing else refers to what it waits for.
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
		debug.SetGCPercent(roomFor(live[0].Value.Uint64()))
	}
	p.watch()
}
