package serve

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"html"
	"html/template"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/gpudocs/gpudocs/internal/text"
)

// The paths that belong to the server. The assets name them too. Those of actions exist only with
// [Preview.Actions].
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
	patchSource []byte
	//go:embed live.js
	liveSource []byte
	//go:embed live.css
	liveCSS []byte
	//go:embed run.js
	buttonsSource []byte
	//go:embed run.html
	openHTML string
	//go:embed open.js
	openerJS []byte
	//go:embed notice.html
	noticeHTML string

	noticePage = template.Must(template.New("notice").Parse(noticeHTML))
	openPage   = template.Must(template.New("open").Parse(openHTML))
)

var (
	liveJS    = sync.OnceValue(func() []byte { return script("overlay.", patchSource, liveSource) })
	buttonsJS = sync.OnceValue(func() []byte { return script("run.", buttonsSource) })
)

// script joins parts to one script with a scope of its own, and with the texts whose keys begin with a prefix, by
// the codes of all languages.
func script(prefix string, parts ...[]byte) []byte {
	texts := map[string]map[string]any{}
	for _, c := range catalogs() {
		texts[c.Code()] = c.Texts(prefix)
	}
	data, err := json.Marshal(texts)
	if err != nil {
		panic(err) // strings can always be encoded
	}
	return fmt.Appendf(nil, "(() => {\n'use strict';\nconst texts = %s;\n%s})();\n", data, bytes.Join(parts, nil))
}

// withScript returns the page with the tag of the live script, which has the build of the page and the hashes of its
// scripts and images. The script runs at once, to see the page as it was sent, before other scripts change it.
func (s *Server) withScript(st *state, name string, page []byte) []byte {
	tags := fmt.Sprintf("<script src=\"%s?build=%s\" data-scripts=\"%s\" data-images=\"%s\"></script>\n",
		scriptPath, st.build, st.scripts(name, page), html.EscapeString(st.images(name, page)))
	if s.actor != nil {
		tags += fmt.Sprintf("<script src=\"%s\" defer></script>\n", buttonsPath)
	}
	at := bodyEnd(page)
	return bytes.Join([][]byte{page[:at], []byte(tags), page[at:]}, nil)
}

var scriptTag = regexp.MustCompile(`(?is)<script\b([^>]*?)\ssrc\s*=\s*["']?([^"'\s>]*)["']?([^>]*)>`)

// scripts returns a hash of the scripts of a page. Their addresses are not part of it, because the files of a theme
// move if any of them changes.
func (st *state) scripts(name string, page []byte) string {
	if st.snapshot == nil {
		return ""
	}
	h := fnv.New64a()
	for _, m := range scriptTag.FindAllSubmatch(page, -1) {
		h.Write(m[1])
		h.Write(m[3])
		if sum, ok := st.sum(name, html.UnescapeString(string(m[2]))); ok {
			fmt.Fprintf(h, " %s ", sum)
		} else {
			h.Write(m[2])
		}
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

var imageTag = regexp.MustCompile(`(?is)<img\b[^>]*?\ssrc\s*=\s*["']?([^"'\s>]*)`)

// images returns the hashes of the images of a page as JSON, by their addresses in the page.
func (st *state) images(name string, page []byte) string {
	sums := map[string]string{}
	if st.snapshot != nil {
		for _, m := range imageTag.FindAllSubmatch(page, -1) {
			src := html.UnescapeString(string(m[1]))
			if sum, ok := st.sum(name, src); ok {
				sums[src] = sum
			}
		}
	}
	data, err := json.Marshal(sums)
	if err != nil {
		panic(err) // strings can always be encoded
	}
	return string(data)
}

// sum returns a hash of the file at an address in a page. As a snapshot does not change, each file is read once.
func (st *state) sum(page, address string) (sum string, ok bool) {
	to, err := url.Parse(address)
	if err != nil || to.Host != "" || to.Scheme != "" {
		return "", false
	}
	file := strings.TrimPrefix((&url.URL{Path: "/" + page}).ResolveReference(to).Path, "/")
	if known, ok := st.sums.Load(file); ok {
		return known.(string), true
	}
	data, ok, err := st.snapshot.File(file)
	if !ok || err != nil {
		return "", false
	}
	h := fnv.New64a()
	h.Write(data)
	sum = strconv.FormatUint(h.Sum64(), 36) + "-" + strconv.Itoa(len(data))
	st.sums.Store(file, sum)
	return sum, true
}

// bodyEnd returns the offset of the last </body>, or the end. An earlier one may be in a script or a comment.
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

// notice returns a page of the server, with the texts page.NAME and page.NAME-text.
func notice(c text.Catalog, name, details string) []byte {
	type texts struct{ Lang, Title, Text, Details string }
	return execute(noticePage, texts{c.Code(), c.Get("page." + name), c.Get("page." + name + "-text"), details})
}

// execute executes one of the templates above, which never fail.
func execute(t *template.Template, data any) []byte {
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		panic(err)
	}
	return b.Bytes()
}
