package tomlfile

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// TestLarge checks that a file of more than a mebibyte is rejected before it is parsed: keys of many
// parts would take a thousand times their size.
func TestLarge(t *testing.T) {
	var v struct{}
	read, diags := Decode(diag.NewFile("x.toml", []byte(strings.Repeat("a.", 1<<20)+"a = 1\n")), &v, Hints{Broken: diag.Plain("x")})
	if read || len(diags) != 1 || diags[0].Message.String() != "the file has more than 256 KiB" {
		t.Errorf("%v %v", read, diags)
	}
}
