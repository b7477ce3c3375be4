package sitecmd

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestRoom(t *testing.T) {
	for live, want := range map[uint64]uint64{0: minGarbage, 1 << 20: minGarbage, 95 << 20: minGarbage, 384 << 20: 384 << 20, 2 << 30: 2 << 30} {
		got := uint64(gcPercent(live)) * max(live, 4<<20) / 100
		if got > want || got < want*98/100 {
			t.Errorf("%d bytes in use: got room for %d, want %d", live, got, want)
		}
	}
}

// TestPaceMemory: the percentage follows the memory in use, and is restored at the end.
func TestPaceMemory(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	percent := func() int {
		now := debug.SetGCPercent(100)
		debug.SetGCPercent(now)
		return now
	}
	before := percent()
	end := paceMemory()
	held := make([]byte, 64<<20)
	most := gcPercent(uint64(len(held)))
	for begin := time.Now(); percent() > most && time.Since(begin) < 20*time.Second; time.Sleep(10 * time.Millisecond) {
		runtime.GC()
	}
	if now := percent(); now > most {
		t.Errorf("got %d per cent with %d bytes in use, want at most %d", now, len(held), most)
	}
	runtime.KeepAlive(held)
	end()
	runtime.GC()
	time.Sleep(50 * time.Millisecond)
	if now := percent(); now != before {
		t.Errorf("got %d per cent, want %d as before", now, before)
	}
	t.Setenv("GOGC", "70")
	paceMemory()()
	if now := percent(); now != before {
		t.Errorf("got %d per cent although the caller set it", now)
	}
}
