package browser

import (
	_ "embed"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
)

// audit.js checks one page.
//
//go:embed audit.js
var audit string

type audited struct {
	IDs    []string    `json:"ids"`
	Links  [][2]string `json:"links"` // resolved, and as written
	Faults []string    `json:"faults"`
}

var (
	buildOnce  sync.Once
	builtPages []string
)

// builtDir is the folder that the shared site is built into.
func builtDir() string { return filepath.Join(workDir, "built") }

// built builds the shared site and returns the addresses of its pages, such as
// "" and "es/medir-tempo/".
func built(t *testing.T) []string {
	t.Helper()
	site := shared(t)
	buildOnce.Do(func() {
		site.gpudocs(t, "build", "--output", builtDir())
		err := filepath.WalkDir(builtDir(), func(p string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(p, ".html") && d.Name() != "404.html" { // no link leads there
				rel, _ := filepath.Rel(builtDir(), p)
				builtPages = append(builtPages, strings.TrimSuffix(filepath.ToSlash(rel), "index.html"))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	if len(builtPages) < 3 { // the root, and a page in each language
		t.Fatalf("the built site has only these pages: %q", builtPages)
	}
	return builtPages
}

// The served site is checked in the state in which readers see it: scripts have run, and there are
// results of two machines. A page is opened and checked at a phone's width, then at all widths, closed
// and with everything open, then on a desktop in both schemes.
func TestServedSiteIsValid(t *testing.T) {
	t.Parallel()
	crawl(t, shared(t).base, built(t), visitor{
		open: func(tb *tab, p string) {
			tb.size(360, 740)
			tb.visit(p)
		},
		look: func(tb *tab, p string) {
			if p == "" {
				named(tb, p)
				return
			}
			is(tb, "innerWidth", 360)
			is(tb, tooWide, "")
			tb.nothingSticksOut(p, 360, 768, 1440)
			tb.openDetails()

			tb.size(1280, 900)
			named(tb, p)
			for _, scheme := range []string{"light", "dark"} {
				tb.scheme(scheme)
				tb.contrast(p, scheme)
			}

			tb.size(360, 740)
			is(tb, tooWide, "")
			for _, machine := range eval[[]string](tb, "[...new Set([...document.querySelectorAll('.switch > input')].map(i => i.value))]") {
				eval[any](tb, fmt.Sprintf("document.querySelectorAll('.switch > input[value=%q]').forEach(i => { i.checked = true })", machine))
				is(tb, tooWide, "")
			}
		},
	})
}

// The built site is checked below a prefix, on a host as strict as the preview. Its Spanish pages are not
// opened, only links to them are checked: TestServedSiteIsValid opens them all.
func TestBuiltSiteIsValid(t *testing.T) {
	t.Parallel()
	site := shared(t)
	pages := built(t)
	answer, err := http.Get(site.base)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	policy := answer.Header.Get("Content-Security-Policy")
	if policy == "" {
		t.Error("the preview has no policy")
	}
	files := http.StripPrefix("/lab/docs/", http.FileServer(http.Dir(builtDir())))
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		if !strings.HasPrefix(r.URL.Path, "/lab/docs/") {
			t.Errorf("request outside of the prefix: %s", r.URL.Path)
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(host.Close) // after the tab is closed
	crawl(t, host.URL+"/lab/docs/", pages, visitor{skip: func(p string) bool { return strings.HasPrefix(p, "es/") }})
}

// A visitor defines how a crawl opens and checks pages. Each function may be nil, and is called with the
// tab: begin once, open in place of visit, and look when the page is loaded. Pages for which skip returns
// true are not opened.
type visitor struct {
	skip  func(path string) bool
	begin func(tb *tab)
	open  func(tb *tab, path string)
	look  func(tb *tab, path string)
}

// crawl opens and checks every page of a site at a base address, and checks that every link has a target
// and every page can be reached by links. The pages are shared by as many tabs as there are CPUs.
func crawl(t *testing.T, base string, pages []string, v visitor) {
	t.Helper()
	if v.open == nil {
		v.open = (*tab).visit
	}
	skipped := map[string]bool{}
	if v.skip != nil {
		pages = slices.DeleteFunc(slices.Clone(pages), func(p string) bool {
			skipped[base+p] = v.skip(p)
			return skipped[base+p]
		})
	}
	var mu sync.Mutex
	found := map[string]audited{}
	tabs := runtime.GOMAXPROCS(0)
	t.Run("pages", func(t *testing.T) {
		for i := range tabs {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				var tb *tab
				for j := i; j < len(pages); j += tabs {
					p, here := pages[j], tb
					switch {
					case p == "": // the root would redirect
						here = openTab(t, base)
						here.withoutScripts()
					case tb == nil:
						tb = openTab(t, base)
						if v.begin != nil {
							v.begin(tb)
						}
						here = tb
					}
					v.open(here, p)
					here.at(p)
					seen := eval[audited](here, audit)
					for _, f := range seen.Faults {
						t.Errorf("%s: %s", p, f)
					}
					mu.Lock()
					found[base+p] = seen
					mu.Unlock()
					if v.look != nil {
						v.look(here, p)
					}
				}
			})
		}
	})

	checked := map[string]bool{}
	reached := map[string]bool{base: true}
	for _, p := range pages {
		for _, link := range found[base+p].Links {
			u, err := url.Parse(link[0])
			if err != nil {
				t.Errorf("%s: %q: %v", p, link[1], err)
				continue
			}
			if !strings.HasPrefix(link[0], base) {
				if strings.HasPrefix(base, u.Scheme+"://"+u.Host+"/") {
					t.Errorf("%s: link %q: the target is not within the site", p, link[1])
				}
				continue // another host: not requested
			}
			anchor := u.Fragment
			u.Fragment, u.RawFragment = "", ""
			to := u.String()
			reached[to] = true
			if page, ok := found[to]; ok {
				if anchor != "" && !slices.Contains(page.IDs, anchor) {
					t.Errorf("%s: link %q: the page has no such anchor", p, link[1])
				}
				continue
			}
			if anchor != "" && !skipped[to] {
				t.Errorf("%s: link %q: an anchor, but the target is no page", p, link[1])
			}
			if !checked[to] {
				checked[to] = true
				if status := statusOf(t, to); status != http.StatusOK {
					t.Errorf("%s: %q: status %d", p, link[1], status)
				}
			}
		}
	}
	for _, p := range pages {
		if !reached[base+p] && path.Base(p) != "404.html" {
			t.Errorf("no link leads to %s", p)
		}
	}
	if len(checked) < 4 {
		t.Errorf("the pages use only these files: %v", checked)
	}
}

func statusOf(t *testing.T, address string) int {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Errorf("%s: %v", address, err)
		return 0
	}
	answer.Body.Close()
	return answer.StatusCode
}

// named checks that every control has an accessible name, as the browser computes it.
func named(tb *tab, where string) {
	tb.Helper()
	need := []string{"button", "link", "radio", "checkbox", "textbox", "combobox", "image", "DisclosureTriangle", "navigation", "region"}
	counted := 0
	for _, n := range call(tb, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes {
		if n.Ignored || n.Role == nil {
			continue
		}
		role := strings.Trim(string(n.Role.Value), `"`)
		if role == "link" || role == "DisclosureTriangle" {
			counted++
		}
		name := ""
		if n.Name != nil {
			name = strings.Trim(string(n.Name.Value), `"`)
		}
		if slices.Contains(need, role) && strings.TrimSpace(name) == "" {
			tb.Errorf("%s: a %s without a name: %s", where, role, outer(tb, n.BackendDOMNodeID))
		}
	}
	if counted < 2 {
		tb.Errorf("%s: only %d controls in the accessibility tree", where, counted)
	}
}

// outer returns the beginning of an element's markup.
func outer(tb *tab, id cdp.BackendNodeID) string {
	tb.Helper()
	html := call(tb, dom.GetOuterHTML, dom.GetOuterHTMLParams{BackendNodeID: id}).OuterHTML
	return html[:min(len(html), 200)]
}
