package quarto

import "github.com/gpudocs/gpudocs/internal/markdown"

// shortcodes are the names of shortcodes that only this tool has.
const shortcodes = `include|video|pagebreak|meta|var|embed|kbd|lipsum|placeholder|env|brand|contents|version`

// forms are the features of Quarto,
// https://quarto.org/docs/authoring/markdown-basics.html.
var forms = []markdown.Form{
	markdown.NewForm("{cell}", markdown.InInfo, markdown.AfterFence, `^\{(?:python|r|julia|bash|sql|ojs|dot|typst)(?:\}|[ ,].*\})`),
	markdown.NewForm("::: {.div}", markdown.InProse, ":::", `^[\s>]*:{3,}[ \t]*\{[^}]*(?:\.(?:callout-\w+|panel-\w+|columns?|column-\w+|content-\w+|aside|incremental|cell|hidden|grid|g-col-\w+)\b`+
		`|#(?:fig|tbl|lst|thm|lem|cor|prp|exm|exr|def|rem|sol)-|\blayout)`),
	markdown.NewForm("{{< shortcode >}}", markdown.InProse, "{{<", `\{\{<\s*(?:`+shortcodes+`)\b`),
	markdown.WeakForm("{#sec-id}", markdown.InProse, "{#", `\{#(?:sec|fig|tbl|eq)-[\w-]+[^}]*\}`),
	markdown.WeakForm("@reference", markdown.InProse, "@", `(?:^|[\s(\[])@(?:sec|fig|tbl|eq)-[\w-]+`),
}
