package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// quiet is the time that serve waits for further changes before it builds. It does no work meanwhile.
const quiet = 50 * time.Millisecond

var servedAt = regexp.MustCompile(`http://[0-9a-z.:\[\]]+/`)

// edits measures serve: bench edits [-edits 50] [-kind body,title,…] [-gpudocs PROGRAM] SITE. It changes one
// file after another, and measures the time from before the file is written until a page of the server
// shows the change, less the quiet time. In the end it restores the files.
func edits(ctx context.Context, args []string) (err error) {
	flags := flag.NewFlagSet("edits", flag.ContinueOnError)
	n := flags.Int("edits", 50, "`number` of edits of each kind")
	only := flags.String("kind", "", "`kinds` of edits, with commas: body, title, string, template, report; all without it")
	program := flags.String("gpudocs", "gpudocs", "the `program` to measure")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || *n < 1 {
		return errors.New("usage: bench edits [-edits 50] [-kind body,title,string,template,report] [-gpudocs PROGRAM] SITE")
	}
	chosen := kinds
	if *only != "" {
		chosen = slices.DeleteFunc(slices.Clone(kinds), func(k kind) bool { return !slices.Contains(strings.Split(*only, ","), k.name) })
	}
	if len(chosen) == 0 {
		return fmt.Errorf("%q is no kind of edit", *only)
	}
	site := flags.Arg(0)
	pages, err := pagesOf(site)
	if err != nil || len(pages) < *n {
		return fmt.Errorf("%d pages in %s: %w", len(pages), site, err)
	}
	undo, err := madeFor(ctx, *program, site, pages)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, undo()) }()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	address, wait, err := serve(ctx, *program, site)
	if err != nil {
		return err
	}
	defer func() { stop(); wait() }()
	if _, err := fetch(ctx, address); err != nil { // answers when the first build is there
		return err
	}
	fmt.Printf("%d pages, %d edits of each kind, in ms, without the %v for which serve waits for more\n", len(pages), *n, quiet)
	for _, k := range chosen {
		times, err := k.measure(ctx, address, site, pages, *n)
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		ms := func(at int) float64 { return float64(times[at].Microseconds()) / 1000 }
		fmt.Printf("%-8s  median %.1f, 90 %% within %.1f, longest %.1f\n", k.name, ms(*n/2), ms(*n*9/10), ms(*n-1))
	}
	return nil
}

// measure makes n edits, each seen on another page, and returns how long they took, in order.
func (k kind) measure(ctx context.Context, address, site string, pages []string, n int) (times []time.Duration, err error) {
	for i := range n {
		page := pages[i*len(pages)/n]
		if k.name == "report" { // of one page
			page = path.Join(languageOf(pages[0]), benchPage)
		}
		took, err := k.edit(ctx, address, site, page, fmt.Sprintf("bench edit %d of %d", i, os.Getpid()))
		if err != nil {
			return nil, err
		}
		times = append(times, took-quiet)
	}
	slices.Sort(times)
	return times, nil
}

// pagesOf returns the pages except index.md, as paths below content/.
func pagesOf(site string) (pages []string, err error) {
	root := filepath.Join(site, "content")
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(name) == ".md" && d.Name() != "index.md" && d.Name()[0] != '_' && !strings.Contains(name, " ") {
			rel, _ := filepath.Rel(root, name)
			pages = append(pages, filepath.ToSlash(rel))
		}
		return err
	})
	return pages, err
}

// serve starts the server, and returns its address.
func serve(ctx context.Context, program, site string) (address string, wait func(), err error) {
	c := exec.CommandContext(ctx, program, "serve", "--site", site, "--addr", "127.0.0.1:0")
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := c.Start(); err != nil {
		return "", nil, err
	}
	lines := bufio.NewReader(out)
	for address == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			return "", nil, fmt.Errorf("serve did not say where it is: %w", err)
		}
		address = servedAt.FindString(line)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return address, func() { _ = c.Wait() }, nil
}

// edit changes a file, waits until a page is served with the mark, and changes it back.
func (k kind) edit(ctx context.Context, address, site, page, mark string) (time.Duration, error) {
	name := filepath.Join(site, filepath.FromSlash(k.of(page)))
	old, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	url := address + strings.TrimSuffix(page, ".md") + "/"
	began := time.Now()
	if err := os.WriteFile(name, []byte(k.change(string(old), mark)), 0o600); err != nil {
		return 0, err
	}
	time.Sleep(quiet) // the page cannot change before
	err = until(ctx, url, func(body string) bool { return strings.Contains(body, mark) })
	took := time.Since(began)
	if back := os.WriteFile(name, old, 0o600); err == nil {
		err = back
	}
	if err == nil {
		err = until(ctx, url, func(body string) bool { return !strings.Contains(body, mark) })
	}
	return took, err
}

// until requests a page until it is ok. It waits between requests, because the server renders the page
// each time.
func until(ctx context.Context, url string, ok func(body string) bool) error {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		body, err := fetch(ctx, url)
		if err != nil {
			return err
		}
		if ok(body) {
			return nil
		}
	}
	return fmt.Errorf("%s is not what was written", url)
}

func fetch(ctx context.Context, url string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if answer.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s: %s", url, answer.Status)
	}
	return string(body), err
}
