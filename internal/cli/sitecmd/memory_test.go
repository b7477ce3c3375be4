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
			t.Errorf("%d bytes in use: room for %d, not %d", live, got, want)
		}
	}
}

// TestPaceMemory holds that the percentage follows what is in use, and is as before in the end.
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
		t.Errorf("%d per cent with %d bytes in use, most should be %d", now, len(held), most)
	}
	runtime.KeepAlive(held)
	end()
	runtime.GC()
	time.Sleep(50 * time.Millisecond)
	if now := percent(); now != before {
		t.Errorf("%d per cent, %d before", now, before)
	}
	t.Setenv("GOGC", "70")
	paceMemory()()
	if now := percent(); now != before {
		t.Errorf("%d per cent, though the caller set it", now)
	}
}
