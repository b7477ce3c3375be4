package browser

import (
	_ "embed"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
)

// luminance returns the luminance of the page's background: 0 is black, 1 is white.
const luminance = `(() => {
	const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).map(Number)
	return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255
})()`

func TestDarkScheme(t *testing.T) {
	t.Parallel()
	tb := openTab(t, shared(t).base)
	// The colours at the moment when the body is created: if they are set later, the page flashes.
	tb.onNewDocument(`window.first = new Promise(done => new MutationObserver((_, me) => {
		if (!document.body) return
		me.disconnect()
		done(document.documentElement.getAttribute("data-theme") || "system")
	}).observe(document, {childList: true, subtree: true}))`)
	isDark := func(want bool) {
		t.Helper()
		if got := eval[float64](tb, luminance); (got < 0.2) != want || (got > 0.8) == want {
			t.Errorf("luminance of the page: %.2f; want a dark page: %v", got, want)
		}
	}
	first := func(want string) {
		t.Helper()
		if got := eval[string](tb, "first", awaiting); got != want {
			t.Errorf("colours when the body came to be: %s, want %s", got, want)
		}
	}

	tb.scheme("dark")
	tb.visit("pt/medir-tempo/")
	first("system")
	isDark(true)
	is(tb, "getComputedStyle(document.documentElement).colorScheme", "light dark") // for what the browser draws
	is(tb, "document.querySelector('.scheme').checkVisibility({visibilityProperty: true})", true)
	tb.scheme("light")
	isDark(false)

	// The switch: system, light, dark. A choice overrides the system's.
	tb.click(".scheme")
	tb.until("document.documentElement.getAttribute('data-theme') === 'light'")
	is(tb, "document.querySelector('.scheme').getAttribute('aria-label')", "Cores: claras")
	tb.scheme("dark")
	isDark(false)
	tb.scheme("light")
	tb.click(".scheme")
	tb.until("document.documentElement.getAttribute('data-theme') === 'dark'")
	is(tb, "document.querySelector('.scheme').getAttribute('aria-label')", "Cores: escuras")
	isDark(true)

	// The choice is remembered on this page and on others, and applies from the first frame.
	tb.visit("pt/medir-tempo/")
	first("dark")
	isDark(true)
	tb.visit("es/")
	first("dark")
	isDark(true)
	is(tb, "document.querySelector('.scheme').getAttribute('aria-label')", "Colores: oscuros")
	tb.click(".scheme")
	tb.until("!document.documentElement.hasAttribute('data-theme')")
	isDark(false)
	tb.visit("es/")
	first("system")
	isDark(false)
}

// contrast.js returns the texts of a page whose contrast is too low.
//
//go:embed contrast.js
var contrast string

func (tb *tab) contrast(p, scheme string) {
	tb.Helper()
	for _, low := range eval[[]string](tb, contrast) {
		tb.Errorf("%s, %s: %s", p, scheme, low)
	}
}

// openDetails opens everything that can be opened.
func (tb *tab) openDetails() {
	tb.Helper()
	eval[any](tb, "document.querySelectorAll('details').forEach(d => { d.open = true })")
}

// tooWide lists the outermost elements of a page on a phone that extend beyond the window, unless they
// are within a box that scrolls.
const tooWide = `(() => {
	const out = [...document.querySelectorAll("body *")].filter(e => {
		if (!e.checkVisibility() || e.getBoundingClientRect().right <= innerWidth + 0.5) return false
		for (let p = e.parentElement; p; p = p.parentElement) {
			if (getComputedStyle(p).overflowX !== "visible" && p !== document.body) return false
		}
		return true
	}).map(e => e.tagName.toLowerCase() + "." + e.className)
	const width = document.documentElement.scrollWidth
	return width > 360 || innerWidth > 360 ? "the page is " + Math.max(width, innerWidth) + "px wide: " + out.join(" ") : ""
})()`

func TestPhone(t *testing.T) {
	t.Parallel()
	tb := openTab(t, shared(t).base)
	tb.size(360, 740)
	tb.visit("es/medir-tempo/")
	is(tb, "document.querySelector('.side').checkVisibility()", false)
	tb.click(".fold-menu > summary")
	tb.until("document.querySelector('.side').checkVisibility()")
	tb.picture("phone-menu", false)
	is(tb, tooWide, "")
	tb.click(".side a[href='../assincrono/']")
	tb.at("es/assincrono/")
	is(tb, "document.querySelector('.side').checkVisibility()", false)
	tb.click(".langs > summary")
	tb.until("document.querySelector('.langs ul').checkVisibility()")
	tb.picture("phone-languages", false)
	is(tb, tooWide, "")
	is(tb, "(r => r.left >= 0 && r.right <= innerWidth)(document.querySelector('.langs ul').getBoundingClientRect())", true)
	tb.click(".langs a[hreflang=pt]")
	tb.at("pt/assincrono/")
	tb.click(".fold-toc > summary")
	tb.until("document.querySelector('.toc').checkVisibility()")
	tb.click(".toc a")
	tb.until("location.hash !== '' && !document.querySelector('.toc').checkVisibility()")
	tb.until("(r => r.top > -5 && r.top < innerHeight / 2)(document.getElementById(decodeURIComponent(location.hash.slice(1))).getBoundingClientRect())")

	// On a phone, controls must be large enough for a finger.
	small := eval[[]string](tb, `[...document.querySelectorAll("button, summary, .langs > summary, .switch > label, .side a")]
		.filter(e => e.checkVisibility({visibilityProperty: true}))
		.filter(e => (r => r.height < 40 || r.width < 40)(e.getBoundingClientRect()))
		.map(e => e.tagName + "." + e.className + " " + e.textContent.trim())`)
	if len(small) > 0 {
		t.Errorf("too small to press on a phone: %q", small)
	}
}

// TestScreens takes pictures for people to look at.
func TestScreens(t *testing.T) {
	t.Parallel()
	if os.Getenv(pictureDir) == "" {
		t.Skip(pictureDir + " names no folder for pictures")
	}
	site := shared(t)
	for _, size := range []struct {
		name          string
		width, height int64
	}{{"desktop", 1440, 900}, {"tablet", 768, 1024}, {"phone", 360, 740}} {
		for _, scheme := range []string{"light", "dark"} {
			tb := openTab(t, site.base)
			tb.size(size.width, size.height)
			tb.scheme(scheme)
			for _, lang := range []string{"pt", "es"} {
				for _, name := range []string{"index", "medir-tempo", "conheca-sua-gpu"} {
					tb.visit(path.Join(lang, strings.TrimPrefix(name, "index")) + "/")
					if name != "index" {
						eval[any](tb, "document.querySelectorAll('.panel').forEach((p, i) => { p.open = i < 2 })")
					}
					tb.picture(strings.Join([]string{size.name, scheme, lang, name}, "-"), true)
				}
			}
		}
	}
}

// pictureDir names the variable with the folder that pictures are written to.
const pictureDir = "GPUDOCS_SCREENSHOTS"

// picture writes a picture of the window, or of the whole page, if pictures
// are wanted.
func (tb *tab) picture(name string, whole bool) {
	tb.Helper()
	dir := os.Getenv(pictureDir)
	if dir == "" {
		return
	}
	params := page.CaptureScreenshotParams{}
	if whole {
		params.CaptureBeyondViewport = &whole
		params.Clip = &page.Viewport{
			Width:  eval[float64](tb, "innerWidth"),
			Height: min(eval[float64](tb, "document.documentElement.scrollHeight"), 9000), // the limit of a texture
			Scale:  1,
		}
	}
	picture := call(tb, page.CaptureScreenshot, params)
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), picture.Data, 0o644)
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// The print style is light, whatever the reader or the system has chosen for the screen.
func TestPaperIsLight(t *testing.T) {
	t.Parallel()
	tb := openTab(t, made(t).base)
	tb.visit("pt/texto/")
	for _, theme := range []string{"", "dark"} {
		eval[any](tb, fmt.Sprintf("localStorage.setItem('gpudocs-theme', %q), document.documentElement.setAttribute('data-theme', %[1]q), 0", theme))
		call(tb, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Media: "print", Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
		})
		if got := eval[float64](tb, luminance); got < 0.99 {
			t.Errorf("theme %q: the luminance in print is %.2f", theme, got)
		}
		for _, name := range []string{"--series-0", "--well", "--accent-wash"} { // what drawings and boxes are filled with
			of := fmt.Sprintf("(b => { b.style.backgroundColor = 'var(%s)'; const c = getComputedStyle(b).backgroundColor; b.removeAttribute('style'); return Math.min(...c.match(/\\d+/g).map(Number)) > 150 })(document.body)", name)
			is(tb, of, true)
		}
	}
}
