package content

import (
	"cmp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/notebook"
)

// Fences of notedown, {.python .input  n=4}, are the cells of a notebook that is
// kept as Markdown. They are shown; blocks: {run: true} in the page's front matter
// has them run, those of one tab in one session.

// takeNotedown tells whether an info string is one of notedown's, and drops what
// counts only there: https://github.com/aaren/notedown.
func takeNotedown(in *info) bool {
	is := func(a attribute, value string) bool { return a.name == "." && a.value == value }
	input := slices.ContainsFunc(in.attributes, func(a attribute) bool { return is(a, "input") })
	if input || slices.ContainsFunc(in.attributes, func(a attribute) bool { return is(a, "output") }) {
		in.attributes = slices.DeleteFunc(in.attributes, func(a attribute) bool { return a.name == "n" || a.name == "attributes" })
	}
	return input
}

// runInput gives a cell the attributes of a block that runs, where it has none of
// its own.
func (r *blockReader) runInput(n *ast.FencedCodeBlock, language string, a fenceAttributes) {
	kind := kinds[strings.ToLower(language)]
	if a.has("run") || a.has("expect") || kind != Python && kind != Bash {
		return
	}
	a.by["run"] = attribute{name: "run"}
	given, _ := n.AttributeString(markdown.TabAttribute)
	tab, _ := given.(string)
	if !a.has("session") {
		a.by["session"] = attribute{name: "session", value: cmp.Or(tab, r.defaults.Session, notebook.Session), hasValue: true}
	}
	if !a.has("env") && r.defaults.Env == "" && tab != "" && r.config.hasEnv(tab) {
		a.by["env"] = attribute{name: "env", value: tab, hasValue: true}
	}
}
