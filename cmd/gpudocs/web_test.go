package main

import (
	"net/http"
	"net/http/httptest"

	"github.com/rogpeppe/go-internal/testscript"
)

// web starts a server for check --external and sets $WEB to its address:
//
//	/ok    a page with the id "uso"       /missing   404
//	/old   has moved to /ok for good
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
