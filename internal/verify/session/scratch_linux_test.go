package session

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
)

// If gpudocs and its reaper are killed, the next run ends the processes and removes the folder
// that they left behind. The test runs itself again as that gpudocs.
func TestSurvivesKillOfGpudocs(t *testing.T) {
	const victim = "GPUDOCS_TEST_VICTIM"
	if os.Getenv(victim) != "" {
		scratch, err := NewScratch()
		if err != nil {
			t.Fatal(err)
		}
		o := options(t, Python)
		o.Scratch, o.Bounds = scratch.Dir, NewBounds(Limits{Memory: 1 << 30, Processes: 1000})
		o.Bounds.registry.noReaper = true // it was killed, too
		r := run(t, start(t, o), Step{Code: daemon})
		fmt.Println(scratch.Dir, strings.TrimSpace(string(r.Stdout.Text)))
		time.Sleep(time.Hour)
	}
	executable(t, Python) // skips without one
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	cmd := exec.Command(os.Args[0], "-test.run=^TestSurvivesKillOfGpudocs$")
	cmd.Env = append(os.Environ(), victim+"=yes")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	line = strings.TrimSpace(line)
	number := line[strings.LastIndexByte(line, ' ')+1:]
	dir := strings.TrimSuffix(line, " "+number)
	if err != nil {
		t.Fatal(line, err)
	}
	pid := pidIn(t, subprocess.Output{Text: []byte(number)})

	// While its owner lives it is not removed.
	if err := SweepLeftovers(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "ctl")); err != nil || !alive(pid) {
		t.Fatalf("the folder of a live run was removed: %v", err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	if _, err := os.Stat(dir); err != nil || !alive(pid) {
		t.Fatalf("nothing was left behind, so the test shows nothing: %v", err)
	}
	if err := SweepLeftovers(); err != nil {
		t.Fatal(err)
	}
	mustDie(t, pid)
	// tmp has no scratch folders, including those that the test made in the name of the victim.
	if left, _ := filepath.Glob(filepath.Join(tmp, scratchPrefix+"*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Runs that start and end at the same time never remove each other's folders.
func TestScratchRace(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for i := range 20 { // as if left by a killed run
		if err := os.MkdirAll(filepath.Join(os.TempDir(), fmt.Sprint(scratchPrefix, i), "work"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var runs sync.WaitGroup
	for range 8 {
		runs.Go(func() {
			for range 50 {
				if err := SweepLeftovers(); err != nil {
					t.Error(err)
				}
				s, err := NewScratch()
				if err != nil {
					t.Error(err)
					return
				}
				if err := os.WriteFile(filepath.Join(s.Dir, "tmp", "x"), nil, 0o600); err != nil {
					t.Errorf("removed by another run: %v", err)
				}
				if err := s.Remove(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	runs.Wait()
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Only folders that runs of this user have left are removed: no file, no link, no folder of
// another user, and none with a similar name: a user's own, or that of a run from another
// machine.
func TestSweepTakesOnlyItsOwn(t *testing.T) {
	tmp, elsewhere := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", tmp)
	name := func(s string) string { return filepath.Join(tmp, scratchPrefix+s) }
	err := errors.Join(
		os.WriteFile(name("1"), nil, 0o600),
		os.Mkdir(name("2"), 0o755),
		os.Symlink(elsewhere, name("3")),
		os.WriteFile(filepath.Join(elsewhere, "x"), nil, 0o600),
		os.Chmod(name("2"), 0o755), os.Chmod(elsewhere, 0o700), // independent of the umask
		os.Mkdir(name("4"), 0o700), // left behind
		os.Mkdir(name("thesis"), 0o700),
		os.Mkdir(filepath.Join(tmp, "gpudocs-5"), 0o700),
		os.Mkdir(filepath.Join(tmp, "gpudocs-host.aB3dE6"), 0o700),
	)
	if err != nil {
		t.Fatal(err)
	}
	want := 6
	if os.Geteuid() == 0 {
		want++
		if err := errors.Join(os.Mkdir(name("6"), 0o700), os.Chown(name("6"), 65534, 65534)); err != nil {
			t.Fatal(err)
		}
	}
	if err := SweepLeftovers(); err != nil {
		t.Error(err)
	}
	left, _ := os.ReadDir(tmp)
	if _, err := os.Stat(filepath.Join(elsewhere, "x")); err != nil || len(left) != want {
		t.Errorf("remaining: %v, %v", left, err)
	}
}

// smallDisk is a file system with the given size in bytes.
func smallDisk(t *testing.T, size int) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d,mode=700", size)); err != nil {
		t.Skipf("no small disk to fill: %v", err)
	}
	t.Cleanup(func() { unix.Unmount(dir, unix.MNT_DETACH) })
	return dir
}

func fill(t *testing.T, dir string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "fill"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
}

// A full disk is a clear error of the step that meets it, and leaves nothing behind.
func TestSurvivesFullDisk(t *testing.T) {
	t.Setenv("TMPDIR", smallDisk(t, 256<<10))
	t.Run("before the session", func(t *testing.T) {
		fill(t, os.TempDir())
		defer os.Remove(filepath.Join(os.TempDir(), "fill"))
		s, err := NewScratch()
		if err == nil { // an empty folder fits
			defer s.Remove()
			o := options(t, Bash)
			o.Scratch = s.Dir
			_, err = Start(t.Context(), o)
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("got %v", err)
		}
	})
	for _, interpreter := range []string{Bash, Python} {
		t.Run("in a block of "+interpreter, func(t *testing.T) {
			o := options(t, interpreter)
			scratch, err := NewScratch()
			if err != nil {
				t.Fatal(err)
			}
			o.Scratch = scratch.Dir
			s := start(t, o)
			code := map[string]string{Bash: "cat /dev/zero >fill", Python: "f = open('fill', 'wb', 0)\nwhile True: f.write(bytes(4096))"}[interpreter]
			r := run(t, s, Step{Code: code})
			if message := string(r.Stderr.Text) + r.Exception; r.Status != Finished || r.Exit == 0 || !strings.Contains(message, "No space left") {
				t.Errorf("the block that fills it: %v, exit %d, %s", r.Status, r.Exit, message)
			}
			// The next block cannot be handed over; with free space it can.
			_, err = s.Run(t.Context(), Step{File: page, Line: 1, Code: strings.Repeat("#", 5000)})
			if !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("the next block: %v", err)
			}
			os.Remove(filepath.Join(scratch.Dir, "work", "fill"))
			if r := run(t, s, Step{Code: map[string]string{Bash: "echo on", Python: "print('on')"}[interpreter]}); string(r.Stdout.Text) != "on\n" {
				t.Errorf("with free space: %+v", r)
			}
			if err := errors.Join(s.Close(), scratch.Remove()); err != nil {
				t.Error(err)
			}
		})
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
