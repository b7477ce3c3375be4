package cli

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/cli/exit"
)

// oddNames are stems of pages and of files beside them that are published under their own
// names.
var oddNames = []string{
	"a b", "açaí", norm.NFD.String("coração"), "日本", "عربي", "😀", "100%", "x%20y", "x%2fy", "c#", "what?", `"q"`, "it's", "<b>", "a&b", "a&amp;c",
	"a:b", "a*b", "a|b", "con", "nul.x", "dots..", "-", "~", "+", "a;b=c", "[x](y)", "{x}", "$HOME", "`x`", "=", ",", "@", "!", "null", "0",
	strings.Repeat("x", 245), strings.Repeat("é", 120),
}

// references finds the addresses of a page. It is compiled when it is needed: TestStartIsCheap
// takes what all tests compile at the start for the program's.
var references = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`<(?:a|img|link|script)\b[^>]*? (?:href|src)="?([^"\s>]+)`)
})

// crawl follows every link from an address and returns the visited addresses.
func crawl(t *testing.T, start string) (visited map[string]bool) {
	t.Helper()
	visited = map[string]bool{}
	for todo := []string{start}; len(todo) > 0; {
		at := todo[0]
		if todo = todo[1:]; visited[at] {
			continue
		}
		visited[at] = true
		answer, err := http.Get(at)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %s, %v", at, answer.Status, err)
			continue
		}
		if !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") {
			continue
		}
		for _, m := range references().FindAllSubmatch(body, -1) {
			to, err := answer.Request.URL.Parse(html.UnescapeString(string(m[1])))
			if err != nil {
				t.Errorf("%s links to %s: %v", at, m[1], err)
				continue
			}
			if to.Fragment = ""; to.Host == answer.Request.URL.Host {
				todo = append(todo, to.String())
			}
		}
	}
	return visited
}

// TestOddNames: links to published pages and files with unusual names work: on a web server,
// with gpudocs serve, and in the folder without a server.
func TestOddNames(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems do not take all these names")
	}
	t.Setenv("HOME", t.TempDir())
	site := t.TempDir()
	files := map[string]string{"gpudocs.toml": "[languages.pt]\n[languages.es]\n"}
	var links strings.Builder
	for i, name := range oddNames {
		files["content/pt/"+name+".md"] = fmt.Sprintf("# Página %d\n", i)
		files["content/pt/d/"+name+".txt"] = fmt.Sprintf("file %d\n", i)
		fmt.Fprintf(&links, "- [page](./%s) and [file](d/%s)\n", url.PathEscape(name+".md"), url.PathEscape(name+".txt"))
	}
	files["content/pt/index.md"] = "# Início\n\n" + links.String()
	writeFiles(t, site, files)

	for _, mode := range []string{"--strict", "--offline"} {
		output := filepath.Join(t.TempDir(), "public")
		var printed bytes.Buffer
		if code := Run(t.Context(), []string{"build", "--site", site, "--output", output, mode}, strings.NewReader(""), &printed, &printed); code != exit.Fine {
			t.Fatalf("%s: code %d: %s", mode, code, printed.String())
		}
		if mode == "--offline" {
			inFolder(t, output)
			continue
		}
		server := httptest.NewServer(http.FileServer(http.Dir(output)))
		defer server.Close()
		if n := len(crawl(t, server.URL+"/pt/")); n < 4*len(oddNames) { // pages in two languages, their exports, files
			t.Errorf("got only %d links", n)
		}
	}

	ctx, end := context.WithCancel(t.Context())
	defer end()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(ctx, self)
	c.Args = []string{"gpudocs", "serve", "--site", site, "--addr", "127.0.0.1:0", "--language", "en"}
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	address := regexp.MustCompile(`http://\S+/`).FindString(line)
	if n := len(crawl(t, address+"pt/")); n < 4*len(oddNames) {
		t.Errorf("serve: got only %d links", n)
	}
	end()
	_ = c.Wait()
}

// inFolder resolves every link of every page as a browser does for file:// addresses.
func inFolder(t *testing.T, dir string) {
	t.Helper()
	found := 0
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".html" {
			return err
		}
		page, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		from := &url.URL{Scheme: "file", Path: name}
		for _, m := range references().FindAllSubmatch(page, -1) {
			to, err := from.Parse(html.UnescapeString(string(m[1])))
			if err != nil || to.Scheme != "file" {
				continue
			}
			found++
			if info, err := os.Stat(to.Path); err != nil || info.IsDir() {
				t.Errorf("%s links to %s: %v", path.Base(path.Dir(name)), m[1], err)
			}
		}
		return nil
	})
	if err != nil || found < 4*len(oddNames) {
		t.Errorf("%d links, %v", found, err)
	}
}

// TestNamesRefused: names to which no link would work are refused before anything is written,
// by a diagnostic with a hint.
func TestNamesRefused(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems do not take these names")
	}
	long := strings.Repeat(strings.Repeat("d", 200)+"/", 10)
	for want, names := range map[string][]string{
		`error: the name "caf\xe9.txt" is no text in UTF-8`:                                    {"caf\xe9.txt"},
		`the name "caf\xe9.md" is no text in UTF-8`:                                            {"caf\xe9.md"},
		`error: the name "caf\xe9" is no text in UTF-8`:                                        {"caf\xe9/a.md"},
		`the name "a\nb.txt" has a control character`:                                          {"a\nb.txt"},
		`the name "a\x7f.md" has a control character`:                                          {"a\x7f.md"},
		`the name "a\\b.md" has a backslash`:                                                   {`a\b.md`},
		`claim the same address /pt/á/`:                                                        {"á.md", norm.NFD.String("á.md")},
		`have the same name, written with accents in two ways`:                                 {"á.txt", norm.NFD.String("á.txt")},
		`claim the same address /pt/a/`:                                                        {"A.md", "a.md"},
		`warning: this file and content/pt/A.txt differ in nothing but upper and lower case`:   {"A.txt", "a.txt"},
		`this page and content/pt/a b.md claim the same address /pt/a-b/`:                      {"a b.md", "a-b.md"},
		`content/pt/LICENSE: error: the site publishes a page or another file under this name`: {"LICENSE", "LICENSE.md"},
		`content/es/LICENSE: error: the site publishes a page or another file under this name`: {"LICENSE.md", "../es/LICENSE"},
		`its address has a folder index.html, and that is a page's file`:                       {"x.md", "x/index.html.md"},
		`its address has a folder index.html.md, and that is a page's file`:                    {"x.md", "x/index.html.md/a.txt"},
		`a name in its address has 504 bytes, and 255 is the most`:                             {strings.Repeat("\u0958", 84) + ".md"},
		`and 2000 is the most that can be published`:                                           {long + "a.md"},
		`bytes, and 2000 is the most that can`:                                                 {long + "abcde.txt"},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			site := t.TempDir()
			files := map[string]string{"gpudocs.toml": "[languages.pt]\n[languages.es]\n", "content/pt/index.md": "# Início\n"}
			for _, name := range names {
				files["content/pt/"+name] = "# " + "x\n"
			}
			writeFiles(t, site, files)
			var printed bytes.Buffer
			code := Run(t.Context(), []string{"build", "--site", site, "--strict", "--language", "en"}, strings.NewReader(""), &printed, &printed)
			if !strings.Contains(printed.String(), want) || !strings.Contains(printed.String(), "\n  hint: ") {
				t.Errorf("code %d: %s", code, printed.String())
			}
			if warning := strings.HasPrefix(want, "warning"); warning && code != exit.Failed || !warning && code != exit.Usage {
				t.Errorf("code %d", code)
			}
			if _, err := os.Stat(filepath.Join(site, "public")); err == nil {
				t.Error("a refused site was written")
			}
		})
	}
}
