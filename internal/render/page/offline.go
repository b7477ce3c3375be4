package page

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Offline returns a page with the name of the file in each link to a folder: a site that is opened from a folder has no
// server that would look for index.html. It changes the finished page, so that it applies to all links: of Markdown, raw
// HTML, and a theme's templates.
func Offline(page []byte) []byte {
	var out bytes.Buffer
	each(page, func(raw []byte, t html.Token) {
		changed := false
		for i, a := range t.Attr {
			switch wait, url, refresh := strings.Cut(a.Val, "url="); {
			case a.Key == "href" || a.Key == "src" || a.Key == "action":
				t.Attr[i].Val = named(a.Val)
			case t.Data == "meta" && a.Key == "content" && refresh && isRefresh(t):
				t.Attr[i].Val = wait + "url=" + named(url)
			}
			changed = changed || t.Attr[i].Val != a.Val
		}
		if changed {
			out.WriteString(t.String())
		} else {
			out.Write(raw)
		}
	})
	return out.Bytes()
}

// isRefresh reports whether a <meta> redirects to another page.
func isRefresh(t html.Token) bool {
	return slices.ContainsFunc(t.Attr, func(a html.Attribute) bool {
		return a.Key == "http-equiv" && strings.EqualFold(a.Val, "refresh")
	})
}

// named returns an address with the name of the file in it. Addresses of other sites are not changed.
func named(address string) string {
	at := strings.IndexAny(address, "?#")
	if at < 0 {
		at = len(address)
	}
	file, rest := address[:at], address[at:]
	scheme, _, _ := strings.Cut(file, "/")
	switch {
	case strings.HasPrefix(file, "/"), strings.Contains(scheme, ":"):
		return address
	case strings.HasSuffix(file, "/"):
		return file + "index.html" + rest
	case file == "." || file == ".." || strings.HasSuffix(file, "/.."):
		return file + "/index.html" + rest
	}
	return address
}
