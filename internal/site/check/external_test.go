package check

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// site loads a site of these texts, which must be valid.
func siteOf(t testing.TB, files map[string]string) *site.Site {
	t.Helper()
	fsys := fstest.MapFS{site.ConfigFile: {}}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	s, diags := load.Load(fsys, load.Options{})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return s
}

func lines(l diag.List) (out []string) {
	for _, d := range l {
		out = append(out, fmt.Sprintf("%d %s %s: %s | %s", d.Line, d.Severity, d.Rule, d.Message, d.Hint))
	}
	return out
}

// A server counts its requests.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	requests []string
	at       []time.Time
	now, max atomic.Int32
	tries    atomic.Int32
}

func serve(t *testing.T) *server {
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := s.now.Add(1)
		defer s.now.Add(-1)
		for m := s.max.Load(); n > m && !s.max.CompareAndSwap(m, n); m = s.max.Load() {
		}
		s.mu.Lock()
		s.requests = append(s.requests, r.Method+" "+r.URL.RequestURI()+" "+r.UserAgent())
		s.at = append(s.at, time.Now())
		s.mu.Unlock()
		s.answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) answer(w http.ResponseWriter, r *http.Request) {
	code := map[string]int{"/gone": 410, "/missing": 404, "/secret": 403, "/broken": 500}[r.URL.Path]
	switch {
	case code != 0:
		w.WriteHeader(code)
	case r.URL.Path == "/gethead" && r.Method == http.MethodHead:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case r.URL.Path == "/moved":
		http.Redirect(w, r, "/moved2", http.StatusMovedPermanently)
	case r.URL.Path == "/moved2":
		http.Redirect(w, r, "/page", http.StatusPermanentRedirect)
	case r.URL.Path == "/login":
		http.Redirect(w, r, "/page", http.StatusFound)
	case r.URL.Path == "/deadend":
		http.Redirect(w, r, "/missing", http.StatusMovedPermanently)
	case r.URL.Path == "/loop":
		http.Redirect(w, r, "/loop", http.StatusFound)
	case r.URL.Path == "/busy" && s.tries.Add(1) == 1:
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
	case r.URL.Path == "/closed":
		w.Header().Set("Retry-After", "86400")
		w.WriteHeader(http.StatusTooManyRequests)
	case r.URL.Path == "/plain":
		fmt.Fprint(w, "text")
	case r.URL.Path == "/slow":
		time.Sleep(30 * time.Millisecond)
	default:
		fmt.Fprint(w, `<!doctype html><h1 id="uso">U</h1><a name="velho"></a><h2 id="user-content-leia">L</h2>`)
	}
}

func ask(t *testing.T, text string, a *Asker, ignore ...string) (diag.List, Counts) {
	t.Helper()
	if a.Interval == 0 {
		a.Interval = time.Millisecond
	}
	a.UserAgent = "gpudocs/test"
	s := siteOf(t, map[string]string{"content/pt/p.md": text})
	found, summary, err := External(t.Context(), s, s.Pages, ignore, a)
	if err != nil {
		t.Fatal(err)
	}
	return found, summary
}

func TestExternal(t *testing.T) {
	t.Parallel()
	s := serve(t)
	const ignore = `an address that is known to be so is left out by ignore = ["..."] in [check] of gpudocs.toml`
	host := strings.TrimPrefix(s.URL, "http://")
	tests := []struct{ address, want string }{
		{"/page", ""}, {"/gethead", ""}, {"/login", ""}, {"/busy", ""}, {"/plain#x", ""},
		{"/page#uso", ""}, {"/page#velho", ""}, {"/page#leia", ""}, {"/page#top", ""}, {"/page#/route", ""}, {"/page#:~:text=x", ""}, {"/page#", ""},
		{"/page#nada", `warning external: page has no anchor "nada" | look in the page for the id of what you mean`},
		{"/missing", "error external: HOST answers 404 (Not Found) | look for its new address, or remove the link; " + ignore},
		{"/gone#x", "error external: HOST answers 410 (Gone) | look for its new address, or remove the link; " + ignore},
		{"/deadend", "error external: HOST answers 404 (Not Found) | look for its new address, or remove the link; " + ignore},
		{"/secret", "notice external: HOST answers 403 (Forbidden) to programs, so nobody knows whether it is there | look at it in a browser; " + ignore},
		{"/closed", "notice external: HOST answers 429 (Too Many Requests) to programs, so nobody knows whether it is there | look at it in a browser; " + ignore},
		{"/broken", "warning external: HOST answers 500 (Internal Server Error) | try again later; " + ignore},
		{"/loop", "error external: HOST answers 302 (Found), and its redirects never end | " + ignore},
		{"/moved", "warning moved: this address has moved for good | write URL/page"},
		{"/moved#uso", "warning moved: this address has moved for good | write URL/page#uso"},
	}
	var text strings.Builder
	var want []string
	for i, tt := range tests {
		fmt.Fprintf(&text, "[x](%s%s)\n", s.URL, tt.address)
		if tt.want != "" {
			want = append(want, fmt.Sprint(i+1, " ", strings.NewReplacer("HOST", host, "URL", s.URL).Replace(tt.want)))
		}
	}
	var steps []int
	found, summary := ask(t, text.String(), &Asker{AllowPrivate: true, Progress: func(done, all int) { steps = append(steps, done*100+all) }})
	if len(steps) != 13 || steps[0] != 113 || steps[12] != 1313 {
		t.Errorf("progress: %v", steps)
	}
	if d := cmp.Diff(want, lines(found)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if summary != (Counts{Addresses: 13}) {
		t.Errorf("%+v", summary)
	}
	if s.max.Load() > 2 {
		t.Errorf("%d requests at once", s.max.Load())
	}
	all := strings.Join(s.requests, "\n")
	for _, one := range []string{"HEAD /login gpudocs/test", "HEAD /gethead gpudocs/test\n", "GET /gethead gpudocs/test", "GET /page gpudocs/test"} {
		if !strings.Contains(all, one) {
			t.Errorf("no %q in\n%s", one, all)
		}
	}
	if n := strings.Count(all, "/closed"); n != 1 {
		t.Errorf("a host with Retry-After of a day got %d requests", n)
	}
}

// TestPolite checks that a host gets one request per interval, and that a pause after 429 applies to all
// requests.
func TestPolite(t *testing.T) {
	t.Parallel()
	s := serve(t)
	var text strings.Builder
	for i := range 6 {
		fmt.Fprintf(&text, "[x](%s/slow?%d)\n", s.URL, i)
	}
	const interval = 40 * time.Millisecond
	ask(t, text.String(), &Asker{AllowPrivate: true, Interval: interval})
	if len(s.at) != 6 || s.max.Load() > 2 {
		t.Fatalf("%d requests, %d at once", len(s.at), s.max.Load())
	}
	if took := s.at[5].Sub(s.at[0]); took < 4*interval {
		t.Errorf("six requests in %v", took)
	}
	g := &gate{interval: interval, inside: make(chan struct{}, atOnce)}
	g.pause(time.Hour)
	if wait := g.turn(time.Now()); wait < 59*time.Minute {
		t.Errorf("the pause is over in %v", wait)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := g.enter(ctx); !errors.Is(err, context.DeadlineExceeded) || len(g.inside) != 0 {
		t.Errorf("%v, %d inside", err, len(g.inside))
	}
}

func TestPrivateIsNotAsked(t *testing.T) {
	t.Parallel()
	s := serve(t)
	text := fmt.Sprintf("[a](%s/page) [b](http://localhost:1/x) [c](http://192.168.0.1/) [d](mailto:a@b.example) [e](ftp://127.0.0.1/) [f](//10.0.0.1/x)\n", s.URL)
	found, summary := ask(t, text, &Asker{})
	if len(s.requests) != 0 || len(found) != 4 || summary.Addresses != 4 {
		t.Errorf("%v\n%v\n%+v", s.requests, lines(found), summary)
	}
	for _, d := range found {
		if !strings.Contains(d.Message.String(), "of this machine or of a private network, and was not asked") {
			t.Error(d)
		}
	}
	for ip, want := range map[string]bool{
		"8.8.8.8": true, "2001:4860:4860::8888": true, "127.0.0.1": false, "::1": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false,
		"169.254.169.254": false, "100.64.0.1": false, "0.0.0.0": false, "0.1.2.3": false, "224.0.0.1": false, "255.255.255.255": false, "::ffff:127.0.0.1": false,
		"fd00::1": false, "fe80::1%eth0": false, "64:ff9b::7f00:1": false, "198.18.0.1": false,
	} {
		if got := public(netip.MustParseAddr(ip)); got != want {
			t.Errorf("public(%s) = %v", ip, got)
		}
	}
}

// TestPrivateConnections checks that the dialled address is checked, so that neither a name nor a redirect
// leads to this machine.
func TestPrivateConnections(t *testing.T) {
	t.Parallel()
	s := serve(t)
	get := func(address string, allowPrivate bool) error {
		c := &http.Client{Transport: transport(allowPrivate)}
		defer c.CloseIdleConnections()
		r, err := c.Get(address + "/page")
		if err == nil {
			r.Body.Close()
		}
		return err
	}
	named := strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
	for _, address := range []string{s.URL, named} {
		if err := get(address, false); !errors.Is(err, errPrivate) {
			t.Errorf("%s: error %v, want %v", address, err, errPrivate)
		}
	}
	if len(s.requests) != 0 {
		t.Errorf("requests: %q", s.requests)
	}
	for _, address := range []string{s.URL, named} {
		if err := get(address, true); err != nil {
			t.Errorf("%s, which is allowed: %v", address, err)
		}
	}
}

// TestProxy checks that the environment's proxy is used even if its address is private, and that it gets
// no requests for addresses of this machine or of private networks. net/http reads the environment only
// once, so the test needs a process of its own.
func TestProxy(t *testing.T) {
	const address, moved = "http://public.example/page", "http://moved.example/page"
	if os.Getenv("GPUDOCS_TEST_PROXY") != "" {
		found, _ := ask(t, "[a]("+address+") [b]("+moved+") [b](http://10.0.0.1/private) [c](http://169.254.169.254/private) [d](http://[fd00::1]/private)\n", &Asker{})
		for _, d := range found {
			fmt.Println(d.Message)
		}
		return
	}
	t.Parallel()
	var mu sync.Mutex
	var requests []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		requests = append(requests, r.Method+" "+r.RequestURI)
		if r.RequestURI == moved {
			http.Redirect(w, r, "http://192.168.0.1/private", http.StatusFound)
		}
	}))
	defer proxy.Close()
	c := exec.Command(os.Args[0], "-test.run=^TestProxy$")
	c.Env = append(os.Environ(), "GPUDOCS_TEST_PROXY=1", "HTTP_PROXY="+proxy.URL, "http_proxy="+proxy.URL, "NO_PROXY=", "no_proxy=")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	slices.Sort(requests)
	if want := []string{"HEAD " + moved, "HEAD " + address}; !slices.Equal(requests, want) {
		t.Errorf("requests to the proxy: %q, want %q\n%s", requests, want, out)
	}
	if n := strings.Count(string(out), "was not asked"); n != 4 || strings.Contains(string(out), "public.example") {
		t.Errorf("output of the check:\n%s", out)
	}
}

// TestPause checks that a pause applies to its host only, and that a shorter pause does not end a longer
// one.
func TestPause(t *testing.T) {
	a := &Asker{Interval: time.Second}
	a.once.Do(a.prepare)
	busy, other := a.gate("http://busy.example/a"), a.gate("http://other.example/a")
	busy.pause(time.Hour)
	a.gate("http://busy.example/b").pause(time.Minute)
	if wait := busy.turn(time.Now()); wait < 59*time.Minute {
		t.Errorf("the pause is over in %v", wait)
	}
	if wait := other.turn(time.Now()); wait > 0 {
		t.Errorf("another host waits for %v", wait)
	}
}

func TestIgnore(t *testing.T) {
	t.Parallel()
	s := serve(t)
	found, summary := ask(t, fmt.Sprintf("[a](%[1]s/missing) [b](%[1]s/gone?a.b) [c](%[1]s/page)\n", s.URL), &Asker{AllowPrivate: true}, s.URL+"/miss*", "*gone?a.b")
	if len(found) != 0 || summary != (Counts{Addresses: 1, Ignored: 2}) {
		t.Errorf("%v %+v", lines(found), summary)
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, address string
		want             bool
	}{
		{"a", "a", true}, {"a", "ab", false}, {"a*", "ab", true}, {"*b", "ab", true}, {"a*a", "a", false}, {"a*a", "aa", true}, {"*", "", true},
		{"http://*.x/*", "http://a.b.x/", true}, {"http://*.x/*", "http://x/", false}, {"a*b*c", "a-b-b-c", true}, {"a*b*c", "a-c-b", false}, {"a?.", "ab.", false}, {"**", "x", true}, {"a\xff*", "a", false},
	} {
		if got := newMatcher([]string{c.pattern})(c.address); got != c.want {
			t.Errorf("%q matches %q: %v", c.pattern, c.address, got)
		}
	}
}

// A roundTrip answers requests without a network.
type roundTrip func(*http.Request) (*http.Response, error)

func (r roundTrip) RoundTrip(q *http.Request) (*http.Response, error) { return r(q) }

// TestNoAnswer: a name that does not exist is an error, and one that cannot be looked up now is not.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault    error
		severity diag.Severity
		want     string
	}{
		{&net.DNSError{Err: "no such host", IsNotFound: true}, diag.Error, "there is no host example.org"},
		{&net.DNSError{Err: "server misbehaving", IsTemporary: true}, diag.Warning, "example.org does not answer: dial: lookup : server misbehaving"},
		{errPrivate, diag.Warning, "example.org is an address of this machine or of a private network"},
	} {
		a := &Asker{Interval: time.Millisecond}
		a.once.Do(a.prepare)
		a.client.Transport = roundTrip(func(*http.Request) (*http.Response, error) { return nil, &net.OpError{Op: "dial", Err: c.fault} })
		found, _ := ask(t, "[a](https://example.org/x)\n", a)
		if len(found) != 1 || found[0].Severity != c.severity || !strings.HasPrefix(found[0].Message.String(), c.want) || found[0].Hint.IsZero() {
			t.Errorf("%v: %v", c.fault, lines(found))
		}
	}
}

func TestUnknownHosts(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(nil)
	closed.Close()
	found, _ := ask(t, "[a]("+closed.URL+")\n", &Asker{AllowPrivate: true})
	if len(found) != 1 || found[0].Severity != diag.Warning || !strings.Contains(found[0].Message.String(), "does not answer: ") {
		t.Errorf("%v", lines(found))
	}
	hang := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer hang.Close()
	found, _ = ask(t, "[a]("+hang.URL+")\n", &Asker{AllowPrivate: true, Timeout: 50 * time.Millisecond})
	if len(found) != 1 || !strings.HasSuffix(found[0].Message.String(), "does not answer: no answer in time") {
		t.Errorf("%v", lines(found))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	site := siteOf(t, map[string]string{"content/pt/p.md": "[a](" + hang.URL + ")\n"})
	if _, _, err := External(ctx, site, site.Pages, nil, &Asker{AllowPrivate: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

func TestCache(t *testing.T) {
	t.Parallel()
	s := serve(t)
	file := filepath.Join(t.TempDir(), "sub", "links.json")
	text := fmt.Sprintf("[a](%[1]s/page#uso) [b](%[1]s/missing)\n", s.URL)
	now := time.Now()
	turn := func(text string, refresh bool, later time.Duration) (requests, cached int) {
		t.Helper()
		before := len(s.requests)
		c := OpenCache(file, refresh)
		c.now = func() time.Time { return now.Add(later) }
		found, summary := ask(t, text, &Asker{AllowPrivate: true, Cache: c})
		if len(found) != strings.Count(text, "missing")+strings.Count(text, "nada") {
			t.Errorf("%v", lines(found))
		}
		if err := c.Save(); err != nil {
			t.Fatal(err)
		}
		return len(s.requests) - before, summary.Cached
	}
	for _, c := range []struct {
		what             string
		text             string
		refresh          bool
		later            time.Duration
		requests, cached int
	}{
		{"nothing is known", text, false, time.Minute, 3, 0}, // HEAD and GET of what is missing
		{"all is known", text, false, time.Minute, 0, 2},
		{"another fragment", strings.Replace(text, "#uso", "#nada", 1), false, time.Minute, 1, 1},
		{"a bad answer is old sooner", strings.Replace(text, "#uso", "", 1), false, 2 * time.Hour, 2, 1},
		{"asked again", text, true, time.Minute, 3, 0},
		{"a week later", text, false, 8 * 24 * time.Hour, 3, 0},
	} {
		if requests, cached := turn(c.text, c.refresh, c.later); requests != c.requests || cached != c.cached {
			t.Errorf("%s: %d requests, %d cached, want %d, %d", c.what, requests, cached, c.requests, c.cached)
		}
	}
	// A file in another format counts as an empty cache, and is replaced.
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if requests, _ := turn(text, false, time.Minute); requests != 3 {
		t.Errorf("%d requests", requests)
	}
	// It stays within its bounds, and drops the oldest.
	c := OpenCache(file, true)
	for i := range maxAnswers + 10 {
		c.put(fmt.Sprint("http://example.org/", i), Answer{Status: 200, At: now.Add(-time.Duration(i) * time.Millisecond)})
	}
	if err := c.Save(); err != nil {
		t.Fatal(err)
	}
	c = OpenCache(file, false)
	_, young := c.get("http://example.org/0", nil)
	_, old := c.get(fmt.Sprint("http://example.org/", maxAnswers+9), nil)
	if len(c.answers) != maxAnswers || !young || old {
		t.Errorf("%d answers, the youngest %v, the oldest %v", len(c.answers), young, old)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, " 7 ": 7 * time.Second, "-1": 0, "x": 0, "99999999999999999999": 0,
		"Fri, 02 Jan 2026 03:05:05 GMT": time.Minute, "Fri, 02 Jan 2026 03:03:05 GMT": 0,
	} {
		if got := retryAfter(value, now); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

// FuzzAddresses checks that only http and https addresses are requested, without a fragment, and that
// each address has a place.
func FuzzAddresses(f *testing.F) {
	for _, s := range []string{"https://a.example/x#y", "//b", "http://[::1]:80/#%zz", "mailto:x@y.z", "HTTPS://A", "http://a#/x#y"} {
		f.Add(s, "http*")
	}
	f.Fuzz(func(t *testing.T, address, pattern string) {
		s, _ := load.Load(fstest.MapFS{site.ConfigFile: {}, "content/pt/p.md": {Data: []byte("# P\n\n[x](<" + address + ">)\n")}}, load.Options{})
		if s == nil {
			return
		}
		uses, _ := addresses(s, s.Pages, []string{pattern})
		for a, places := range uses {
			if !strings.HasPrefix(a, "http://") && !strings.HasPrefix(a, "https://") || strings.Contains(a, "#") || len(places) == 0 {
				t.Errorf("%q asks %q of %d places", address, a, len(places))
			}
			for _, u := range places {
				for code := range 600 {
					findings(u, a, Answer{Status: code})
				}
			}
		}
	})
}

// TestExternalWorks checks that an address in the list of references is requested once, and reported at
// the place of its entry.
func TestExternalWorks(t *testing.T) {
	web := serve(t)
	work := func(key, url string) string { return "@misc{" + key + ",\n  title = {T},\n  url = {" + url + "},\n}\n" }
	s := siteOf(t, map[string]string{site.ConfigFile: "[markdown]\nbibliography = \"refs.bib\"\n",
		"refs.bib":        work("ana2020", web.URL+"/missing") + work("rui2021", web.URL+"/missing#x") + work("eva2022", web.URL+"/ok"),
		"content/pt/p.md": "[@ana2020; @eva2022]\n", "content/pt/q.md": "[@ana2020]\n"})
	found, summary, err := External(t.Context(), s, s.Pages, nil, &Asker{AllowPrivate: true})
	if err != nil || summary.Addresses != 2 {
		t.Fatal(summary, err)
	}
	if len(found) != 1 || found[0].File != "refs.bib" || found[0].Line != 1 || found[0].Column != 7 || found[0].Severity != diag.Error {
		t.Errorf("%+v", found)
	}
}
