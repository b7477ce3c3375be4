//go:build unix

package verify

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestLock(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m.lock")
	release, err := Lock(file)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Lock(file)
	var busy *Busy
	if !errors.As(err, &busy) || busy.PID != os.Getpid() || time.Since(busy.Since) > time.Minute {
		t.Errorf("the second lock: %+v", err)
	}
	if host, _ := os.Hostname(); strings.Contains(err.Error(), host) || !strings.Contains(err.Error(), "since ") {
		t.Errorf("error %q", err)
	}
	busy.Host = "elsewhere"
	if !strings.Contains(busy.Error(), " on elsewhere") {
		t.Errorf("from another host: error %q", busy)
	}
	release()
	again, err := Lock(file)
	if err != nil {
		t.Fatalf("after the release: %v", err)
	}
	again()
	// What a killed process, or anybody else, has written to the file is ignored.
	for _, text := range []string{`{"pid": 1, "host": "x", "since": "2020-01-01T00:00:00Z"}`, "{", strings.Repeat("x", 1<<20)} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		again, err := Lock(file)
		if err != nil {
			t.Fatalf("%.20q: %v", text, err)
		}
		again()
	}
	if _, err := Lock(t.TempDir()); err == nil || errors.As(err, &busy) {
		t.Errorf("a folder was locked: %v", err)
	}
}
