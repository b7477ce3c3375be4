package mkdocs_test

import (
	"fmt"
	"testing"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
)

func TestColonHeading(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{"## Placa {: #placa }\n", `placa <nil> "Placa"`},
		{"## Placa *A* {:#placa .a .b}\r\n", `placa a b "Placa *A*"`},
		{"> - ### Ação ## {: .c }", `<nil> c "Ação ##"`},
		{"## {: #só }", `só <nil> ""`},
		{"## Placa {#placa}", `placa <nil> "Placa"`},
		{"## Placa {: #a b", `<nil> <nil> "Placa {: #a b"`},
		{"## Conjunto {: x : x > 0}", `<nil> <nil> "Conjunto {: x : x > 0}"`},
		{"## `{: #a }`", "<nil> <nil> \"`{: #a }`\""},
	} {
		doc, _ := markdowntest.Parse(markdown.Options{Dialects: markdown.MkDocs}, tt.source)
		h := markdown.Find[*ast.Heading](doc)[0]
		got := ""
		for _, name := range []string{"id", "class"} {
			v, _ := h.AttributeString(name)
			if b, ok := v.([]byte); ok {
				v = string(b)
			}
			got += fmt.Sprint(v) + " "
		}
		line := ""
		if h.Lines().Len() > 0 {
			s := h.Lines().At(0)
			line = string(s.Value([]byte(tt.source)))
		}
		if got += fmt.Sprintf("%q", line); got != tt.want {
			t.Errorf("%q: %s; want %s", tt.source, got, tt.want)
		}
	}
}
