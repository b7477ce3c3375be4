package mkdocs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/mkdocs"
	"github.com/gpudocs/gpudocs/internal/markdown/syntax"
)

func TestCodeInclude(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a file", "{* ../../src/a.py *}\n", `../../src/a.py [] [] "{* ../../src/a.py *}"`},
		{"lines and marks", "{* a.py ln[1:5,10] hl[2,4:6] *}", `a.py [[1 5] [10 10]] [[2 2] [4 6]] "{* a.py ln[1:5,10] hl[2,4:6] *}"`},
		{"in a quote, with Windows line ends", "> {* a.py hl[ 2 ] *}  \r\n> x\r\n", `a.py [] [[2 2]] "{* a.py hl[ 2 ] *}"`},
		{"in a list", "- x\n\n  {* a.py *}\n", `a.py [] [] "{* a.py *}"`},
		{"behind a paragraph", "x\n{*a.py*}\n", `a.py [] [] "{*a.py*}"`},
		{"no file", "{* *}\n", ``},
		{"in a line", "x {* a.py *}\n", ``},
		{"in code", "    {* a.py *}\n", ``},
		{"ranges that are none", "{* a.py ln[5:1] hl[x] *}\n", `a.py [] [] "{* a.py ln[5:1] hl[x] *}" "ln[5:1]" names no lines, "hl[x]" names no lines`},
		{"a title", "{* a.py title[\"app/a[1].py\"] hl[2] *}\n", `a.py [] [[2 2]] "{* a.py title[\"app/a[1].py\"] hl[2] *}" app/a[1].py`},
		{"what nobody knows", "{* a.py lines[2] hl[] *}\n", `a.py [] [] "{* a.py lines[2] hl[] *}" "lines[2]" is not an option of included code, "hl[]" names no lines`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pc := parser.NewContext()
			doc := syntax.New(markdown.Options{Dialects: markdown.MkDocs}).Parser().Parse(text.NewReader([]byte(tt.text)), parser.WithContext(pc))
			got := ""
			_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
				if c, ok := n.(*mkdocs.CodeInclude); ok && entering {
					got = fmt.Sprintf("%s %v %v %q", c.File, c.Shown, c.Marked, tt.text[c.Start:c.Stop]) + " " + c.Title
				}
				return ast.WalkContinue, nil
			})
			var faults []string
			for _, f := range markdown.Faults(pc) {
				faults = append(faults, f.Message.String())
			}
			if got = strings.TrimSpace(strings.TrimSpace(got) + " " + strings.Join(faults, ", ")); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// FuzzCodeInclude checks that the span of an include is the text that it was parsed from.
func FuzzCodeInclude(f *testing.F) {
	f.Add("> {* a ln[1:2] *}\n")
	f.Add("1. x\n\n\t{* b hl[3,4] *} \r\n")
	md := syntax.New(markdown.Options{Dialects: markdown.MkDocs})
	f.Fuzz(func(t *testing.T, s string) {
		doc := md.Parser().Parse(text.NewReader([]byte(s)))
		_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if c, ok := n.(*mkdocs.CodeInclude); ok && entering {
				if span := s[c.Start:c.Stop]; !strings.HasPrefix(span, "{*") || !strings.HasSuffix(span, "*}") || !strings.Contains(span, c.File) {
					t.Fatalf("%q in %q", span, s)
				}
			}
			return ast.WalkContinue, nil
		})
	})
}
