package frontmatter

import (
	"slices"

	"github.com/goccy/go-yaml/ast"
)

// mystKeys are keys of MyST, Jupyter Book and jupytext without effect:
// https://mystmd.org/guide/frontmatter.
var mystKeys = []string{
	"abbreviations", "affiliations", "arxiv", "authors", "author", "banner", "banner_optional", "bibliography",
	"content_includes_title", "copyright", "date", "doi", "downloads", "edit_url", "execute", "export", "exports",
	"file_format", "first_page", "funding", "github", "html_meta", "identifiers", "jupyter", "jupytext", "kernel_info",
	"kernelspec", "keywords", "label", "language_info", "license", "math", "myst", "mystnb", "name", "numbering",
	"open_access", "options", "orphan", "parts", "short_title", "site", "skip_execution", "social", "source_url",
	"subject", "substitutions", "subtitle", "thumbnail", "thumbnailOptional", "tocdepth", "toc_depth", "venue", "volume",
	"issue",
}

// myst reads a key of MyST, or of Quarto's that says whether cells run, and reports whether it is MyST's.
func (r *reader) myst(v *ast.MappingValueNode) bool {
	key := v.Key.GetToken().Value
	switch key {
	case "kernelspec":
		r.fm.CellLanguage = member(v.Value, "language")
		if r.fm.CellLanguage == "" {
			r.fm.CellLanguage = member(v.Value, "name")
		}
	case "skip_execution":
		skip, _ := scalar(v.Value)
		r.fm.SkipCells = skip == "true"
	case "execute":
		r.fm.SkipCells = member(v.Value, "skip") == "true" || member(v.Value, "eval") == "false" || member(v.Value, "enabled") == "false"
	case "substitutions":
		r.substitutions(v.Value)
	case "myst":
		r.substitutions(valueOf(v.Value, "substitutions"))
	}
	return slices.Contains(mystKeys, key)
}

// substitutions reads texts by name.
func (r *reader) substitutions(n ast.Node) {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		return
	}
	for _, v := range m.Values {
		if text, ok := scalar(v.Value); ok {
			if r.fm.Substitutions == nil {
				r.fm.Substitutions = map[string]string{}
			}
			r.fm.Substitutions[v.Key.GetToken().Value] = text
		}
	}
}

// valueOf returns the value of a key, or nil.
func valueOf(n ast.Node, key string) ast.Node {
	m, _ := n.(*ast.MappingNode)
	if m == nil {
		return nil
	}
	for _, v := range m.Values {
		if v.Key.GetToken().Value == key {
			return v.Value
		}
	}
	return nil
}

// member returns the text of a key, or "".
func member(n ast.Node, key string) string {
	v := valueOf(n, key)
	if v == nil {
		return ""
	}
	text, _ := scalar(v)
	return text
}
