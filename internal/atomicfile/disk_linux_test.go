package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A full disk is reported as such; the old file stays, and the temporary file is removed.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=65536,mode=700"); err != nil {
		t.Skipf("no small disk to fill: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	file := filepath.Join(dir, "f")
	if err := Write(file, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(file, make([]byte, 1<<20), 0o644); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v", err)
	}
	if got := read(t, file); got != "old" {
		t.Errorf("the file became %q", got)
	}
	onlyFile(t, dir, "f")
	if err := Write(file, make([]byte, 32<<10), 0o644); err != nil {
		t.Errorf("with enough space: %v", err)
	}
	if info, err := os.Stat(file); err != nil || info.Size() != 32<<10 {
		t.Errorf("%v, %v", info, err)
	}
}

// The permissions do not depend on the umask.
func TestUmask(t *testing.T) {
	for _, umask := range []int{0, 0o022, 0o077} {
		old := syscall.Umask(umask)
		file := filepath.Join(t.TempDir(), "new", "f")
		err := Write(file, nil, 0o644)
		syscall.Umask(old)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(file); err != nil || info.Mode() != 0o644 {
			t.Errorf("umask %o: %v, %v", umask, info.Mode(), err)
		}
		if info, err := os.Stat(filepath.Dir(file)); err != nil || info.Mode().Perm() != os.FileMode(0o755&^umask) {
			t.Errorf("umask %o: the folder has %v, %v", umask, info.Mode(), err)
		}
	}
}
