package browser

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// tutorialsDir is a site of a few tutorials with the report of a machine. The tests of readers' and
// authors' actions use it, so that they do not depend on the repository's own site.
const tutorialsDir = "testdata/tutorials"

// copySite copies that site; of its content only the paths that keep allows; nil keeps all.
func copySite(dir string, keep func(path string) bool) error {
	if err := os.CopyFS(dir, os.DirFS(tutorialsDir)); err != nil || keep == nil {
		return err
	}
	return filepath.WalkDir(filepath.Join(dir, "content"), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil || keep(filepath.ToSlash(rel)) {
			return err
		}
		return os.Remove(p)
	})
}

// A server is a running "gpudocs serve".
type server struct {
	dir  string // the site
	base string // its address, with a slash at the end
	out  *output
	stop func()
}

var servingAt = regexp.MustCompile(`(?m)^serving .* at (http://\S+)`)

// startServer serves a site until stop.
func startServer(dir string, args ...string) (*server, error) {
	s := &server{dir: dir, out: &output{grown: make(chan struct{})}}
	c := exec.Command(binary, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	c.Dir = dir
	c.Stdout, c.Stderr = s.out, s.out
	c.WaitDelay = 5 * time.Second
	if err := c.Start(); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		_ = c.Wait()
		close(ended)
	}()
	s.stop = sync.OnceFunc(func() {
		_ = c.Process.Signal(os.Interrupt)
		select {
		case <-ended:
		case <-time.After(patience):
			_ = c.Process.Kill()
			<-ended
		}
	})
	m, err := s.out.wait(servingAt, ended)
	if err != nil {
		s.stop()
		return nil, err
	}
	s.base = m[1]
	return s, nil
}

// serve serves a copy of the site that belongs to this test alone. prepare may
// change the copy first.
func serve(t *testing.T, keep func(string) bool, prepare func(s *server), args ...string) *server {
	t.Helper()
	needBrowser(t)
	dir := t.TempDir()
	if err := copySite(dir, keep); err != nil {
		t.Fatal(err)
	}
	if prepare != nil {
		prepare(&server{dir: dir})
	}
	s, err := startServer(dir, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.stop()
		if t.Failed() {
			t.Logf("output of gpudocs serve:\n%s", s.out)
		}
	})
	return s
}

// startShared serves the site of tutorials, for all tests that
// change nothing. It returns when the results of this machine are in the pages,
// so that no page reloads during a test.
var startShared = sync.OnceValues(func() (*server, error) {
	dir := filepath.Join(workDir, "site")
	if err := copySite(dir, nil); err != nil {
		return nil, err
	}
	s, err := startServer(dir, "--verify")
	if err != nil {
		return nil, err
	}
	atEnd(s.stop)
	_, err = s.out.wait(verified, nil)
	return s, err
})

// verified matches the output of serve when it has put new results into the pages.
var verified = regexp.MustCompile(`(?m)^built again with new results`)

func shared(t *testing.T) *server {
	t.Helper()
	needBrowser(t)
	s, err := startShared()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// read returns a file of the site.
func (s *server) read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// write replaces a file of the site at once, as editors do.
func (s *server) write(t *testing.T, name, text string) {
	t.Helper()
	to, fresh := filepath.Join(s.dir, name), filepath.Join(s.dir, "fresh~") // where serve does not watch
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(fresh, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(fresh, to); err != nil {
		t.Fatal(err)
	}
}

// edit replaces one text of a file, which must be there once, and returns the
// number of its line.
func (s *server) edit(t *testing.T, name, old, text string) int {
	t.Helper()
	before := s.read(t, name)
	if n := strings.Count(before, old); n != 1 {
		t.Fatalf("%s: %q is there %d times, not once", name, old, n)
	}
	s.write(t, name, strings.Replace(before, old, text, 1))
	return 1 + strings.Count(before[:strings.Index(before, old)], "\n")
}

// gpudocs runs a command of gpudocs in the site's folder.
func (s *server) gpudocs(t *testing.T, args ...string) {
	t.Helper()
	c := exec.Command(binary, args...)
	c.Dir = s.dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("gpudocs %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// An output is what a process has written so far.
type output struct {
	mu    sync.Mutex
	text  bytes.Buffer
	grown chan struct{} // closed when there is more
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	close(o.grown)
	o.grown = make(chan struct{})
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// wait returns the first match of a pattern in the output. If ended is closed, there will be no more
// output.
func (o *output) wait(pattern *regexp.Regexp, ended <-chan struct{}) ([]string, error) {
	limit := time.After(2 * patience) // snippets run meanwhile
	for {
		o.mu.Lock()
		m, grown := pattern.FindStringSubmatch(o.text.String()), o.grown
		o.mu.Unlock()
		if m != nil {
			return m, nil
		}
		select {
		case <-grown:
		case <-ended:
			return nil, fmt.Errorf("gpudocs ended; its output:\n%s", o)
		case <-limit:
			return nil, fmt.Errorf("no match for %q in the output of gpudocs:\n%s", pattern, o)
		}
	}
}
