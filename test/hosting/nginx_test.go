package hosting

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	ours "github.com/gpudocs/gpudocs/internal/render/hosting"
	"github.com/gpudocs/gpudocs/test/programtest"
)

// nginx serves a folder with the configuration of docs/content/en/hosting.md, and returns its address.
func nginx(t *testing.T, public string) string {
	t.Helper()
	program := needs(t, "nginx", "there is no nginx: apt-get install nginx-light")
	manual, err := os.ReadFile("../../docs/content/en/hosting.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)\n```nginx\n(.*?)```\n").FindSubmatch(manual)
	if block == nil {
		t.Fatal("docs/content/en/hosting.md has no configuration of nginx")
	}
	port, err := programtest.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	dir := filepath.Dir(public)
	line := regexp.MustCompile("# Old addresses: (awk .*) public/_redirects >").FindSubmatch(manual)
	if line == nil {
		t.Fatal("docs/content/en/hosting.md does not say how old addresses are listed")
	}
	list := exec.Command("sh", "-c", string(line[1])+` "$0"`, filepath.Join(public, "_redirects"))
	moved, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	path := func(parts ...string) string { return strconv.Quote(filepath.Join(parts...)) }
	text := strings.NewReplacer("listen 80;", "listen "+address+";", "/srv/www/docs", path(public), "/etc/nginx/docs.moved", path(dir, "moved")).Replace(string(block[1]))
	var temporary strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&temporary, "%s_temp_path %s;\n", kind, path(dir, kind))
	}
	config := fmt.Sprintf("daemon off;\nmaster_process off;\npid %s;\nerror_log stderr;\nevents {}\nhttp {\ndefault_type application/octet-stream;\naccess_log off;\n%s types { text/html html; text/css css; text/javascript js; image/svg+xml svg; }\n%s}\n",
		path(dir, "pid"), &temporary, text)
	for name, text := range map[string]string{"nginx.conf": config, "moved": string(moved)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var stderr bytes.Buffer
	c := exec.Command(program, "-e", "stderr", "-p", dir, "-c", filepath.Join(dir, "nginx.conf"))
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		<-ended
	})
	for range 200 {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return "http://" + address
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("nginx ended: %v: %s", err, &stderr)
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatal("nginx does not listen")
	return ""
}

func TestNginx(t *testing.T) {
	t.Parallel()
	public := site(t)
	base := nginx(t, public)
	theme, err := filepath.Glob(filepath.Join(public, "_theme", "*", "style.css"))
	if err != nil || len(theme) != 1 {
		t.Fatal(theme, err)
	}
	style := "/" + filepath.ToSlash(strings.TrimPrefix(theme[0], public+string(filepath.Separator)))
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, c := range []struct {
		path, language, cookie  string
		status                  int
		location, text, caching string
		kind                    string
	}{
		{path: "/", language: "es-AR,es;q=0.9,pt;q=0.5", status: 302, location: "/es/"},
		{path: "/", language: "fr, pt-BR;q=0.8, es;q=0.7", status: 302, location: "/pt/"},
		{path: "/", language: "fr", status: 302, location: "/pt/"},
		{path: "/", status: 302, location: "/pt/"},
		{path: "/", language: "pt", cookie: "es", status: 302, location: "/es/"},
		{path: "/", language: "es", cookie: "../x", status: 302, location: "/es/"},
		{path: "/?machine=deepten", language: "es", status: 302, location: "/es/?machine=deepten"},
		{path: "/pt/", status: 200, text: "Início", caching: ours.Checked, kind: "text/html; charset=utf-8"},
		{path: "/pt/index.html.md", status: 200, text: "Início", caching: ours.Checked, kind: "text/markdown; charset=utf-8"},
		{path: "/pt/gpu/uso", status: 301, location: "/pt/gpu/uso/"},
		{path: "/pt/gpu/uso/", status: 200, text: "Uso", caching: ours.Checked},
		{path: "/pt/gpu/antigo/", status: 301, location: "/pt/gpu/uso/"},
		{path: "/pt/gpu/a%C3%A7%C3%A3o/", status: 301, location: "/pt/gpu/uso/"},
		{path: "/velho.html?machine=deepten", status: 301, location: "/pt/gpu/uso/?machine=deepten"},
		{path: "/pt/gpu/" + long + "/", status: 301, location: "/pt/gpu/uso/"},
		{path: "/pt/gpu/a;b/", status: 301, location: "/pt/gpu/uso/"},
		{path: "/pt/gpu/x%7By%7D/", status: 301, location: "/pt/gpu/uso/"},
		{path: "/pt/caro/", status: 301, location: "/pt/US%24-1;2/"},
		{path: "/pt/US%24-1;2/", status: 200, text: "Caro"},
		{path: "/pt/nada", status: 404, text: "Não existe"},
		{path: "/es/nada/x/", status: 404, text: "No existe"},
		{path: "/nada", status: 404, text: "Nothing"},
		{path: "/2026.1/pt/nada", status: 404, text: "Na edição"},
		{path: "/pt/es/nada", status: 404, text: "Não existe"},
		{path: "/2026.1" + style, status: 404, text: "Nothing"},
		{path: "/pt/gpu/a.svg", status: 200, text: "<svg", caching: ours.Checked, kind: "image/svg+xml"},
		{path: "/pt/gpu/B.SVG", status: 200, text: "<svg"},
		{path: style, status: 200, text: "--paper", caching: ours.Forever},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.language != "" {
			r.Header.Set("Accept-Language", c.language)
		}
		if c.cookie != "" {
			r.AddCookie(&http.Cookie{Name: "nf_lang", Value: c.cookie})
		}
		got, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(got.Body)
		got.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if got.StatusCode != c.status || got.Header.Get("Location") != c.location || !strings.Contains(string(body), c.text) {
			t.Errorf("%s for %q: %d, to %q:\n%.300s", c.path, c.language, got.StatusCode, got.Header.Get("Location"), body)
		}
		if c.kind != "" && got.Header.Get("Content-Type") != c.kind {
			t.Errorf("%s is %s", c.path, got.Header.Get("Content-Type"))
		}
		if c.caching != "" && got.Header.Get("Cache-Control") != c.caching {
			t.Errorf("%s: Cache-Control is %q, want %q", c.path, got.Header.Get("Cache-Control"), c.caching)
		}
		if c.path == "/" && got.Header.Get("Vary") != "Accept-Language, Cookie" {
			t.Errorf("/ differs by %q", got.Header.Get("Vary"))
		}
		if ours.IsDrawing(c.path) {
			if p := strings.Join(got.Header.Values("Content-Security-Policy"), ","); p != ours.Policy+","+ours.Drawing {
				t.Errorf("%s has the policies %q", c.path, p)
			}
		} else if len(got.Header.Values("Content-Security-Policy")) != 1 {
			t.Errorf("%s has the policies %q", c.path, got.Header.Values("Content-Security-Policy"))
		}
		for _, h := range ours.Headers() {
			if got.Header.Get(h.Name) != h.Value {
				t.Errorf("%s: %s is %q", c.path, h.Name, got.Header.Get(h.Name))
			}
		}
	}
}
