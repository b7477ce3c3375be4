package myst

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// formDirectives matches the names of directives. Those named like a language are cells of Quarto too.
var formDirectives = strings.Join(slices.DeleteFunc(directiveNames(), func(name string) bool { return cellLanguages[name] }), "|") +
	"|eval-rst|rubric|[a-z]+:[a-z-]+"

// forms are the features of MyST,
// https://mystmd.org/guide/syntax-overview, https://jupytext.readthedocs.io.
var forms = []markdown.Form{
	markdown.NewForm("{directive}", markdown.InInfo, markdown.AfterFence, `^\{(?:`+formDirectives+`)\}`),
	markdown.NewForm(":::{directive}", markdown.InProse, ":::", `^[\s>]*:{3,}[ \t]*\{(?:`+formDirectives+`)\}`),
	markdown.NewForm("{role}`text`", markdown.InProse, "}`", "(?:^|[^\\w\\\\{])\\{[a-z][\\w:+-]*\\}`"),
	markdown.NewForm("(target)=", markdown.InProse, ")=", `^\s*\([A-Za-z0-9_][\w:. -]*\)=\s*$`),
	markdown.NewForm("front matter", markdown.InFrontMatter, "\nkernelspec:", `^kernelspec:`),
	markdown.WeakForm("+++", markdown.InProse, "+++", `^\+\+\+`),
}
