package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// A build is over soon, so it may leave more behind before it cleans up than Go's rule allows,
// which is as much as is in use. The rule here is a part of that and at least roomLeast: a small site is
// built with few collections, one of ten thousand pages takes less memory than by Go's rule.
const (
	roomLeast = 96 << 20
	roomPart  = 2 // of what is in use, one in so many
)

// roomFor is the percentage, as GOGC, for a heap of which so many bytes are in use.
func roomFor(live uint64) int {
	live = max(live, 4<<20) // of less the runtime takes it for so much
	return int(max(roomLeast, live/roomPart) * 100 / live)
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
