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
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// quiet is how long serve waits for further changes before it builds; no work is done meanwhile.
const quiet = 50 * time.Millisecond

var servedAt = regexp.MustCompile(`http://[0-9a-z.:\[\]]+/`)

// edits measures serve: bench edits [-edits 50] [-gpudocs PROGRAM] SITE. It writes a line into one page
// after another, and takes the time from before the file is written until the page that the server
// sends has the line, less the quiet time. The files are as they were in the end.
func edits(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("edits", flag.ContinueOnError)
	n := flags.Int("edits", 50, "`number` of pages to edit")
	program := flags.String("gpudocs", "gpudocs", "the `program` to measure")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("usage: bench edits [-edits 50] [-gpudocs PROGRAM] SITE")
	}
	site := flags.Arg(0)
	pages, err := pagesOf(site)
	if err != nil || len(pages) < *n {
		return fmt.Errorf("%d pages in %s: %w", len(pages), site, err)
	}
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
	var times []time.Duration
	for i := range *n {
		took, err := edit(ctx, address, site, pages[i*len(pages) / *n], fmt.Sprintf("bench edit %d of %d", i, os.Getpid()))
		if err != nil {
			return err
		}
		times = append(times, took-quiet)
	}
	slices.Sort(times)
	ms := func(at int) float64 { return float64(times[at].Microseconds()) / 1000 }
	fmt.Printf("%d pages, %d edits, without the %v that serve waits for more: median %.1f ms, 90 %% within %.1f ms, longest %.1f ms\n",
		len(pages), *n, quiet, ms(*n/2), ms(*n*9/10), ms(*n-1))
	return nil
}

// pagesOf are the pages but index.md, by their paths below content/.
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

// serve starts the server, and returns where it is.
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

// edit adds a line to a page, waits until it is served, and takes it away again.
func edit(ctx context.Context, address, site, page, line string) (time.Duration, error) {
	name := filepath.Join(site, "content", filepath.FromSlash(page))
	old, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	url := address + strings.TrimSuffix(page, ".md") + "/"
	began := time.Now()
	if err := os.WriteFile(name, append(slices.Clip(old), "\n\n"+line+"\n"...), 0o600); err != nil {
		return 0, err
	}
	time.Sleep(quiet) // nothing comes before
	err = until(ctx, url, func(body string) bool { return strings.Contains(body, line) })
	took := time.Since(began)
	if back := os.WriteFile(name, old, 0o600); err == nil {
		err = back
	}
	if err == nil {
		err = until(ctx, url, func(body string) bool { return !strings.Contains(body, line) })
	}
	return took, err
}

// until asks for a page until it is as it should be. The server renders it each time, so it is not
// asked all the time.
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
