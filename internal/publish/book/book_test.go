package book

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/test/programtest"
	"github.com/gpudocs/gpudocs/themes"
)

// course is a site with three sections, and with what paper has to change.
func course() map[string]string {
	long := strings.Repeat("Uma frase que ocupa lugar na página, para que o texto passe de uma folha. ", 60) + "\n\n"
	files := map[string]string{
		"gpudocs.toml": "title = \"Curso & prática\"\n[site]\nauthor = \"Ana Lima\"\n[languages.pt]\nname = \"Português\"\n",
		"content/pt/index.md": "# Início\n\nLeia [a memória](b/dois.md#memoria), [de fora](https://example.com/a?b=1&c=2), [o arquivo](dados.csv) e [nada](c/um.md#nada).\n\n" +
			"<div align=\"right\" id=\"x\">À direita</div>\n\n<center id=\"x\">No meio</center>\n\n- [x] feito\n- [ ] por fazer\n\n$$\\frac{a}{b} \\tag{1}$$\n\nCerto$^2$.[^1]\n\n[^1]: Uma nota.\n",
		"content/pt/dados.csv": "a,b\n",
		"content/pt/a/um.md":   "# A um\n\n## Começo (a/b) #1\n\n" + long + "![Uma figura](../x.png \"Legenda\"){#fig-x}\n\n" + "Veja [](#fig-x).\n",
		"content/pt/a/dois.md": "# A dois\n\n:::tab Linux\nSó Linux.\n:::\n:::tab Mac\nSó Mac.\n:::\n\n:::details Mais\nDobrado.\n:::\n\n```python\nprint(1)\n```\n",
		"content/pt/b/um.md":   "# B um\n\nVeja [](../a/um.md#fig-x).\n\n" + long + long + "\n",
		"content/pt/b/dois.md": "# B dois\n\n" + long + "\n## Memória {#memoria}\n\n" + long + "```mermaid\nflowchart LR\n  A --> B\n```\n",
		"content/pt/c/um.md":   "# C um\n\n```python\n" + strings.Repeat("linha = 'muito comprida' * 20 + 'muito comprida' * 20 + 'muito comprida' * 20 # e mais\n", 80) + "```\n",
		"content/pt/c/dois.md": "# C dois\n\n| a | b |\n|---|---|\n" + strings.Repeat("| 1 | 2 |\n", 90) + "\n~~~\n\x1b[31mcores\x00\n~~~\n",
		"content/pt/x.png":     sitetest.PNG(40, 30),
	}
	return files
}

func newSite(t *testing.T, files map[string]string, o render.Options) *render.Site {
	t.Helper()
	content, diags := load.Load(sitetest.FS(files), load.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	s, _, err := render.New(t.Context(), content, nil, themes.Default(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// added returns the documents of a site.
func added(t *testing.T, s *render.Site) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, name := range s.Paths() {
		if filepath.Ext(name) == ".pdf" {
			data, _, err := s.File(name)
			if err != nil {
				t.Fatal(err)
			}
			files[name] = data
		}
	}
	return files
}

// TestDocument: a document is unfolded, links lead to places in it or to the site, and nothing needs a script.
func TestDocument(t *testing.T) {
	t.Parallel()
	s := newSite(t, course(), render.Options{BaseURL: "https://example.org/"})
	d, err := parse(s.Books()[0])
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := html.Render(&b, d.root); err != nil {
		t.Fatal(err)
	}
	for n := range d.root.Descendants() {
		if id, inside := strings.CutPrefix(attribute(n, "href"), "#"); inside && d.ids[id] == nil {
			t.Errorf("there is no %s", id)
		}
	}
	for _, want := range []string{
		"<math", "<svg", "☑ feito", "☐ por fazer", "Dobrado.", "Só Mac.", `href="https://example.com/a?b=1&amp;c=2"`, `href="https://example.org/pt/dados.csv"`, `alt="Uma figura"`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s", want)
		}
	}
	for _, no := range []string{"<script", "<button", "<input", "<details>", "index.html"} {
		if strings.Contains(b.String(), no) {
			t.Errorf("%s", no)
		}
	}
}

// needChromium skips a test if there is no Chromium, and if it would run a second time.
func needChromium(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out Chromium")
	}
	if _, err := find(t.Context(), time.Minute, 0); err != nil {
		t.Skip("Chromium is not installed")
	}
}

// TestRightToLeft checks the direction of a document, and of a page in it that is not translated.
func TestRightToLeft(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"gpudocs.toml": "[languages.ar]\nname = \"ع\"\n[languages.pt]\nname = \"P\"\n",
		"content/ar/index.md": "# ألف\n", "content/pt/index.md": "# A\n", "content/ar/a.md": "# باء\n", "content/pt/b.md": "# B\n"}, render.Options{})
	for _, b := range s.Books() {
		data, err := b.HTML()
		if err != nil {
			t.Fatal(err)
		}
		own, other := `<html lang="pt">`, `" lang="ar" dir="rtl"`
		if strings.HasPrefix(b.Path, "ar/") {
			own, other = `<html lang="ar" dir="rtl"`, `" lang="pt" dir="ltr"`
		}
		if text := string(data); !strings.Contains(text, own) || strings.Count(text, other) != 1 {
			t.Errorf("%s: no %s, or %s is there %d times", b.Path, own, other, strings.Count(text, other))
		}
	}
}

func TestPDF(t *testing.T) {
	needChromium(t)
	out := t.TempDir()
	build := func() map[string][]byte {
		s := newSite(t, course(), render.Options{BaseURL: "https://example.org/"})
		if diags, err := Add(t.Context(), s, PrintOptions{Output: out, Generator: "gpudocs", Date: time.Unix(1e9, 0)}); err != nil || len(diags) > 0 {
			t.Fatal(diags, err)
		}
		return added(t, s)
	}
	files := build()
	const all = "pt/_print/curso--prática-pt.pdf"
	for _, name := range []string{all, "pt/_print/a/a-pt.pdf", "pt/_print/b/b-pt.pdf", "pt/_print/c/c-pt.pdf"} {
		if files[name] == nil {
			t.Errorf("no %s", name)
		}
	}
	// A PDF of the same is not printed again: what is there is taken, whatever it has after its end.
	for name, data := range files {
		files[name] = append(data, '\n')
		if err := os.MkdirAll(filepath.Dir(filepath.Join(out, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(out, name), files[name], 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range build() {
		if !bytes.Equal(data, files[name]) {
			t.Errorf("%s: printed again", name)
		}
	}
	// Printed again it has the same bytes.
	file := filepath.Join(out, "pt/_print/a/a-pt.pdf")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if again := build()["pt/_print/a/a-pt.pdf"]; !bytes.Equal(append(again, '\n'), files["pt/_print/a/a-pt.pdf"]) {
		t.Error("printed again it has other bytes")
	}
	t.Run("poppler", func(t *testing.T) { judgePDF(t, filepath.Join(out, all)) })
}

// judgePDF compares what poppler reads in the PDF of the course with the course.
func judgePDF(t *testing.T, file string) {
	tool := func(args ...string) string {
		out, err := exec.Command(args[0], args[1:]...).Output()
		if err != nil {
			t.Fatal(args, err)
		}
		return string(out)
	}
	programtest.Need(t, "pdftotext", "pdfinfo")
	about := tool("pdfinfo", file)
	for _, want := range []string{`Title:\s+Curso & prática\n`, `Author:\s+Ana Lima\n`, `Creator:\s+gpudocs\n`, `CreationDate:\s+Sun Sep  9 01:46:40 2001`, `Tagged:\s+yes`, `\(A4\)`} {
		if !regexp.MustCompile(want).MatchString(about) {
			t.Errorf("no %s in\n%s", want, about)
		}
	}
	pages := strings.Split(tool("pdftotext", "-layout", file, "-"), "\f")
	lines := regexp.MustCompile(`(?m)^ *(\S.*?\S) {2,}(\d+)$`).FindAllStringSubmatch(pages[1], -1)
	if len(lines) != 9 {
		t.Fatalf("%d entries in the contents:\n%s", len(lines), pages[1])
	}
	for _, line := range lines {
		n, _ := strconv.Atoi(line[2])
		if !regexp.MustCompile(`(?m)^ *` + regexp.QuoteMeta(line[1]) + `$`).MatchString(pages[n-1]) {
			t.Errorf("page %d does not have %s:\n%.200s", n, line[1], pages[n-1])
		}
		if !strings.HasSuffix(strings.TrimSpace(pages[n-1]), line[2]) {
			t.Errorf("page %d has another number at its foot", n)
		}
	}
	text := strings.Join(strings.Fields(strings.Join(pages, " ")), " ")
	for _, want := range []string{"Só Mac.", "Dobrado.", "de fora (https://example.com/a?b=1&c=2)"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	figure := slices.IndexFunc(pages, func(p string) bool { return strings.Contains(p, "Legenda") }) + 1
	if want := fmt.Sprintf(`Figura 1( de “A um”)? \(p\. %d\)`, figure); len(regexp.MustCompile(want).FindAllString(text, -1)) != 2 {
		t.Errorf("%s is not there twice:\n%s", want, text)
	}
	if heads := regexp.MustCompile(`(?m)^ *a +b$`).FindAllString(strings.Join(pages, "\n"), -1); len(heads) < 2 {
		t.Errorf("the head of the long table is there %d times", len(heads))
	}
	structure := tool("pdfinfo", "-struct", file)
	if !strings.Contains(structure, "H2") || !strings.Contains(structure, "Table") || !strings.Contains(structure, "Figure") {
		t.Errorf("tags:\n%s", structure)
	}
	if urls := tool("pdfinfo", "-url", file); strings.Contains(urls, host) || !strings.Contains(urls, "https://example.org/pt/dados.csv") || strings.Contains(urls, "example.org/pt/b/") {
		t.Errorf("links:\n%s", urls)
	}
}

// TestBadChromium checks what is said of programs that are no Chromium, crash or hang, and that the rest is made.
func TestBadChromium(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are scripts of a shell")
	}
	tests := []struct{ name, script, want string }{
		{"missing", "", "no Chromium was found, so there is no PDF (looked for "},
		{"old", `echo "Chromium 130.0.6723.58 built on Debian"`, "Chromium 130.0.6723.58 is too old to write page numbers; it must be 131 or newer"},
		{"crashes at once", "exit 1", "Chromium could not print it: exit status 1"},
		{"crashes", `[ "$1" = --version ] && { echo "Chromium 140.0.0.1"; exit; }; echo "[1:2:ERROR] dbus" >&2; echo "Trace/breakpoint trap" >&2; exit 133`, "Chromium could not print it: Trace/breakpoint trap"},
		{"prints nothing", `echo "Chromium 140.0.0.1"`, "Chromium could not print it: it wrote no file"},
		{"prints no PDF", `[ "$1" = --version ] && { echo "Chromium 140.0.0.1"; exit; }; for a; do case $a in --print-to-pdf=*) echo x >"${a#*=}" ;; esac; done`, "the PDF does not have the form"},
		{"hangs", `[ "$1" = --version ] && { echo "Chromium 140.0.0.1"; exit; }; sleep 1000 & sleep 1000`, "Chromium did not end within "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "chromium")
			if tt.script != "" {
				if err := os.WriteFile(program, []byte("#!/bin/sh\n"+tt.script+"\n"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv(Variable, program)
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			files := map[string]string{"content/pt/index.md": "# A\n", "content/pt/b.md": "# B\n"}
			s := newSite(t, files, render.Options{})
			limit := time.Minute // a busy machine may take long to start a shell
			if tt.name == "hangs" {
				limit = 300 * time.Millisecond
			}
			diags, err := Add(t.Context(), s, PrintOptions{Limit: limit, PerPage: time.Millisecond})
			if err != nil || len(diags) != 1 || !strings.HasPrefix(diags[0].Message.String(), tt.want) || diags[0].File != "pt/_print/a-pt.pdf" || diags[0].Hint.IsZero() {
				t.Errorf("%+v %v", diags, err)
			}
			if all := added(t, s); len(all) > 0 {
				t.Errorf("%d documents", len(all))
			}
			if page, _, _ := s.File("pt/index.html"); bytes.Contains(page, []byte(".pdf")) {
				t.Error("a page links to a PDF that is not there")
			}
			if left, _ := os.ReadDir(temp); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestNoNetwork checks that pages whose HTML is kept as it is make Chromium ask no server, and run no script.
func TestNoNetwork(t *testing.T) {
	needChromium(t)
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	secret := filepath.Join(t.TempDir(), "secret.html")
	if err := os.WriteFile(secret, []byte("SECRET"), 0o644); err != nil {
		t.Fatal(err)
	}
	page := "# A\n\n" + strings.NewReplacer("URL", server.URL, "FILE", "file://"+secret).Replace(
		`<img src="URL/a.png"><img src="FILE"><div style="background: url(URL/b.png)">x</div><style>@import url(URL/c.css); @font-face { font-family: f; src: url(URL/f.woff2); } p { font-family: f; }</style>`+
			`<link rel="stylesheet" href="URL/d.css"><link rel="preload" as="image" href="URL/e.png"><iframe src="FILE"></iframe><object data="FILE"></object><embed src="FILE">`+
			`<script>document.body.textContent = "SCRIPT"</script><svg><script>document.body.textContent = "SCRIPT"</script></svg><img src="x" onerror="document.body.textContent = 'SCRIPT'">`) + "\n"
	s := newSite(t, map[string]string{"gpudocs.toml": "[markdown]\nunsafe_html = true\n", "content/pt/index.md": page}, render.Options{})
	if diags, err := Add(t.Context(), s, PrintOptions{}); err != nil || len(diags) > 0 {
		t.Fatal(diags, err)
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("%d requests", n)
	}
	for _, data := range added(t, s) {
		cmd := exec.Command("pdftotext", "-", "-")
		cmd.Stdin = bytes.NewReader(data)
		if out, err := cmd.Output(); errors.Is(err, exec.ErrNotFound) {
			t.Skip("poppler-utils is not installed")
		} else if err != nil || bytes.Contains(out, []byte("SECRET")) || bytes.Contains(out, []byte("SCRIPT")) || !bytes.Contains(out, []byte("x")) {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := newSite(t, map[string]string{"content/pt/index.md": "# A\n"}, render.Options{})
	cancel()
	if _, err := Add(ctx, s, PrintOptions{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// plainPDF is a file in the form that Chromium gives it.
func plainPDF() []byte {
	objects := []string{
		"<</Title (x)\n/Producer (Skia/PDF m150)>>", "<</Type /Catalog\n/Pages 3 0 R\n/Dests 6 0 R>>", "<</Type /Pages\n/Count 2\n/Kids [4 0 R 5 0 R]>>",
		"<</Type /Page\n/MediaBox [0 0 9 9]\n/Parent 3 0 R>>", "<</Type /Page\n/MediaBox [0 0 9 9]\n/Parent 3 0 R\n/Of [(node00000002) (node00000001)]>>", "<</_p.1 [4 0 R /XYZ 0 1 0]\n/mem-2 [5 0 R /XYZ 0 1 0]>>", "<</Length 4>> stream\nendo\nendstream",
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	table := fmt.Sprintf("xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for i, o := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "%strailer\n<</Size %d\n/Root 2 0 R\n/Info 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", table, len(objects)+1, start)
	return b.Bytes()
}

func TestReadPDF(t *testing.T) {
	t.Parallel()
	f, err := readPDF(plainPDF())
	if err != nil {
		t.Fatal(err)
	}
	if places := f.places(); places["_p.1"] != 1 || places["mem-2"] != 2 || len(places) != 2 {
		t.Errorf("%v", places)
	}
	data := f.write(info{title: "Título (1)", generator: "g"}, []byte("id"))
	if !isOf(data, []byte("id")) || isOf(data, []byte("ix")) || !bytes.Contains(data, []byte("stream\nendo\nendstream")) {
		t.Errorf("%q", data)
	}
	if programtest.Fault("pdfinfo") == nil {
		cmd := exec.Command("pdfinfo", "-")
		cmd.Stdin = bytes.NewReader(data)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "Título (1)") || !strings.Contains(string(out), "Pages:           2") {
			t.Errorf("%v\n%s", err, out)
		}
	}
	// The names that differ from run to run do not matter.
	written := func(first, second string) []byte {
		f, err := readPDF([]byte(strings.NewReplacer("node00000001", first, "node00000002", second).Replace(string(plainPDF()))))
		if err != nil {
			t.Fatal(err)
		}
		return f.write(info{}, []byte("id"))
	}
	if !bytes.Equal(written("node00000377", "node00000379"), written("node00000385", "node00000386")) || bytes.Equal(written("node00000001", "node00000002"), written("node00000002", "node00000001")) {
		t.Error("the names of cells matter")
	}
	for cut := range plainPDF() {
		if _, err := readPDF(plainPDF()[:cut]); err == nil && cut < len(plainPDF())-1 {
			t.Errorf("read the first %d bytes", cut)
		}
	}
}

func FuzzReadPDF(f *testing.F) {
	f.Add(plainPDF())
	f.Fuzz(func(_ *testing.T, data []byte) {
		if p, err := readPDF(data); err == nil {
			p.places()
			p.write(info{title: "x"}, nil)
		}
	})
}
