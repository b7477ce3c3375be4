package importer

import (
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// A Nav is what mkdocs.yml says of its pages.
type Nav struct {
	// Docs is the folder of the pages, "docs" where the file does not say.
	Docs string
	// Pages are in the order of the navigation.
	Pages []NavPage
}

// A NavPage is a page of the navigation, by its path below the folder.
type NavPage struct{ File, Title string }

// yamlTag is a value that only Python can read: !!python/name:a.b, !ENV [X].
var yamlTag = lazyregexp.New(`(?m)((?::|-)[ \t]+)!.*$`)

// maxNav bounds the YAML, in bytes.
const maxNav = 256 << 10

// ReadNav reads mkdocs.yml. Of what it holds (functions of Python, for one) it
// looks at docs_dir and nav only: https://www.mkdocs.org/user-guide/configuration/.
func ReadNav(data []byte) (*Nav, error) {
	nav := &Nav{Docs: "docs"}
	if len(data) > maxNav {
		return nil, diag.Say("it is larger than %d KiB", maxNav>>10)
	}
	doc, err := parser.ParseBytes(yamlTag.ReplaceAll(data, []byte("$1''")), 0)
	if err != nil {
		return nil, err
	}
	for _, d := range doc.Docs {
		top, ok := d.Body.(*ast.MappingNode)
		if !ok {
			continue
		}
		for _, v := range top.Values {
			switch v.Key.GetToken().Value {
			case "docs_dir":
				if s, ok := v.Value.(*ast.StringNode); ok {
					nav.Docs = s.Value
				}
			case "nav":
				nav.add("", v.Value, 0)
			}
		}
	}
	return nav, nil
}

func (n *Nav) add(title string, v ast.Node, depth int) {
	if depth > 20 {
		return
	}
	switch v := v.(type) {
	case *ast.StringNode:
		n.Pages = append(n.Pages, NavPage{File: v.Value, Title: title})
	case *ast.SequenceNode:
		for _, one := range v.Values {
			n.add("", one, depth+1)
		}
	case *ast.MappingNode:
		for _, one := range v.Values {
			n.add(one.Key.GetToken().Value, one.Value, depth+1)
		}
	}
}
