package feeds

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/gpudocs/gpudocs/test/rendertest"
)

// entriesOf returns the entries of the feed of a page with a report of one check: category, day, title.
func entriesOf(t *testing.T, page, checks string) (list, ids []string) {
	t.Helper()
	lab := rendertest.Make(t, txtar.Parse([]byte("-- gpudocs.toml --\n[languages.pt]\n-- content/pt/index.md --\n"+page+"\n-- results/m.json --\n"+
		`{"schema": 1, "machine": {"name": "m"}, "checks": [`+checks+"]}\n")))
	var f feed
	if err := xml.Unmarshal([]byte(planned(t, feedsOf(t, lab, "https://example.org"))["pt/_status/feed.xml"]), &f); err != nil {
		t.Fatal(err)
	}
	for _, e := range f.Entries {
		list, ids = append(list, e.Category.Term+" "+e.Updated[:10]+" "+e.Title), append(ids, e.ID)
	}
	return list, ids
}

const onePage = "# A\n\n```bash {run name=x}\nfalse\n```\n\n```gpu {name=asked}\nruns cu124\n```\n"

// TestEntries checks what is news: a first run that failed, but no answer; and a machine, once.
func TestEntries(t *testing.T) {
	failed := `{"id": "x", "kind": "bash", "page": "index", "name": "x", "outcome": "failed", "ran": "2026-11-03T10:00:00Z", "history": [{"ran": "2026-11-01T10:00:00Z", "outcome": "failed"}]}`
	no := `{"id": "asked.cu124", "kind": "gpu", "page": "index", "name": "asked.cu124", "want": "runs cu124", "asks": true, "outcome": "failed", "ran": "2026-11-01T10:00:00Z"}`
	got, _ := entriesOf(t, onePage, failed+",\n"+no)
	if len(got) != 2 || got[1] != "failure 2026-11-01 x em só CPU, m: não executado → falhou" {
		t.Errorf("%q", got)
	}
	var machines []string
	for _, day := range []int{1, 4} { // its first results are gone from the report
		list, ids := entriesOf(t, onePage, fmt.Sprintf(`{"id": "x", "kind": "bash", "page": "index", "name": "x", "outcome": "passed", "ran": "2026-11-%02dT10:00:00Z"}`, day))
		if len(list) != 1 || !strings.HasPrefix(list[0], "machine ") {
			t.Fatalf("%q", list)
		}
		machines = append(machines, ids...)
	}
	if machines[0] != machines[1] {
		t.Errorf("%q", machines)
	}
}

// TestMaxEntries checks that a feed has the newest changes only, each once, in order.
func TestMaxEntries(t *testing.T) {
	day, history := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), []string{}
	page := "# A\n"
	var checks []string
	for i := range 12 {
		history = history[:0]
		for h := range 15 {
			history = append(history, fmt.Sprintf(`{"ran": %q, "outcome": %q}`, day.Add(-time.Duration(h)*time.Hour).Format(time.RFC3339), []string{"failed", "passed"}[h%2]))
		}
		page += fmt.Sprintf("\n```bash {run name=x%d}\necho %[1]d\n```\n", i)
		checks = append(checks, fmt.Sprintf(`{"id": "x%d", "kind": "bash", "page": "index", "name": "x%[1]d", "outcome": "passed", "ran": "2026-11-02T10:00:00Z", "history": [%s]}`,
			i, strings.Join(history, ", ")))
	}
	list, ids := entriesOf(t, page, strings.Join(checks, ",\n"))
	seen := map[string]bool{}
	for _, id := range ids {
		seen[id] = true
	}
	if len(list) != maxEntries || len(seen) != maxEntries || !strings.Contains(list[0], " 2026-11-02 x0 ") || !strings.Contains(list[99], "2026-10-31") {
		t.Errorf("%d entries, %d IDs: %q", len(list), len(seen), list)
	}
}

func TestTag(t *testing.T) {
	day := time.Date(2026, 1, 2, 23, 0, 0, 0, time.UTC)
	for site, want := range map[string]string{
		"https://Lab.Example.org:8443/": "tag:lab.example.org,2026-01-02:a%2Fb/%23",
		"http://example.org/x/y":        "tag:example.org,2026-01-02:x/y/a%2Fb/%23",
	} {
		if got := tag(site, day, "a/b", "#"); got != want {
			t.Errorf("%s: %s", site, got)
		}
	}
}
