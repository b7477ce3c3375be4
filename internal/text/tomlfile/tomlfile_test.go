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

// TestOtherKind: a value in the place of a table is told which table to write.
func TestOtherKind(t *testing.T) {
	type table struct {
		A string `toml:"a"`
	}
	for line, want := range map[string]string{
		`many = ["en", "pt"]`: "it is a table: its keys go below [many.en]",
		`many = "en"`:         "it is a table: its keys go below [many.en]",
		`many = [1]`:          "it is a table: its keys go below [many.NAME]",
		`one = true`:          "it is a table: its keys go below [one]",
		`texts = [1]`:         "form",
		`text = [1]`:          "form",
	} {
		var v struct {
			Many  map[string]table  `toml:"many"`
			One   table             `toml:"one"`
			Texts map[string]string `toml:"texts"`
			Text  string            `toml:"text"`
		}
		_, diags := Decode(diag.NewFile("x.toml", []byte("# x\n"+line+"\n")), &v, Hints{Broken: diag.Plain("form")})
		if len(diags) != 1 || diags[0].Line != 2 || diags[0].Hint.String() != want {
			t.Errorf("%s: %v, hint %q", line, diags, diags[0].Hint)
		}
	}
}
