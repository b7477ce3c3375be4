package serve

import (
	"context"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/hosting"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

var example = files{
	"index.html":                   "<html><body>home</body></html>",
	"404.html":                     "nowhere",
	"pt/index.html":                "início",
	"pt/404.html":                  "em lado nenhum",
	"pt/gpu/index.html":            "placa",
	"pt/gpu.md":                    "# placa",
	"pt/gpu/index.md":              "# índice",
	"pt/configuração/a/index.html": "letras",
	"es/index.html":                "inicio",
	"site.css":                     "body{}",
	"a.svg":                        "<svg/>",
	"a.webp":                       "RIFF",
	"a.avif":                       "ftyp",
	"a.woff2":                      "wOF2",
	"a.json":                       "{}",
	"feed.xml":                     "<feed/>",
	"LICENSE":                      "text",
	"a.cu":                         "__global__",
	"a.bin":                        "\x00\x01",
	"bad.html":                     "unrenderable",
	"folder/index.html":            "unrenderable",
	"pt/velha/index.html":          "moved pt/configuração/a/",
	"velha.html":                   "moved pt/gpu/",
}

func TestPage(t *testing.T) {
	t.Parallel()
	r := serving(t, example)
	const html = "text/html; charset=utf-8"
	for _, c := range []struct {
		path   string
		status int
		kind   string
		body   string // how it begins
	}{
		{"/", 200, html, "<html><body>home"},
		{"/index.html", 200, html, "<html><body>home"},
		{"/?q=1", 200, html, "<html><body>home"},
		{"/pt/", 200, html, "início"},
		{"/pt/gpu/", 200, html, "placa"},
		{"/pt/configura%C3%A7%C3%A3o/a/", 200, html, "letras"},
		{"/pt/gpu.md", 200, "text/markdown; charset=utf-8", "# placa"},
		{"/site.css", 200, "text/css; charset=utf-8", "body{}"},
		{"/a.svg", 200, "image/svg+xml; charset=utf-8", "<svg/>"},
		{"/a.webp", 200, "image/webp", "RIFF"},
		{"/a.avif", 200, "image/avif", "ftyp"},
		{"/a.woff2", 200, "font/woff2", "wOF2"},
		{"/a.json", 200, "application/json", "{}"},
		{"/feed.xml", 200, "application/xml; charset=utf-8", "<feed/>"},
		{"/LICENSE", 200, "text/plain; charset=utf-8", "text"},
		{"/a.cu", 200, "text/plain; charset=utf-8", "__global__"},
		{"/a.bin", 200, "application/octet-stream", "\x00\x01"},
		{"/_gpudocs/live.js", 200, "text/javascript; charset=utf-8", "(() => {"},
		{"/_gpudocs/live.css", 200, "text/css; charset=utf-8", "/* The overlay"},
		{"/none", 404, html, "nowhere"},
		{"/none/", 404, html, "nowhere"},
		{"/pt/none.png", 404, html, "em lado nenhum"},
		{"/es/none", 404, html, "nowhere"},
		{"/_gpudocs/none", 404, html, "nowhere"},
		{"/bad.html", 500, html, "<!doctype html>"},
		{"/folder", 500, html, "<!doctype html>"},
		{"/../index.html", 400, "", ""},
		{"/pt/../index.html", 400, "", ""},
		{"/pt/%2e%2e/index.html", 400, "", ""},
		{"/%2e%2e%2findex.html", 400, "", ""},
		{"/./index.html", 400, "", ""},
		{"/%2e", 400, "", ""},
		{"/..", 400, "", ""},
		{"/pt/.", 400, "", ""},
		{"//index.html", 400, "", ""},
		{"//example.org/", 400, "", ""},
		{"/pt//gpu", 400, "", ""},
		{"/pt/gpu//", 400, "", ""},
		{"/pt%5cgpu", 400, "", ""},
		{"/pt%00", 400, "", ""},
		{"/pt%0agpu", 400, "", ""},
		{"/pt/%ff", 400, "", ""},
	} {
		got := r.get(c.path)
		kind := got.Header.Get("Content-Type")
		if got.StatusCode != c.status || !strings.HasPrefix(got.body, c.body) || c.kind != "" && kind != c.kind {
			t.Errorf("%s: %d, %s, %.60q; want %d, %s, %q", c.path, got.StatusCode, kind, got.body, c.status, c.kind, c.body)
		}
		live := strings.Contains(got.body, "<script src=\"/_gpudocs/live.js?build="+r.run+"-1\" data-scripts=\"")
		if live != (kind == html) {
			t.Errorf("%s: live script: %v", c.path, live)
		}
		if h := got.Header; h.Get("Cache-Control") != "no-store" || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Content-Security-Policy") != hosting.Policy {
			t.Errorf("%s: headers %v", c.path, h)
		}
	}
}

func TestRedirect(t *testing.T) {
	t.Parallel()
	r := serving(t, example)
	for from, to := range map[string]string{
		"/pt":                          "/pt/",
		"/pt/gpu?q=a%20b&c":            "/pt/gpu/?q=a%20b&c",
		"/pt/configura%C3%A7%C3%A3o/a": "/pt/configura%C3%A7%C3%A3o/a/",
		"/pt/velha/?q=a":               "/pt/configura%C3%A7%C3%A3o/a/?q=a",
		"/velha.html":                  "/pt/gpu/",
	} {
		got := r.get(from)
		if location := got.Header.Get("Location"); got.StatusCode != 302 || location != to {
			t.Errorf("%s: %d to %q, want 302 to %q", from, got.StatusCode, location, to)
		}
	}
}

func TestMethods(t *testing.T) {
	t.Parallel()
	r := serving(t, example)
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"} {
		if got := r.do(method, "/", nil); got.StatusCode != 405 || got.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %s, allow %q", method, got.Status, got.Header.Get("Allow"))
		}
	}
	for _, path := range []string{"/", "/none", eventsPath} {
		get, head := 200, r.do("HEAD", path, nil)
		if path == "/none" {
			get = 404
		}
		if head.StatusCode != get || head.body != "" {
			t.Errorf("HEAD %s: %s, %q", path, head.Status, head.body)
		}
	}
}

func TestRange(t *testing.T) {
	t.Parallel()
	got := serving(t, files{"a.mp4": "0123456789"}).do("GET", "/a.mp4", http.Header{"Range": {"bytes=2-4"}})
	if got.StatusCode != 206 || got.body != "234" {
		t.Errorf("%s, %q", got.Status, got.body)
	}
}

// If the site has no page for an error, the server's own shows texts from the request and from errors,
// which must be escaped.
func TestNoticeEscapes(t *testing.T) {
	t.Parallel()
	r := serving(t, files{"bad.html": "unrenderable<b>"})
	for path, want := range map[string]string{
		"/%3Cscript%3E": "&lt;script&gt;",
		"/bad.html":     "&lt;unrenderable&lt;b&gt;&gt;",
	} {
		if got := r.get(path); !strings.Contains(got.body, "<pre>"+want+"</pre>") || !strings.Contains(got.body, scriptPath) {
			t.Errorf("%s: %s", path, got.body)
		}
	}
}

func TestPageWaitsForFirstBuild(t *testing.T) {
	t.Parallel()
	finish := make(chan struct{})
	r := start(t, Preview{Build: func(context.Context, []string) (Snapshot, diag.List) {
		<-finish
		return example, nil
	}})
	events, _ := r.follow("")
	if e, ok := receive(t, events); !ok || e.name != "" {
		t.Errorf("event during the first build: %v", e)
	}
	time.AfterFunc(50*time.Millisecond, func() { close(finish) })
	if page := r.get("/"); page.StatusCode != 200 {
		t.Error(page.Status)
	}
	if e := next(t, events); e.name != "problems" {
		t.Errorf("event after the first build: %v", e)
	}
}

// recorder is a snapshot that fails the test if an unsafe name is requested.
type recorder struct{ t *testing.T }

func (r recorder) File(name string) ([]byte, bool, error) {
	if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\\x00\r\n") {
		r.t.Errorf("unsafe name %q", name)
	}
	return nil, strings.HasSuffix(name, "/index.html"), nil
}

// Redirect leads to the site's own addresses alone.
func (r recorder) Redirect(name string) (string, bool) {
	return "pt/nova página/", strings.HasPrefix(name, "old/")
}

func (r recorder) Attached(string) bool { return false }

func FuzzPath(f *testing.F) {
	for _, target := range []string{"/", "/a", "/a/", "/../a", "/%2e%2e/a", "/%2e%2e%2fa", "//a", "/a\\..\\b", "/a%5c..%5cb",
		"/%2e", "/%00", "/a%2f%2fb", "/./a", "/a/.", "/a/..", "/%", "/\xff", "*", "a", "http://x/../a", "/_gpudocs/../a", "/C:/x", "/a?b#c", "/a?\\"} {
		f.Add(target)
	}
	f.Fuzz(func(t *testing.T, target string) {
		u, err := url.ParseRequestURI(target)
		if err != nil || u.Path == eventsPath {
			return
		}
		s := New(Preview{})
		s.publish(recorder{t}, nil)
		w := httptest.NewRecorder()
		s.handle(w, &http.Request{Method: "GET", URL: u, Header: http.Header{}})
		// The query is the client's and does not change the target.
		switch location, _, _ := strings.Cut(w.Header().Get("Location"), "?"); {
		case w.Code == 302 && (!strings.HasPrefix(location, "/") || strings.HasPrefix(location, "//") || strings.Contains(location, "\\")):
			t.Errorf("%q redirects to %q", target, location)
		case w.Code != 200 && w.Code != 302 && w.Code != 400 && w.Code != 404:
			t.Errorf("%q: %d", target, w.Code)
		}
	})
}
