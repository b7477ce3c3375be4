package session

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/container"
	"github.com/gpudocs/gpudocs/internal/machine/container/containertest"
)

// images returns an image for each kind that a runtime runs, with functions that find it.
func images(t *testing.T, rootfs string) map[string]func(t *testing.T) *container.Image {
	find := func(runtime string, text func(*testing.T, container.Host) string) func(*testing.T) *container.Image {
		return func(t *testing.T) *container.Image {
			h := containertest.Host(t, runtime)
			image, err := container.Find(t.Context(), text(t, h), h)
			if err != nil {
				t.Fatal(err)
			}
			return image
		}
	}
	folder := func(*testing.T, container.Host) string { return rootfs }
	squashfs := func(t *testing.T, _ container.Host) string { return containertest.Squashfs(t, rootfs) }
	return map[string]func(*testing.T) *container.Image{
		"podman": find(container.Podman, func(t *testing.T, h container.Host) string {
			containertest.Import(t, h, rootfs, "registry.example/test:1")
			return "docker://registry.example/test:1"
		}),
		"folder":    find(container.Podman, folder),
		"apptainer": find(container.Apptainer, folder),
		"enroot":    find(container.Enroot, squashfs),
		"docker": find(container.Docker, func(t *testing.T, h container.Host) string {
			containertest.Import(t, h, rootfs, "registry.example/test:1")
			return "registry.example/test:1"
		}),
	}
}

// inContainer returns options of a session in an image.
func inContainer(t *testing.T, image *container.Image, interpreter string) Command {
	t.Helper()
	dir := containertest.Folder(t)
	scratch := filepath.Join(dir, "a scratch, with a comma")
	switch image.Runtime {
	case container.Enroot: // its command line has no way to quote
		scratch = filepath.Join(dir, "scratch")
	case container.Docker: // and the service that stands in for Docker's has none for a comma
		scratch = filepath.Join(dir, "a scratch")
	}
	site := filepath.Join(dir, "site")
	for _, err := range []error{os.MkdirAll(filepath.Join(scratch, "tmp"), 0o700), os.Mkdir(site, 0o755), os.WriteFile(filepath.Join(site, "data.csv"), []byte("1,2\n"), 0o644)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return Command{
		Interpreter: interpreter, Path: map[string]string{Bash: "bash", Python: "python3"}[interpreter],
		Env:     []string{"LC_ALL=C.UTF-8", "TMPDIR=" + filepath.Join(scratch, "tmp"), "SITE=" + site, "QUOTED=$(echo a) 'b\" \\c"},
		Scratch: scratch, Grace: 300 * time.Millisecond,
		Container: &Container{Image: image, Show: []string{site}},
	}
}

// mustEnd checks that nothing of a session is left: no process, and no container.
func mustEnd(t *testing.T, s *Session, marker string) {
	t.Helper()
	eventually(t, "no process of the session is left", func() bool {
		return len(slices.Collect(s.processes.members)) == 0 && !hasArgument(marker)
	})
}

// hasArgument reports whether a process has an argument.
func hasArgument(argument string) bool {
	for pid := range processes {
		data, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
		if slices.Contains(strings.Split(string(data), "\x00"), argument) {
			return true
		}
	}
	return false
}

func TestContainer(t *testing.T) {
	if testing.Short() {
		t.Skip("runtimes take seconds, and none of their code is ours")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	rootfs := containertest.Rootfs(t)
	for name, find := range images(t, rootfs) {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it waits for its runtime most of the time
			testContainer(t, find(t))
		})
	}
}

func testContainer(t *testing.T, image *container.Image) {
	// The lower a limit is, the more often its session is looked at.
	within := func(t *testing.T, limits Limits, interpreter string) Command {
		bounds := newBounds(limits)
		t.Cleanup(func() {
			if err := bounds.Close(); err != nil {
				t.Error(err)
			}
		})
		o := inContainer(t, image, interpreter)
		o.Bounds = bounds
		return o
	}
	options := func(t *testing.T, interpreter string) Command { return within(t, Limits{}, interpreter) }

	t.Run("bash", func(t *testing.T) {
		o := options(t, Bash)
		s := start(t, o)
		work, site := filepath.Join(s.o.Scratch, "work"), o.Container.Show[0]
		for _, w := range []want{
			{code: "x=1; pwd; echo \"$QUOTED\"; cat \"$SITE/data.csv\"", out: work + "\n$(echo a) 'b\" \\c\n1,2\n"},
			{code: "echo $x; false; echo no", out: "1\n", exit: 1, line: 70},
			{code: "echo x >\"$SITE/new\"", err: site, exit: 1, line: 70},
			{code: "echo x >../ctl/driver.sh", err: "driver.sh", exit: 1, line: 70},
			{code: "ls " + os.TempDir() + " /home/* >/dev/null", err: "ls:", exit: 2, line: 70},
			{code: "echo hi >file; echo $HOME; kill -TERM $$; sleep 20", out: filepath.Join(s.o.Scratch, "tmp") + "\n", exit: 143, status: Crashed, signal: "SIGTERM", ended: true},
		} {
			if strings.HasPrefix(w.code, "ls") && image.Runtime == container.Enroot {
				continue // what it mounts is the choice of who installed it
			}
			w.check(t, run(t, s, Step{Code: w.code}))
		}
		if data, err := os.ReadFile(filepath.Join(work, "file")); err != nil || string(data) != "hi\n" {
			t.Errorf("the file is %q, %v", data, err)
		}
	})

	t.Run("python", func(t *testing.T) {
		s := start(t, options(t, Python))
		for _, w := range []want{
			{code: "import sys, torch; torch.__version__", out: "'" + containertest.Torch + "'\n"},
			{code: "1/0", err: "ZeroDivisionError", exit: 1, line: 70, exception: "ZeroDivisionError: division by zero"},
			{code: "sys.stdin.read()", out: "''\n"},
			{code: "import os; os.abort()", exit: 134, status: Crashed, signal: "SIGABRT", ended: true},
		} {
			w.check(t, run(t, s, Step{Code: w.code}))
		}
	})

	t.Run("timeout", func(t *testing.T) {
		marker := "600." + strconv.Itoa(os.Getpid())
		s := start(t, options(t, Bash))
		r := run(t, s, Step{Timeout: 2 * time.Second, Code: "setsid sleep " + marker + " & (setsid env -i sleep " + marker +
			" &) ; trap '' TERM; ulimit -R 1 2>/dev/null; setsid sleep " + marker + " & sleep " + marker})
		if r.Status != TimedOut {
			t.Errorf("%v, %s", r.Status, r.Stderr.Text)
		}
		mustEnd(t, s, marker)
	})

	t.Run("SIGTERM", func(t *testing.T) {
		if image.ByService() {
			t.Skip("no signal reaches a container of Docker")
		}
		o := options(t, Bash)
		o.Grace = 5 * time.Second
		s := start(t, o)
		r := run(t, s, Step{Timeout: time.Second, Code: "trap 'echo end >bye; exit 3' TERM; while :; do sleep 0.1; done"})
		if data, err := os.ReadFile(filepath.Join(s.o.Scratch, "work/bye")); r.Status != TimedOut || err != nil {
			t.Errorf("%v, the trap wrote %q, %v", r.Status, data, err)
		}
	})

	t.Run("EXIT trap", func(t *testing.T) {
		marker := "601." + strconv.Itoa(os.Getpid())
		o := options(t, Bash)
		o.Grace = 5 * time.Second
		s := start(t, o)
		run(t, s, Step{Code: "trap 'echo end >bye' EXIT; sleep " + marker + " &"})
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if data, err := os.ReadFile(filepath.Join(s.o.Scratch, "work/bye")); err != nil {
			t.Errorf("the trap wrote %q, %v", data, err)
		}
		mustEnd(t, s, marker)
	})

	t.Run("memory", func(t *testing.T) {
		s := start(t, within(t, Limits{Memory: 600 << 20}, Python))
		r := run(t, s, Step{Code: "x = []\nwhile True: x.append(b'x' * 10**6)"})
		if image.ByService() && r.Status == Crashed && r.Signal == "SIGKILL" {
			return // by the kernel
		}
		if r.Status != Limited || r.Limit != LimitMemory {
			t.Errorf("%v %q, exit %d, %s", r.Status, r.Limit, r.Exit, r.Stderr.Text)
		}
	})

	t.Run("fork bomb", func(t *testing.T) {
		marker := "602." + strconv.Itoa(os.Getpid())
		s := start(t, within(t, Limits{Processes: 200}, Bash))
		limit := 30 * time.Second
		if image.ByService() { // the kernel refuses more processes, and bash tries again and again
			limit = 3 * time.Second
		}
		r := run(t, s, Step{Timeout: limit, Code: "for i in {1..400}; do sleep " + marker + " & done; wait"})
		if !image.ByService() && (r.Status != Limited || r.Limit != LimitProcesses) {
			t.Errorf("%v %q, exit %d, %s", r.Status, r.Limit, r.Exit, r.Stderr.Text)
		}
		s.Close()
		mustEnd(t, s, marker)
	})

	t.Run("no interpreter", func(t *testing.T) {
		o := options(t, Bash)
		o.Path = "no-such-program"
		if _, err := Start(context.Background(), o); err == nil || !strings.Contains(err.Error(), "exit status 127") {
			t.Error(err)
		}
	})
}

// TestContainerLeftover checks that the container of a killed run is removed by its name, and
// that a file that a snippet may have written chooses no program.
func TestContainerLeftover(t *testing.T) {
	if testing.Short() {
		t.Skip("runtimes take seconds, and none of their code is ours")
	}
	h := containertest.Host(t, container.Podman)
	for _, kv := range h.Env {
		if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "CONTAINERS_") {
			t.Setenv(name, value)
		}
	}
	podman := h.LookPath(container.Podman)
	containertest.Import(t, h, containertest.Rootfs(t), "registry.example/test:1")
	scratch, marker := t.TempDir(), "603."+strconv.Itoa(os.Getpid())
	name := newSessionProcesses(scratch, nil).containerName()
	if out, err := exec.Command(podman, "run", "--detach", "--stop-timeout=0", "--network=host", "--name="+name, "registry.example/test:1", "sleep", marker).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.Mkdir(filepath.Join(scratch, "ctl"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, runtime := range []string{"", "../../bin/podman", "podman\n", podman} {
		if err := os.WriteFile(filepath.Join(scratch, "ctl", runtimeFile), []byte(runtime), 0o600); err != nil {
			t.Fatal(err)
		}
		if sweepContainer(scratch); !hasArgument(marker) {
			t.Errorf("%q has ended the container", runtime)
		}
	}
	if err := os.WriteFile(filepath.Join(scratch, "ctl", runtimeFile), []byte(container.Podman), 0o600); err != nil {
		t.Fatal(err)
	}
	sweepContainer(scratch)
	if out, err := exec.Command(podman, "ps", "--all", "--quiet").CombinedOutput(); err != nil || len(out) > 0 || hasArgument(marker) {
		t.Errorf("left: %s, %v", out, err)
	}
}
