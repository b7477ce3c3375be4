package serve

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/hosting"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// deeds are actions that run until let is closed.
type deeds struct {
	ran   chan string   // the actions that were started
	let   chan struct{} // nil: a run ends at once
	slow  time.Duration // how long a canceled run takes to end
	ended chan error    // the error of each run's context
}

func (d *deeds) Of(file string) []Action {
	if file != "pt/index.html" {
		return nil
	}
	return []Action{{"a", "code-a.results", []string{"first", "a"}}}
}

func (d *deeds) Run(ctx context.Context, id string, say func(string)) (Outcome, error) {
	if id != "a" {
		return Outcome{}, ErrUnknown
	}
	say("first")
	d.ran <- id
	if d.let != nil {
		select {
		case <-d.let:
		case <-ctx.Done():
			time.Sleep(d.slow)
			d.ended <- ctx.Err()
			return Outcome{}, ctx.Err()
		}
	}
	return Outcome{true, "1 passed"}, nil
}

func acting(t *testing.T, d *deeds) *running {
	d.ran, d.ended = make(chan string, 10), make(chan error, 10)
	return start(t, Preview{Actions: d, Build: func(context.Context, []string) (Snapshot, diag.List) {
		return files{"pt/index.html": "<p id=\"code-a.results\"></p></body>"}, nil
	}})
}

// ask requests an action as a page of this server does; change modifies the request.
func (r *running) ask(ctx context.Context, body string, change func(*http.Request)) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, "POST", r.url+actionsPath, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	h := req.Header
	h.Set("Origin", r.url)
	h.Set("Sec-Fetch-Site", "same-origin")
	h.Set("Content-Type", "application/json")
	h.Set(tokenHeader, r.actor.token)
	if change != nil {
		change(req)
	}
	return http.DefaultTransport.RoundTrip(req)
}

func TestActionIsDone(t *testing.T) {
	t.Parallel()
	d := &deeds{}
	r := acting(t, d)
	list := r.do("GET", actionsPath+"?page=/pt/", http.Header{tokenHeader: {r.actor.token}})
	if list.StatusCode != 200 || list.body != `[{"id":"a","behind":"code-a.results","steps":["first","a"]}]` {
		t.Errorf("offered: %d, %s", list.StatusCode, list.body)
	}
	for _, page := range []string{"", "/es/", "/../pt/", "pt/"} {
		if none := r.do("GET", actionsPath+"?page="+page, http.Header{tokenHeader: {r.actor.token}}); none.body != "[]" {
			t.Errorf("%q offers %s", page, none.body)
		}
	}
	if page := r.get("/pt/").body; !strings.Contains(page, buttonsPath) || strings.Contains(page, r.actor.token) {
		t.Errorf("the page is %s", page)
	}
	for body, want := range map[string]string{
		`{"action": "a"}`: "{\"step\":\"first\"}\n{\"ok\":true,\"text\":\"1 passed\"}\n",
		`{"action": "b"}`: "{\"code\":\"unknown\",\"error\":\"no such action\"}\n",
	} {
		resp, err := r.ask(t.Context(), body, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(resp.Body)
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", body, got, err)
		}
	}
}

// Requests that do not come from a page of this server with the right token start no action.
func TestActionIsRefused(t *testing.T) {
	t.Parallel()
	d := &deeds{}
	r := acting(t, d)
	set := func(k, v string) func(*http.Request) { return func(req *http.Request) { req.Header.Set(k, v) } }
	without := func(k string) func(*http.Request) { return func(req *http.Request) { req.Header.Del(k) } }
	const good = `{"action":"a"}`
	for name, c := range map[string]struct {
		body   string
		change func(*http.Request)
		status int
	}{
		"no token":                  {good, without(tokenHeader), 403},
		"an empty token":            {good, set(tokenHeader, ""), 403},
		"another token":             {good, set(tokenHeader, strings.Repeat("A", len(r.actor.token))), 403},
		"a part of the token":       {good, set(tokenHeader, r.actor.token[:20]), 403},
		"more than the token":       {good, set(tokenHeader, r.actor.token+"A"), 403},
		"the token in the address":  {good, func(req *http.Request) { req.Header.Del(tokenHeader); req.URL.RawQuery = "token=" + r.actor.token }, 403},
		"no origin":                 {good, without("Origin"), 403},
		"another origin":            {good, set("Origin", "http://evil.example"), 403},
		"an origin of another port": {good, set("Origin", "http://127.0.0.1:1"), 403},
		"the null origin":           {good, set("Origin", "null"), 403},
		"another site":              {good, set("Sec-Fetch-Site", "cross-site"), 403},
		"the same site":             {good, set("Sec-Fetch-Site", "same-site"), 403},
		"typed by the reader":       {good, set("Sec-Fetch-Site", "none"), 403},
		"a form of another site": {good, func(req *http.Request) {
			set("Sec-Fetch-Site", "cross-site")(req)
			set("Sec-Fetch-Mode", "navigate")(req)
			set("Sec-Fetch-Dest", "document")(req)
		}, 403},
		"another host":         {good, func(req *http.Request) { req.Host = "evil.example" }, 421},
		"a form":               {good, set("Content-Type", "application/x-www-form-urlencoded"), 415},
		"text":                 {good, set("Content-Type", "text/plain"), 415},
		"no type":              {good, without("Content-Type"), 415},
		"PUT":                  {good, func(req *http.Request) { req.Method = "PUT" }, 405},
		"OPTIONS":              {good, func(req *http.Request) { req.Method = "OPTIONS" }, 405},
		"another path":         {good, func(req *http.Request) { req.URL.Path = "/pt/" }, 405},
		"nothing":              {"", nil, 400},
		"no JSON":              {"action=a", nil, 400},
		"more than one":        {good + good, nil, 400},
		"more than the action": {`{"action":"a","as":"root"}`, nil, 400},
		"a list":               {`["a"]`, nil, 400},
		"no action":            {`{}`, nil, 400},
		"an empty action":      {`{"action":""}`, nil, 400},
		"too much":             {`{"action":"` + strings.Repeat("a", maxRequest) + `"}`, nil, 400},
	} {
		resp, err := r.ask(t.Context(), c.body, c.change)
		if err != nil {
			t.Fatal(name, err)
		}
		resp.Body.Close()
		if resp.StatusCode != c.status {
			t.Errorf("%s: %s, want %d", name, resp.Status, c.status)
		}
	}
	for _, header := range []http.Header{nil, {tokenHeader: {"x"}}} {
		if got := r.do("GET", actionsPath+"?page=/pt/", header); got.StatusCode != 403 {
			t.Errorf("the list with %v: %d", header, got.StatusCode)
		}
	}
	if len(d.ran) != 0 {
		t.Errorf("%d actions were run, want none", len(d.ran))
	}
}

func TestSecondRunWaitsForNone(t *testing.T) {
	t.Parallel()
	d := &deeds{let: make(chan struct{})}
	r := acting(t, d)
	first := make(chan string, 1)
	go func() {
		resp, err := r.ask(t.Context(), `{"action":"a"}`, nil)
		if err != nil {
			first <- err.Error()
			return
		}
		body, _ := io.ReadAll(resp.Body)
		first <- string(body)
	}()
	receive(t, d.ran)
	resp, err := r.ask(t.Context(), `{"action":"a"}`, nil)
	if err != nil || resp.StatusCode != 409 {
		t.Errorf("the second: %v, %v", resp, err)
	}
	close(d.let)
	if got, _ := receive(t, first); !strings.Contains(got, "1 passed") {
		t.Errorf("the first: %s", got)
	}
	resp, err = r.ask(t.Context(), `{"action":"a"}`, nil)
	if err != nil || resp.StatusCode != 200 {
		t.Errorf("the third: %v, %v", resp, err)
	}
}

// A run ends when its page cancels the request, and when the server ends.
func TestRunEndsWithItsPage(t *testing.T) {
	t.Parallel()
	d := &deeds{let: make(chan struct{})}
	r := acting(t, d)
	ctx, leave := context.WithCancel(t.Context())
	go func() { _, _ = r.ask(ctx, `{"action":"a"}`, nil) }()
	receive(t, d.ran)
	leave()
	if err, _ := receive(t, d.ended); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) { // until its handler has returned
		if r.actor.running.TryLock() {
			r.actor.running.Unlock()
			break
		} else if time.Now().After(deadline) {
			t.Fatal("the run has never ended")
		}
	}
	go func() { _, _ = r.ask(t.Context(), `{"action":"a"}`, nil) }()
	receive(t, d.ran)
	if err := r.stop(); err != nil {
		t.Error(err)
	}
	receive(t, d.ended)
}

// The server waits for a canceled run to end before it exits.
func TestEndWaitsForTheRun(t *testing.T) {
	t.Parallel()
	d := &deeds{let: make(chan struct{}), slow: 3 * grace / 2}
	r := acting(t, d)
	go func() { _, _ = r.ask(t.Context(), `{"action":"a"}`, nil) }()
	receive(t, d.ran)
	if err := r.stop(); err != nil {
		t.Error(err)
	}
	if len(d.ended) != 1 {
		t.Error("the run still goes on after the server has ended")
	}
}

// A file beside the pages is sandboxed: its scripts cannot read the token.
func TestAttachedFilesHaveNoOrigin(t *testing.T) {
	t.Parallel()
	f := files{"pt/index.html": "<p></p></body>", "beside/a.html": "<p></p></body>", "beside/a.svg": "<svg/>", "beside/a.xml": "<x/>",
		"beside/a.png": "png", "beside/a.pdf": "pdf", "a.svg": "<svg/>"}
	build := func(context.Context, []string) (Snapshot, diag.List) { return f, nil }
	with, without := start(t, Preview{Actions: &deeds{}, Build: build}), start(t, Preview{Build: build})
	for name, want := range map[string]bool{"pt/": false, "beside/a.html": true, "beside/a.xml": true,
		"beside/a.png": false, "beside/a.pdf": false} { // a sandbox would keep a PDF from being shown
		for r, want := range map[*running]bool{with: want, without: false} {
			got := r.get("/" + name)
			policies := strings.Join(got.Header.Values("Content-Security-Policy"), "|")
			if got.StatusCode != 200 || strings.Contains(policies, "|sandbox") != want || want && strings.Contains(got.body, buttonsPath) {
				t.Errorf("%s: %d, %s, %s", name, got.StatusCode, policies, got.body)
			}
		}
	}
}

// TestDrawingsRunNothing checks that an SVG opened by its own address gets the same policy as on a host.
func TestDrawingsRunNothing(t *testing.T) {
	t.Parallel()
	f := files{"pt/index.html": "<p></p></body>", "beside/a.SVG": "<svg/>", "a.svg": "<svg/>"}
	build := func(context.Context, []string) (Snapshot, diag.List) { return f, nil }
	for _, r := range []*running{start(t, Preview{Actions: &deeds{}, Build: build}), start(t, Preview{Build: build})} {
		for name, want := range map[string]string{"a.svg": hosting.Policy + "|" + hosting.Drawing, "beside/a.SVG": hosting.Policy + "|" + hosting.Drawing, "pt/": hosting.Policy} {
			got := r.get("/" + name)
			if policies := strings.Join(got.Header.Values("Content-Security-Policy"), "|"); got.StatusCode != 200 || policies != want {
				t.Errorf("%s: %d, %s", name, got.StatusCode, policies)
			}
		}
	}
}

// Without actions neither their addresses nor the token exist.
func TestNoActions(t *testing.T) {
	t.Parallel()
	r := serving(t, files{"pt/index.html": "<p></p></body>"})
	for _, path := range []string{actionsPath, buttonsPath, openPath, openerPath} {
		if got := r.get(path); got.StatusCode != 404 {
			t.Errorf("%s: %d", path, got.StatusCode)
		}
	}
	if got := r.do("POST", actionsPath, http.Header{"Origin": {r.url}}); got.StatusCode != 405 {
		t.Errorf("POST: %d", got.StatusCode)
	}
	if page := r.get("/pt/").body; strings.Contains(page, buttonsPath) || r.OpenPath() != "/" {
		t.Errorf("%s, %s", page, r.OpenPath())
	}
}

func TestActionsStayOnThisMachine(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Skip(err)
	}
	s := New(Preview{Listener: l, Root: t.TempDir(), Actions: &deeds{}})
	if err := s.Serve(t.Context()); err == nil || !strings.Contains(err.Error(), "this machine alone") {
		t.Error(err)
	}
}

func TestTokenIsNew(t *testing.T) {
	t.Parallel()
	one, two := New(Preview{Actions: &deeds{}}), New(Preview{Actions: &deeds{}})
	if one.OpenPath() == two.OpenPath() || len(one.actor.token) < 26 {
		t.Error(one.OpenPath(), two.OpenPath())
	}
}

func FuzzRequest(f *testing.F) {
	for _, seed := range []string{`{"action":"a"}`, `{"action":"a"} `, `{"action":null}`, `{"Action":"a\u0000"}`, `{"action":"a"}{}`, `{"action":"\ud800"}`, `[`, ``, `{"action":{}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		id, ok := parseRequest(data)
		if ok && (id == "" || strings.ContainsRune(id, 0)) || !ok && id != "" && !strings.ContainsRune(id, 0) {
			t.Errorf("%q: %q, %v", data, id, ok)
		}
	})
}
