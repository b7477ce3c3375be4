package serve

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestLargeIsPaced checks that a large file may take longer than the write timeout, as the timeout
// applies to each part.
func TestLargeIsPaced(t *testing.T) {
	t.Parallel()
	w := &counted{ResponseRecorder: httptest.NewRecorder()}
	answer(w, httptest.NewRequest("GET", "/a.mp4", nil), http.StatusOK, "video/mp4", make([]byte, 1<<20))
	if w.Body.Len() != 1<<20 || w.set < 16 {
		t.Errorf("%d bytes, the deadline was set %d times", w.Body.Len(), w.set)
	}
}

type counted struct {
	*httptest.ResponseRecorder
	set int
}

func (c *counted) SetWriteDeadline(time.Time) error { c.set++; return nil }

// TestBodyIsNotAwaited checks that a request that announces a body and sends none is answered, and
// its connection closed.
func TestBodyIsNotAwaited(t *testing.T) {
	t.Parallel()
	r := serving(t, example)
	host := "Host: " + strings.TrimPrefix(r.url, "http://") + "\r\n"
	for request, want := range map[string]int{
		"GET / HTTP/1.1\r\n" + host + "Content-Length: 1000\r\n\r\nx":                      400,
		"GET / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n":                 400,
		"GET " + eventsPath + " HTTP/1.1\r\n" + host + "Content-Length: 9\r\n\r\n":         400,
		"POST / HTTP/1.1\r\n" + host + "Content-Length: 1000\r\n\r\nx":                     405,
		"DELETE /pt/ HTTP/1.1\r\n" + host + "Content-Length: 99999999\r\n\r\nx":            405,
		"PUT /x HTTP/1.1\r\n" + host + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n": 405,
	} {
		t.Run(request, func(t *testing.T) {
			t.Parallel()
			conn := r.dial(request)
			defer conn.Close()
			conn.SetDeadline(time.Now().Add(patience))
			in := bufio.NewReader(conn)
			resp, err := http.ReadResponse(in, nil)
			if err != nil || resp.StatusCode != want {
				t.Fatalf("%v, %v", resp, err)
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			if _, err := in.ReadByte(); err != io.EOF && !strings.Contains(err.Error(), "reset") {
				t.Errorf("the connection stays: %v", err)
			}
		})
	}
}

// TestRequests checks that requests for anything but a page or a file are rejected.
func TestRequests(t *testing.T) {
	t.Parallel()
	r := serving(t, files{"index.html": "home", "pt/index.html": "pt", "a%2fb.txt": "percent", "a b.txt": "blank"})
	host := "Host: " + strings.TrimPrefix(r.url, "http://") + "\r\n"
	get := func(path string) string { return "GET " + path + " HTTP/1.1\r\n" + host + "\r\n" }
	for request, want := range map[string]int{
		get("/"):                                200,
		get("/a%252fb.txt"):                     200,
		get("/a%2fb.txt"):                       404, // a folder's file
		get("/a%20b.txt"):                       200,
		get("/%70t/"):                           200,
		get("/../../../etc/passwd"):             400,
		get("/pt/../../etc/passwd"):             400,
		get("/pt/%2e%2e/%2e%2e/etc/passwd"):     400,
		get("/pt%2f..%2f..%2fetc/passwd"):       400,
		get("/%252e%252e/etc/passwd"):           404, // a name, and no file has it
		get("/..%5c..%5cwindows/win.ini"):       400,
		get("/pt\\..\\x"):                       400,
		get("//etc/passwd"):                     400,
		get("/pt//index.html"):                  400,
		get("/./index.html"):                    400,
		get("/index.html%00.png"):               400,
		get("/%ff%fe"):                          400,
		get("/%0d%0aSet-Cookie:x=y"):            400,
		get("/C:/Windows/win.ini"):              404,
		get("/pt/index.html/"):                  404,
		get("/%"):                               400,
		get("/%zz"):                             400,
		get("/" + strings.Repeat("a", 50_000)):  404,
		get("/" + strings.Repeat("a/", 20_000)): 404,
		get("/" + strings.Repeat("a", 80_000)):  431,
		"GET / HTTP/1.1\r\n" + host + "X: " + strings.Repeat("x", 80_000) + "\r\n\r\n":      431,
		"GET / HTTP/1.1\r\n" + host + strings.Repeat("X: y\r\n", 20_000) + "\r\n":           431,
		"GET / HTTP/1.0\r\n" + host + "\r\n":                                                200,
		"GET /\r\n\r\n":                                                                     400,
		"GET / HTTP/9.9\r\n" + host + "\r\n":                                                505,
		"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n":                                                  421, // before anything else
		"GET / HTTP/1.1\r\n\r\n":                                                            400, // no Host
		"GET / HTTP/1.1\r\n" + host + host + "\r\n":                                         400,
		"GET / HTTP/1.1\r\n" + host + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx":    400,
		"TRACE / HTTP/1.1\r\n" + host + "\r\n":                                              405,
		"DELETE / HTTP/1.1\r\n" + host + "\r\n":                                             405,
		"PROPFIND / HTTP/1.1\r\n" + host + "\r\n":                                           405,
		"OPTIONS * HTTP/1.1\r\n" + host + "\r\n":                                            405,
		"CONNECT " + strings.TrimPrefix(r.url, "http://") + " HTTP/1.1\r\n" + host + "\r\n": 405,
		"G\x00T / HTTP/1.1\r\n" + host + "\r\n":                                             400,
	} {
		if got := r.raw(request); got != want {
			t.Errorf("%.80q: %d, want %d", request, got, want)
		}
	}
}

// TestStreamsAreBounded checks that when the maximum number of streams is open, pages are still
// served, and that when a stream ends, another one can be opened.
func TestStreamsAreBounded(t *testing.T) {
	t.Parallel()
	s := New(Preview{})
	s.publish(example, nil)
	for range cap(s.streams) {
		s.streams <- struct{}{}
	}
	ask := func(path string) int {
		w := httptest.NewRecorder()
		s.handle(w, httptest.NewRequest("GET", path, nil))
		return w.Code
	}
	if got := ask(eventsPath); got != http.StatusServiceUnavailable {
		t.Errorf("one more stream: %d", got)
	}
	if got := ask("/"); got != http.StatusOK {
		t.Errorf("a page: %d", got)
	}
	if streams, all := maxStreams(), maxConnections(); streams < 1 || streams >= all {
		t.Errorf("%d streams of %d connections", streams, all)
	}
}

// TestThousandStreams checks that a thousand open streams take a bounded amount of memory, all receive
// a build, none delays it, and nothing of them stays in memory.
func TestThousandStreams(t *testing.T) {
	const streams = 1000
	if openFiles() < 3*streams {
		t.Skipf("%d open files are allowed here", openFiles())
	}
	if maxStreams() < streams {
		t.Fatalf("%d streams with %d open files", maxStreams(), openFiles())
	}
	r := serving(t, example)
	r.built(t.Context())
	measure := func() (goroutines int, memory uint64) {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return runtime.NumGoroutine(), m.HeapAlloc + m.StackInuse
	}
	goroutines, memory := measure()
	request := "GET " + eventsPath + "?build=" + r.state.Load().build + " HTTP/1.1\r\nHost: " + strings.TrimPrefix(r.url, "http://") + "\r\n\r\n"
	heard := make(chan bool, streams)
	closing := make(chan struct{})
	var open []io.Closer
	for range streams {
		conn := r.dial(request)
		open = append(open, conn)
	}
	for _, c := range open {
		in := c.(io.Reader)
		buffer := make([]byte, 4<<10)
		text := ""
		for !strings.Contains(text, "event: problems") {
			n, err := in.Read(buffer)
			if err != nil {
				t.Fatal(err)
			}
			text += string(buffer[:n])
		}
	}
	g, m := measure()
	t.Logf("%d streams: %.1f goroutines and %d bytes each", streams, float64(g-goroutines)/streams, (int64(m)-int64(memory))/streams)
	if g-goroutines > 3*streams || m > memory && (m-memory)/streams > 64<<10 {
		t.Errorf("%d goroutines and %d bytes for a stream", (g-goroutines)/streams, (m-memory)/streams)
	}
	for _, c := range open {
		go func() {
			in, text, buffer := c.(io.Reader), "", make([]byte, 4<<10)
			for !strings.Contains(text, "event: reload") {
				n, err := in.Read(buffer)
				if err != nil {
					break
				}
				text += string(buffer[:n])
			}
			heard <- strings.Contains(text, "event: reload")
			<-closing
		}()
	}
	old := r.state.Load()
	began := time.Now()
	r.Rebuild()
	receive(t, old.replaced)
	if took := time.Since(began); took > patience/4 {
		t.Errorf("the build took %v", took)
	}
	for range streams {
		if ok, _ := receive(t, heard); !ok {
			t.Fatal("a stream ended")
		}
	}
	close(closing)
	for _, c := range open {
		c.Close()
	}
	for end := time.Now().Add(patience); len(r.streams) > 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d streams are still open, want none", len(r.streams))
		}
	}
}
