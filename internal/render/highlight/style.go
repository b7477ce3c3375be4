package highlight

import (
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"
)

// The two styles, the Modus themes of Protesilaos Stavrou, were chosen for contrast: each of their
// token colours has at least 4.5 to 1 against the default theme's code background, which a test
// verifies. They are copies of chroma's, which another test verifies: chroma's package of styles would
// parse all 74 at each start, which adds 11 ms to gpudocs version.
var (
	lightStyle = chroma.MustNewStyle("modus-operandi", chroma.StyleEntries{
		chroma.Background:      "#000000 bg:#ffffff",
		chroma.Keyword:         "#5317ac",
		chroma.KeywordConstant: "#0000c0",
		chroma.KeywordType:     "#005a5f",
		chroma.NameBuiltin:     "#8f0075",
		chroma.NameFunction:    "#721045",
		chroma.NameVariable:    "#00538b",
		chroma.Literal:         "#0000c0",
		chroma.LiteralString:   "#2544bb",
		chroma.Operator:        "#00538b",
		chroma.Comment:         "#505050",
	})
	darkStyle = chroma.MustNewStyle("modus-vivendi", chroma.StyleEntries{
		chroma.Background:      "#ffffff bg:#000000",
		chroma.Keyword:         "#b6a0ff",
		chroma.KeywordConstant: "#00bcff",
		chroma.KeywordType:     "#6ae4b9",
		chroma.NameBuiltin:     "#f78fe7",
		chroma.NameFunction:    "#feacd0",
		chroma.NameVariable:    "#00d3d0",
		chroma.Literal:         "#00bcff",
		chroma.LiteralString:   "#79a8ff",
		chroma.Operator:        "#00d3d0",
		chroma.Comment:         "#a8a8a8",
	})
)

// Stylesheet returns chroma.css: the light style, and the dark one if the reader or their system asks
// for it. Backgrounds are the theme's.
var Stylesheet = sync.OnceValues(func() ([]byte, error) {
	light, err := rules(lightStyle)
	if err != nil {
		return nil, err
	}
	dark, err := rules(darkStyle)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for _, r := range light {
		b.WriteString(r + "\n")
	}
	for _, r := range dark {
		b.WriteString(":root[data-theme=dark] " + r + "\n")
	}
	b.WriteString("@media (prefers-color-scheme: dark) {\n")
	for _, r := range dark {
		b.WriteString(":root:not([data-theme=light]) " + r + "\n")
	}
	b.WriteString("}\n")
	return []byte(b.String()), nil
})

// rules returns the token colours of a style, without those of the block itself.
func rules(style *chroma.Style) ([]string, error) {
	var b strings.Builder
	if err := chromahtml.New(chromahtml.WithClasses(true)).WriteCSS(&b, style); err != nil {
		return nil, err
	}
	var out []string
	for line := range strings.Lines(b.String()) {
		_, rule, ok := strings.Cut(strings.TrimSpace(line), "*/ ")
		if !ok {
			rule = strings.TrimSpace(line)
		}
		selector, _, _ := strings.Cut(rule, " {")
		switch selector {
		case ".bg", ".chroma", ".chroma .lntd", ".chroma .lntable", ".chroma .lnlinks",
			".chroma .ln", ".chroma .lnt", ".chroma .hl", ".chroma .line", ".chroma .err":
			continue
		}
		if strings.HasPrefix(rule, ".chroma .") {
			out = append(out, rule)
		}
	}
	return out, nil
}
