package content

import "github.com/goccy/go-yaml/ast"

// obsidian reads the properties of Obsidian's notes that mean something on a site,
// https://help.obsidian.md/properties, and accepts those that mean none. A note that
// is not to be published is a draft.
func (r *frontMatterReader) obsidian(v *ast.MappingValueNode) (known bool) {
	switch v.Key.GetToken().Value {
	case "tag":
		r.tags(v.Value)
	case "alias":
		r.fm.aliases = append(r.fm.aliases, words(v.Value)...)
	case "publish":
		b, ok := v.Value.(*ast.BoolNode)
		r.fm.unpublished = ok && !b.Value
	case "permalink", "cssclasses", "cssclass":
	default:
		return false
	}
	return true
}
