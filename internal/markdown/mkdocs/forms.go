package mkdocs

import "github.com/gpudocs/gpudocs/internal/markdown"

// forms are the features of MkDocs,
// https://squidfunk.github.io/mkdocs-material/reference/,
// https://facelessuser.github.io/pymdown-extensions/, and includes of other plugins.
var forms = []markdown.Form{
	markdown.NewForm("!!! block", markdown.InProse, "!!!", `^\s*!!! ?[\w-]+`),
	markdown.NewForm("??? block", markdown.InProse, "???", `^\s*\?\?\?\+? ?[\w-]+`),
	markdown.NewForm("/// block", markdown.InProse, "///", `^\s*/{3,} ?[\w-]+\s*(?:$|\|)`),
	markdown.NewForm("=== tab", markdown.InProse, "===", `^\s*===[+!]? ?["']`),
	markdown.NewForm("{* file *}", markdown.InProse, "{*", `^\s*\{\*\s*\S+.*\*\}`),
	markdown.NewForm("{! file !}", markdown.InProse, "{!", `\{!\s*\S+.*!\}`),
	markdown.NewForm("--8<-- snippet", markdown.InProse, "8<", `^\s*-+8<-+`),
	markdown.NewForm("--8<-- snippet", markdown.InCode, "8<", `^\s*-+8<-+\s+["']`),
	markdown.NewForm(":icon:", markdown.InProse, ":material-", `:material-[\w-]+:`),
	markdown.NewForm(":icon:", markdown.InProse, ":octicons-", `:octicons-[\w-]+:`),
	markdown.NewForm(":icon:", markdown.InProse, ":fontawesome-", `:fontawesome-[\w-]+:`),
	markdown.WeakForm("linenums", markdown.InInfo, "linenums=", `\blinenums=`),
	markdown.WeakForm("{: attributes }", markdown.InProse, "{:", `\{:[^{}]*\}`),
	markdown.WeakForm("{ .class }", markdown.InProse, "{", `[)\]]\{ ?\.[\w-]+ ?\}`),
	markdown.WeakForm("++keys++", markdown.InProse, "++", `\+\+[a-z0-9-]+(?:\+[a-z0-9-]+)*\+\+`),
}
