package render

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// A site that opens from a folder has no server that would look for index.html: every link
// to a folder names it. This is done to the finished page, so that it holds for whatever
// wrote the link: Markdown, raw HTML, a theme's template.

func offline(page []byte) []byte {
	var out bytes.Buffer
	each(page, func(raw []byte, t html.Token) {
		changed := false
		for i, a := range t.Attr {
			if a.Key == "href" || a.Key == "src" || a.Key == "action" {
				t.Attr[i].Val = named(a.Val)
				changed = changed || t.Attr[i].Val != a.Val
			}
		}
		if changed {
			out.WriteString(t.String())
		} else {
			out.Write(raw)
		}
	})
	return out.Bytes()
}

// named is an address with the name of the file in it. One of another place stays.
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
