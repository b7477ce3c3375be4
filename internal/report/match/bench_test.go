package match

import (
	"fmt"
	"strings"
	"testing"
)

func BenchmarkCompare(b *testing.B) {
	var literal, changed, numbers strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&literal, "step %d: loss=0.%d\n", i, i)
		fmt.Fprintf(&numbers, "step %d: loss=0.%d1\n", i, i)
		if i != 500 {
			fmt.Fprintf(&changed, "step %d: loss=0.%d\n", i, i)
		}
	}
	for _, c := range []struct {
		name, want, got string
		o               Tolerance
		same            bool
	}{
		{"literal", literal.String(), literal.String(), Tolerance{}, true},
		{"dots", strings.Repeat("step ...: loss=...\n", 1000), literal.String(), Tolerance{}, true},
		{"captures", "step ...: loss=<loss:number> (+)", literal.String(), Tolerance{}, true},
		{"regexp", strings.Repeat(`step \d+: loss=[0-9.]+ (re)`+"\n", 1000), literal.String(), Tolerance{}, true},
		{"tolerance", literal.String(), numbers.String(), Tolerance{ATol: 0.2}, true},
		{"gaps", strings.Repeat("[...]\nstep ...: loss=...\n", 100) + "[...]", literal.String(), Tolerance{}, true},
		{"quantifier", "step ...: loss=... (+)", literal.String(), Tolerance{}, true},
		{"one line is missing", literal.String(), changed.String(), Tolerance{}, false},
		{"all differ", literal.String(), strings.Repeat("x\n", 1000), Tolerance{}, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			e := parsed(b, c.want, c.o)
			b.ReportAllocs()
			for b.Loop() {
				if e.Compare(c.got).Same != c.same {
					b.Fatal("wrong verdict")
				}
			}
		})
	}
}

func BenchmarkPlain(b *testing.B) {
	s := strings.Repeat("\x1b[32mok\x1b[0m 10%\r50%\r100%\n", 1000)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Plain(s)
	}
}
