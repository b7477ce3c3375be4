package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// A firefox is a window of Firefox, driven by WebDriver BiDi, which it speaks itself.
type firefox struct {
	*testing.T
	ctx    context.Context
	socket *websocket.Conn
	window string
	calls  int
	hosts  []string // whose addresses it may request
	faults []string
}

var bidiAt = regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)`)

// startFirefox starts a Firefox with a profile of its own. It ends with the test, which fails if a page has logged an
// error, violated its policy, or sent a request to a host that is not one of hosts.
func startFirefox(t *testing.T, hosts ...string) *firefox {
	t.Helper()
	program, err := exec.LookPath("firefox-esr")
	if err != nil {
		program, err = exec.LookPath("firefox")
	}
	if err != nil {
		if os.Getenv("GPUDOCS_REQUIRE_BROWSER") == "1" {
			t.Fatalf("GPUDOCS_REQUIRE_BROWSER is set: %v", err)
		}
		t.Skip("neither firefox-esr nor firefox is in PATH")
	}
	profile := t.TempDir()
	c := exec.Command(program, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0")
	c.Env = append(os.Environ(), "HOME="+profile, "MOZ_CRASHREPORTER_DISABLE=1", "LANG=C.UTF-8")
	c.WaitDelay = 5 * time.Second
	output, err := c.StderrPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*patience)
	f := &firefox{T: t, ctx: ctx, hosts: hosts}
	t.Cleanup(func() {
		if f.socket != nil {
			f.call("browser.close", `{}`)
		}
		late := time.AfterFunc(patience, func() { _ = c.Process.Kill() })
		_ = c.Wait()
		late.Stop()
		cancel()
		t.Logf("Firefox took %v of CPU time", c.ProcessState.UserTime()+c.ProcessState.SystemTime())
		for _, fault := range f.faults {
			t.Errorf("in Firefox: %s", fault)
		}
	})
	at := make(chan string, 1)
	go func() {
		defer close(at)
		for lines := bufio.NewScanner(output); lines.Scan(); {
			if m := bidiAt.FindStringSubmatch(lines.Text()); m != nil {
				at <- m[1] + "/session"
			}
		}
	}()
	select {
	case address := <-at:
		f.socket, _, err = websocket.Dial(ctx, address, nil)
	case <-time.After(patience):
		err = fmt.Errorf("it does not listen")
	}
	if err != nil {
		_ = c.Process.Kill()
		t.Fatalf("%s: %v", program, err)
	}
	f.socket.SetReadLimit(-1)
	f.call("session.new", `{"capabilities": {}}`)
	f.call("session.subscribe", `{"events": ["log.entryAdded", "network.beforeRequestSent"]}`)
	f.call("script.addPreloadScript", `{"functionDeclaration": "() => document.addEventListener('securitypolicyviolation', e => console.error(e.violatedDirective, e.blockedURI))"}`)
	var tree struct{ Contexts []struct{ Context string } }
	if err := json.Unmarshal(f.call("browsingContext.getTree", `{}`), &tree); err != nil || len(tree.Contexts) == 0 {
		t.Fatalf("no window: %v", err)
	}
	f.window = tree.Contexts[0].Context
	return f
}

// call sends a command, and reads messages until its result comes. %w in params stands for the window.
func (f *firefox) call(method, params string) json.RawMessage {
	f.Helper()
	f.calls++
	text := fmt.Sprintf(`{"id": %d, "method": %q, "params": %s}`, f.calls, method, strings.ReplaceAll(params, "%w", f.window))
	err := f.socket.Write(f.ctx, websocket.MessageText, []byte(text))
	for err == nil {
		var data []byte
		var m struct {
			ID             int
			Error, Message string
			Result         json.RawMessage
			Method         string
			Params         struct {
				Level, Text string
				Request     struct{ URL string }
			}
		}
		if _, data, err = f.socket.Read(f.ctx); err == nil {
			err = json.Unmarshal(data, &m)
		}
		switch {
		case err != nil:
		case m.ID == f.calls && m.Error != "":
			err = fmt.Errorf("%s: %s", m.Error, m.Message)
		case m.ID == f.calls:
			return m.Result
		case m.Method == "log.entryAdded" && (m.Params.Level == "error" || m.Params.Level == "warn"):
			f.faults = append(f.faults, m.Params.Level+": "+m.Params.Text)
		case m.Method == "network.beforeRequestSent" && !f.mayRequest(m.Params.Request.URL):
			f.faults = append(f.faults, "a request to another host: "+m.Params.Request.URL)
		}
	}
	if method != "browser.close" { // after which the socket is gone
		f.Fatalf("%s %s: %v", method, params, err)
	}
	return nil
}

func (f *firefox) mayRequest(address string) bool {
	for _, own := range append([]string{"data:", "blob:", "about:"}, f.hosts...) {
		if strings.HasPrefix(address, own) {
			return true
		}
	}
	return false
}

func (f *firefox) visit(address string) {
	f.Helper()
	f.call("browsingContext.navigate", fmt.Sprintf(`{"context": "%%w", "url": %q, "wait": "complete"}`, address))
}

// value returns the value of a JavaScript expression as JSON.
func (f *firefox) value(expression string) string {
	f.Helper()
	quoted, _ := json.Marshal("JSON.stringify(" + expression + ")")
	var out struct {
		Type             string
		Result           struct{ Value string }
		ExceptionDetails struct{ Text string }
	}
	err := json.Unmarshal(f.call("script.evaluate", `{"expression": `+string(quoted)+`, "target": {"context": "%w"}, "awaitPromise": true}`), &out)
	if err != nil || out.Type != "success" {
		return fmt.Sprint(out.ExceptionDetails.Text, err)
	}
	return out.Result.Value
}

// until waits for an expression to be true.
func (f *firefox) until(expression string) {
	f.Helper()
	last := ""
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if last = f.value("!!(" + expression + ")"); last == "true" {
			return
		}
	}
	f.Fatalf("this never became true in Firefox at %s: %s (last: %s)", f.value("location.href"), expression, last)
}

// click presses the left button in the middle of the first visible element that matches.
func (f *firefox) click(selector string) {
	f.Helper()
	element := fmt.Sprintf("[...document.querySelectorAll(%q)].find(e => e.checkVisibility({visibilityProperty: true}))", selector)
	f.until(element)
	var at struct{ X, Y float64 }
	place := f.value("(e => { e.scrollIntoView({block: 'center', behavior: 'instant'}); const r = e.getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + r.height / 2} })(" + element + ")")
	if err := json.Unmarshal([]byte(place), &at); err != nil {
		f.Fatalf("%s: %s", selector, place)
	}
	f.call("input.performActions", fmt.Sprintf(`{"context": "%%w", "actions": [{"type": "pointer", "id": "mouse", "actions": [
		{"type": "pointerMove", "x": %.0f, "y": %.0f}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}]}`, at.X, at.Y))
}

// Keys of WebDriver.
const (
	firefoxEscape = "\ue00c"
	firefoxDown   = "\ue015"
	firefoxEnter  = "\ue007"
	firefoxTab    = "\ue004"
)

func (f *firefox) press(keys string) {
	f.Helper()
	var list []string
	for _, key := range keys {
		quoted, _ := json.Marshal(string(key))
		list = append(list, fmt.Sprintf(`{"type": "keyDown", "value": %s}, {"type": "keyUp", "value": %[1]s}`, quoted))
	}
	f.call("input.performActions", `{"context": "%w", "actions": [{"type": "key", "id": "keyboard", "actions": [`+strings.Join(list, ", ")+`]}]}`)
}

// What scripts do for a reader works in Firefox too.
func TestFirefox(t *testing.T) {
	t.Parallel()
	lab, texts := fleet(t), made(t)
	files := "file://" + filepath.ToSlash(lab.dir) + "/"
	f := startFirefox(t, lab.base, texts.base, files)

	// Faults are seen, and so are those against the policy.
	f.visit(lab.base + "pt/comecar/")
	f.value(`(inline => { inline.textContent = "window.ran = true"; document.body.append(inline) })(document.createElement("script"))`)
	f.until("window.ran === undefined")
	said := func(what string) bool { return strings.Contains(strings.Join(f.faults, "\n"), what) }
	for range 100 { // the console's entry may come long after the page's
		if said("script-src-elem inline") && said("Content-Security-Policy: ") {
			break
		}
		time.Sleep(50 * time.Millisecond)
		f.value("0")
	}
	if !said("script-src-elem inline") {
		t.Errorf("a script that the policy forbids gives these faults: %s", f.faults)
	}
	f.faults = nil

	// Search opens, finds, and leads there.
	finds := func(query, path string) {
		t.Helper()
		f.press("/")
		f.until("document.querySelector('dialog.search')?.open && document.activeElement.matches('.search input')")
		f.press(query)
		f.until("document.querySelector('.search [role=option]')")
		f.press(firefoxEnter)
		f.until(fmt.Sprintf("!location.href.includes('comecar') && location.pathname.includes(%q) && document.readyState === 'complete'", path))
	}
	finds("bfloat16", "/pt/pytorch/")

	// A chosen machine changes the page, and stays chosen.
	before := f.value("document.querySelector('main').innerText")
	f.value("document.querySelector('.pick').focus()")
	f.press(firefoxDown)
	f.until("localStorage.getItem('gpudocs-machine') && location.search.startsWith('?machine=')")
	f.until("document.querySelector('main').innerText !== " + before)
	machine := f.value("document.querySelector('.pick').value")

	f.click("details.panel:not([open]) > summary")
	f.until("document.querySelector('details.panel[open] .pane').checkVisibility()")

	label := f.value("document.querySelector('figure.code .copy').innerText")
	f.click("figure.code .copy")
	f.until("document.querySelector('figure.code .copy').innerText !== " + label)

	background := f.value("getComputedStyle(document.body).backgroundColor")
	for range 2 { // one of the two is what the system has
		f.click(".scheme")
	}
	f.until("document.documentElement.dataset.theme === 'dark' && getComputedStyle(document.body).backgroundColor !== " + background)

	f.click(".langs > summary")
	f.click(".langs a[hreflang=es]")
	f.until("location.pathname === '/es/pytorch/' && document.documentElement.lang === 'es' && document.readyState === 'complete'")
	f.until("document.querySelector('.pick').value === " + machine + " && document.documentElement.dataset.theme === 'dark'")

	// Tabs, and on a phone a picture that does not fit.
	f.visit(texts.base + "pt/texto/")
	f.click(".switch-tabs > input:not(:checked) + label")
	f.until("document.querySelector('.switch-tabs > input:checked + label + .pane').checkVisibility()")
	f.call("browsingContext.setViewport", `{"context": "%w", "viewport": {"width": 390, "height": 800}}`)
	f.visit(lab.base + "pt/cluster/")
	f.click("article img.zooms")
	f.until("document.querySelector('dialog.zoom[open]')")
	f.press(firefoxEscape)
	f.until("!document.querySelector('dialog.zoom')")

	// The same files from a disk.
	f.call("browsingContext.setViewport", `{"context": "%w", "viewport": null}`)
	f.visit(files + "pt/comecar/index.html")
	f.click(".side a[href*='gpu/']")
	f.until("location.pathname.endsWith('/pt/gpu/index.html') && document.readyState === 'complete'")
	finds("slurm", "/pt/cluster/index.html")

	// A GPU of the reader's own, typed into the form, is answered and remembered; from a disk by address.
	f.visit(lab.base + "pt/pytorch/")
	f.value(`(p => { p.value = "~?"; p.dispatchEvent(new Event("change")) })(document.querySelector(".pick"))`)
	f.until(`document.querySelector("dialog.my-gpu-dialog")?.open && document.activeElement.name === "gpu"`)
	f.press("rtx3060" + strings.Repeat(firefoxTab, 3) + "535" + firefoxEnter) // past its model and how many
	f.until(ownName + ` === "RTX 3060 (12 GB), driver 535 · sua GPU"`)
	f.visit(lab.base + "pt/gpu/")
	f.until(ownName + ` === "RTX 3060 (12 GB), driver 535 · sua GPU"`)
	f.visit(files + "pt/gpu/index.html?gpu=k80&driver=470.256.02&os=linux")
	f.until(ownName + ` === "K80 (12 GB), driver 470.256.02 · sua GPU"`)
}
