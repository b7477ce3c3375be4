package mygpu

import (
	"testing"

	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
)

func TestDemands(t *testing.T) {
	for _, c := range []struct {
		needs string
		lines []string
		want  string
	}{
		{"", nil, ""},
		{"gpus >= 1 or torch", nil, "gpus >= 1 or torch"},
		{"", []string{"runs cu124", "torch", "memory bandwidth", "temperature < 80"}, ""},
		{"", []string{"runs cu124 == yes", "memory >= 8 GiB", "torch == yes", "numba"}, "runs cu124 and memory >= 8 GiB and torch"},
		{"gpus >= 1 or torch", []string{"matmul", "machine == yes"}, `(gpus >= 1 or torch) and machine == "yes"`},
	} {
		var b site.Block
		var err error
		if b.Needs, err = ask.Parse(c.needs); c.needs != "" && err != nil {
			t.Fatal(err)
		}
		for _, line := range c.lines {
			var l site.GPULine
			if l.Line, err = ask.ParseLine(line); err != nil {
				t.Fatal(err)
			}
			b.GPULines = append(b.GPULines, l)
		}
		if got := Demands(&b).String(); got != c.want {
			t.Errorf("%q and %q: %q, want %q", c.needs, c.lines, got, c.want)
		}
	}
}
