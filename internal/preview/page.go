package preview

import (
	"bytes"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// policy allows what a static site on a strict host may do.
const policy = "default-src 'self'; img-src 'self' https: data:; " +
	"object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"

func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	limit(w)
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", policy)
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "This server only answers GET and HEAD.", http.StatusMethodNotAllowed)
		return
	}
	switch r.URL.Path {
	case eventsPath:
		s.events(w, r)
	case scriptPath:
		answer(w, r, http.StatusOK, "text/javascript; charset=utf-8", liveJS)
	case stylePath:
		answer(w, r, http.StatusOK, "text/css; charset=utf-8", liveCSS)
	default:
		s.page(w, r)
	}
}

// page answers with what the site publishes under the path of the request.
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
		diag.Print(&problems, st.problems[:min(len(st.problems), maxProblems)], diag.Look{})
		st.html(w, r, http.StatusInternalServerError,
			notice("The site could not be built", "This page reloads when the errors are mended.", problems.String()))
	default:
		st.file(w, r, name)
	}
}

// fileName returns the file that a URL path stands for. Only plain paths have
// one: nothing that a file system or a browser might read in another way.
func fileName(path string) (name string, ok bool) {
	name, ok = strings.CutPrefix(path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	odd := func(r rune) bool { return r == '\\' || unicode.IsControl(r) }
	return name, ok && fs.ValidPath(name) && name != "." && !strings.ContainsFunc(name, odd)
}

func (st *state) file(w http.ResponseWriter, r *http.Request, name string) {
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
		st.html(w, r, http.StatusInternalServerError,
			notice("This page could not be made", "It reloads after the next change.", err.Error()))
	case !ok:
		st.notFound(w, r, name)
	case isHTML(name):
		st.html(w, r, http.StatusOK, data)
	default:
		answer(w, r, http.StatusOK, contentType(name, data), data)
	}
}

// redirect sends the browser to a path. It is never told that this is for good, for it
// would remember that when the page is written anew.
func redirect(w http.ResponseWriter, r *http.Request, to string) {
	target := url.URL{Path: "/" + to, RawQuery: r.URL.RawQuery}
	w.Header().Set("Location", target.String())
	w.WriteHeader(http.StatusFound)
}

// notFound prefers the site's own page in the language of the path. A page
// that cannot be made is as good as none: the answer stays "not found".
func (st *state) notFound(w http.ResponseWriter, r *http.Request, name string) {
	lang, _, _ := strings.Cut(name, "/")
	for _, own := range []string{lang + "/404.html", "404.html"} {
		if data, ok, err := st.snapshot.File(own); ok && err == nil {
			st.html(w, r, http.StatusNotFound, data)
			return
		}
	}
	st.html(w, r, http.StatusNotFound,
		notice("Not found", "The site has no such file. This page reloads after the next change.", name))
}

// html answers with a page, made to follow the builds.
func (st *state) html(w http.ResponseWriter, r *http.Request, status int, page []byte) {
	answer(w, r, status, "text/html; charset=utf-8", withScript(page, st.build))
}

func answer(w http.ResponseWriter, r *http.Request, status int, contentType string, data []byte) {
	limit(w)
	w.Header().Set("Content-Type", contentType)
	if status == http.StatusOK {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data)) // knows ranges, which videos need
		return
	}
	w.WriteHeader(status)
	w.Write(data) // to a client that may be gone
}

// limit gives the client time from now on. A failure means that w is not a
// connection, as in tests.
func limit(w http.ResponseWriter) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeLimit))
}
