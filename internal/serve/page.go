package serve

import (
	"bytes"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"
	"unicode"

	"github.com/gpudocs/gpudocs/internal/render/hosting"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	limit(w)
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	for _, header := range hosting.Headers() {
		h.Set(header.Name, header.Value)
	}
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin") // another site that opens a page cannot navigate it
	if r.Method == http.MethodPost && r.URL.Path == actionsPath && s.actor != nil {
		s.actor.run(w, r)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		unread(w, r)
		http.Error(w, "This server only answers GET and HEAD.", http.StatusMethodNotAllowed)
		return
	}
	if r.Body != nil && r.Body != http.NoBody {
		unread(w, r)
		http.Error(w, "A request for a page has no body.", http.StatusBadRequest)
		return
	}
	switch r.URL.Path {
	case eventsPath:
		s.events(w, r)
	case scriptPath:
		answer(w, r, http.StatusOK, "text/javascript; charset=utf-8", liveJS())
	case stylePath:
		answer(w, r, http.StatusOK, "text/css; charset=utf-8", liveCSS)
	case actionsPath, buttonsPath, openPath, openerPath:
		s.actions(w, r)
	default:
		s.page(w, r)
	}
}

// actions answers requests for the files of actions, which exist only with [Preview.Actions].
func (s *Server) actions(w http.ResponseWriter, r *http.Request) {
	switch {
	case s.actor == nil:
		s.page(w, r) // not found
	case r.URL.Path == actionsPath:
		s.actor.list(w, r)
	case r.URL.Path == openPath:
		answer(w, r, http.StatusOK, "text/html; charset=utf-8", execute(openPage, catalogFor(r)))
	case r.URL.Path == openerPath:
		answer(w, r, http.StatusOK, "text/javascript; charset=utf-8", openerJS)
	default:
		answer(w, r, http.StatusOK, "text/javascript; charset=utf-8", buttonsJS())
	}
}

// page answers with the file that the site publishes under the path of the request.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	name, ok := fileName(r.URL.Path)
	if !ok {
		http.Error(w, "This is no path of a page.", http.StatusBadRequest)
		return
	}
	st := s.built(r.Context())
	switch {
	case st == nil:
		http.Error(w, "The server is ending.", http.StatusServiceUnavailable)
	case st.snapshot == nil:
		var problems strings.Builder
		c := catalogFor(r)
		diag.Print(&problems, st.problems[:min(len(st.problems), maxProblems)], diag.Style{Catalog: c})
		s.html(w, r, st, name, http.StatusInternalServerError, notice(c, "not-built", problems.String()))
	default:
		s.file(w, r, st, name)
	}
}

// fileName returns the file of a URL path. Paths that a file system or a browser might read in another way have
// none.
func fileName(path string) (name string, ok bool) {
	name, ok = strings.CutPrefix(path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	odd := func(r rune) bool { return r == '\\' || unicode.IsControl(r) }
	return name, ok && fs.ValidPath(name) && name != "." && !strings.ContainsFunc(name, odd)
}

func (s *Server) file(w http.ResponseWriter, r *http.Request, st *state, name string) {
	if to, ok := st.snapshot.Redirect(name); ok {
		redirect(w, r, to)
		return
	}
	data, ok, err := st.snapshot.File(name)
	if err == nil && !ok {
		var folder bool
		if _, folder, err = st.snapshot.File(name + "/index.html"); folder && err == nil {
			redirect(w, r, name+"/")
			return
		}
	}
	switch {
	case err != nil:
		s.html(w, r, st, name, http.StatusInternalServerError, notice(catalogFor(r), "not-rendered", err.Error()))
	case !ok:
		s.notFound(w, r, st, name)
	case hosting.IsDrawing(name):
		w.Header().Add("Content-Security-Policy", hosting.Drawing)
		answer(w, r, http.StatusOK, contentType(name, data), data)
	case s.actor != nil && st.snapshot.Attached(name) && (isHTML(name) || strings.Contains(types[strings.ToLower(path.Ext(name))], "xml")):
		// Without the policy its scripts, if it has some, could read the token.
		w.Header().Add("Content-Security-Policy", "sandbox")
		answer(w, r, http.StatusOK, contentType(name, data), data)
	case isHTML(name):
		s.html(w, r, st, name, http.StatusOK, data)
	default:
		answer(w, r, http.StatusOK, contentType(name, data), data)
	}
}

// redirect sends the browser to a path. The redirect is not permanent, because the browser would remember it
// when a page is written at the old address.
func redirect(w http.ResponseWriter, r *http.Request, to string) {
	target := url.URL{Path: "/" + to, RawQuery: r.URL.RawQuery}
	w.Header().Set("Location", target.String())
	w.WriteHeader(http.StatusFound)
}

// notFound answers with the site's own page in the language of the path, or that of the site. If neither can be made, it
// answers with a page of the server.
func (s *Server) notFound(w http.ResponseWriter, r *http.Request, st *state, name string) {
	lang, _, _ := strings.Cut(name, "/")
	for _, custom := range []string{lang + "/404.html", "404.html"} {
		if data, ok, err := st.snapshot.File(custom); ok && err == nil {
			s.html(w, r, st, custom, http.StatusNotFound, data)
			return
		}
	}
	s.html(w, r, st, name, http.StatusNotFound, notice(catalogFor(r), "not-found", name))
}

// html answers with a page and its live script.
func (s *Server) html(w http.ResponseWriter, r *http.Request, st *state, name string, status int, page []byte) {
	answer(w, r, status, "text/html; charset=utf-8", s.withScript(st, name, page))
}

func answer(w http.ResponseWriter, r *http.Request, status int, contentType string, data []byte) {
	limit(w)
	w.Header().Set("Content-Type", contentType)
	if status == http.StatusOK {
		http.ServeContent(paced{w}, r, "", time.Time{}, bytes.NewReader(data)) // it supports ranges, which videos need
		return
	}
	w.WriteHeader(status)
	w.Write(data) // an error means that the client is gone
}
