package render

import (
	"testing"

	"github.com/gpudocs/gpudocs/themes"
)

func BenchmarkPrint(b *testing.B) {
	s := newSite(b, generated(200), themes.Default(), Options{})
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := s.File("pt/_print/s3/index.html"); err != nil {
			b.Fatal(err)
		}
	}
}
