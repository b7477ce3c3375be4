package d2l

import "github.com/gpudocs/gpudocs/internal/markdown"

// forms are the features of d2lbook,
// https://book.d2l.ai/user/markdown.html, https://book.d2l.ai/user/code.html.
var forms = []markdown.Form{
	markdown.NewForm(":label:", markdown.InProse, ":label:`", ":label:`"),
	markdown.NewForm(":numref:", markdown.InProse, ":numref:`", ":numref:`"),
	markdown.NewForm(":eqref:", markdown.InProse, ":eqref:`", ":eqref:`"),
	markdown.NewForm(":eqlabel:", markdown.InProse, ":eqlabel:`", ":eqlabel:`"),
	markdown.NewForm(":cite:", markdown.InProse, ":cite", ":cite[a-z]?:`"),
	markdown.NewForm(":ref:", markdown.InProse, ":ref:`", ":ref:`"),
	markdown.NewForm(":begin_tab:", markdown.InProse, ":begin_tab:", ":begin_tab:`"),
	markdown.NewForm("image size", markdown.InProse, ":width:`", "^:width:`"),
	markdown.NewForm("image size", markdown.InProse, ":height:`", "^:height:`"),
	markdown.NewForm(":bibliography:", markdown.InProse, ":bibliography:`", "^:bibliography:`"),
	markdown.NewForm(".input fence", markdown.InInfo, ".input", `\{\s*\.\w[^}]*\.input\b`),
	markdown.NewForm("toc fence", markdown.InInfo, "`toc", `^toc\b`),
	markdown.NewForm("toc fence", markdown.InInfo, "`eval_rst", `^eval_rst\b`),
	markdown.NewForm("#@tab", markdown.InCode, "@tab", `^\s*(?:#|//|--)\s*@tab\b`),
	markdown.NewForm("%%tab", markdown.InCode, "%%tab", `^%%tab\s+[a-z]`),
	markdown.WeakForm("#@save", markdown.InCode, "@save", `#\s*@save\b`),
}
