package cli

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/test/programtest"
)

// writeFiles writes files below a folder; their names are relative to it.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// hashOf returns a hash of everything below a folder, names included; "" if the folder does not
// exist.
func hashOf(t *testing.T, dir string) string {
	t.Helper()
	if _, err := os.Lstat(dir); err != nil {
		return ""
	}
	sum := sha256.New()
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		var data []byte
		if !d.IsDir() {
			if data, err = os.ReadFile(filepath.Join(dir, name)); err != nil {
				return err
			}
		}
		fmt.Fprintf(sum, "%q %v %d %x\n", name, d.Type(), len(data), sha256.Sum256(data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// building returns a gpudocs build in a process of its own. The program is this test binary,
// see TestMain.
func building(t *testing.T, site, output string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self)
	c.Args = []string{"gpudocs", "build", "--site", site, "--output", output}
	return c
}

// twoSites writes two small sites of which every page differs.
func twoSites(t *testing.T) (sites [2]string) {
	t.Helper()
	for i, word := range []string{"primeira", "segunda"} {
		files := map[string]string{"gpudocs.toml": "title = \"" + word + "\"\n[languages.pt]\n[languages.es]\n"}
		for n := range 12 {
			files[fmt.Sprintf("content/pt/p%d.md", n)] = fmt.Sprintf("# Página %d, %s versão\n\n```python\nprint(%d)\n```\n", n, word, n)
			files[fmt.Sprintf("content/pt/%s%d.txt", word, n)] = strings.Repeat(word, 4000)
		}
		sites[i] = t.TempDir()
		writeFiles(t, sites[i], files)
	}
	return sites
}

// built builds the sites without interruption, and returns the hashes of their outputs and the
// time of a build.
func built(t *testing.T, sites [2]string) (want [2]string, takes time.Duration) {
	t.Helper()
	for i, site := range sites {
		output := filepath.Join(t.TempDir(), "public")
		began := time.Now()
		if out, err := building(t, site, output).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		takes = time.Since(began)
		want[i] = hashOf(t, output)
	}
	if want[0] == want[1] {
		t.Fatal("both sites are the same")
	}
	return want, takes
}

// killAtRandom kills a program at a random moment of the time that it takes, or a little later,
// and reports whether it was still running. It adapts takes to the current speed of the
// machine.
func killAtRandom(c *exec.Cmd, takes *time.Duration) bool {
	time.Sleep(rand.N(*takes * 5 / 4))
	_ = c.Process.Kill()
	if err := c.Wait(); err != nil {
		*takes += *takes / 8
		return true
	}
	*takes -= *takes / 4
	return false
}

// TestKilled kills builds at moments that are spread over a whole build. The output is always
// the old site or the new one, to the byte, and the next complete build leaves nothing beside
// it.
func TestKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("two renames stand for the exchange there")
	}
	if testing.Short() {
		t.Skip("the moments of the kills are those of a build on an idle machine")
	}
	kills := 24
	if os.Getenv("GPUDOCS_LONG") != "" { // .ci/long: to find rare moments
		kills = 200
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("GOGC", "off") // a build ends before garbage collection pays
	sites := twoSites(t)
	want, takes := built(t, sites)
	root := t.TempDir()
	output := filepath.Join(root, "public")
	now, killed, changed, left := "", 0, 0, 0
	for i := range kills {
		site := i % 2
		c := building(t, sites[site], output)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if killAtRandom(c, &takes) {
			killed++
		}
		is := hashOf(t, output)
		if is != now && is != want[site] {
			t.Fatalf("kill %d: the output is neither the old site nor the new one", i)
		}
		if is != now {
			changed++
		}
		now = is
		if entries, _ := os.ReadDir(root); len(entries) > 2 {
			t.Errorf("kill %d: remains of earlier builds: %v", i, entries)
		} else if len(entries) == 2 {
			left++
		}
	}
	if killed < kills/4 || killed == kills && changed == 0 {
		t.Errorf("%d of %d builds were killed, %d changed the output: the moments do not cover a whole build", killed, kills, changed)
	}
	t.Logf("%d builds, %d of them killed, %d left a folder, %d times another site; a build takes %v", kills, killed, left, changed, takes)
	if out, err := building(t, sites[0], output).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if is := hashOf(t, output); is != want[0] {
		t.Error("the output is not that of the last, complete build")
	}
	if entries, _ := os.ReadDir(root); len(entries) != 1 {
		t.Errorf("unexpected files: %v", entries)
	}
}

// TestBuildsAtOnce: five concurrent builds of two sites into one output all succeed, and the
// output is one complete site at every moment.
func TestBuildsAtOnce(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("GOGC", "off") // a build ends before garbage collection pays
	sites := twoSites(t)
	want, _ := built(t, sites)
	root := t.TempDir()
	output := filepath.Join(root, "public")
	ended := make(chan error)
	for i := range 5 {
		go func() {
			c := building(t, sites[i%2], output)
			out, err := c.CombinedOutput()
			if err != nil {
				err = fmt.Errorf("%w: %s", err, out)
			}
			ended <- err
		}()
	}
	for range 5 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	if is := hashOf(t, output); is != want[0] && is != want[1] {
		t.Error("the output is neither of the sites")
	}
	if entries, _ := os.ReadDir(root); len(entries) != 1 {
		t.Errorf("unexpected files: %v", entries)
	}
}

// TestVerifyKilled kills verify at moments that are spread over a whole run. The report is
// always complete, and no process of a snippet survives, whatever it does to escape.
func TestVerifyKilled(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes that have left their group are found on Linux only")
	}
	programtest.Need(t, "bash", "python3")
	t.Setenv("GOGC", "off")
	t.Setenv("PATH", directPath(os.Getenv("PATH"), pythonFolder(t)))
	kills := 10
	switch {
	case testing.Short():
		kills = 5
	case os.Getenv("GPUDOCS_LONG") != "":
		kills = 300
	}
	const daemon = `import os, resource
if os.fork() == 0:
    os.setsid()
    if %d:
        resource.setrlimit(15, (1 << 20, 1 << 20))
    if os.fork():
        os._exit(0)
    os.execve("/bin/sleep", ["sleep", "600"], {})
os.wait();`
	site, tmp := t.TempDir(), t.TempDir()
	files := map[string]string{"gpudocs.toml": "[languages.pt]\n"}
	for n := range 4 {
		files[fmt.Sprintf("content/pt/p%d.md", n)] = fmt.Sprintf("# P\n\n```bash {run}\nsleep 600 &\necho %d\n```\n\n```python {run}\n%s\n```\n",
			n, fmt.Sprintf(daemon, n%2))
	}
	writeFiles(t, site, files)
	results := filepath.Join(site, "results")
	verify := func() *exec.Cmd {
		c := building(t, site, "")
		c.Args = []string{"gpudocs", "verify", "--site", site, "--machine", "lab", "--jobs", "2"}
		c.Env = append(os.Environ(), "TMPDIR="+tmp)
		return c
	}
	began := time.Now()
	if out, err := verify().CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	takes, killed, reports := time.Since(began), 0, 0
	// The moments must cover a whole run, even if the machine is slower now than before.
	enough := func() bool { return killed >= kills/4 && reports > 0 }
	runs := 0
	for ; runs < kills || !enough() && runs < 10*kills; runs++ {
		if err := os.RemoveAll(results); err != nil {
			t.Fatal(err)
		}
		c := verify()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if killAtRandom(c, &takes) {
			killed++
		}
		if _, err := os.Stat(filepath.Join(results, "lab.json")); err == nil {
			reports++
			if _, err := report.ReadFile(filepath.Join(results, "lab.json")); err != nil {
				t.Fatalf("kill %d: %v", runs, err)
			}
		}
		for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
			left := workingBelow(tmp)
			if len(left) == 0 {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("kill %d: surviving processes %v", runs, left)
			}
		}
	}
	if !enough() {
		t.Errorf("%d of %d runs were killed, %d left a report: the moments do not cover a whole run", killed, runs, reports)
	}
	t.Logf("%d runs, %d of them killed, %d left a report; a run takes %v", runs, killed, reports, takes)
	if out, err := verify().CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("the last, complete run leaves %v", left)
	}
}

// workingBelow returns the live processes whose working directory is below dir, even if it has
// been removed.
func workingBelow(dir string) (pids []string) {
	links, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, link := range links {
		if cwd, err := os.Readlink(link); err == nil && strings.HasPrefix(cwd, dir) {
			pids = append(pids, filepath.Base(filepath.Dir(link)))
		}
	}
	return pids
}
