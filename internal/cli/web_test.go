package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// web starts a server for check --external and sets $WEB to its address:
//
//	/ok    a page with the id "uso"       /missing   404
//	/old   redirects to /ok permanently
func web(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: web")
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/ok", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`<!doctype html><p id="uso">`)) })
	mux.Handle("/old", http.RedirectHandler("/ok", http.StatusMovedPermanently))
	s := httptest.NewServer(mux)
	ts.Defer(s.Close)
	ts.Setenv("WEB", s.URL)
}

// ask requests an action of serve --allow-run, as one of its own pages does, and prints the
// answer.
func ask(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) == 4, neg, "ask URL TOKEN ACTION STATUS")
	r, err := http.NewRequest(http.MethodPost, args[0]+"/_gpudocs/actions", strings.NewReader(`{"action": "`+args[2]+`"}`))
	ts.Check(err)
	r.Header.Set("Origin", args[0])
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Gpudocs-Token", args[1])
	answer, err := http.DefaultClient.Do(r)
	ts.Check(err)
	defer answer.Body.Close()
	_, err = io.Copy(ts.Stdout(), answer.Body)
	ts.Check(err)
	if strconv.Itoa(answer.StatusCode) != args[3] {
		ts.Fatalf("status %d, want %s", answer.StatusCode, args[3])
	}
}
