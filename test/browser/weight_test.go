package browser

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
)

// heaviest is the maximum size of a page in bytes, compressed, with everything that a browser loads for
// it before any action of the reader, without images.
const heaviest = 60_000

// scales weigh files, each once.
type scales struct {
	mu    sync.Mutex
	known map[string]int
}

// notHeavy checks that the page opened last is not larger than heaviest.
func (tb *tab) notHeavy(p string, s *scales) {
	tb.Helper()
	total, parts := 0, []string{}
	for _, address := range tb.loaded() {
		address, _, _ = strings.Cut(address, "#")
		if size := s.weigh(tb.T, address); size >= 0 {
			total += size
			parts = append(parts, fmt.Sprintf("%s %d", strings.TrimPrefix(address, tb.base), size))
		}
	}
	tb.Logf("%s weighs %d bytes: %s", p, total, strings.Join(parts, ", "))
	if total > heaviest && !strings.Contains(p, "/_print/") { // a page with all pages of a section
		tb.Errorf("%s weighs %d bytes, more than %d: %s", p, total, heaviest, strings.Join(parts, ", "))
	}
	if len(parts) < 4 { // the page, its styles, its scripts
		tb.Errorf("%s: only these belong to the page: %q", p, parts)
	}
}

// weigh returns the compressed size of a file; -1 for files that do not count: images, and data within
// another file.
func (s *scales) weigh(t *testing.T, address string) int {
	t.Helper()
	if strings.HasPrefix(address, "data:") {
		return -1
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if size, ok := s.known[address]; ok {
		return size
	}
	r, err := http.Get(address) // which decompresses
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	size := len(compressed(data))
	if strings.HasPrefix(r.Header.Get("Content-Type"), "image/") {
		size = -1
	}
	if s.known == nil {
		s.known = map[string]int{}
	}
	s.known[address] = size
	return size
}

// moves lists the elements that move in a page from its first frame on, whatever the cause.
const moves = `window.moves = []
	const at = r => [r.x, r.y, r.width, r.height].map(Math.round).join("/")
	new PerformanceObserver(l => l.getEntries().forEach(e => moves.push(e.value.toFixed(4) + " " + e.sources.map(s =>
		s.node && (s.node.nodeName + "." + s.node.className) + " " + at(s.previousRect) + " to " + at(s.currentRect)).join(", "))))
		.observe({type: "layout-shift", buffered: true})`

// parsedFirst hides a page until it is parsed. Chromium parses a page in parts of 32 KiB. On a busy machine it draws a
// frame between two of them, and an element of which only the beginning was in the first part then grows. The page's
// scripts run later.
const parsedFirst = `{
	const hidden = new CSSStyleSheet()
	hidden.replaceSync("* { visibility: hidden !important }")
	document.adoptedStyleSheets = [hidden]
	document.addEventListener("readystatechange", () => { document.adoptedStyleSheets = [] }, {once: true})
}`

// settled waits until two frames have been drawn, the second without a change.
const settled = `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))`

// holdStill checks that nothing moves in a page, as moved finds it.
func (tb *tab) holdStill(p string) {
	tb.Helper()
	if got := tb.moved(p); len(got) > 0 {
		tb.Errorf("%s at %d pixels: this moves: %q", p, eval[int](tb, "innerWidth"), got)
	}
}

// moved opens a page, and returns what moves after it is parsed, when its script and pictures come, and while it is
// scrolled to its end. Call watchMoves before.
func (tb *tab) moved(p string) []string {
	tb.Helper()
	tb.visit(p)
	tb.until("document.readyState === 'complete'")
	eval[any](tb, settled+".then(() => { scrollTo({top: document.body.scrollHeight, behavior: 'instant'}); return "+settled+" }).then(() => null)", awaiting)
	return eval[[]string](tb, "moves")
}

// watchMoves prepares a tab for holdStill and moved: its pages list what moves, and their script and pictures come after
// the first frame.
func (tb *tab) watchMoves() {
	tb.Helper()
	tb.onNewDocument(moves)
	tb.onNewDocument(parsedFirst)
	call(tb, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
	call(tb, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: network.Headers{slowHeader: "1"}})
}

// Nothing moves, neither for a new reader, nor for one whose choices are remembered.
func TestNothingMoves(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, choices string
		site          *host
	}{ // TestOurSite has the repository's own site
		{"made", "", made(t)}, {"made chosen", chosen, made(t)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tb := openTab(t, c.site.base)
			tb.watchMoves()
			tb.onNewDocument(c.choices)
			for _, width := range []int64{360, 1440} {
				tb.size(width, 900)
				for _, p := range c.site.pages {
					// Each kind of page exists in two languages, and is checked in all four ways.
					if p != "" && strings.HasPrefix(p, "es/") != (c.choices == "" == (width == 360)) {
						tb.holdStill(p)
					}
				}
			}
		})
	}
}

// chosen are a reader's choices, remembered.
const chosen = `localStorage.setItem("gpudocs-theme", "dark"); localStorage.setItem("gpudocs-machine", "deepten")
	localStorage.setItem("gpudocs-tabs", '["JAX", "PyTorch"]')`

// The check finds what the page's script moves.
func TestMovesAreSeen(t *testing.T) {
	t.Parallel()
	site := made(t)
	moving := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if path.Base(r.URL.Path) != "theme.js" {
			site.ServeHTTP(w, r)
			return
		}
		script, err := os.ReadFile(filepath.Join(site.dir, filepath.FromSlash(r.URL.Path)))
		if err != nil {
			t.Error(err)
		}
		time.Sleep(slowness)
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = fmt.Fprintf(w, "%s\n;document.querySelector('article').insertAdjacentHTML('afterbegin', '<h2>Tarde</h2>')", script)
	}))
	t.Cleanup(moving.Close)
	tb := openTab(t, moving.URL+"/")
	tb.watchMoves()
	for range 10 { // a busy machine may draw no frame before the script comes
		if len(tb.moved("pt/texto/")) > 0 {
			return
		}
	}
	t.Error("nothing is seen to move")
}

// A table that arrives in two halves does not move when the second one comes: its columns must not
// change their widths on a slow network.
func TestNothingMovesWhileATableArrives(t *testing.T) {
	t.Parallel()
	seen := make(chan struct{})
	goOn := sync.OnceFunc(func() { close(seen) })
	base := inHalves(t, made(t), "pt/_status/", func() { <-seen }, "<tbody data-page", "<tr><th", "</tr>")
	t.Cleanup(goOn)
	tb := openTab(t, base)
	tb.onNewDocument(moves)
	eval[any](tb, fmt.Sprintf("setTimeout(() => location.assign(%q)), 0", tb.base+"pt/_status/"))
	tb.until("document.querySelectorAll('.matrix tbody tr').length > 1")
	eval[any](tb, settled+".then(() => null)", awaiting)
	goOn()
	tb.until("document.readyState === 'complete'")
	eval[any](tb, settled+".then(() => null)", awaiting)
	if got := eval[[]string](tb, "moves"); len(got) > 0 {
		t.Errorf("this moves: %q", got)
	}
}

// An element that was drawn before all of it was parsed does not count as one that moves.
func TestHalfAnElementDoesNotMove(t *testing.T) {
	t.Parallel()
	base := inHalves(t, fleet(t), "es/comecar/", func() { time.Sleep(time.Second) }, `<summary class="is-passed"`, "</svg>")
	tb := openTab(t, base)
	tb.watchMoves()
	tb.size(1440, 900)
	tb.holdStill("es/comecar/")
}

// inHalves serves a site at a base address, but sends the second half of one page only after wait returns. To find the end
// of the first half, it searches for the texts one after the other, each behind the one before.
func inHalves(t *testing.T, site *host, p string, wait func(), texts ...string) (base string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(site.dir, filepath.FromSlash(p), "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	half := 0
	for _, text := range texts {
		i := bytes.Index(page[half:], []byte(text))
		if i < 0 {
			t.Fatalf("%s has no %s", p, text)
		}
		half += i + len(text)
	}
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/"+p {
			site.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page[:half])
		w.(http.Flusher).Flush()
		wait()
		_, _ = w.Write(page[half:])
	}))
	t.Cleanup(slow.Close)
	return slow.URL + "/"
}
