package render

import (
	"testing"

	"github.com/gpudocs/gpudocs/themes"
)

func BenchmarkNav(b *testing.B) {
	s := newSite(b, generated(200), themes.Default(), Options{})
	b.ReportAllocs()
	for b.Loop() {
		s.nav.Trees["pt"].Items("pt/s3/p60/")
	}
}
