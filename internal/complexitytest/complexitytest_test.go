package complexitytest

import (
	"bytes"
	"testing"
)

// TestCheck: reading once passes, and reading the rest at each of many places does not.
func TestCheck(t *testing.T) {
	text := bytes.Repeat([]byte("a"), 1<<16)
	count := func(text []byte) (n int) {
		for _, c := range text {
			if c == 'b' {
				n++
			}
		}
		return n
	}
	if small, large, ok := linear(len(text), func(n int) { count(text[:n]) }); !ok {
		t.Errorf("reading once: %v, %v", small, large)
	}
	if small, large, ok := linear(len(text), func(n int) {
		for i := 0; i < n; i += 16 {
			count(text[i:n])
		}
	}); ok {
		t.Errorf("reading the rest at each: %v, %v", small, large)
	}
}
