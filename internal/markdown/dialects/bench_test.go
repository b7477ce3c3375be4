package dialects_test

import (
	"os"
	"testing"

	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
)

// BenchmarkParse reads a long page of this repository, as it is and with all dialects.
func BenchmarkParse(b *testing.B) {
	page, err := os.ReadFile("../../../docs/content/en/dialects.md")
	if err != nil {
		b.Fatal(err)
	}
	for name, o := range map[string]markdown.Options{"plain": {}, "myst": {Dialects: markdown.MyST}, "quarto": {Dialects: markdown.Quarto}, "carpentries": {Dialects: markdown.Carpentries},
		"all dialects": {Dialects: markdown.AllDialects, Smart: true, Language: "en", Citations: true}} {
		b.Run(name, func(b *testing.B) {
			md := dialects.New(o)
			b.ReportAllocs()
			b.SetBytes(int64(len(page)))
			for b.Loop() {
				md.Parser().Parse(text.NewReader(page))
			}
		})
	}
}
