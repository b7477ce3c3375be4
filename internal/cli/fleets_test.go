package cli

import (
	"cmp"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/junit"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/report/trust"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
)

// fleetPages are the pages of a site in two languages: a block whose code differs, a line that two pages have, a matrix, a question, and a
// page that only Portuguese has.
var fleetPages = map[string]string{
	"gpudocs.toml":        "title = \"Lab\"\nbase_url = \"https://example.org/\"\n[trust]\nallowed_signers = \"allowed_signers\"\n[languages.en]\n[languages.pt]\n",
	"content/en/index.md": "# Home\n\n:::machines\n:::\n",
	"content/en/a.md":     "# A\n\n```bash {run name=same}\ntrue\n```\n\n```bash {run name=greet differs}\necho hi\n```\n\n```gpu {name=lab}\ndriver >= 1\nruns cu124\n```\n",
	"content/pt/a.md":     "# A\n\n```bash {run name=same}\ntrue\n```\n\n```bash {run name=greet differs}\necho oi\n```\n\n```gpu {name=lab}\ndriver >= 1\nruns cu124\n```\n",
	"content/en/b.md":     "# B\n\n```gpu {name=other}\ndriver >= 1\n```\n\n```bash {run name=mm matrix=\"n=1,2\"}\nn=1\necho $n\n```\n",
	"content/pt/c.md":     "# C\n\n```bash {run name=solo}\necho solo\n```\n",
}

// fleetChecks are the checks of the site, each with the file and the name under which it stands first.
var fleetChecks = []struct{ file, name string }{
	{"content/en/a.md", "same"}, {"content/en/a.md", "greet"}, {"content/pt/a.md", "greet"}, {"content/en/a.md", "lab.driver"},
	{"content/en/b.md", "mm[n=1]"}, {"content/en/b.md", "mm[n=2]"}, {"content/pt/c.md", "solo"}, {"content/en/a.md", "lab.cu124"},
}

// onlyPT are the checks that no page of the English site has, and onlyEN those of no Portuguese one.
const onlyEN, onlyPT, question = 1, 2, 7

// A fleet has the state of each of the checks on each machine, by a letter: P passed, U unsteady, D passed and drifted, F failed, E error,
// S skipped, N not applicable, L lost, T stale, A a job array of which a task failed, Y yes, O no, and "." without a result. A machine whose
// name begins with "x" has a wrong signature.
type fleet map[string]string

var fleets = map[string]fleet{
	"all passed":            {"m1": "PPPPPPPY"},
	"one language fails":    {"m1": "PPFPPPPY", "m2": "PPFPPPPO"},
	"no GPU":                {"m1": "PPPNPPPN", "m2": "PPPPPPPY"},
	"GPUs lost":             {"m1": "LPPLPPPN", "m2": "PPPPPPPY"},
	"all lost":              {"m1": "LLLLLLLN"},
	"stale and not run":     {"m1": "TPPPT..Y", "m2": "......P."},
	"altered":               {"m1": "PFPPPPPY", "x1": "PPPPPPPY"},
	"errors, skips, arrays": {"m1": "ESSPFPAO", "m2": "UDPNPUEN"},
	"several environments":  {"m1": "NPFLEPPY", "m2": "PNPPPPNO", "m3": "SSSSSSSN"},
	"many machines": {"m1": "PPPPPPPY", "m2": "FPPPPPPY", "m3": "PFPPPPPY", "m4": "PPFPPPPY", "m5": "PPPFPPPY", "m6": "PPPPLPPY", "m7": "PPPPPEPY", "m8": "PPPPPPTY",
		"m9": "NNNNNNNN", "x2": "FFFFFFFO"},
}

// stand is what a letter counts as, and how strong it is.
var stand = map[byte]struct {
	word string
	rank int
}{'.': {"not run", 0}, 'N': {"not applicable", 1}, 'Y': {"answer", 2}, 'O': {"answer", 2}, 'S': {"skipped", 3}, 'P': {"passed", 4}, 'U': {"passed", 4}, 'D': {"passed", 4},
	'T': {"stale", 5}, 'L': {"lost", 6}, 'E': {"error", 7}, 'F': {"failed", 8}, 'A': {"failed", 8}, 'X': {"altered", 9}}

// expected counts the checks on some machines, each once by the strongest; which says which checks count.
func (f fleet) expected(machines []string, which func(check int) bool) map[string]int {
	n := map[string]int{}
	for i := range fleetChecks {
		best := byte('.')
		for _, m := range machines {
			letter := f[m][i]
			if m[0] == 'x' && letter != '.' {
				letter = 'X'
			}
			if stand[letter].rank > stand[best].rank {
				best = letter
			}
		}
		if which(i) && (i != question || stand[best].rank > 1) {
			n[stand[best].word]++
		}
	}
	return n
}

// merged returns counts as badges and pages have them: errors are failures, and answers are left out.
func merged(n map[string]int) map[string]int {
	n = maps.Clone(n)
	n["failed"] += n["error"]
	maps.DeleteFunc(n, func(word string, many int) bool { return word == "error" || word == "answer" || many == 0 })
	return n
}

var (
	countWords = regexp.MustCompile(`(\d+) (passed|failed|error|skipped|lost|not applicable|answers?|stale|with a wrong signature|not run|passou|passaram|falhou|falharam|pulada|pulada?s|perdidas?|não se aplicam?|desatualizadas?|com assinatura inválida|não executadas?)`)
	english    = map[string]string{"answers": "answer", "with a wrong signature": "altered", "passou": "passed", "passaram": "passed", "falhou": "failed", "falharam": "failed",
		"pulada": "skipped", "puladas": "skipped", "perdida": "lost", "perdidas": "lost", "não se aplica": "not applicable", "não se aplicam": "not applicable",
		"desatualizada": "stale", "desatualizadas": "stale", "com assinatura inválida": "altered", "não executada": "not run", "não executadas": "not run"}
	tags = regexp.MustCompile(`<svg.*?</svg>|<[^>]*>`)
)

// countsIn reads the numbers of a text.
func countsIn(text string) map[string]int {
	n := map[string]int{}
	for _, m := range countWords.FindAllStringSubmatch(text, -1) {
		x, _ := strconv.Atoi(m[1])
		n[cmp.Or(english[m[2]], m[2])] += x
	}
	maps.DeleteFunc(n, func(_ string, many int) bool { return many == 0 })
	return n
}

// TestFleets: for each of ten fleets all surfaces have the same numbers.
func TestFleets(t *testing.T) {
	t.Parallel()
	if len(fleets) != 10 {
		t.Fatal(len(fleets))
	}
	for name, f := range fleets {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testFleet(t, f)
		})
	}
}

func testFleet(t *testing.T, f fleet) {
	dir := t.TempDir()
	for name, content := range fleetPages {
		write(t, filepath.Join(dir, name), content)
	}
	reports := f.write(t, dir)
	same := func(surface string, got, want map[string]int) {
		t.Helper()
		if !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", surface, got, want)
		}
	}
	run := func(args ...string) string {
		t.Helper()
		out, errs, code := mock{}.run(t, "", dir, "gpudocs", args...)
		if code > 1 {
			t.Fatalf("%v: %s%s", args, out, errs)
		}
		return string(out)
	}
	all := func(int) bool { return true }
	names := slices.Sorted(maps.Keys(f))
	sum := map[string]int{}
	for _, m := range names {
		n := f.expected([]string{m}, all)
		for word, many := range n {
			sum[word] += many
		}
	}
	sum["not run"] = f.expected(names, all)["not run"]
	maps.DeleteFunc(sum, func(_ string, many int) bool { return many == 0 })

	// The terminal.
	list := run("report", "show", "--list")
	matrix := run("report", "show")
	for _, m := range names {
		n := f.expected([]string{m}, all)
		delete(n, "not run")
		for surface, text := range map[string]string{"report show": matrix, "report show --list": list, "report show " + m: run("report", "show", m)} {
			line := regexp.MustCompile(`(?m)^` + m + `: .*\n(.*)$`).FindStringSubmatch(text)
			if line == nil {
				t.Fatalf("%s: nothing of %s\n%s", surface, m, text)
			}
			same(surface+" of "+m, countsIn(line[1]), n)
		}
		if m[0] != 'x' && !strings.Contains(f[m], "T") {
			same("the last line of verify on "+m, countsIn(words.Tally(words.English(), standing.Report(reports[m]))), n)
			data, err := junit.Writer{Because: func(*report.Check) string { return "" }}.Marshal(reports[m])
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]int{}
			head := strings.SplitN(string(data), "\n", 3)[1]
			for _, a := range regexp.MustCompile(`(tests|failures|errors)="(\d+)"`).FindAllStringSubmatch(head, -1) {
				got[a[1]], _ = strconv.Atoi(a[2])
			}
			total := 0
			for _, many := range n {
				total += many
			}
			same("JUnit of "+m, got, map[string]int{"tests": total, "failures": n["failed"], "errors": n["error"]})
		}
	}
	built := regexp.MustCompile(`(\d+) checks? without a result`).ReplaceAllString(run("build"), "$1 not run")
	same("build", countsIn(built), sum)

	// The site.
	read := func(name string) string {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(dir, "public", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	words := func(markup string) string { return html.UnescapeString(tags.ReplaceAllString(markup, " ")) }
	part := func(text, from, to string) string {
		t.Helper()
		_, rest, found := strings.Cut(text, from)
		inner, _, ended := strings.Cut(rest, to)
		if !found || !ended {
			t.Fatalf("no %q in a page", from)
		}
		return words(inner)
	}
	same("badges/all.svg", countsIn(part(read("badges/all.svg"), "<title>", "</title>")), merged(f.expected(names, all)))
	var index struct {
		Machines []struct {
			Name   string
			Counts map[string]int
		}
	}
	if err := json.Unmarshal([]byte(read("_results/index.json")), &index); err != nil {
		t.Fatal(err)
	}
	for _, m := range index.Machines {
		n := f.expected([]string{m.Name}, all)
		same("badges/"+m.Name+".svg", countsIn(part(read("badges/"+m.Name+".svg"), "<title>", "</title>")), merged(n))
		c := m.Counts
		got := map[string]int{"passed": c["passed"], "failed": c["failed"], "error": c["error"], "skipped": c["skipped"] - c["not_applicable"], "not applicable": c["not_applicable"] - c["lost"],
			"lost": c["lost"], "answer": c["answered"], "stale": c["stale"], "altered": c["altered"], "not run": c["not_run"]}
		maps.DeleteFunc(got, func(_ string, many int) bool { return many == 0 })
		same("_results/index.json of "+m.Name, got, n)
		same("the home page's row of "+m.Name, countsIn(part(read("en/index.html"), `<span class="machine-own">`+m.Name+"</span>", "</tr>")), merged(n))
	}
	for language, missing := range map[string]int{"en": onlyPT, "pt": onlyEN} {
		here := func(check int) bool { return check != missing }
		page := read(language + "/_status/index.html")
		same("the status page in "+language, countsIn(part(page, `<ul class="readout">`, "</ul>")), merged(f.expected(names, here)))
		same("badges/"+language+"/_all.svg", countsIn(part(read("badges/"+language+"/_all.svg"), "<title>", "</title>")), merged(f.expected(names, here)))
		fails, elsewhere := 0, 0
		for _, m := range names {
			for i := range fleetChecks {
				if m[0] == 'x' || !strings.ContainsRune("FEAL", rune(f[m][i])) {
					continue
				}
				if here(i) {
					fails++
				} else {
					elsewhere++
				}
			}
		}
		got := map[string]int{}
		failed := words(page[strings.Index(page, `id="_changes"`):])
		for word, pattern := range map[string]string{"here": `(\d+) (?:results? fails?|resultados? falham?|results? (?:is|are) lost|resultados? perdidos?)`, "elsewhere": `(\d+) (?:more fails?|a mais falham?)`} {
			for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(failed, -1) {
				x, _ := strconv.Atoi(m[1])
				got[word] += x
			}
		}
		if got["here"] != fails || got["elsewhere"] != elsewhere {
			t.Errorf("what fails on the status page in %s: %v, want %d here and %d elsewhere", language, got, fails, elsewhere)
		}
	}
	// The head of a page has what fails, is lost and was never run of the checks on it.
	onA := func(check int) bool { return check < 4 && check != onlyPT }
	head := read("en/a/index.html")
	n := f.expected(names, onA)
	proof := head[strings.Index(head, `<ul class="readout proof"`):]
	proof = words(proof[:strings.Index(proof, "</ul>")])
	got := map[string]int{}
	for _, m := range regexp.MustCompile(`(\d+) (fails?|lost|never run|with a wrong signature)`).FindAllStringSubmatch(proof, -1) {
		x, _ := strconv.Atoi(m[1])
		got[strings.TrimSuffix(m[2], "s")] += x
	}
	if altered := n["altered"]; altered == 0 { // else failures of other machines are told beside it
		want := map[string]int{"fail": n["failed"] + n["error"], "lost": n["lost"], "never run": n["not run"]}
		maps.DeleteFunc(want, func(_ string, many int) bool { return many == 0 })
		same("the head of page a", got, want)
	}
	feed := map[string]int{}
	for _, language := range []string{"en", "pt"} {
		for _, m := range regexp.MustCompile(`<category term="(\w+)"`).FindAllStringSubmatch(read(language+"/_status/feed.xml"), -1) {
			feed[language+" "+m[1]]++
		}
	}
	lost := func(language string, missing int) (n int) {
		for m, row := range f {
			for i := range row {
				n += map[bool]int{true: 1}[m[0] != 'x' && row[i] == 'L' && i != missing]
			}
		}
		return n
	}
	if feed["en regression"] != lost("en", onlyPT) || feed["pt regression"] != lost("pt", onlyEN) {
		t.Errorf("the feeds: %v, want %d and %d regressions", feed, lost("en", onlyPT), lost("pt", onlyEN))
	}
}

// write writes the reports of a fleet.
func (f fleet) write(t *testing.T, dir string) map[string]*report.Report {
	t.Helper()
	content, diags := load.Load(os.DirFS(dir), load.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "allowed_signers"), trust.Line("*", key.PublicKey())+"\n")
	all := map[string]*report.Report{}
	for m, letters := range f {
		r := &report.Report{Schema: report.Schema, Generator: "gpudocs 0.1.0", Machine: report.Machine{Name: m, OS: "Made-up OS", Arch: "amd64", GPU: report.GPU{Status: report.GPUNone, Code: report.CodeNoLibrary},
			Environments: []report.Environment{{Name: "lab"}, {Name: "other"}}}, Checks: []report.Check{}}
		for i, at := range fleetChecks {
			if letters[i] != '.' {
				r.Checks = append(r.Checks, checkOf(t, content, at.file, at.name, letters[i]))
			}
		}
		file := filepath.Join(dir, "results", m+".json")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := report.Write(file, r); err != nil {
			t.Fatal(err)
		}
		if m[0] == 'x' {
			signature, err := trust.Sign([]byte("another report"), key)
			if err != nil {
				t.Fatal(err)
			}
			write(t, file+report.SignatureExtension, string(signature))
		}
		all[m] = r
	}
	return all
}

// checkOf returns the result of a check that a letter stands for.
func checkOf(t *testing.T, content *site.Site, file, name string, letter byte) report.Check {
	t.Helper()
	c := report.Check{Kind: report.KindBash, Name: name, Ran: time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC), Outcome: report.Passed, Places: []report.Place{{File: file, Line: 3}}}
	for _, p := range content.Pages {
		for _, b := range p.Runs() {
			if p.Source.Name == file && b.CheckName() == name {
				c.ID, c.Page = b.ID, p.Key
			}
			for _, l := range b.GPULines {
				if p.Source.Name == file && l.Name == name {
					c.ID, c.Page, c.Kind, c.Want, c.Asks = l.ID, p.Key, report.KindGPU, l.String(), l.Asks()
				}
			}
		}
	}
	if c.ID == "" {
		t.Fatalf("no check %s in %s", name, file)
	}
	fail := func(o report.Outcome, code string) { c.Outcome, c.Reason = o, &report.Reason{Code: code} }
	switch letter {
	case 'F', 'O':
		fail(report.Failed, report.ReasonUnmet)
	case 'A':
		fail(report.Failed, report.ReasonExit)
		c.Tasks = []report.Task{{Index: 1, Outcome: report.Passed}, {Index: 2, Outcome: report.Failed, Reason: &report.Reason{Code: report.ReasonExit}}}
	case 'E':
		fail(report.Errored, report.ReasonTimeout)
	case 'S':
		fail(report.Skipped, report.ReasonNotReached)
	case 'N', 'L':
		fail(report.Skipped, report.ReasonNoGPU)
		if letter == 'L' {
			c.History = []report.Past{{Ran: c.Ran.AddDate(0, 0, -1), Outcome: report.Passed}}
		}
	case 'T':
		c.ID = report.ID(fmt.Sprintf("%.25sa", strings.Repeat("z", 20)+strings.Map(func(r rune) rune {
			if r < 'a' || r > 'z' {
				return -1
			}
			return r
		}, name)+"zzzzz"))
	case 'U':
		c.Tries = []report.Try{{Outcome: report.Failed, Reason: &report.Reason{Code: report.ReasonExit}}}
	case 'D':
		c.Captures = []report.Capture{{Name: "rate", Value: "1", Unit: "GB/s", Drift: &report.Drift{N: 5, Median: 2, Allowed: .1, Drifted: true}}}
	}
	return c
}

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
