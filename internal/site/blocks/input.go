package blocks

import (
	"cmp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/d2l"
	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/attribute"
)

// Fences in the style of notedown, {.python .input  n=4}, are the cells of a notebook that is written
// as Markdown. They are shown. With blocks: {run: true} in the page's front matter they also run,
// those of one tab in one session.

// stripNotedown reports whether an info string is a notedown input cell, and removes the attributes
// that only notedown uses: https://github.com/aaren/notedown.
func stripNotedown(in *attribute.Info) bool {
	is := func(a attribute.Attribute, value string) bool { return a.Name == "." && a.Value == value }
	input := slices.ContainsFunc(in.Attributes, func(a attribute.Attribute) bool { return is(a, "input") })
	if input || slices.ContainsFunc(in.Attributes, func(a attribute.Attribute) bool { return is(a, "output") }) {
		in.Attributes = slices.DeleteFunc(in.Attributes, func(a attribute.Attribute) bool { return a.Name == "n" || a.Name == "attributes" })
	}
	return input
}

// infoOf returns what a dialect says of a fence as an info string that is read. The offsets are those of the
// source.
func infoOf(c *markdown.CodeInfo) (in attribute.Info) {
	in.Language = c.Language
	for _, a := range c.Attributes {
		in.Attributes = append(in.Attributes, attribute.Attribute{Name: a.Name, Value: a.Value, HasValue: a.HasValue,
			Start: a.Start, End: a.Stop, ValueStart: max(a.Start, a.Stop-len(a.Value))})
	}
	return in
}

// makeInputRunnable adds the attributes of a runnable block to an input cell, except those that it
// already has.
func (r *Reader) makeInputRunnable(n *ast.FencedCodeBlock, language string, a fenceAttributes) {
	kind := kindByLanguage[strings.ToLower(language)]
	if a.has("run") || a.has("expect") || a.has("save") ||
		kind != site.Python && kind != site.Bash && (kind != "" || r.Defaults.Kernel == "" && !a.has("kernel")) {
		return
	}
	a.by["run"] = attribute.Attribute{Name: "run"}
	given, _ := n.AttributeString(d2l.TabAttribute)
	tab, _ := given.(string)
	if !a.has("session") {
		a.by["session"] = attribute.Attribute{Name: "session", Value: cmp.Or(tab, r.Defaults.Session, notebook.Session), HasValue: true}
	}
	if !a.has("env") && r.Defaults.Env == "" && tab != "" && r.Config.HasEnv(tab) {
		a.by["env"] = attribute.Attribute{Name: "env", Value: tab, HasValue: true}
	}
}
