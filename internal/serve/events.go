package serve

import (
	"fmt"
	"net/http"
	"time"
)

// events keeps a page informed until it leaves or the server ends. The query
// names the build that the page came from; without it, the first state sent
// counts as the page's own.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	if r.Method == http.MethodHead {
		return
	}
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default: // what is left is for pages
		w.Header().Del("Content-Type")
		w.Header().Set("Connection", "close")
		http.Error(w, "Too many pages are open.", http.StatusServiceUnavailable)
		return
	}
	out := stream{w, http.NewResponseController(w)}
	if !out.comment() { // the headers go out at once, even while the first build runs
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

// idle holds the stream open until the state is replaced.
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

// A stream writes server-sent events. Its methods return false when the client
// is gone, or so slow that it shall come again.
type stream struct {
	w          http.ResponseWriter
	controller *http.ResponseController
}

func (s stream) event(name string, data []byte) bool {
	return s.write("event: %s\ndata: %s\n\n", name, data)
}

// comment writes what clients pass over.
func (s stream) comment() bool { return s.write(":\n\n") }

func (s stream) write(format string, args ...any) bool {
	limit(s.w)
	_, err := fmt.Fprintf(s.w, format, args...)
	return err == nil && s.controller.Flush() == nil
}
