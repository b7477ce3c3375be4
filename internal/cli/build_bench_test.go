package cli

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkBuild measures the whole command, with empty caches and with those of an earlier
// build. The site is this repository's, or the one in GPUDOCS_BENCH_SITE, which go run
// ./test/bench site generates. With -cpuprofile it shows where a build's time goes.
func BenchmarkBuild(b *testing.B) {
	site := cmp.Or(os.Getenv("GPUDOCS_BENCH_SITE"), filepath.Join("..", ".."))
	for _, cache := range []string{"cold", "warm"} {
		b.Run(cache, func(b *testing.B) {
			b.ReportAllocs()
			dir := b.TempDir()
			out := filepath.Join(dir, "out")
			b.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
			build := func() {
				var errs strings.Builder
				if code := Run(b.Context(), []string{"build", "--site", site, "--output", out}, strings.NewReader(""), io.Discard, &errs); code != 0 {
					b.Fatalf("exit code %d\n%s", code, errs.String())
				}
			}
			if cache == "warm" {
				build()
			}
			for b.Loop() {
				b.StopTimer()
				if err := os.RemoveAll(out); err != nil {
					b.Fatal(err)
				}
				if cache == "cold" {
					if err := os.RemoveAll(filepath.Join(dir, "cache")); err != nil {
						b.Fatal(err)
					}
				}
				b.StartTimer()
				build()
			}
		})
	}
}
