package serve

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// raw sends a request as it stands and returns the status of the answer.
func (r *running) raw(request string) int {
	r.t.Helper()
	conn := r.dial(request)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return resp.StatusCode
}

func (r *running) dial(request string) net.Conn {
	r.t.Helper()
	conn, err := net.Dial("tcp", r.preview.Listener.Addr().String())
	if err != nil {
		r.t.Fatal(err)
	}
	if _, err := io.WriteString(conn, request); err != nil {
		r.t.Fatal(err)
	}
	return conn
}

func TestEvents(t *testing.T) {
	t.Parallel()
	p := newProject(t, files{"index.html": "one"})
	r := start(t, p.options())

	events, _ := r.follow("")
	first := next(t, events)
	if first.name != "problems" || first.message.Errors != 0 || first.message.Problems == nil {
		t.Fatalf("on connect: %+v", first)
	}
	page, _ := r.follow(first.message.Build)
	if e := next(t, page); e.name != "problems" {
		t.Fatalf("event for a page that is up to date: %+v", e)
	}

	p.write("index.html", "broken\ntext")
	e := next(t, page)
	if e.name != "problems" || e.message.Build != first.message.Build || e.message.Errors != 1 {
		t.Fatalf("after a failed build: %+v", e)
	}
	if got := e.message.Problems[0]; got.Severity != "error" || got.File != "index.html" || got.Source != "broken\ntext" {
		t.Errorf("the problem: %+v", got)
	}
	if got := r.get("/"); got.StatusCode != 200 || !strings.HasPrefix(got.body, "one") {
		t.Errorf("after a failed build: %s, %q", got.Status, got.body)
	}

	p.write("index.html", "doubtful")
	e = next(t, page)
	if e.name != "reload" || e.message.Build == first.message.Build || e.message.Errors != 0 || e.message.Warnings != 1 {
		t.Errorf("when mended: %+v", e)
	}

	// The errors of one page: the others are built again.
	p.write("page.html", "broken")
	if e = next(t, page); e.name != "reload" || e.message.Errors != 1 {
		t.Errorf("with a broken page: %+v", e)
	}
	if e := next(t, events); e.name != "problems" || e.message.Errors != 1 {
		t.Errorf("the first stream: %+v", e)
	}
	if e := next(t, events); e.name != "reload" {
		t.Errorf("the first stream: %+v", e)
	}
}

func TestOldPageReloadsOnConnect(t *testing.T) {
	t.Parallel()
	r := serving(t, example)
	for _, build := range []string{r.run + "-0", "otherrun-1", "x"} {
		events, _ := r.follow(build)
		if e := next(t, events); e.name != "reload" || e.message.Build != r.run+"-1" {
			t.Errorf("page of build %s: %+v", build, e)
		}
	}
	if other := New(Preview{}); other.run == r.run {
		t.Error("two servers name their builds alike")
	}
}

func TestFirstBuildFails(t *testing.T) {
	t.Parallel()
	p := newProject(t, files{"index.html": "broken <b>"})
	r := start(t, p.options())
	for _, path := range []string{"/", "/none", "/site.css"} {
		got := r.get(path)
		if got.StatusCode != 500 || !strings.Contains(got.body, scriptPath+"?build="+r.run+"-0") || !strings.Contains(got.body, "broken &lt;b&gt;") {
			t.Errorf("%s: %s, %s", path, got.Status, got.body)
		}
	}
	events, _ := r.follow(r.run + "-0")
	if e := next(t, events); e.name != "problems" || e.message.Errors != 1 {
		t.Errorf("before: %+v", e)
	}
	p.write("index.html", "mended")
	if e := next(t, events); e.name != "reload" {
		t.Errorf("after: %+v", e)
	}
}

// A build without a snapshot does not replace a good one.
func TestHalfABuild(t *testing.T) {
	t.Parallel()
	s := New(Preview{})
	s.publish(example, nil)
	good := s.state.Load()
	s.publish(nil, diag.List{{Message: diag.Plain("no")}})
	s.publish(nil, nil)
	if got := s.state.Load(); got.build != good.build || len(got.snapshot.(files)) != len(example) {
		t.Errorf("build %s replaced %s", got.build, good.build)
	}
}

func TestManyProblems(t *testing.T) {
	t.Parallel()
	var l diag.List
	for i := range 200 {
		l.Add(diag.Diagnostic{Severity: diag.Warning, File: "a.md", Line: i + 1, Message: diag.Plain("w")})
	}
	l.Add(diag.Diagnostic{File: "z.md", Line: 1, Message: diag.Plain("e"), Source: strings.Repeat("x", 1<<20)})
	s := New(Preview{})
	s.publish(nil, l)
	events := make(chan event, 1)
	message := s.state.Load().message
	if err := parse(strings.NewReader(fmt.Sprintf("data: %s\n\n", message)), events); err != nil {
		t.Fatal(err)
	}
	got := (<-events).message
	if got.Errors != 1 || got.Warnings != 200 || len(got.Problems) != maxProblems || got.Problems[0].Severity != "error" {
		t.Errorf("%d errors, %d warnings, %d sent, first %v", got.Errors, got.Warnings, len(got.Problems), got.Problems[0])
	}
	if len(message) > 20_000 {
		t.Errorf("the message has %d bytes", len(message))
	}
}

func TestHeartbeat(t *testing.T) {
	t.Parallel()
	s := listen(t, &Preview{Build: func(context.Context, []string) (Snapshot, diag.List) { return example, nil }})
	s.heartbeat = time.Millisecond
	events, _ := run(t, s).follow("")
	next(t, events)
	for range 3 {
		if e, ok := receive(t, events); !ok || e.name != "" {
			t.Fatalf("instead of a comment: %+v, %v", e, ok)
		}
	}
}

// One of 200 streams is not read any further in the middle of a message that is too large for any
// buffer. All others must still get to the last build.
func TestManyStreams(t *testing.T) {
	t.Parallel()
	const streams, builds = 200, 10
	huge := strings.Repeat("x", 32<<20)
	r := start(t, Preview{
		Debounce: time.Millisecond,
		Build: func(context.Context, []string) (Snapshot, diag.List) {
			l := diag.List{{Severity: diag.Warning, Message: diag.Plain(huge)}}
			huge = ""
			return example, l
		},
	})
	r.built(t.Context())
	silent := r.dial("GET " + eventsPath + " HTTP/1.1\r\nHost: " + strings.TrimPrefix(r.url, "http://") + "\r\n\r\n")
	defer silent.Close()
	for seen := ""; !strings.Contains(seen, "event:"); {
		one := make([]byte, 1)
		if _, err := silent.Read(one); err != nil {
			t.Fatal(err)
		}
		seen += string(one)
	}

	name := func(build int) string { return fmt.Sprintf("%s-%d", r.run, build) }
	build := func(i int) {
		r.Rebuild()
		for st := r.state.Load(); st.build != name(i); st = r.state.Load() {
			receive(t, st.replaced)
		}
	}
	build(2)
	var work sync.WaitGroup
	for range streams - 1 {
		events, _ := r.follow(name(2))
		work.Go(func() {
			for e := range events {
				if e.message.Build == name(builds) {
					return
				}
			}
			t.Error("a stream ended before the last build")
		})
	}
	for i := 3; i <= builds; i++ {
		build(i)
	}
	work.Wait()
}

// A stream that ends by itself has a complete body; one that the server cuts off does not.
func TestShutdownEndsStreams(t *testing.T) {
	t.Parallel()
	r := serving(t, example)
	var ends []<-chan error
	for range 20 {
		events, end := r.follow("")
		next(t, events)
		ends = append(ends, end)
	}
	began := time.Now()
	if err := r.stop(); err != nil {
		t.Error(err)
	}
	for _, end := range ends {
		if err, _ := receive(t, end); err != nil {
			t.Errorf("a stream was cut off: %v", err)
		}
	}
	if took := time.Since(began); took > patience/2 {
		t.Errorf("it took %v", took)
	}
	if _, err := net.Dial("tcp", r.preview.Listener.Addr().String()); err == nil {
		t.Error("the listener is still open")
	}
}

// dated is a response writer that records the write deadline.
type dated struct {
	*httptest.ResponseRecorder
	until time.Time
}

func (d *dated) SetWriteDeadline(until time.Time) error { d.until = until; return nil }

func TestWritesAreLimited(t *testing.T) {
	t.Parallel()
	s := New(Preview{})
	s.publish(example, nil)
	for name, write := range map[string]func(w http.ResponseWriter){
		"page":  func(w http.ResponseWriter) { s.handle(w, httptest.NewRequest("GET", "/", nil)) },
		"error": func(w http.ResponseWriter) { s.handle(w, httptest.NewRequest("POST", "/", nil)) },
		"event": func(w http.ResponseWriter) { stream{w, http.NewResponseController(w)}.comment() },
	} {
		w := &dated{ResponseRecorder: httptest.NewRecorder()}
		write(w)
		if left := time.Until(w.until); left <= 0 || left > writeLimit {
			t.Errorf("%s: %v left", name, left)
		}
	}
}

// TestProblemsInLanguages checks that the message of a problem is sent in each language.
func TestProblemsInLanguages(t *testing.T) {
	st := &state{build: "b", problems: diag.List{{File: "a.md", Line: 1, Column: 1, Message: diag.Say("cli.wrote", "file", "x"), Hint: diag.Say("cli.nothing")}}}
	got := string(encode(st))
	want := `{"build":"b","errors":1,"warnings":0,"problems":[{"severity":"error","file":"a.md","line":1,"column":1,` +
		`"message":"wrote x","hint":"nothing","translations":{"es":{"message":"escrito: x","hint":"nada"},"pt":{"message":"gravado: x","hint":"nada"}}}]}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
