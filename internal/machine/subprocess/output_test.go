package subprocess

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

func TestHeadTail(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in   string
		head, tail int
		want       Output
	}{
		{"nothing", "", 3, 3, Output{}},
		{"short", "abc", 3, 3, Output{Text: []byte("abc")}},
		{"full", "abcdef", 3, 3, Output{Text: []byte("abcdef")}},
		{"one too many", "abcdefg", 3, 3, Output{Text: []byte("abcefg"), Cut: 1, Head: 3}},
		{"long", strings.Repeat("x", 100) + "xyz", 2, 3, Output{Text: []byte("xxxyz"), Cut: 98, Head: 2}},
	}
	for _, tt := range tests {
		for _, size := range []int{1, 2, 7, 1000} {
			t.Run(fmt.Sprint(tt.name, " by ", size), func(t *testing.T) {
				k := HeadTail{MaxHead: tt.head, MaxTail: tt.tail}
				for in := []byte(tt.in); len(in) > 0; {
					n := min(size, len(in))
					k.Write(in[:n])
					in = in[n:]
				}
				got := k.Output()
				sum := ""
				if tt.want.Cut > 0 {
					h := sha256.Sum256([]byte(tt.in))
					sum, tt.want.Total = hex.EncodeToString(h[:]), int64(len(tt.in))
				}
				if got.SHA256 != sum || got.Total != tt.want.Total {
					t.Errorf("%d bytes of hash %q, want %d of %q", got.Total, got.SHA256, tt.want.Total, sum)
				}
				if !bytes.Equal(got.Text, tt.want.Text) || got.Cut != tt.want.Cut || got.Head != tt.want.Head {
					t.Errorf("got %q cut %d head %d, want %q cut %d head %d",
						got.Text, got.Cut, got.Head, tt.want.Text, tt.want.Cut, tt.want.Head)
				}
			})
		}
	}
}
