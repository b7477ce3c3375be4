package preview

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
)

// The paths that belong to the server, as named in the assets too.
const (
	scriptPath = "/_gpudocs/live.js"
	stylePath  = "/_gpudocs/live.css"
	eventsPath = "/_gpudocs/events"
)

var (
	//go:embed live.js
	liveJS []byte
	//go:embed live.css
	liveCSS []byte
	//go:embed notice.html
	noticeHTML string

	noticePage = template.Must(template.New("notice").Parse(noticeHTML))
)

// withScript returns the page with the live script, which learns from its own
// address what build the page is of.
func withScript(page []byte, build string) []byte {
	script := fmt.Sprintf("<script src=\"%s?build=%s\" defer></script>\n", scriptPath, build)
	at := bodyEnd(page)
	return bytes.Join([][]byte{page[:at], []byte(script), page[at:]}, nil)
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
func notice(title, text, details string) []byte {
	var b bytes.Buffer
	err := noticePage.Execute(&b, struct{ Title, Text, Details string }{title, text, details})
	if err != nil {
		panic(err) // the template takes any three strings
	}
	return b.Bytes()
}
