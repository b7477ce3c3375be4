package preview

import (
	"bytes"
	_ "embed"
	"fmt"
	"hash/fnv"
	"html"
	"html/template"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The paths that belong to the server, as named in the assets too. Those of actions
// are there only where there are any.
const (
	scriptPath  = "/_gpudocs/live.js"
	stylePath   = "/_gpudocs/live.css"
	eventsPath  = "/_gpudocs/events"
	actionsPath = "/_gpudocs/actions"
	buttonsPath = "/_gpudocs/run.js"
	openPath    = "/_gpudocs/run"
	openerPath  = "/_gpudocs/open.js"
)

var (
	//go:embed patch.js
	patchJS []byte
	//go:embed live.js
	ownJS []byte
	// liveJS is one script, whose parts share their names with each other alone.
	liveJS = slices.Concat([]byte("(() => {\n'use strict';\n"), patchJS, ownJS, []byte("})();\n"))
	//go:embed live.css
	liveCSS []byte
	//go:embed run.js
	buttonsJS []byte
	//go:embed run.html
	openHTML string
	//go:embed open.js
	openerJS []byte
	//go:embed notice.html
	noticeHTML string

	noticePage = template.Must(template.New("notice").Parse(noticeHTML))
	openPage   = template.Must(template.New("open").Parse(openHTML))
)

// withScript returns the page with the live script, which learns from its own tag
// what build the page is of, and what its scripts are. It runs at once, where it
// stands: it has to see the page as it was sent, before other scripts change it.
func (s *Server) withScript(st *state, name string, page []byte) []byte {
	tags := fmt.Sprintf("<script src=\"%s?build=%s\" data-scripts=\"%s\"></script>\n", scriptPath, st.build, st.scripts(name, page))
	if s.actor != nil {
		tags += fmt.Sprintf("<script src=\"%s\" defer></script>\n", buttonsPath)
	}
	at := bodyEnd(page)
	return bytes.Join([][]byte{page[:at], []byte(tags), page[at:]}, nil)
}

var scriptTag = regexp.MustCompile(`(?is)<script\b([^>]*?)\bsrc\s*=\s*["']?([^"'\s>]*)["']?([^>]*)>`)

// scripts is another text where a page has other scripts, or they hold something
// else. Where they lie does not count: a theme's files move when any of them changes.
func (st *state) scripts(name string, page []byte) string {
	if st.snapshot == nil {
		return ""
	}
	h := fnv.New64a()
	for _, m := range scriptTag.FindAllSubmatch(page, -1) {
		h.Write(m[1])
		h.Write(m[3])
		to, err := url.Parse(html.UnescapeString(string(m[2])))
		if err == nil && to.Host == "" {
			to = (&url.URL{Path: "/" + name}).ResolveReference(to)
			if data, ok, err := st.snapshot.File(strings.TrimPrefix(to.Path, "/")); ok && err == nil {
				fmt.Fprintf(h, " %d ", len(data))
				h.Write(data)
				continue
			}
		}
		h.Write(m[2])
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

// bodyEnd returns the offset of the last </body>, or the end. An earlier one
// may stand in a script or a comment.
func bodyEnd(page []byte) int {
	const tag = "</body>"
	for at := len(page); ; {
		if at = bytes.LastIndexByte(page[:at], '<'); at < 0 {
			return len(page)
		}
		if rest := page[at:]; len(rest) >= len(tag) && bytes.EqualFold(rest[:len(tag)], []byte(tag)) {
			return at
		}
	}
}

// notice makes a page of the server's own.
func notice(lang, title, text, details string) []byte {
	return own(noticePage, struct{ Lang, Title, Text, Details string }{lang, title, text, details})
}

// own executes one of our templates, which take any strings.
func own(t *template.Template, data any) []byte {
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		panic(err)
	}
	return b.Bytes()
}
