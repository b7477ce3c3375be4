package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gpudocs/gpudocs/internal/cli/verifycmd"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/test/programtest"
)

// The scripts in testdata/script check the command line. Each is a txtar archive: commands,
// then the files that they work on. Besides those of testscript there are:
//
//	exitcode N PROGRAM [ARG...]    runs it, and wants exit code N
//	start NAME PROGRAM [ARG...]    runs it in the background; NAME.out and
//	                               NAME.err get its output
//	await FILE REGEXP [VAR]        waits until the file matches; VAR is set to
//	                               the first group
//	finish NAME SIGNAL N           sends the signal ("none" sends none) and waits
//	                               until it has ended with exit code N, -1 if killed
//	get [-h K:V]... STATUS URL     requests a page and prints it
//	ask URL TOKEN ACTION STATUS    requests an action of serve --allow-run
//	awaitpage URL REGEXP           requests the page until it matches
//	events URL FILE                appends an event stream to the file
//	checks FILE                    prints the checks of a report, without times
//	normalize                      prints the last standard output without times
//	diagnosed                      prints place and severity of each diagnostic on
//	                               the last standard error; each has a hint
//	snapshot DIR                   records what is below the folder
//	unchanged DIR                  nothing has changed since, to the byte
//	lines N FILE                   the file has N lines; a missing file has none
//	gone PID                       waits until the process has ended
//	valid SCHEMA FILE              the file is valid by a schema of docs/
//	anonymous FILE                 this host and user are not named in the file
//	fake nvml|cuda DIR             puts a fake NVIDIA library into the folder
//
// sshd_test.go has those that need a server. Conditions: [matplotlib] $PLOT_PYTHON is
// a Python that has Matplotlib, [kernel:NAME] $KERNEL_PYTHON, a Python with jupyter_client, has
// that kernel, [runs:NAME] a program is in PATH and works, [sshd] there is a server, [unshare] folders can be
// mounted for one process, [sandbox] bubblewrap works, [lmod] Lmod is installed,
// [uv] $UV is uv, of the environment that GPUDOCS_TEST_VENV names,
// [root] the tests run as root, [gpu] there is an NVIDIA driver,
// [cgo] the program can load NVML.
// go test ./internal/cli -update writes the actual output that cmp compares to the scripts.
var update = flag.Bool("update", false, "update the scripts' expected output")

// TestMain runs gpudocs if the test binary is called by that name, or if gpudocs has started
// its own program for a hidden command: behind a symbolic link that is this binary, which would
// otherwise run all tests, and these start gpudocs again.
func TestMain(m *testing.M) {
	// Half of the scripts' time is waiting: for servers, for processes, for Slurm.
	_ = flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0)))
	if len(os.Args) > 1 && (os.Args[1] == verifycmd.ProbeCommand || os.Args[1] == verifycmd.BenchCommand) {
		Main()
	}
	testscript.Main(testRun{m}, map[string]func(){"gpudocs": func() {
		sendStub()
		Main()
	}})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	python := pythonFolder(t)
	testscript.Run(t, params(t, "testdata/script", func(e *testscript.Env) error {
		e.Setenv(stubVariable, "1")
		return setup(e, python)
	}))
}

// concurrent are the scripts in which one gpudocs does much concurrently: servers and their
// watchers, interrupted runs, several machines. With -short, which is for the race detector,
// only these run, because each start of a program takes several times as long then. The other
// scripts are sequential; or a process is killed and the next one finds what it left, with the
// goroutines of a script in this list, as those of a server; or the concurrent parts have raced
// tests of their own, as limits and sessions in verify/session.
var concurrent = []string{
	"build", "serve", "serve_limits", "serve_run", "serve_verify", "verify_host", "verify_interrupt", "verify_jobs", "slurm_fleet",
}

// scripts returns the files of a folder's scripts.
func scripts(t *testing.T, dir string) []string {
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal(dir, err)
	}
	if !testing.Short() {
		return files
	}
	return slices.DeleteFunc(files, func(file string) bool {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		return !slices.ContainsFunc(concurrent, func(pattern string) bool {
			ok, err := path.Match(pattern, name)
			return ok && err == nil
		})
	})
}

// TestConcurrent: every entry of concurrent matches a script, so that a renamed one is not left
// out.
func TestConcurrent(t *testing.T) {
	for _, pattern := range concurrent {
		if files, err := filepath.Glob("testdata/*/" + pattern + ".txtar"); err != nil || len(files) == 0 {
			t.Errorf("no script matches %s: %v", pattern, err)
		}
	}
}

// params returns the parameters of testscript for a folder.
func params(t *testing.T, dir string, setup func(*testscript.Env) error) testscript.Params {
	return testscript.Params{
		Files:              scripts(t, dir),
		UpdateScripts:      *update,
		RequireUniqueNames: true,
		Condition:          condition,
		Setup:              setup,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exitcode":  exitcode,
			"start":     start,
			"await":     await,
			"finish":    finish,
			"ask":       ask,
			"get":       get,
			"awaitpage": awaitPage,
			"events":    events,
			"checks":    checks,
			"normalize": normalize,
			"diagnosed": diagnosed,
			"snapshot":  snapshot,
			"unchanged": unchanged,
			"lines":     countLines,
			"gone":      gone,
			"web":       web,
			"anonymous": anonymous,
			"valid":     valid,
			"sshd":      sshd,
			"silent":    silent,
			"hollow":    hollow,
			"emptied":   emptied,
			"fake":      newFakes(t.TempDir()).fake,
		},
	}
}

// pythonFolder returns the folder of the real Python, because python3 may be a shim that does
// not work with another HOME.
func pythonFolder(t *testing.T) string {
	folder, err := findPython()
	if err != nil {
		t.Logf("no python3: scripts that need it are skipped: %v", err)
	}
	return folder
}

var findPython = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("python3", "-c", "import os, sys; print(os.path.dirname(sys.executable))").Output()
	return strings.TrimSpace(string(out)), err
})

// directPath returns a PATH with a real Python and without pyenv's programs: each of them
// starts a shell script that chooses a Python, and doctor queries all of them.
func directPath(list, python string) string {
	folders := slices.DeleteFunc(filepath.SplitList(list), func(dir string) bool { return filepath.Base(dir) == "shims" })
	found := slices.ContainsFunc(folders, func(dir string) bool {
		_, err := exec.LookPath(filepath.Join(dir, "python3"))
		return err == nil
	})
	if python != "" && !found {
		folders = append(folders, python)
	}
	return strings.Join(folders, string(filepath.ListSeparator))
}

// plotPython returns a Python that has Matplotlib, which is often the system's.
var plotPython = sync.OnceValue(func() string {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		out, err := exec.Command(python, "-c", "import matplotlib.pyplot, sys; print(sys.executable)").Output()
		if err == nil {
			return strings.TrimSpace(string(out))
		}
	}
	return ""
})

// kernelPython is the Python of the environment that GPUDOCS_TEST_VENV names, or "".
func kernelPython() string {
	if venv := os.Getenv("GPUDOCS_TEST_VENV"); venv != "" {
		return filepath.Join(venv, "bin", "python")
	}
	return ""
}

// kernels are the names of its Jupyter kernels.
var kernels = sync.OnceValue(func() []string {
	if kernelPython() == "" {
		return nil
	}
	out, _ := exec.Command(kernelPython(), "-c", "from jupyter_client.kernelspec import find_kernel_specs; print(*find_kernel_specs())").Output()
	return strings.Fields(string(out))
})

type stateKey struct{}

// A state is what the commands of one script share.
type state struct {
	running   map[string]*background
	snapshots map[string]map[string]string
}

func stateOf(ts *testscript.TestScript) *state { return ts.Value(stateKey{}).(*state) }

func setup(e *testscript.Env, python string) error {
	e.Values[stateKey{}] = &state{map[string]*background{}, map[string]map[string]string{}}
	home := filepath.Join(e.WorkDir, ".home")
	e.Setenv("HOME", home)
	// Snippets of scripts note here that they ran.
	e.Setenv("RAN", filepath.Join(e.WorkDir, ".ran"))
	e.Setenv("STORM", "400") // number of files of a checkout
	if os.Getenv("GPUDOCS_LONG") != "" {
		e.Setenv("STORM", "5000")
	}
	// Otherwise a program built with -race sleeps for a second at its end.
	e.Setenv("GORACE", "atexit_sleep_ms=0")
	// Most programs end before garbage collection pays; it takes a fifth of their time.
	e.Setenv("GOGC", "off")
	e.Setenv("GOMEMLIMIT", "512MiB")
	e.Setenv("PLOT_PYTHON", plotPython())
	e.Setenv("REAL_NVCC", realNVCC())
	e.Setenv("KERNEL_PYTHON", kernelPython())
	e.Setenv("UV", filepath.Join(os.Getenv("GPUDOCS_TEST_VENV"), "bin", "uv"))
	if python != "" {
		e.Setenv("PATH", directPath(e.Getenv("PATH"), python))
	}
	return os.Mkdir(home, 0o755)
}

// realNVCC returns NVIDIA's compiler, which works without a GPU, or "".
func realNVCC() string {
	venv := os.Getenv("GPUDOCS_TEST_VENV")
	found, _ := filepath.Glob(filepath.Join(venv, "lib/python3*/site-packages/nvidia/cu*/bin/nvcc"))
	if venv == "" || len(found) == 0 {
		return ""
	}
	return found[0]
}

func condition(name string) (bool, error) {
	if kernel, ok := strings.CutPrefix(name, "kernel:"); ok {
		return slices.Contains(kernels(), kernel), nil
	}
	if program, ok := strings.CutPrefix(name, "runs:"); ok {
		return programtest.Fault(program) == nil, nil
	}
	switch name {
	case "nvcc":
		return realNVCC() != "", nil
	case "unshare":
		return exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "none", os.TempDir()).Run() == nil, nil
	case "sandbox":
		return programtest.Fault("bwrap") == nil, nil
	case "sshd":
		return haveSSHD(), nil
	case "temporary_at_home": // TMPDIR is in the home folder
		me, err := user.Current()
		return err == nil && strings.HasPrefix(os.TempDir(), me.HomeDir+"/"), err
	case "root":
		return os.Geteuid() == 0, nil
	case "gpu":
		_, err := os.Stat("/proc/driver/nvidia")
		return err == nil, nil
	case "lmod":
		_, err := os.Stat("/usr/share/lmod/lmod/init/bash")
		return err == nil, nil
	case "uv":
		return os.Getenv("GPUDOCS_TEST_VENV") != "", nil
	case "matplotlib":
		return plotPython() != "", nil
	case "cgo":
		info, ok := debug.ReadBuildInfo()
		return ok && runtime.GOOS == "linux" && slices.Contains(info.Settings, debug.BuildSetting{Key: "CGO_ENABLED", Value: "1"}), nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// need fails a script that uses a command in a wrong way.
func need(ts *testscript.TestScript, ok, neg bool, use string) {
	if !ok || neg {
		ts.Fatalf("usage: %s", use)
	}
}

func exitcode(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) >= 2, neg, "exitcode N PROGRAM [ARG...]")
	err := ts.Exec(args[1], args[2:]...)
	checkCode(ts, err, args[0])
}

func checkCode(ts *testscript.TestScript, err error, want string) {
	code := 0
	if e := (*exec.ExitError)(nil); errors.As(err, &e) {
		code = e.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != want {
		ts.Fatalf("exit code %d, want %s", code, want)
	}
}

// A background is a program that runs beside the script.
type background struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error // once done is closed
}

func start(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) >= 2, neg, "start NAME PROGRAM [ARG...]")
	name := args[0]
	stdout, err := os.Create(ts.MkAbs(name + ".out"))
	ts.Check(err)
	defer stdout.Close()
	stderr, err := os.Create(ts.MkAbs(name + ".err"))
	ts.Check(err)
	defer stderr.Close()
	program, err := exec.LookPath(args[1])
	ts.Check(err)
	b := &background{cmd: exec.Command(program, args[2:]...), done: make(chan struct{})}
	b.cmd.Dir, b.cmd.Stdout, b.cmd.Stderr = ts.MkAbs("."), stdout, stderr
	for _, key := range []string{"PATH", "HOME", "XDG_CACHE_HOME", "TMPDIR", "RAN", "GORACE", "GOGC", "GOMEMLIMIT", "GOCOVERDIR", "SLURM_CONF"} {
		if v := ts.Getenv(key); v != "" {
			b.cmd.Env = append(b.cmd.Env, key+"="+v)
		}
	}
	ts.Check(b.cmd.Start())
	go func() {
		b.err = b.cmd.Wait()
		close(b.done)
	}()
	stateOf(ts).running[name] = b
	ts.Defer(func() {
		_ = b.cmd.Process.Kill()
		<-b.done
		for _, file := range []string{stdout.Name(), stderr.Name()} {
			if text, err := os.ReadFile(file); err == nil && len(text) > 0 {
				ts.Logf("[%s]\n%s", filepath.Base(file), text)
			}
		}
	})
}

// patience limits how long a script waits for anything. It only ends waits that would never
// end: a test that passes never waits so long.
const patience = 5 * time.Minute

// poll tries until ok, and fails with the last state if that takes too long.
func poll(ts *testscript.TestScript, what string, try func() (ok bool, state string)) {
	var state string
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		var ok bool
		if ok, state = try(); ok {
			return
		}
	}
	ts.Fatalf("%s: timed out; last state:\n%s", what, state)
}

func pattern(ts *testscript.TestScript, s string) *regexp.Regexp {
	re, err := regexp.Compile("(?m)" + s)
	ts.Check(err)
	return re
}

func await(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) == 2 || len(args) == 3, neg, "await FILE REGEXP [VAR]")
	re := pattern(ts, args[1])
	poll(ts, args[1], func() (bool, string) {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		if err != nil {
			return false, err.Error()
		}
		m := re.FindSubmatch(text)
		if m != nil && len(args) == 3 {
			ts.Setenv(args[2], string(m[1]))
		}
		return m != nil, string(text)
	})
}

func finish(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) == 3, neg, "finish NAME SIGNAL N")
	b := stateOf(ts).running[args[0]]
	if b == nil {
		ts.Fatalf("nothing was started as %s", args[0])
	}
	signals := map[string]os.Signal{"interrupt": os.Interrupt, "terminate": syscall.SIGTERM, "hangup": syscall.SIGHUP, "kill": syscall.SIGKILL}
	if s, ok := signals[args[1]]; ok {
		ts.Check(b.cmd.Process.Signal(s))
	} else if args[1] != "none" {
		ts.Fatalf("unknown signal %s", args[1])
	}
	select {
	case <-b.done:
		checkCode(ts, b.err, args[2])
	case <-time.After(patience):
		ts.Fatalf("%s has not ended", args[0])
	}
}

// request requests a page. A Host header is not among a request's headers.
func request(ctx context.Context, url string, headers []string) (status int, body string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, "", err
	}
	for _, h := range headers {
		k, v, _ := strings.Cut(h, ":")
		if k == "Host" {
			r.Host = v
		}
		r.Header.Set(k, v)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(data), err
}

func get(ts *testscript.TestScript, neg bool, args []string) {
	var headers []string
	for len(args) > 2 && args[0] == "-h" {
		headers = append(headers, args[1])
		args = args[2:]
	}
	need(ts, len(args) == 2, neg, "get [-h K:V]... STATUS URL")
	status, body, err := request(context.Background(), args[1], headers)
	ts.Check(err)
	io.WriteString(ts.Stdout(), body)
	if strconv.Itoa(status) != args[0] {
		ts.Fatalf("status %d, want %s", status, args[0])
	}
}

func awaitPage(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) == 2, neg, "awaitpage URL REGEXP")
	re := pattern(ts, args[1])
	var body string
	poll(ts, args[1], func() (bool, string) {
		var err error
		if _, body, err = request(context.Background(), args[0], nil); err != nil {
			return false, err.Error()
		}
		return re.MatchString(body), body
	})
	io.WriteString(ts.Stdout(), body)
}

func events(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) == 2, neg, "events URL FILE")
	file, err := os.Create(ts.MkAbs(args[1]))
	ts.Check(err)
	ctx, stop := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, args[0], nil)
	ts.Check(err)
	answer, err := http.DefaultClient.Do(r)
	ts.Check(err)
	var work sync.WaitGroup
	work.Go(func() { _, _ = io.Copy(file, answer.Body) }) // until the server or the script ends
	ts.Defer(func() {
		stop()
		work.Wait()
		answer.Body.Close()
		file.Close()
	})
}

// rest returns the fields of a reason besides its code and requirement.
func rest(r report.Reason) string {
	r.Code, r.Need, r.Found = "", "", ""
	return r.Error()
}

// checks prints a line for each check, and its details below it.
func checks(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) == 1, neg, "checks FILE")
	name := ts.MkAbs(args[0])
	data, err := os.ReadFile(name)
	ts.Check(err)
	var machine struct{ Machine struct{ Name string } }
	ts.Check(json.Unmarshal(data, &machine))
	r, err := report.Parse(machine.Machine.Name+".json", data)
	ts.Check(err)
	for _, c := range r.Checks {
		fmt.Fprintf(ts.Stdout(), "%s %s %s", c.Outcome, c.Kind, c.Name)
		for _, p := range c.Places {
			fmt.Fprintf(ts.Stdout(), " %s:%d", p.File, p.Line)
		}
		fmt.Fprintln(ts.Stdout())
		if w := c.Reason; w != nil {
			fmt.Fprintf(ts.Stdout(), "  %s", w.Code)
			for _, s := range []string{w.Need, rest(*w)} {
				if s != "" {
					fmt.Fprintf(ts.Stdout(), " %q", s)
				}
			}
			if w.Place != nil {
				fmt.Fprintf(ts.Stdout(), " at %s:%d", w.Place.File, w.Place.Line)
			}
			fmt.Fprintln(ts.Stdout())
		}
		if c.Stdout != nil {
			fmt.Fprintf(ts.Stdout(), "  stdout %q\n", c.Stdout.Text)
		}
		for _, v := range c.Captures {
			fmt.Fprintf(ts.Stdout(), "  %s = %s %s\n", v.Name, v.Value, v.Unit)
		}
		for _, d := range c.Diff {
			fmt.Fprintf(ts.Stdout(), "  %s%s\n", d.Op, d.Text)
		}
	}
}

// times matches what differs from run to run, and from machine to machine.
var times = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(` in [0-9.]+(µs|ms|s)`), " in TIME"},
	{regexp.MustCompile(`(?m)  [0-9.]+s$`), "  TIME"},
	{regexp.MustCompile(`(?m)\b(machine \S+): .*; (\d+ passed)`), "$1: SYSTEM; $2"},
}

func normalize(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) == 0, neg, "normalize")
	s := ts.ReadFile("stdout")
	for _, t := range times {
		s = t.pattern.ReplaceAllString(s, t.with)
	}
	io.WriteString(ts.Stdout(), s)
}

var heading = regexp.MustCompile(`^([^ |]\S*(?: \S+)?): (error|warning): `)

func diagnosed(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) == 0, neg, "diagnosed")
	last, hint := "", true
	end := func() {
		if !hint {
			ts.Fatalf("no hint: %s", last)
		}
	}
	for s := bufio.NewScanner(strings.NewReader(ts.ReadFile("stderr"))); s.Scan(); {
		if m := heading.FindStringSubmatch(s.Text()); m != nil {
			end()
			last, hint = s.Text(), false
			fmt.Fprintln(ts.Stdout(), m[1], m[2])
		}
		hint = hint || strings.HasPrefix(s.Text(), "  hint: ")
	}
	end()
}

// tree describes everything below a folder: kind, mode, content.
func tree(ts *testscript.TestScript, dir string) map[string]string {
	out := map[string]string{}
	ts.Check(filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := info.Mode().String() + " "
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			text += string(data)
		case info.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(name)
			if err != nil {
				return err
			}
			text += to
		}
		out[filepath.ToSlash(rel)] = text
		return nil
	}))
	return out
}

func snapshot(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) == 1, neg, "snapshot DIR")
	dir := ts.MkAbs(args[0])
	stateOf(ts).snapshots[dir] = tree(ts, dir)
}

func unchanged(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) == 1, neg, "unchanged DIR")
	dir := ts.MkAbs(args[0])
	old, ok := stateOf(ts).snapshots[dir]
	if !ok {
		ts.Fatalf("there is no snapshot of %s", args[0])
	}
	is := tree(ts, dir)
	names := maps.Clone(old)
	maps.Copy(names, is)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		a, before := old[name]
		b, after := is[name]
		switch {
		case !before:
			ts.Fatalf("%s is new", path.Join(args[0], name))
		case !after:
			ts.Fatalf("%s is gone", path.Join(args[0], name))
		case a != b:
			ts.Fatalf("%s has changed", path.Join(args[0], name))
		}
	}
}

func countLines(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) == 2, neg, "lines N FILE")
	data, err := os.ReadFile(ts.MkAbs(args[1]))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		ts.Check(err)
	}
	if n := strings.Count(string(data), "\n"); strconv.Itoa(n) != args[0] {
		ts.Fatalf("%s has %d lines, want %s:\n%s", args[1], n, args[0], data)
	}
}

// gone also counts a process as ended that has not been waited for.
func gone(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) == 1, neg, "gone PID")
	pid, err := strconv.Atoi(args[0])
	ts.Check(err)
	poll(ts, "the end of "+args[0], func() (bool, string) {
		p, err := os.FindProcess(pid)
		if err == nil {
			err = p.Signal(syscall.Signal(0))
		}
		if err != nil {
			return errors.Is(err, os.ErrProcessDone), err.Error()
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return err == nil && strings.Contains(string(stat), ") Z "), string(stat)
	})
}

// anonymous looks for the names as words, because short ones can be part of any word.
func anonymous(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) == 1, neg, "anonymous FILE")
	text := ts.ReadFile(args[0])
	names := []string{ts.Getenv("WORK"), ts.Getenv("HOME")}
	if host, err := os.Hostname(); err == nil && len(host) >= 3 && host != "localhost" {
		names = append(names, host)
	}
	if u, err := user.Current(); err == nil && u.Uid != "0" && len(u.Username) >= 3 {
		names = append(names, u.Username)
	}
	for _, name := range names {
		if regexp.MustCompile(`(^|[^\pL\pN])` + regexp.QuoteMeta(name) + `($|[^\pL\pN])`).MatchString(text) {
			ts.Fatalf("%s names %s", args[0], name)
		}
	}
}

// valid validates a file by a schema, with the program test/valid.
func valid(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) == 2, neg, "valid SCHEMA FILE")
	program, err := validator()
	ts.Check(err)
	out, err := exec.Command(program, filepath.Join(docsDir, args[0]), ts.MkAbs(args[1])).CombinedOutput()
	if err != nil {
		ts.Fatalf("%v\n%s", err, out)
	}
}

var validator = sync.OnceValues(func() (string, error) {
	program := filepath.Join(programs(), "valid")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, "../../test/valid").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("test/valid: %w\n%s", err, out)
	}
	return program, err
})

// programs is a folder of the programs that the tests build. It is removed at the end.
var programs = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "programs")
	if err != nil {
		panic(err)
	}
	return dir
})

// A testRun removes what was built for several tests.
type testRun struct{ *testing.M }

func (r testRun) Run() int {
	defer func() { _ = os.RemoveAll(programs()) }()
	return r.M.Run()
}

// docsDir is docs/ of the repository, wherever a script is.
var docsDir, _ = filepath.Abs("../../docs")
