package serve

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
)

func guardFor(t *testing.T, ip string, port int) http.Handler {
	t.Helper()
	g, err := newGuard(&net.TCPAddr{IP: net.ParseIP(ip), Port: port}, "docs.lab")
	if err != nil {
		t.Fatal(err)
	}
	return g.wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
}

func status(h http.Handler, host string, header http.Header) int {
	r := httptest.NewRequest("GET", "/", nil)
	r.Host, r.Header = host, header
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code
}

func TestHost(t *testing.T) {
	t.Parallel()
	machine, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ip     string
		port   int
		host   string
		status int
	}{
		{"127.0.0.1", 1313, "localhost:1313", 200},
		{"127.0.0.1", 1313, "LocalHost:1313", 200},
		{"127.0.0.1", 1313, "127.0.0.1:1313", 200},
		{"127.0.0.1", 1313, "[::1]:1313", 200},
		{"::1", 1313, "localhost:1313", 200},
		{"127.0.0.1", 1313, "docs.lab:1313", 200}, // --addr docs.lab:1313
		{"127.0.0.1", 1313, "DOCS.lab:1313", 200},
		{"127.0.0.1", 1313, "docs.lab:1314", 421},
		{"127.0.0.1", 1313, "docs.lab.example.org:1313", 421},
		{"127.0.0.1", 1313, "localhost.:1313", 421},
		{"127.0.0.1", 1313, "localhost:01313", 421},
		{"127.0.0.1", 1313, "127.1:1313", 421},
		{"127.0.0.1", 1313, "2130706433:1313", 421},
		{"127.0.0.1", 1313, "0x7f.0.0.1:1313", 421},
		{"127.0.0.1", 1313, "[::ffff:127.0.0.1]:1313", 421},
		{"127.0.0.1", 1313, "[::]:1313", 421},
		{"127.0.0.1", 1313, "[::1%25lo]:1313", 421},
		{"127.0.0.1", 1313, "127.0.0.1:1313:1313", 421},
		{"127.0.0.1", 1313, "localhost:1313/", 421},
		{"127.0.0.1", 1313, "localhost:1314", 421},
		{"127.0.0.1", 1313, "localhost", 421},
		{"127.0.0.1", 1313, "", 421},
		{"127.0.0.1", 1313, ":1313", 421},
		{"127.0.0.1", 1313, "example.org:1313", 421},
		{"127.0.0.1", 1313, "localhost.example.org:1313", 421},
		{"127.0.0.1", 1313, "localhost:1313@example.org", 421},
		{"127.0.0.1", 1313, "127.0.0.1.example.org:1313", 421},
		{"127.0.0.1", 1313, "127.0.0.2:1313", 421},
		{"127.0.0.1", 1313, "0.0.0.0:1313", 421},
		{"127.0.0.1", 1313, machine + ":1313", 421},
		{"127.0.0.1", 80, "localhost", 200},
		{"127.0.0.1", 80, "localhost:80", 200},
		{"127.0.0.1", 80, "[::1]", 200},
		{"127.0.0.1", 80, "example.org", 421},
		{"192.0.2.7", 1313, "192.0.2.7:1313", 200},
		{"192.0.2.7", 1313, "192.0.2.8:1313", 421},
		{"192.0.2.7", 1313, machine + ":1313", 421},
		{"0.0.0.0", 1313, "localhost:1313", 200},
		{"0.0.0.0", 1313, machine + ":1313", 200},
		{"0.0.0.0", 1313, "0.0.0.0:1313", 421},
		{"0.0.0.0", 1313, "192.0.2.7:1313", 421}, // reserved for documentation: never an address of a machine
		{"0.0.0.0", 1313, "example.org:1313", 421},
		{"::", 1313, "[::1]:1313", 200},
		{"::", 1313, machine + ":1313", 200},
		{"", 1313, machine + ":1313", 200}, // as net.Listen(":1313") may say
	} {
		if got := status(guardFor(t, c.ip, c.port), c.host, nil); got != c.status {
			t.Errorf("listening on %s port %d, host %q: %d, want %d", c.ip, c.port, c.host, got, c.status)
		}
	}
}

// FuzzHost checks that an accepted Host header names this machine and the server's port, also to a
// client that parses it as a browser does.
func FuzzHost(f *testing.F) {
	for _, host := range []string{"localhost:1313", "127.0.0.1:1313", "[::1]:1313", "[0:0::1]:1313", "docs.lab:1313", "[::1%25lo]:1313", "localhost:1313@example.org", "example.org#localhost:1313",
		"[::ffff:127.0.0.1]:1313", "127.1:1313", "localhost.:1313", "[localhost]:1313", "\x00localhost:1313", "LOCALHOST:1313", "localho\u017ft:1313", "loca\u212ahost:1313"} {
		f.Add(host, false)
		f.Add(strings.TrimSuffix(host, ":1313"), true)
	}
	f.Fuzz(func(t *testing.T, host string, http bool) {
		port := 1313
		if http {
			port = 80
		}
		if status(guardFor(t, "127.0.0.1", port), host, nil) != 200 {
			return
		}
		u, err := url.Parse("http://" + host + "/")
		if err != nil {
			return // no browser can send it
		}
		if p := u.Port(); p != strconv.Itoa(port) && (p != "" || port != 80) || u.User != nil || u.Path != "/" {
			t.Errorf("host %q is accepted, and a browser reads it as %v", host, u)
		}
		name, ip := strings.ToLower(u.Hostname()), net.ParseIP(u.Hostname())
		if name != "localhost" && name != "docs.lab" && (ip == nil || !ip.IsLoopback()) {
			t.Errorf("host %q is accepted, and names %q", host, name)
		}
	})
}

func TestHostOwnAddresses(t *testing.T) {
	t.Parallel()
	addrs, err := net.InterfaceAddrs()
	if err != nil || len(addrs) == 0 {
		t.Skip("this machine has no addresses", err)
	}
	h := guardFor(t, "0.0.0.0", 1313)
	for _, a := range addrs {
		host := net.JoinHostPort(a.(*net.IPNet).IP.String(), "1313")
		if got := status(h, host, nil); got != 200 {
			t.Errorf("host %q: %d", host, got)
		}
	}
}

// TestHostUnnamed checks that if neither --addr nor the machine has a name, no name is accepted, and
// that addresses of the machine on which the server does not listen are not accepted either.
func TestHostUnnamed(t *testing.T) {
	t.Parallel()
	own := "192.0.2.9:1313"
	if addrs, err := net.InterfaceAddrs(); err == nil {
		for _, a := range addrs {
			if ip := a.(*net.IPNet).IP; !ip.IsLoopback() {
				own = net.JoinHostPort(ip.String(), "1313")
			}
		}
	}
	for _, c := range []struct {
		ip, host string
		status   int
	}{
		{"127.0.0.1", "", 421}, {"127.0.0.1", ":1313", 421}, {"0.0.0.0", ":1313", 421}, {"0.0.0.0", "[]:1313", 421},
		{"127.0.0.1", own, 421}, {"192.0.2.7", own, 421},
		{"192.0.2.7", "127.0.0.1:1313", 200}, {"127.0.0.1", "127.0.0.1:1313", 200},
	} {
		g, err := newGuard(&net.TCPAddr{IP: net.ParseIP(c.ip), Port: 1313}, "")
		if err != nil {
			t.Fatal(err)
		}
		g.machine = ""
		if got := status(g.wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})), c.host, nil); got != c.status {
			t.Errorf("listening on %s, host %q: %d, want %d", c.ip, c.host, got, c.status)
		}
	}
}

func TestOrigin(t *testing.T) {
	t.Parallel()
	h := guardFor(t, "127.0.0.1", 1313)
	fetch := func(site, mode, dest string) http.Header {
		return http.Header{"Sec-Fetch-Site": {site}, "Sec-Fetch-Mode": {mode}, "Sec-Fetch-Dest": {dest}}
	}
	for _, c := range []struct {
		header http.Header
		status int
	}{
		{nil, 200},
		{http.Header{"Origin": {"http://localhost:1313"}}, 200},
		{http.Header{"Origin": {"http://LOCALHOST:1313"}}, 200},
		{http.Header{"Origin": {"https://localhost:1313"}}, 403},
		{http.Header{"Origin": {"http://localhost"}}, 403},
		{http.Header{"Origin": {"http://localhost:1314"}}, 403},
		{http.Header{"Origin": {"http://127.0.0.1:1313"}}, 403}, // not that same host
		{http.Header{"Origin": {"http://example.org"}}, 403},
		{http.Header{"Origin": {"null"}}, 403},
		{http.Header{"Origin": {""}}, 403},
		{http.Header{"Origin": {"http://localhost:1313", "http://example.org"}}, 403},
		{fetch("same-origin", "no-cors", "script"), 200},
		{fetch("none", "navigate", "document"), 200},
		{fetch("cross-site", "navigate", "document"), 200},
		{fetch("cross-site", "navigate", "iframe"), 403},
		{fetch("cross-site", "no-cors", "script"), 403},
		{fetch("cross-site", "no-cors", "image"), 403},
		{fetch("cross-site", "cors", "empty"), 403},
		{fetch("same-site", "no-cors", "script"), 403},
		{fetch("same-site", "navigate", "document"), 200},
	} {
		if got := status(h, "localhost:1313", c.header); got != c.status {
			t.Errorf("%v: %d, want %d", c.header, got, c.status)
		}
	}
}

// The guard checks all requests, also those that net/http would answer by itself.
func TestGuardIsFirst(t *testing.T) {
	t.Parallel()
	r := serving(t, example)
	for _, request := range []string{
		"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n",
		"GET http://example.org/ HTTP/1.1\r\nHost: " + r.url[len("http://"):] + "\r\n\r\n",
		"GET / HTTP/1.0\r\n\r\n",
		"OPTIONS * HTTP/1.1\r\nHost: example.org\r\n\r\n",
		"GET " + eventsPath + " HTTP/1.1\r\nHost: example.org\r\n\r\n",
	} {
		if got := r.raw(request); got != 421 {
			t.Errorf("%q: %d", request, got)
		}
	}
}

func TestGuardNeedsTCP(t *testing.T) {
	t.Parallel()
	if _, err := newGuard(&net.UnixAddr{Name: "x"}, ""); err == nil {
		t.Error("a Unix socket has no port to check")
	}
}
