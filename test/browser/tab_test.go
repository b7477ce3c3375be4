package browser

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A tab is a page of the browser with storage of its own, and the faults that occurred in it.
type tab struct {
	*testing.T
	ctx  context.Context
	base string // address of the site, with a slash at its end

	mu       sync.Mutex
	faults   []string
	requests []string
	before   int      // requests before the last visit
	expected []string // faults that must come, each a part of its text
}

// openTab makes an empty tab for a site.
func openTab(t *testing.T, base string) *tab {
	t.Helper()
	parent := needBrowser(t)
	tb := &tab{T: t, base: base}
	ctx, stop := chromedp.NewContext(parent, chromedp.WithNewBrowserContext(), chromedp.WithListener(tb.listen))
	tb.ctx = ctx
	t.Cleanup(func() {
		stop()
		tb.mu.Lock()
		defer tb.mu.Unlock()
		came := map[string]bool{}
		for _, f := range tb.faults {
			i := slices.IndexFunc(tb.expected, func(e string) bool { return strings.Contains(f, e) })
			if i < 0 {
				t.Errorf("in the tab: %s", f)
				continue
			}
			came[tb.expected[i]] = true
		}
		for _, e := range tb.expected {
			if !came[e] {
				t.Errorf("the expected fault %q did not occur in the tab", e)
			}
		}
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("open a tab: %v", err)
	}
	call(tb, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	tb.size(1280, 900)
	return tb
}

// listen collects faults. It runs in the goroutine that reads the browser's messages, so it must be quick.
func (tb *tab) listen(event any) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	fault := func(format string, a ...any) { tb.faults = append(tb.faults, fmt.Sprintf(format, a...)) }
	switch e := event.(type) {
	case *log.EventEntryAdded: // failed loads and violations of the policy
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			fault("%s %s: %s %s", e.Entry.Source, e.Entry.Level, e.Entry.Text, e.Entry.URL)
		}
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
		fault("exception: %s", text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning || e.Type == runtime.ConsoleAPICalledTypeAssert {
			var words []string
			for _, a := range e.Args {
				words = append(words, string(a.Value)+a.Description)
			}
			fault("console.%s: %s", e.Type, strings.Join(words, " "))
		}
	case *network.EventRequestWillBeSent:
		address := e.Request.URL
		tb.requests = append(tb.requests, address)
		u, err := url.Parse(address)
		own, _ := url.Parse(tb.base)
		if err != nil || (u.Scheme != "data" && u.Scheme != "blob" && u.Scheme != "about" && u.Host != own.Host) {
			fault("a request to another host: %s", address)
		}
	}
}

// expect announces a fault that must occur in the tab, by a part of its text.
func (tb *tab) expect(part string) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.expected = append(tb.expected, part)
}

// requested returns the addresses that the tab has requested so far.
func (tb *tab) requested() []string {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	return slices.Clone(tb.requests)
}

// loaded returns the addresses that the tab has requested since the last visit.
func (tb *tab) loaded() []string { return tb.requested()[tb.before:] }

// call runs a command of the DevTools protocol.
func call[P, R any](tb *tab, command cdp.Command[P, R], params P) R {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	result, err := chromedp.Call(ctx, command, params)
	if err != nil {
		tb.Fatalf("%s: %v", command.Method, err)
	}
	return result
}

// do runs actions, each of which waits for what it needs.
func (tb *tab) do(what string, actions ...chromedp.Action[chromedp.Void]) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		tb.Fatalf("%s: %v", what, err)
	}
}

// visit opens a path of the site, "es/medir-tempo/" for instance.
func (tb *tab) visit(path string) {
	tb.Helper()
	tb.mu.Lock()
	tb.before = len(tb.requests)
	tb.mu.Unlock()
	tb.do("open "+path, chromedp.Navigate(tb.base+path))
}

// click presses the left mouse button in the middle of the first element that
// matches, once that is visible and stands still: a busy browser scrolls to a fragment when its target is visible already,
// and Click would press where the element was.
func (tb *tab) click(selector string) {
	tb.Helper()
	place := fmt.Sprintf("(r => r ? `${r.x} ${r.y}` : '')(document.querySelector(%q)?.getBoundingClientRect())", selector)
	last := "nowhere"
	for range 100 {
		now := eval[string](tb, place)
		if now == last {
			break
		}
		last = now
		time.Sleep(30 * time.Millisecond)
	}
	tb.do("click "+selector, chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// press sends keys to whatever has the focus.
func (tb *tab) press(keys string) {
	tb.Helper()
	tb.do(fmt.Sprintf("press %q", keys), chromedp.KeyEvent(keys))
}

// tabTo presses Tab until an element has the focus.
func (tb *tab) tabTo(selector string) {
	tb.Helper()
	for range 200 {
		tb.press(kb.Tab)
		if eval[bool](tb, fmt.Sprintf("document.activeElement.matches(%q)", selector)) {
			return
		}
	}
	tb.Fatalf("Tab does not reach %s", selector)
}

// awaiting makes eval wait for the promise that the expression returns.
var awaiting = chromedp.EvalAwaitPromise

// eval returns the value of a JavaScript expression.
func eval[T any](tb *tab, expression string, options ...chromedp.EvaluateOption) T {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, options...))
	if err != nil {
		tb.Fatalf("evaluate %s: %v", short(expression), err)
	}
	return value
}

// is fails the test unless an expression has a value now.
func is[T comparable](tb *tab, expression string, want T, options ...chromedp.EvaluateOption) {
	tb.Helper()
	if got := eval[T](tb, expression, options...); got != want {
		tb.Errorf("%s at %s: got %v, want %v", short(expression), tb.location(), got, want)
	}
}

// short returns an expression shortened for a message.
func short(expression string) string {
	words := strings.Join(strings.Fields(expression), " ")
	if len(words) > 160 {
		return words[:160] + "…"
	}
	return words
}

// until waits for an expression to be true. Navigations and errors do not end it: the expression may
// refer to something that does not exist yet.
func (tb *tab) until(expression string) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	var last error
	for {
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		if ok && err == nil {
			return
		}
		if ctx.Err() == nil {
			last = err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			tb.Fatalf("this never became true at %s: %s (last error: %v)", tb.location(), expression, last)
		}
	}
}

func (tb *tab) location() string {
	ctx, cancel := context.WithTimeout(tb.ctx, 5*time.Second)
	defer cancel()
	at, err := chromedp.Run(ctx, chromedp.Location())
	if err != nil {
		return err.Error()
	}
	return at
}

// at waits for the tab to be at a path of the site.
func (tb *tab) at(path string) {
	tb.Helper()
	tb.until(fmt.Sprintf("location.href === %q && document.readyState === 'complete'", tb.base+path))
}

// onNewDocument runs a script in every page before the page's own scripts.
func (tb *tab) onNewDocument(script string) {
	tb.Helper()
	call(tb, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
}

// size sets the size of the window. A narrow one is a phone's.
func (tb *tab) size(width, height int64) {
	tb.Helper()
	call(tb, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 700,
	})
}

// scheme has the system prefer "light" or "dark" colours.
func (tb *tab) scheme(name string) {
	tb.Helper()
	call(tb, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
	})
}

// languages sets what the reader prefers, as in "es-AR,es".
func (tb *tab) languages(accept string) {
	tb.Helper()
	call(tb, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{
		UserAgent: eval[string](tb, "navigator.userAgent"), AcceptLanguage: accept,
	})
}

// withoutScripts turns JavaScript off in the pages of the tab; what the tests
// evaluate still runs.
func (tb *tab) withoutScripts() {
	tb.Helper()
	call(tb, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
}
