package browser

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
)

// A host is a built site, served as a good host does: compressed, with a strict policy, the site's
// headers and its 404 page.
type host struct {
	dir   string
	base  string   // its address, with a slash at the end
	pages []string // "", "es/", "es/texto/", ...; without old addresses, which redirect
	small sync.Map // the results of compressed, by the file's name
}

// ours is the repository's own site; tutorials is one that stays as it is, for tests that know
// what it says; made is the one in testdata/made, which has everything that a page can have,
// and three made-up machines; fleet is a lab of four machines on which results differ.
func ours(t *testing.T) *host      { return hostOf(t, hostOurs) }
func tutorials(t *testing.T) *host { return hostOf(t, hostTutorials) }
func made(t *testing.T) *host      { return hostOf(t, hostMade) }
func fleet(t *testing.T) *host     { return hostOf(t, hostFleet) }

var (
	hostOurs = sync.OnceValues(func() (*host, error) {
		dir := filepath.Join(workDir, "ours")
		for _, part := range []string{"content", "env", "results"} {
			if err := os.CopyFS(filepath.Join(dir, part), os.DirFS(filepath.Join("../..", part))); err != nil {
				return nil, err
			}
		}
		config, err := os.ReadFile("../../gpudocs.toml")
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, "gpudocs.toml"), config, 0o644); err != nil {
			return nil, err
		}
		return startHost(dir)
	})
	hostTutorials = sync.OnceValues(func() (*host, error) {
		dir := filepath.Join(workDir, "tutorials")
		if err := copySite(dir, nil); err != nil {
			return nil, err
		}
		return startHost(dir)
	})
	hostMade  = sync.OnceValues(func() (*host, error) { return startCopy("made") })
	hostFleet = sync.OnceValues(func() (*host, error) { return startCopy("fleet") })
)

func hostOf(t *testing.T, start func() (*host, error)) *host {
	t.Helper()
	needBrowser(t)
	h, err := start()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// startCopy starts a copy of a site in testdata.
func startCopy(name string) (*host, error) {
	dir := filepath.Join(workDir, name)
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))); err != nil {
		return nil, err
	}
	return startHost(dir)
}

// startHost builds a site for its address and serves it until all tests have ended.
func startHost(dir string) (*host, error) {
	h := &host{dir: filepath.Join(dir, "public")}
	s := httptest.NewServer(h)
	atEnd(s.Close)
	h.base = s.URL + "/"
	build := exec.Command(binary, "build", "--output", h.dir, "--base-url", h.base)
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("gpudocs build: %w\n%s", err, out)
	}
	err := filepath.WalkDir(h.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(p, ".html") {
			return err
		}
		html, err := os.ReadFile(p)
		rel, _ := filepath.Rel(h.dir, p)
		if rel == "index.html" || !bytes.Contains(html, []byte(`http-equiv="refresh"`)) {
			h.pages = append(h.pages, strings.TrimSuffix(filepath.ToSlash(rel), "index.html"))
		}
		return err
	})
	if err == nil && len(h.pages) < 3 {
		err = fmt.Errorf("the built site has only these pages: %q", h.pages)
	}
	return h, err
}

// policy is that of serve, for paths that the site's _headers give none.
const policy = "default-src 'self'; img-src 'self' https: data:; " +
	"object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, status := path.Clean(r.URL.Path), http.StatusOK
	if strings.HasSuffix(r.URL.Path, "/") {
		name = path.Join(name, "index.html")
	}
	data, err := os.ReadFile(filepath.Join(h.dir, filepath.FromSlash(name)))
	if err != nil {
		name, status = "404.html", http.StatusNotFound
		if data, err = os.ReadFile(filepath.Join(h.dir, name)); err != nil {
			http.NotFound(w, r)
			return
		}
	}
	if r.Header.Get(stayHeader) != "" && path.Base(name) == "root.js" {
		data = nil
	}
	if r.Header.Get(slowHeader) != "" && (path.Base(name) == "theme.js" || strings.HasPrefix(mime.TypeByExtension(path.Ext(name)), "image/")) {
		time.Sleep(slowness)
	}
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, "/_theme/") { // named after their contents
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	h.own(w.Header(), r.URL.Path)
	if r.Header.Get("Range") != "" { // ranges, which search requests, are not compressed
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
		return
	}
	if !strings.HasPrefix(w.Header().Get("Content-Type"), "image/png") {
		w.Header().Set("Content-Encoding", "gzip")
		data = h.compressed(name, data)
	}
	w.WriteHeader(status)
	_, _ = w.Write(data)
}

// own adds the headers of a path from the site's _headers.
func (h *host) own(header http.Header, at string) {
	text, err := os.ReadFile(filepath.Join(h.dir, "_headers"))
	if err != nil {
		return
	}
	applies := false
	for line := range strings.Lines(string(text)) {
		rule := strings.TrimSpace(line)
		name, value, isHeader := strings.Cut(rule, ":")
		switch {
		case rule == "" || strings.HasPrefix(rule, "#"):
		case strings.HasPrefix(rule, "/"):
			before, isPrefix := strings.CutSuffix(rule, "*")
			applies = at == rule || isPrefix && strings.HasPrefix(at, before)
		case applies && isHeader:
			header.Set(strings.TrimSpace(name), strings.TrimSpace(value))
		}
	}
}

// compressed returns a compressed file from the cache; nil if there is no such file.
func (h *host) compressed(name string, data []byte) []byte {
	small, known := h.small.Load(name)
	if known && data != nil {
		return small.([]byte)
	}
	out := compressed(data)
	if data != nil {
		h.small.Store(name, out)
	}
	return out
}

// compressed returns data in the best of the usual compressions.
func compressed(data []byte) []byte {
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	_, _ = z.Write(data)
	_ = z.Close()
	return out.Bytes()
}

// A kind is a page that represents all pages of its kind, in a state in which readers see it.
type kind struct {
	name string
	site func(*testing.T) *host
	path string // "{lang}" is a language
	// state is an expression that brings the page into its state; it may be a promise.
	state string
	// part is a selector of what the state shows, if the rest of the page is a kind of its own: axe-core reads only the part.
	part  string
	width int64 // 0 is a desktop's
}

// kinds are all kinds of pages, besides those of the sites of TestOurSite. A new kind must be added here.
var kinds = []kind{
	{name: "panels", site: made, path: "{lang}/gpu/?machine=deepten", state: opened},
	{name: "text", site: made, path: "{lang}/texto/", state: opened},
	{name: "formulas", site: made, path: "{lang}/formulas/"},
	{name: "course", site: made, path: "{lang}/curso/", state: opened},
	{name: "course on a phone", site: made, path: "{lang}/curso/", width: 360},
	{name: "notebook", site: made, path: "{lang}/caderno/", state: opened},
	{name: "missing translation", site: made, path: "es/rascunho/"},
	{name: "no machines", site: made, path: "{lang}/gpu/?machine="},
	{name: "languages open", site: made, path: "{lang}/", state: "document.querySelector('.langs').open = true", part: ".langs"},
	{name: "status", site: made, path: "{lang}/_status/"},
	{name: "tag", site: made, path: "{lang}/_tags/cuda/"},
	{name: "tags", site: made, path: "{lang}/_tags/"},
	{name: "print of a section", site: made, path: "{lang}/_print/"},
	{name: "not found", site: made, path: "{lang}/404.html"},
	{name: "not found, in no language", site: made, path: "404.html"},
	{name: "search open", site: tutorials, path: "{lang}/medir-tempo/", state: searched, part: "dialog.search"},
	{name: "picture open", site: made, path: "{lang}/texto/", state: "document.querySelector('article .zoom-button').click()", part: "dialog.zoom"},
	{name: "machines by keyboard", site: made, path: "{lang}/gpu/", state: "document.querySelector('.pick').focus()", part: ".pick"},
	{name: "own GPU", site: made, path: "{lang}/gpu/?gpu=rtx-3060&driver=535", state: owned},
	{name: "own GPU asked for", site: made, path: "{lang}/gpu/", state: "gpudocs.own.ask(), " + dialogOpen, part: "dialog.my-gpu-dialog"},
	{name: "phone", site: made, path: "{lang}/texto/", width: 360},
	{name: "pages on a phone", site: made, path: "{lang}/texto/", state: "document.querySelector('.fold-menu').open = true", part: ".side, .fold", width: 360},
	{name: "contents on a phone", site: made, path: "{lang}/texto/", state: "document.querySelector('.fold-toc').open = true", part: ".toc, .fold", width: 360},
	{name: "root", site: made, path: ""},
}

// owned waits until the page answers for the reader's own GPU, and dialogOpen for the form that asks for it.
const (
	owned      = `new Promise(done => { const look = () => document.querySelector(".mine-own") ? done(null) : setTimeout(look, 20); look() })`
	dialogOpen = `new Promise(done => { const look = () => document.querySelector("dialog.my-gpu-dialog[open]") ? done(null) : setTimeout(look, 20); look() })`
)

// opened opens all that a reader can open.
const opened = "document.querySelectorAll('details').forEach(d => { d.open = true })"

// searched opens the search and waits for what it finds.
const searched = `document.querySelector("dialog.search[open]") || document.dispatchEvent(new KeyboardEvent("keydown", {key: "k", ctrlKey: true, bubbles: true})), new Promise(done => {
	const look = () => {
		const input = document.querySelector("dialog.search[open] input")
		if (!input) return setTimeout(look, 20)
		if (!input.value) { input.value = "gpu"; input.dispatchEvent(new Event("input", {bubbles: true})) }
		if (document.querySelector("dialog.search [role=option], dialog.search li a")) done(); else setTimeout(look, 20)
	}
	look()
})`

// addresses are those of a kind of page: one, or one in each language.
func (k kind) addresses() []string {
	if !strings.Contains(k.path, "{lang}") {
		return []string{k.path}
	}
	var out []string
	for _, lang := range []string{"pt", "es"} {
		out = append(out, strings.Replace(k.path, "{lang}", lang, 1))
	}
	return out
}

// show opens a page of a kind in its state.
func (tb *tab) show(k kind, address string) {
	tb.Helper()
	tb.size(max(k.width, 360), 900)
	if k.width == 0 {
		tb.size(1280, 900)
	}
	tb.visit(address)
	tb.until("document.readyState === 'complete'")
	if k.state != "" {
		eval[any](tb, "Promise.resolve(("+k.state+")).then(() => null)", awaiting)
	}
}

// stay keeps the root page from redirecting: the host removes the script for that.
func (tb *tab) stay() {
	tb.Helper()
	call(tb, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: network.Headers{stayHeader: "1"}})
}

const stayHeader = "X-Stay"

// A request with slowHeader gets pictures and the theme's script after slowness, so that they come after the first frame.
const (
	slowHeader = "X-Slow"
	slowness   = 200 * time.Millisecond
)

var oneTag = regexp.MustCompile(`_tags/[^/]+/$`)

// Every page of the made-up site is of a kind that is looked at.
func TestKindsAreAll(t *testing.T) {
	t.Parallel()
	site := made(t)
	var known []string
	for _, k := range kinds {
		for _, a := range k.addresses() {
			known = append(known, strings.Split(a, "?")[0])
		}
	}
	for _, p := range site.pages {
		if p = oneTag.ReplaceAllString(p, "_tags/cuda/"); p != "pt/rascunho/" && !slices.Contains(known, p) {
			t.Errorf("no kind represents %s of the made-up site", p)
		}
	}
}

// needModule returns the path of a file of a package of npm, and skips the test where
// npm has not installed it.
func needModule(t *testing.T, name string) string {
	t.Helper()
	file := filepath.Join("node_modules", filepath.FromSlash(name))
	_, err := os.Stat(file)
	if err == nil {
		_, err = exec.LookPath("node")
	}
	if err != nil {
		if os.Getenv("GPUDOCS_REQUIRE_BROWSER") == "1" {
			t.Fatalf("GPUDOCS_REQUIRE_BROWSER is set: %v; run npm ci in test/browser", err)
		}
		t.Skipf("%v; run npm ci in test/browser", err)
	}
	return file
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
