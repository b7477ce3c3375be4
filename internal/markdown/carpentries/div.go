package carpentries

import (
	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/pandoc"
)

// A box is what a div, or a quote with a class, becomes.
type box struct {
	name string
	fold markdown.Fold
}

// boxes are the divs of sandpaper, https://carpentries.github.io/sandpaper-docs/component-guide.html, and of
// older lessons.
var boxes = map[string]box{
	"callout":      {name: "note"},
	"caution":      {name: "caution"},
	"challenge":    {name: markdown.Exercise},
	"checklist":    {name: "lesson-checklist"},
	"discussion":   {name: "lesson-discussion"},
	"hint":         {"lesson-hint", markdown.Folded},
	"instructor":   {"lesson-instructor", markdown.Folded},
	"keypoints":    {name: "lesson-keypoints"},
	"objectives":   {name: "lesson-objectives"},
	"prereq":       {name: "lesson-prereq"},
	"prerequisite": {name: "lesson-prereq"},
	"questions":    {name: "lesson-questions"},
	"solution":     {name: markdown.Solution},
	"spoiler":      {"details", markdown.Folded},
	"testimonial":  {name: "quote"},
}

// div returns the node of a div.
func div(d *pandoc.Div) ast.Node {
	if d.Has("tab") || d.Has("group-tab") {
		return d.Tabs()
	}
	for _, c := range d.Given.Classes {
		if b, ok := boxes[c]; ok {
			if markdown.Statement(b.name) != "" {
				return d.Statement(b.name)
			}
			return d.Callout(b.name, b.fold)
		}
	}
	return d.NativeOrPlain()
}
