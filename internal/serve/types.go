package serve

import (
	"path"
	"strings"
	"unicode/utf8"
)

// types are the content types by extension. Package mime would read the tables of the machine, but a preview
// should be the same on every machine.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".htm":  "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".mjs":  "text/javascript; charset=utf-8",
	".md":   "text/markdown; charset=utf-8",
	".csv":  "text/csv; charset=utf-8",

	".json":        "application/json",
	".map":         "application/json",
	".ipynb":       "application/x-ipynb+json",
	".webmanifest": "application/manifest+json",
	".xml":         "application/xml; charset=utf-8",
	".rss":         "application/rss+xml; charset=utf-8",
	".atom":        "application/atom+xml; charset=utf-8",

	".svg":  "image/svg+xml; charset=utf-8",
	".png":  "image/png",
	".jpg":  "image/jpeg",
	".jpeg": "image/jpeg",
	".gif":  "image/gif",
	".webp": "image/webp",
	".avif": "image/avif",
	".ico":  "image/x-icon",

	".woff2": "font/woff2",
	".woff":  "font/woff",
	".ttf":   "font/ttf",
	".otf":   "font/otf",

	".mp4":  "video/mp4",
	".webm": "video/webm",
	".mp3":  "audio/mpeg",
	".pdf":  "application/pdf",
	".wasm": "application/wasm",
	".zip":  "application/zip",
	".gz":   "application/gzip",
}

// contentType returns the type of a file. Text with an unknown extension is plain text, so that it can be read and is
// not run.
func contentType(name string, data []byte) string {
	if t, ok := types[strings.ToLower(path.Ext(name))]; ok {
		return t
	}
	if utf8.Valid(data) && !strings.Contains(string(data), "\x00") {
		return "text/plain; charset=utf-8"
	}
	return "application/octet-stream"
}

func isHTML(name string) bool {
	return strings.HasPrefix(types[strings.ToLower(path.Ext(name))], "text/html")
}
