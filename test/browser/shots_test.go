package browser

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/page"
)

var update = flag.Bool("update", false, "write the pictures in testdata/shots anew")

const (
	shotDir    = "testdata/shots"
	shotHeight = 1200
)

// shotSchemes are the colour schemes in which pictures are taken at a width.
var shotSchemes = map[int64][]string{360: {"light", "dark"}, 768: {"light"}, 1440: {"light", "dark"}}

var shotWidths = slices.Sorted(maps.Keys(shotSchemes))

func shotName(name string, width int64, scheme string) string {
	return fmt.Sprintf("%s-%d-%s", name, width, scheme)
}

// What pictures are taken of: at all widths and in the schemes above.
var shots = []struct {
	name string
	site func(*testing.T) *host
	path string
	// state brings the page into its state.
	state string
}{
	{"home", tutorials, "pt/", ""},
	{"tutorial", tutorials, "es/medir-tempo/", ""},
	{"panels", made, "pt/gpu/?machine=deepten", "document.querySelectorAll('.panel').forEach((p, i, all) => { p.open = i === all.length - 1 }), document.querySelector('#somar').scrollIntoView({behavior: 'instant'})"},
	{"text", made, "pt/texto/", ""},
	{"course", made, "pt/curso/", opened},
	{"notebook", made, "es/caderno/", ""},
	{"missing", made, "es/rascunho/", ""},
	// The age of the machines' reports changes every day.
	{"status", made, "pt/_status/", "document.querySelectorAll('.age').forEach(e => { e.textContent = '' })"},
	{"notfound", made, "pt/404.html", ""},
	{"search", made, "es/texto/", searched},
}

// Pages look as in the stored pictures. After an intended change, -update writes the pictures again. They
// are only for comparison: for full screenshots, GPUDOCS_SCREENSHOTS names a folder.
func TestPagesLookAsBefore(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	t.Run("shots", func(t *testing.T) {
		for _, s := range shots {
			for _, width := range shotWidths {
				for _, scheme := range shotSchemes[width] {
					known[shotName(s.name, width, scheme)+".png"] = true
				}
			}
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				tb := openTab(t, s.site(t).base) // without the machine that another tab has selected
				tb.drawAlike()
				for _, width := range shotWidths {
					tb.size(width, shotHeight)
					tb.visit(s.path)
					tb.until("document.readyState === 'complete'")
					tb.needFont()
					if s.state != "" {
						eval[any](tb, "Promise.resolve(("+s.state+")).then(() => 0)", awaiting)
					}
					for _, scheme := range shotSchemes[width] {
						tb.scheme(scheme)
						tb.compare(shotName(s.name, width, scheme))
					}
				}
			})
		}
	})
	files, err := os.ReadDir(shotDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if known[f.Name()] {
			continue
		}
		if *update {
			_ = os.Remove(filepath.Join(shotDir, f.Name()))
			continue
		}
		t.Errorf("%s/%s is a picture of nothing; run with -update", shotDir, f.Name())
	}
}

// compare compares the window with the stored picture.
func (tb *tab) compare(name string) {
	tb.Helper()
	now := tb.shot()
	if dir := os.Getenv(pictureDir); dir != "" {
		tb.picture("shot-"+name, false)
	}
	file := filepath.Join(shotDir, name+".png")
	if *update {
		if err := os.MkdirAll(shotDir, 0o755); err != nil {
			tb.Fatal(err)
		}
		// A picture without a difference is not written again.
		if data, err := os.ReadFile(file); err != nil || differing(small(now), small8(decoded(tb.T, data))) > 0 {
			write(tb.T, file, string(encoded(tb.T, small(now))))
		}
		return
	}
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Errorf("%v; run with -update", err)
		return
	}
	share := differing(small(now), small8(decoded(tb.T, data)))
	if share == 0 {
		return
	}
	tb.Logf("%s: %.2f%% of the tiles differ", name, 100*share)
	if share > pictureTolerance {
		seen := filepath.Join(os.TempDir(), "gpudocs-"+name+".png")
		write(tb.T, seen, string(encoded(tb.T, now)))
		tb.Errorf("%s: %.2f%% of the tiles differ from %s, more than %.2f%%; the page now: %s. If it is intended, run with -update",
			name, 100*share, file, 100*pictureTolerance, seen)
	}
}

// small8 returns a stored picture in the form of small.
func small8(picture image.Image) *image.Paletted {
	p, ok := picture.(*image.Paletted)
	if !ok {
		return image.NewPaletted(image.Rectangle{}, nil)
	}
	return p
}

// drawAlike makes pages look the same on all machines: with fonts of Debian, and without animations.
func (tb *tab) drawAlike() {
	tb.Helper()
	tb.onNewDocument(`(() => {
		const sheet = new CSSStyleSheet()
		sheet.replaceSync(":root { --sans: 'DejaVu Sans' !important; --mono: 'DejaVu Sans Mono' !important }" +
			"*, ::before, ::after { transition: none !important; animation: none !important; caret-color: transparent !important }" +
			"::-webkit-scrollbar { display: none }")
		document.adoptedStyleSheets = [sheet]
	})()`)
}

// needFont skips the test where the font is not installed.
func (tb *tab) needFont() {
	tb.Helper()
	if eval[bool](tb, `(() => {
		const c = document.createElement("canvas").getContext("2d")
		const width = font => { c.font = "40px " + font; return c.measureText("mmmiiiWWW").width }
		return width("'DejaVu Sans', monospace") !== width("monospace") && width("'DejaVu Sans', serif") === width("'DejaVu Sans', monospace")
	})()`) {
		return
	}
	if os.Getenv("GPUDOCS_REQUIRE_BROWSER") == "1" {
		tb.Fatal("GPUDOCS_REQUIRE_BROWSER is set, and DejaVu Sans is not installed")
	}
	tb.Skip("pictures are made with DejaVu Sans, which is not installed")
}

// shot returns a picture of the window, once two consecutive ones are the same.
func (tb *tab) shot() image.Image {
	tb.Helper()
	var last []byte
	for range 20 {
		eval[any](tb, "document.activeElement?.blur(), "+settled+".then(() => null)", awaiting)
		now := call(tb, page.CaptureScreenshot, page.CaptureScreenshotParams{OptimizeForSpeed: new(true)}).Data // of the compression
		if bytes.Equal(now, last) {
			return decoded(tb.T, now)
		}
		last = now
	}
	tb.Fatalf("%s never looks the same twice", tb.location())
	return nil
}
