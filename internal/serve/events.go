package serve

import (
	"fmt"
	"net/http"
	"time"
)

// events sends each new state to a page until it closes the stream or the server ends. The query has the
// build of the page; the default is that of the first state that is sent.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	if r.Method == http.MethodHead {
		return
	}
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default: // the other connections are for pages
		w.Header().Del("Content-Type")
		w.Header().Set("Connection", "close")
		http.Error(w, "Too many pages are open.", http.StatusServiceUnavailable)
		return
	}
	out := stream{w, http.NewResponseController(w)}
	if !out.comment() { // sends the headers at once, even during the first build
		return
	}
	page := r.URL.Query().Get("build")
	for {
		st := s.state.Load()
		if st.message != nil {
			if page == "" {
				page = st.build
			}
			if !out.event(st.eventFor(page), st.message) {
				return
			}
		}
		if !s.idle(r, out, st) {
			return
		}
	}
}

// idle keeps the stream open until the state is replaced, and reports whether the client is still there.
func (s *Server) idle(r *http.Request, out stream, st *state) bool {
	beat := time.NewTicker(s.heartbeat)
	defer beat.Stop()
	for {
		select {
		case <-r.Context().Done():
			return false
		case <-st.replaced:
			return true
		case <-beat.C:
			if !out.comment() {
				return false
			}
		}
	}
}

func (st *state) eventFor(page string) string {
	if page != st.build {
		return "reload"
	}
	return "problems"
}

// A stream writes server-sent events. Its methods return false if the client is gone or too slow; it can
// connect again.
type stream struct {
	w          http.ResponseWriter
	controller *http.ResponseController
}

func (s stream) event(name string, data []byte) bool {
	return s.write("event: %s\ndata: %s\n\n", name, data)
}

// comment writes a line that clients ignore.
func (s stream) comment() bool { return s.write(":\n\n") }

func (s stream) write(format string, args ...any) bool {
	limit(s.w)
	_, err := fmt.Fprintf(s.w, format, args...)
	return err == nil && s.controller.Flush() == nil
}
