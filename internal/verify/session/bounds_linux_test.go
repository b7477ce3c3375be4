package session

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
)

// means are the ways in which this machine can limit a session: it can always be watched, and
// if we may create cgroups they are tested as well.
func means(t *testing.T, limits Limits) map[string]*Bounds {
	t.Helper()
	all := map[string]*Bounds{report.LimitsPrlimit: newBounds(limits)}
	t.Cleanup(func() { all[report.LimitsPrlimit].Close() })
	b := NewBounds(limits)
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	if b.Means() == report.LimitsCgroup {
		all[report.LimitsCgroup] = b
	} else {
		_, err := openCgroupParent()
		t.Logf("not tested in a cgroup: %v", err)
	}
	return all
}

// mustBeOver runs a block that exceeds a limit, and checks that nothing of it survives.
func mustBeOver(t *testing.T, o Command, code, limit string) {
	t.Helper()
	s := start(t, o)
	r := run(t, s, Step{Code: code})
	want{code: code, out: "begun\n", err: strings.TrimSpace(string(r.Stderr.Text)), exit: -1, status: Limited, ended: true}.check(t, r)
	if r.Limit != limit {
		t.Errorf("exceeded the limit of %q, want %q", r.Limit, limit)
	}
	eventually(t, "no process of the session is left", func() bool { return len(slices.Collect(s.processes.members)) == 0 })
}

// The bombs stop at 1,024 processes, so that they do not bring the machine down if a limit
// fails. They stay, so that whoever counts processes sees them, on a busy machine too.
func TestSurvivesForkBomb(t *testing.T) {
	bombs := map[string]string{
		Bash:   "echo begun\nbomb() { if (($1 < 10)); then bomb $(($1 + 1)) | bomb $(($1 + 1)) & else sleep 60; fi; }\nbomb 0\nsleep 60",
		Python: "import os, time\nprint('begun', flush=True)\nfor i in range(10):\n  try: os.fork()\n  except OSError: pass\ntime.sleep(60)",
	}
	for means, bounds := range means(t, Limits{Processes: 50}) {
		for interpreter, code := range bombs {
			for i, o := range confinements(t, interpreter) {
				t.Run(means+" "+interpreter+[]string{"", " in a sandbox"}[i], func(t *testing.T) {
					o.Bounds = bounds
					mustBeOver(t, o, code, LimitProcesses)
				})
			}
		}
	}
}

func TestSurvivesMemoryHog(t *testing.T) {
	const one = "print('begun', flush=True)\nx = []\nwhile True: x.append(b'x' * 10**6)"
	const several = `
import subprocess, sys
print('begun', flush=True)
for i in range(4): subprocess.Popen([sys.executable, '-c', 'x = b"x" * 10**8; input()'], stdin=subprocess.PIPE)
import time; time.sleep(60)`
	for means, bounds := range means(t, Limits{Memory: 250 << 20}) {
		for name, code := range map[string]string{"one process": one, "several": several} {
			for i, o := range confinements(t, Python) {
				t.Run(means+" "+name+[]string{"", " in a sandbox"}[i], func(t *testing.T) {
					o.Bounds = bounds
					mustBeOver(t, o, code, LimitMemory)
				})
			}
		}
	}
}

// Memory that processes share counts once: four subprocesses of a process of 120 MB are not 600
// MB. Address space, and threads within the limit, do not count at all.
func TestWithinLimits(t *testing.T) {
	t.Parallel()
	const code = `
import mmap, os, threading, time
x = bytearray(b'x') * 120_000_000
space = mmap.mmap(-1, 50 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)
for i in range(20): threading.Thread(target=time.sleep, args=(2,)).start()
pids = []
for i in range(4):
    pid = os.fork()
    if pid == 0:
        time.sleep(2)
        os._exit(0)
    pids.append(pid)
[os.waitpid(pid, 0)[1] for pid in pids]`
	for means, bounds := range means(t, Limits{Memory: 300 << 20, Processes: 60}) {
		t.Run(means, func(t *testing.T) {
			o := options(t, Python)
			o.Bounds = bounds
			s := start(t, o)
			want{code: code, out: "[0, 0, 0, 0]\n"}.check(t, run(t, s, Step{Code: code}))
		})
	}
}

// If the memory of the machine runs out, the kernel should kill a snippet first.
func TestOOMScore(t *testing.T) {
	for means, bounds := range means(t, Limits{Memory: 1 << 30}) {
		o := options(t, Bash)
		o.Bounds = bounds
		s := start(t, o)
		code := "cat /proc/self/oom_score_adj"
		want{code: means, out: "1000\n"}.check(t, run(t, s, Step{Code: code}))
		if own, _ := os.ReadFile("/proc/self/oom_score_adj"); string(own) == "1000\n" {
			t.Error("gpudocs itself has the same score")
		}
	}
}

// TestProportional: what a process has in memory is known as long as it lives.
func TestProportional(t *testing.T) {
	own, alive := readMember(os.Getpid())
	if share, ok := proportional(os.Getpid()); !ok || !alive || share < 1<<20 || share > 4*own.resident {
		t.Errorf("%d bytes, %v, of %d that are resident", share, ok, own.resident)
	}
	ended := exec.Command("true")
	if err := ended.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it has ended", func() bool { _, alive := readMember(ended.Process.Pid); return !alive })
	if share, ok := proportional(ended.Process.Pid); ok { // not reaped yet: its file is empty
		t.Errorf("%d bytes of a process that has ended", share)
	}
	_ = ended.Wait()
	if share, ok := proportional(ended.Process.Pid); ok {
		t.Errorf("%d bytes of no process", share)
	}
}

// BenchmarkLook measures one look at all processes.
func BenchmarkLook(b *testing.B) {
	o := options(b, Bash)
	o.Bounds = newBounds(Limits{Memory: 1 << 40, Processes: 1 << 20})
	defer o.Bounds.Close()
	s := start(b, o)
	for b.Loop() {
		if over, again := s.processes.check(); over != "" || again != maxInterval {
			b.Fatal(over, again)
		}
	}
	b.ReportMetric(float64(time.Second/maxInterval), "looks/s")
}
