package book

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Variable is the environment variable that names the Chromium to use.
const Variable = "CHROME"

// programs are the names of Chromium and its relatives.
var programs = []string{"chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome",
	"google-chrome-stable", "chrome", "microsoft-edge",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"}

// oldest is the first version with page numbers in margins.
const oldest = 131

// A chromium prints documents.
type chromium struct {
	program, version string
	// limit is how long it may take for a document, and perPage for each of its pages beyond that.
	limit, perPage time.Duration
}

var versionForm = lazyregexp.New(`(\d+)\.\d+\.\d+\.\d+`)

// find returns the Chromium of this machine.
func find(ctx context.Context, limit, perPage time.Duration) (*chromium, error) {
	names := programs
	if chosen := os.Getenv(Variable); chosen != "" {
		names = []string{chosen}
	}
	for _, name := range names {
		program, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		c := &chromium{program: program, limit: limit, perPage: perPage}
		if runtime.GOOS != "windows" { // where it would open a window instead
			r := subprocess.Run(ctx, subprocess.Command{Program: program, Args: []string{"--version"}, Env: os.Environ(), Limit: limit})
			if r.Err != nil {
				return nil, failure(r, limit)
			}
			c.version = string(versionForm.Find(r.Stdout))
			major, _, _ := strings.Cut(c.version, ".")
			if n, _ := strconv.Atoi(major); c.version != "" && n < oldest {
				return nil, diag.Say("book.chromium-old", "version", c.version, "oldest", oldest)
			}
		}
		return c, nil
	}
	return nil, diag.Say("book.chromium-missing", "names", strings.Join(names, ", "))
}

// errHung is in the error of a Chromium that did not end in time.
var errHung = diag.Say("book.chromium-hung", "time", "")

// failure says why a run failed.
func failure(r subprocess.Result, limit time.Duration) error {
	if errors.Is(r.Err, context.DeadlineExceeded) {
		return diag.Say("book.chromium-hung", "time", limit.Round(time.Millisecond).String())
	}
	last := ""
	for line := range strings.Lines(r.Stderr) {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, "dbus") {
			last = line
		}
	}
	var why any = last
	if last == "" && r.Err != nil {
		why = r.Err
	} else if last == "" {
		why = diag.Say("book.chromium-silent")
	}
	return diag.Say("book.chromium-failed", "why", why)
}

// host is that of the addresses at which Chromium finds the files of the site. No server has it.
const host = "book.invalid"

// mediaTypes are those of the files that Chromium asks for.
var mediaTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg",
	".jpeg": "image/jpeg",
	".gif":  "image/gif", ".webp": "image/webp", ".avif": "image/avif", ".woff2": "font/woff2",
}

// print returns the PDF of the document at a path, whose other files lookup returns. Chromium gets all that it asks for
// through a proxy, which has these files and nothing else.
func (c *chromium) print(ctx context.Context, at string, lookup func(name string) ([]byte, bool), pages int) ([]byte, error) {
	folder, err := os.MkdirTemp("", "gpudocs-pdf-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, ok := lookup(strings.TrimPrefix(r.URL.Path, "/"))
		if r.URL.Host != host || !ok {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", cmp.Or(mediaTypes[path.Ext(r.URL.Path)], "application/octet-stream"))
		w.Header().Set("Content-Security-Policy", "script-src 'none'; frame-src 'none'; object-src 'none'")
		_, _ = w.Write(data)
	})}
	go func() { _ = server.Serve(listener) }()
	defer server.Close()
	out := filepath.Join(folder, "out.pdf")
	args := []string{"--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
		"--disable-sync",
		"--disable-extensions", "--disable-breakpad", "--user-data-dir=" + filepath.Join(folder, "profile"),
		"--proxy-server=http://" + listener.Addr().String(), "--proxy-bypass-list=<-loopback>",
		"--no-pdf-header-footer", "--generate-pdf-document-outline", "--print-to-pdf=" + out}
	if os.Getuid() == 0 {
		args = append(args, "--no-sandbox") // with which it does not start as root
	}
	limit := c.limit + time.Duration(pages)*c.perPage
	r := subprocess.Run(ctx, subprocess.Command{
		Program: c.program,
		Args:    append(args, "http://"+host+"/"+at),
		Env:     os.Environ(),
		Limit:   limit,
		Alone:   true,
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(out)
	if r.Err != nil || err != nil {
		return nil, failure(r, limit)
	}
	return data, nil
}

// A folio is where the number of the page stands that has an id.
type folio struct {
	text *html.Node
	id   string
	// form is the text around the number {n}.
	form string
}

// addFolios adds them to the document: to its contents, and to links that a reader on paper would follow.
func (d *document) addFolios() (list []folio) {
	for n := range d.root.Descendants() {
		id, inside := strings.CutPrefix(attribute(n, "href"), "#")
		if n.DataAtom != atom.A || !inside || chapter(n) == nil {
			continue
		}
		f := folio{text: &html.Node{Type: html.TextNode}, id: id, form: " " + d.book.PageForm}
		span := &html.Node{Type: html.ElementNode, Data: "span", DataAtom: atom.Span, Attr: []html.Attribute{{Key: "class", Val: "folio"}}}
		span.AppendChild(f.text)
		from, to := chapter(n), d.ids[id]
		numbered := to.DataAtom == atom.Figure || to.DataAtom == atom.Table || hasClass(to, "math")
		mark := within(n, func(n *html.Node) bool {
			return n.DataAtom == atom.Sup || strings.HasPrefix(attribute(n, "role"), "doc-")
		}) != nil
		switch {
		case hasClass(from, "book-contents"):
			f.form = "{n}"
			n.AppendChild(span)
		case (numbered || chapter(to) != from) && !mark:
			n.Parent.InsertBefore(span, n.NextSibling)
		default:
			continue
		}
		list = append(list, f)
	}
	return list
}

// form changes when the same HTML gives another PDF.
const form = 3

// maxPrints bounds how often a document is printed until its page numbers are right: the first time to learn them.
const maxPrints = 4

// pdf returns the PDF of a book. earlier is the file that an earlier build made, or nil: it is returned if it was made of
// the same.
func (c *chromium) pdf(ctx context.Context, d *document, o PrintOptions, earlier []byte) ([]byte, error) {
	folios := d.addFolios()
	var page bytes.Buffer
	render := func(places map[string]int) (same bool) {
		same = true
		for _, f := range folios {
			was := f.text.Data
			n, found := places[f.id]
			if places == nil {
				n, found = 10, true
			}
			if f.text.Data = ""; found { // else it is not visible
				f.text.Data = strings.ReplaceAll(f.form, "{n}", strconv.Itoa(n))
			}
			same = same && f.text.Data == was
		}
		page.Reset()
		_ = html.Render(&page, d.root) // a buffer takes everything
		return same
	}
	render(nil)
	id := sha256.New()
	describe := info{title: d.book.Title, author: d.book.Author, generator: o.Generator, date: d.book.Changed}
	fmt.Fprintf(id, "%d\n%s\n%+v\n%s", form, c.version, describe, page.Bytes())
	for _, img := range d.images {
		data, _ := o.Lookup(file(img))
		fmt.Fprintf(id, "\n%d\n%s", len(data), data)
	}
	key := id.Sum(nil)[:16]
	if isOf(earlier, key) {
		return earlier, nil
	}
	at := d.book.URL + "book.html"
	lookup := func(name string) ([]byte, bool) {
		if name == at {
			return slices.Clone(page.Bytes()), true
		}
		return o.Lookup(name)
	}
	for range maxPrints {
		data, err := c.print(ctx, at, lookup, d.book.Pages)
		if err != nil {
			return nil, err
		}
		f, err := readPDF(data)
		if err != nil {
			return nil, err
		}
		if render(f.places()) {
			return f.write(describe, key), nil
		}
	}
	return nil, diag.Say("book.pdf-unsettled")
}
