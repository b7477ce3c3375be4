// Package browser drives a real Chromium through four sites: the repository's own, one of a few
// tutorials that do not change, one with everything that pages can have, and a lab of four machines
// (testdata). TestFirefox tries in Firefox what scripts do. It builds
// gpudocs, serves copies of the sites with it, and checks the pages as a reader sees them. It is a
// module of its own, so that gpudocs does not depend on the libraries that drive a browser.
//
//	go test -count=1 ./...                          in this folder; Go caches what it should not
//	CHROME=/opt/chrome/chrome go test -count=1 .    another browser
//	GPUDOCS_REQUIRE_BROWSER=1 go test -count=1 .    no browser is a failure, not a skip
//	GPUDOCS_SCREENSHOTS=/tmp/shots go test -count=1 .    also writes pictures to look at
//
// Every test has a tab and a profile of its own. It fails if its tab logs an error, violates the
// Content-Security-Policy, or sends a request to another host. No test sleeps for a fixed time: tests
// wait for a condition, and fail if it does not come true.
package browser

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// patience is how long a test waits for a condition. Only a failing test ever
// waits as long.
const patience = 90 * time.Second

var (
	workDir string // for this run; removed at its end
	binary  string // the gpudocs under test

	// stops are what the shared fixtures started; they end after all tests.
	stops   []func()
	stopsMu sync.Mutex
)

// atEnd has f called when all tests have ended.
func atEnd(f func()) {
	stopsMu.Lock()
	defer stopsMu.Unlock()
	stops = append(stops, f)
}

func TestMain(m *testing.M) {
	// A tab mostly waits for the browser, whose processes are many.
	_ = flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0)))
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "gpudocs-browser-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	workDir = dir
	defer func() {
		for _, stop := range stops {
			stop()
		}
	}()
	if _, err := browserPath(); err == nil { // otherwise the tests report what is missing
		binary = filepath.Join(dir, "gpudocs")
		build := exec.Command("go", "build", "-C", "../..", "-buildvcs=false", "-ldflags=-s -w", "-o", binary, "./cmd/gpudocs")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go build ./cmd/gpudocs: %v\n%s", err, out)
			return 1
		}
	}
	return m.Run()
}

// browserPath finds a Chromium. Debian's headless shell has the same engine, and TestAxe takes 36 s of CPU time with it,
// 63 s with the whole browser.
func browserPath() (string, error) {
	if own := os.Getenv("CHROME"); own != "" {
		path, err := exec.LookPath(own)
		if err != nil {
			return "", fmt.Errorf("CHROME: %w", err)
		}
		return path, nil
	}
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("neither chromium-headless-shell nor chromium, chromium-browser or google-chrome is in PATH, and CHROME names no other")
}

// startBrowser starts the browser that all tests share, each in a profile of
// its own.
var startBrowser = sync.OnceValues(func() (context.Context, error) {
	path, err := browserPath()
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:len(chromedp.DefaultExecAllocatorOptions):len(chromedp.DefaultExecAllocatorOptions)],
		chromedp.ExecPath(path),
		chromedp.Flag("headless", "new"),
		chromedp.NoSandbox, // the pages are our own; containers seldom allow a sandbox
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		// Switches of chromedp, and no spare process for the next site, as a profile has only one here.
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,SpareRendererForSitePerProcess"),
		chromedp.Flag("hide-scrollbars", false),
		chromedp.Flag("lang", "en-US"),
		chromedp.WindowSize(1280, 900),
	)
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	atEnd(func() { stop(); stopAllocator() })
	if err := chromedp.Do(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return ctx, nil
})

// needBrowser skips the test where there is no browser, or fails it where one
// is required. A browser that is there but does not start is always a failure.
func needBrowser(t *testing.T) context.Context {
	t.Helper()
	if _, err := browserPath(); err != nil {
		if os.Getenv("GPUDOCS_REQUIRE_BROWSER") == "1" {
			t.Fatalf("GPUDOCS_REQUIRE_BROWSER is set: %v", err)
		}
		t.Skipf("no browser: %v", err)
	}
	ctx, err := startBrowser()
	if err != nil {
		t.Fatalf("the browser does not start: %v", err)
	}
	return ctx
}
