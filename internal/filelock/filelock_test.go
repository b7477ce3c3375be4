package filelock

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// open opens a file or folder, to be closed at the end of the test.
func open(t *testing.T, name string, flag int) *os.File {
	t.Helper()
	f, err := os.OpenFile(name, flag, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// lockable skips the test if files cannot be locked here.
func lockable(t *testing.T) {
	t.Helper()
	if err := TryLock(open(t, filepath.Join(t.TempDir(), "try"), os.O_CREATE|os.O_RDWR)); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("no locks here")
	}
}

func TestTryLock(t *testing.T) {
	lockable(t)
	for _, c := range []struct {
		what string
		name func() string
		flag int
	}{
		{"a file", func() string { return filepath.Join(t.TempDir(), "f") }, os.O_CREATE | os.O_RDWR},
		{"a folder", t.TempDir, os.O_RDONLY},
	} {
		name := c.name()
		first, second := open(t, name, c.flag), open(t, name, c.flag)
		if err := TryLock(first); err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		if err := TryLock(second); err != ErrLocked {
			t.Errorf("%s that is locked: %v", c.what, err)
		}
		first.Close()
		if err := TryLock(second); err != nil {
			t.Errorf("%s whose lock was released: %v", c.what, err)
		}
		if err := TryLock(first); err == nil || err == ErrLocked || errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s that is closed: %v", c.what, err)
		}
	}
}

// The lock ends with the process that holds it, even if that is killed. The test runs itself
// again as that process.
func TestEndsWithProcess(t *testing.T) {
	const victim = "GPUDOCS_TEST_LOCK"
	if name := os.Getenv(victim); name != "" {
		fmt.Println(TryLock(open(t, name, os.O_RDWR)))
		time.Sleep(time.Hour)
	}
	lockable(t)
	f := open(t, filepath.Join(t.TempDir(), "f"), os.O_CREATE|os.O_RDWR)
	cmd := exec.Command(os.Args[0], "-test.run=^TestEndsWithProcess$")
	cmd.Env = append(os.Environ(), victim+"="+f.Name())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "<nil>\n" {
		t.Errorf("the other process: %q, %v", line, err)
	}
	if err := TryLock(f); err != ErrLocked {
		t.Errorf("while the other process lives: %v", err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if err := TryLock(f); err != nil {
		t.Errorf("after it was killed: %v", err)
	}
}

func TestInPlace(t *testing.T) {
	name := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(name, 0o700); err != nil {
		t.Fatal(err)
	}
	f := open(t, name, os.O_RDONLY)
	if !InPlace(f) {
		t.Error("a folder is not in its place")
	}
	if err := os.Rename(name, name+"2"); err != nil {
		t.Skip(err) // Windows renames no open folder
	}
	if InPlace(f) {
		t.Error("a folder that was renamed is in its place")
	}
	if err := os.Symlink(name+"2", name); err != nil {
		t.Fatal(err)
	}
	if InPlace(f) {
		t.Error("it is, by a link")
	}
	if err := errors.Join(os.Remove(name), os.Mkdir(name, 0o700)); err != nil {
		t.Fatal(err)
	}
	if InPlace(f) {
		t.Error("another is taken for it")
	}
}
