package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// patience bounds every wait of the tests; none waits that long unless it fails.
const patience = 20 * time.Second

// files is a snapshot.
type files map[string]string

func (f files) File(path string) ([]byte, bool, error) {
	data, ok := f[path]
	if strings.HasPrefix(data, "unrenderable") {
		return nil, false, errors.New("<" + data + ">")
	}
	return []byte(data), ok, nil
}

// Redirect reports a redirect if the file's text begins with "moved".
func (f files) Redirect(path string) (string, bool) { return strings.CutPrefix(f[path], "moved ") }

// Attached reports the files in a folder.
func (f files) Attached(path string) bool { return strings.HasPrefix(path, "beside/") }

// A project is a folder whose files are the site. A file that holds "broken" is an error, and fails the
// build unless there is a page.html; one with "doubtful" gives a warning.
type project struct {
	t       *testing.T
	root    string
	changes chan []string // the changed paths given to each build
}

func newProject(t *testing.T, f files) *project {
	p := &project{t, t.TempDir(), make(chan []string, 100)}
	for name, data := range f {
		p.write(name, data)
	}
	return p
}

func (p *project) path(name string) string { return filepath.Join(p.root, filepath.FromSlash(name)) }

func (p *project) write(name, data string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(p.path(name)), 0o777); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(p.path(name), []byte(data), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) rename(from, to string) {
	p.t.Helper()
	if err := os.Rename(p.path(from), p.path(to)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) build(_ context.Context, changed []string) (Snapshot, diag.List) {
	snapshot, problems := files{}, diag.List{}
	err := fs.WalkDir(os.DirFS(p.root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p.path(name))
		snapshot[name] = string(data)
		if strings.Contains(string(data), "broken") {
			problems.Add(diag.Diagnostic{File: name, Line: 1, Column: 1, Width: 6, Message: diag.Plain("it is broken"), Source: string(data)})
		}
		if strings.Contains(string(data), "doubtful") {
			problems.Add(diag.Diagnostic{Severity: diag.Warning, File: name, Message: diag.Plain("it is doubtful")})
		}
		return err
	})
	if err != nil { // a file was created or deleted; the watcher reports it soon
		problems.Add(diag.Diagnostic{Message: diag.Plain(err)})
	}
	p.changes <- changed
	if problems.HasErrors() && snapshot["page.html"] == "" {
		return nil, problems
	}
	return snapshot, problems
}

// A running server, and the result of Serve once it has returned.
type running struct {
	*Server
	t    *testing.T
	url  string
	stop func() error
}

func (p *project) options() Preview { return Preview{Root: p.root, Build: p.build} }

func start(t *testing.T, o Preview) *running { return run(t, listen(t, &o)) }

// listen creates a server that run starts; a test may change it in between.
func listen(t *testing.T, o *Preview) *Server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o.Listener = l
	if o.Root == "" {
		o.Root = t.TempDir()
	}
	return New(*o)
}

func run(t *testing.T, s *Server) *running {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	stop := sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() { stop() })
	return &running{s, t, "http://" + s.preview.Listener.Addr().String(), stop}
}

func TestMain(m *testing.M) {
	// Most tests wait for the file system or for a connection.
	_ = flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0)))
	os.Exit(m.Run())
}

// serving starts a server of a snapshot that never changes.
func serving(t *testing.T, f files) *running {
	return start(t, Preview{Build: func(context.Context, []string) (Snapshot, diag.List) { return f, nil }})
}

type response struct {
	*http.Response
	body string
}

func (r *running) get(path string) response { return r.do("GET", path, nil) }

func (r *running) do(method, path string, header http.Header) response {
	r.t.Helper()
	req, err := http.NewRequest(method, r.url+path, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	maps.Copy(req.Header, header)
	// RoundTrip does not follow redirects.
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return response{resp, string(body)}
}

// An event is one server-sent event, or a comment, which has no name.
type event struct {
	name    string
	message struct {
		Build            string
		Errors, Warnings int
		Problems         []struct{ Severity, File, Message, Source string }
	}
}

// follow opens an event stream. The channel is closed when the stream ends,
// after end has got the error.
func (r *running) follow(build string) (events <-chan event, end <-chan error) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	r.t.Cleanup(cancel)
	url := r.url + eventsPath
	if build != "" {
		url += "?build=" + build
	}
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		r.t.Fatal(err)
	}
	if got := resp.Header.Get("Content-Type"); resp.StatusCode != 200 || got != "text/event-stream" {
		r.t.Fatalf("the stream answers %s, %s", resp.Status, got)
	}
	out, ended := make(chan event, 100), make(chan error, 1)
	go func() {
		defer close(out)
		defer resp.Body.Close()
		ended <- parse(resp.Body, out)
	}()
	return out, ended
}

// parse reads events as the standard has them; a clean end is no error.
func parse(r io.Reader, out chan<- event) error {
	var e event
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		field, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch field {
		case "event":
			e.name = value
		case "data":
			if err := json.Unmarshal([]byte(value), &e.message); err != nil {
				return err
			}
		case "": // the end of an event
			out <- e
			e = event{}
		case ":":
		default:
			return errors.New("unexpected line " + line)
		}
	}
}

// next returns the next event, without comments.
func next(t *testing.T, events <-chan event) event {
	t.Helper()
	for {
		switch e, ok := receive(t, events); {
		case !ok:
			t.Fatal("the stream has ended")
		case e.name != "":
			return e
		}
	}
}

func receive[T any](t *testing.T, c <-chan T) (v T, ok bool) {
	t.Helper()
	select {
	case v, ok = <-c:
		return v, ok
	case <-time.After(patience):
		t.Fatal("no event in time")
		return v, false
	}
}
