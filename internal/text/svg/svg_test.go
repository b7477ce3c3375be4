package svg

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// bomb is a small file that draws 10 to the power of 9 elements, each through an attribute.
func bomb(open, attribute string) string {
	var b strings.Builder
	b.WriteString(open + `<g id="a0"/>`)
	for i := range 9 {
		fmt.Fprintf(&b, `<g id="a%d">`, i+1)
		b.WriteString(strings.Repeat("<use "+fmt.Sprintf(attribute, i)+"/>", 10) + "</g>")
	}
	return b.String() + "</svg>"
}

// chain is elements of which each uses the one after it.
func chain(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<use id="c%d" href="#c%d"/>`, i, i+1)
	}
	return b.String()
}

func TestCheck(t *testing.T) {
	const open = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 30 20">`
	for _, tt := range []struct{ name, svg, want string }{
		{"drawing", open + `<defs><path id="a" d="M0 0"/></defs><use xlink:href="#a" style="fill: url(#g)"/><style>*{stroke-linejoin: round}</style></svg>`, ""},
		{"a document type", `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">` + open + `</svg>`, ""},
		{"a picture inside", open + `<image href="data:image/png;base64,AA=="/></svg>`, ""},
		{"script", open + `<script>alert(1)</script></svg>`, "<script>"},
		{"script of another space", open + `<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script></svg>`, "<script>"},
		{"HTML", open + `<foreignObject/></svg>`, "<foreignObject>"},
		{"animation of a link", open + `<set attributeName="href" to="javascript:alert(1)"/></svg>`, "<set>"},
		{"a handler", open + `<g onLoad="alert(1)"/></svg>`, "onLoad"},
		{"a link", open + `<a href="javascript:alert(1)"/></svg>`, "<a>"},
		{"another file", open + `<use href="https://example.org/x.svg#a"/></svg>`, "outside"},
		{"an SVG inside", open + `<image href="data:image/svg+xml;base64,AA=="/></svg>`, "outside"},
		{"a style that asks a server", open + `<g style="fill: url( 'https://example.org/')"/></svg>`, "loads"},
		{"a source", open + `<style>@font-face{src:src( "https://example.org/")}</style></svg>`, "loads"},
		{"another base", open + `<g xml:base="https://example.org/"><use href="#a"/></g></svg>`, "outside"},
		{"an import", open + `<style>@Import "https://example.org/"</style></svg>`, "loads"},
		{"a word with escapes", open + `<style>\75rl(https://example.org/)</style></svg>`, "loads"},
		{"escapes of letters", open + `<style>u\rl(https://example.org/)</style></svg>`, "loads"},
		{"an import with an escape", open + `<style>@\import "https://example.org/"</style></svg>`, "loads"},
		{"an attribute with escapes", open + `<g fill="u\rl(https://example.org/)"/></svg>`, "loads"},
		{"a word in two pieces", open + `<style>@im<!-- -->port "https://example.org/"</style></svg>`, "loads"},
		{"a word around an element", open + `<style>u<desc>x</desc>rl(https://example.org/)</style></svg>`, "loads"},
		{"a word partly quoted", open + `<style>u<![CDATA[rl(https://example.org/)]]></style></svg>`, "loads"},
		{"a style within another element", open + `<g><style>a</style><style>@im<g/>port "x"</style></g></svg>`, "loads"},
		{"another encoding", `<?xml version="1.0" encoding = 'Shift_JIS'?>` + open + `</svg>`, "UTF-8"},
		{"its own encoding", `<?xml version="1.0" encoding = 'utf-8' standalone="no"?>` + open + `</svg>`, ""},
		{"words of TeX are no style", open + `<text aria-label="a">\alpha url(x) @import</text><title>C:\b</title></svg>`, ""},
		{"entities", `<!DOCTYPE svg [<!ENTITY a "b">]>` + open + `</svg>`, "entities"},
		{"a style sheet", `<?xml-stylesheet href="x.css"?>` + open + `</svg>`, "xml-stylesheet"},
		{"deep", open + strings.Repeat("<g>", 300) + strings.Repeat("</g>", 300) + `</svg>`, "deep"},
		{"a bomb", bomb(open, `xlink:href="#a%d"`), "draws more than"},
		{"a bomb of patterns", bomb(open, `style="fill: URL( '#a%d')"`), "draws more than"},
		{"what refers to itself", open + `<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g></svg>`, ""},
		{"many uses", open + `<path id="a" d="M0 0"/>` + strings.Repeat(`<use href="#a" clip-path="url(#c)"/>`, 20000) + `</svg>`, ""},
		{"a chain", open + chain(1000) + `</svg>`, ""},
		{"a long chain", open + chain(20000) + `</svg>`, "draws more than"},
		{"not closed", open, "no XML"},
		{"no SVG", `<html/>`, "root"},
		{"of no name space", `<svg/>`, "root"},
		{"nothing", ``, "empty"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, h, err := Check([]byte(tt.svg))
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
			if err == nil && (w != 30 || h != 20) {
				t.Errorf("%d x %d", w, h)
			}
		})
	}
}

// FuzzCheck checks that a published SVG has nothing that runs, links or loads, for a browser that parses it as
// XML or as HTML.
func FuzzCheck(f *testing.F) {
	const open = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" width="3" height="2">`
	for _, in := range []string{`<g><use x:href="#a" style="fill: url(#g)"/></g>`, `<script>x</script>`, `<style>u\rl(x)</style>`, `<style>@im<!-- -->port "x"</style>`, `<a href="x"/>`, `<g onload="x"/>`,
		`<image href="data:image/png;base64,AA=="/>`, `<text>a<![CDATA[<script>]]></text>`, `<title>&lt;/title>&#60;img onerror=x></title>`, `<metadata><x:script/></metadata>`} {
		f.Add([]byte(open + in + `</svg>`))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		w, h, err := Check(data)
		if w < 0 || h < 0 || w > MaxSide || h > MaxSide {
			t.Errorf("%q: %d x %d", data, w, h)
		}
		if err != nil {
			return
		}
		// Read once more with no name spaces, and what is in a style as one text.
		d := xml.NewDecoder(bytes.NewReader(data))
		var style strings.Builder
		for in := 0; ; {
			token, err := d.RawToken()
			if err != nil {
				break
			}
			switch token := token.(type) {
			case xml.StartElement:
				if token.Name.Local == "style" || in > 0 {
					in++
				}
				if slices.Contains([]string{"script", "foreignObject", "a", "iframe", "animate", "set", "handler"}, token.Name.Local) && token.Name.Space == "" {
					// Of no prefix, it is the space's that is the document's.
					if !bytes.Contains(data, []byte("xmlns")) || bytes.Count(data, []byte("xmlns=")) < 2 {
						t.Errorf("%q holds <%s>", data, token.Name.Local)
					}
				}
				for _, a := range token.Attr {
					if strings.HasPrefix(strings.ToLower(a.Name.Local), "on") || strings.Contains(strings.ToLower(a.Value), "javascript:") && a.Name.Local == "href" {
						t.Errorf("%q has %s=%q", data, a.Name.Local, a.Value)
					}
				}
			case xml.EndElement:
				in = max(0, in-1)
			case xml.CharData:
				if in > 0 {
					style.Write(token)
				}
			}
		}
		if css := strings.ToLower(style.String()); strings.Contains(css, "@import") || strings.Contains(css, "\\") {
			t.Errorf("%q has a style that loads: %q", data, css)
		}
	})
}
