package survey

import (
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// A form is the syntax of a feature.
type form struct {
	dialect, name string
	zone          zone
	// literal is a part of all texts with a match, which is found much faster. After a fence or in front
	// matter it may include what is before the line. Weak forms need none.
	literal string
	pattern *lazyregexp.Regexp
	weak    bool
}

func re(s string) *lazyregexp.Regexp { return lazyregexp.New(s) }

// afterFence is the literal of what follows the marks of a fence, which may be preceded by a blank.
const afterFence, afterBlank = "`{", "` {"

// byLine reports whether the literal is a part of the line.
func (f *form) byLine() bool { return f.zone == prose || f.zone == code }

// The names of directives, divs and shortcodes that only one tool has.
const (
	mystDirectives = `code-cell|code-block|literalinclude|admonition|attention|caution|danger|error|hint|important|note|seealso|tip|todo|` +
		`warning|figure|image|table|list-table|csv-table|math|tab-set|tab-item|grid(?:-item(?:-card)?)?|card|cards|button(?:-link|-ref)?|dropdown|margin|` +
		`sidebar|aside|glossary|exercise(?:-start|-end)?|solution(?:-start|-end)?|epigraph|pull-quote|blockquote|highlights|mermaid|iframe|video|` +
		`toctree|tableofcontents|index|contents|raw|only|include|bibliography|eval-rst|figure-md|embed|div|topic|rubric|code|[a-z]+:[a-z-]+`
	carpentriesDivs = `challenge|prereq|discussion|questions|objectives|keypoints|callout|testimonial|instructor|spoiler|checklist|group-tab`
)

// forms are the features of the dialects.
//
// Obsidian: https://help.obsidian.md/obsidian-flavored-markdown.
// d2lbook: https://book.d2l.ai/user/markdown.html, https://book.d2l.ai/user/code.html.
// MkDocs: https://squidfunk.github.io/mkdocs-material/reference/,
// https://facelessuser.github.io/pymdown-extensions/, and FastAPI's own includes,
// https://github.com/tiangolo/markdown-include-variants.
// MyST: https://mystmd.org/guide/syntax-overview, https://jupytext.readthedocs.io.
// Quarto: https://quarto.org/docs/authoring/markdown-basics.html.
// Carpentries: https://carpentries.github.io/sandpaper-docs/, and the older
// https://carpentries.github.io/lesson-example/.
var forms = []form{
	{"obsidian", "[[wiki link]]", prose, "[[", re(`(?:^|[^!\\\w\])])\[\[(?:[^\[\]\s][^\[\]]*)?\pL[^\[\]]*\]\](?:$|[^(\w])`), false},
	{"obsidian", "![[embed]]", prose, "![[", re(`!\[\[[^\[\]]+\]\]`), false},
	{"obsidian", "%%comment%%", prose, "%%", re(`(?:^|[^\d%])%%[^%]*%%(?:$|[^\w%])|^%%$`), false},
	{"obsidian", "==mark==", prose, "==", re(`(?:^|[^=])==[^=\s](?:[^=]*[^=\s])?==(?:$|[^=])`), true},
	{"obsidian", "^block-id", prose, "^", re(`(?:^|\s)\^[A-Za-z0-9-]+$`), true},
	{"obsidian", "#tag", prose, "#", re(`(?:^\s*|[^\s{]\s+)#[\p{L}_/][\p{L}\p{N}_/-]*`), true},
	{"obsidian", "folded callout", prose, "[!", re(`^\s*>+ ?\[![\w-]+\][+-]`), true},
	{"d2l", ":label:", prose, ":label:`", re(":label:`"), false},
	{"d2l", ":numref:", prose, ":numref:`", re(":numref:`"), false},
	{"d2l", ":eqref:", prose, ":eqref:`", re(":eqref:`"), false},
	{"d2l", ":eqlabel:", prose, ":eqlabel:`", re(":eqlabel:`"), false},
	{"d2l", ":cite:", prose, ":cite", re(":cite[a-z]?:`"), false},
	{"d2l", ":ref:", prose, ":ref:`", re(":ref:`"), false},
	{"d2l", ":begin_tab:", prose, ":begin_tab:", re(":begin_tab:`"), false},
	{"d2l", "image size", prose, ":width:`", re("^:width:`"), false},
	{"d2l", "image size", prose, ":height:`", re("^:height:`"), false},
	{"d2l", ":bibliography:", prose, ":bibliography:`", re("^:bibliography:`"), false},
	{"d2l", ".input fence", info, ".input", re(`\{\s*\.\w[^}]*\.input\b`), false},
	{"d2l", "toc fence", info, "`toc", re(`^toc\b`), false},
	{"d2l", "toc fence", info, "`eval_rst", re(`^eval_rst\b`), false},
	{"d2l", "#@tab", code, "@tab", re(`^\s*(?:#|//|--)\s*@tab\b`), false},
	{"d2l", "%%tab", code, "%%tab", re(`^%%tab\s+[a-z]`), false},
	{"d2l", "#@save", code, "@save", re(`#\s*@save\b`), true},
	{"mkdocs", "!!! block", prose, "!!!", re(`^\s*!!! ?[\w-]+`), false},
	{"mkdocs", "??? block", prose, "???", re(`^\s*\?\?\?\+? ?[\w-]+`), false},
	{"mkdocs", "/// block", prose, "///", re(`^\s*/{3,} ?[\w-]+\s*(?:$|\|)`), false},
	{"mkdocs", "=== tab", prose, "===", re(`^\s*===[+!]? ?["']`), false},
	{"mkdocs", "{* file *}", prose, "{*", re(`^\s*\{\*\s*\S+.*\*\}`), false},
	{"mkdocs", "{! file !}", prose, "{!", re(`\{!\s*\S+.*!\}`), false},
	{"mkdocs", "--8<-- snippet", prose, "8<", re(`^\s*-+8<-+`), false},
	{"mkdocs", "--8<-- snippet", code, "8<", re(`^\s*-+8<-+\s+["']`), false},
	{"mkdocs", ":icon:", prose, ":material-", re(`:material-[\w-]+:`), false},
	{"mkdocs", ":icon:", prose, ":octicons-", re(`:octicons-[\w-]+:`), false},
	{"mkdocs", ":icon:", prose, ":fontawesome-", re(`:fontawesome-[\w-]+:`), false},
	{"mkdocs", "linenums", info, "linenums=", re(`\blinenums=`), true},
	{"mkdocs", "{: attributes }", prose, "{:", re(`\{:[^{}]*\}`), true},
	{"mkdocs", "{ .class }", prose, "{", re(`[)\]]\{ ?\.[\w-]+ ?\}`), true},
	{"mkdocs", "++keys++", prose, "++", re(`\+\+[a-z0-9-]+(?:\+[a-z0-9-]+)*\+\+`), true},
	{"myst", "{directive}", info, afterFence, re(`^\{(?:` + mystDirectives + `)\}`), false},
	{"myst", ":::{directive}", prose, ":::", re(`^[\s>]*:{3,}[ \t]*\{(?:` + mystDirectives + `)\}`), false},
	{"myst", "{role}`text`", prose, "}`", re("(?:^|[^\\w\\\\{])\\{[a-z][\\w:+-]*\\}`"), false},
	{"myst", "(target)=", prose, ")=", re(`^\s*\([A-Za-z0-9_][\w:. -]*\)=\s*$`), false},
	{"myst", "front matter", front, "\nkernelspec:", re(`^kernelspec:`), false},
	{"myst", "+++", prose, "+++", re(`^\+\+\+`), true},
	{"quarto", "{cell}", info, afterFence, re(`^\{(?:python|r|julia|bash|sql|ojs|dot|typst)(?:\}|[ ,].*\})`), false},
	{"quarto", "::: {.div}", prose, ":::", re(`^[\s>]*:{3,}[ \t]*\{[^}]*(?:\.(?:callout-\w+|panel-\w+|columns?|column-\w+|content-\w+|aside|incremental|cell|hidden|grid|g-col-\w+)\b` +
		`|#(?:fig|tbl|lst|thm|lem|cor|prp|exm|exr|def|rem|sol)-|\blayout)`), false},
	{"quarto", "{{< shortcode >}}", prose, "{{<", re(`\{\{<\s*(?:` + quartoShortcodes + `)\b`), false},
	{"quarto", "{#sec-id}", prose, "{#", re(`\{#(?:sec|fig|tbl|eq)-[\w-]+[^}]*\}`), true},
	{"quarto", "@reference", prose, "@", re(`(?:^|[\s(\[])@(?:sec|fig|tbl|eq)-[\w-]+`), true},
	{"carpentries", "::: div", prose, ":::", re(`^[\s>]*:{3,}[ \t]*(?:` + carpentriesDivs + `)\b[ \t]*:*[ \t]*$`), false},
	{"carpentries", "{: .class}", prose, "{:", re(`^[\s>]*\{:[ \t]*\.(?:` + carpentriesDivs + `|solution|language-\w+|output|error|source)[ \t]*\}`), false},
	{"carpentries", "front matter", front, "\nteaching:", re(`^teaching:[ \t]*\d`), false},
	{"gpudocs", "GitHub alert", prose, "[!", re(`^\s*>+ ?\[![\w-]+\]\s*$`), false},
	{"gpudocs", ":::container", prose, ":::", re(`^\s*:{3,} ?[\w-]+`), false},
}

const quartoShortcodes = `include|video|pagebreak|meta|var|embed|kbd|lipsum|placeholder|env|brand|contents|version`

// ours are what looks like a form of a dialect and is read on every page.
var ours = re("^!\\[\\[[^\\]|]*\\.(?i:png|jpe?g|gif|webp|svg|avif)(?:\\|[^\\]]*)?\\]\\]$|\\{live\\}`|^\\{\\w+[ ,]+(?:run|gpu|name=|expect|session=|needs=)")

// unsupported are forms of other tools that gpudocs does not support.
var unsupported = []struct {
	name    string
	zone    zone
	pattern *lazyregexp.Regexp
}{
	{"a role of reStructuredText", prose, re("(?:^|\\s):[\\w-]+:`")},
	{"a shortcode of Hugo", prose, re(`\{\{[<%].*[%>]\}\}`)},
	{"a template of Jinja or Liquid", prose, re(`\{%-? .* -?%\}|\{\{ *[\w.|() ]+ *\}\}`)},
	{"a directive of reStructuredText", prose, re(`^\s*\.\. [\w-]+::`)},
	{"a component of MDX", prose, re(`^(?:import .* from ['"]|</?[A-Z]\w*(?:\s|/?>))`)},
	{"a table of contents mark", prose, re(`^\s*(?:\[TOC\]|\[\[_?TOC_?\]\])\s*$`)},
	{"a query of Obsidian's Dataview", info, re(`^dataview(?:js)?\b`)},
	{"an annotation of CriticMarkup", prose, re(`\{(?:\+\+|--|~~|==|>>).*(?:\+\+|--|~~|==|<<)\}`)},
}

// known matches what looks unsupported and is not.
var known = re("(?:^|\\s):(?:label|numref|eqref|eqlabel|cite[a-z]?|ref|begin_tab|end_tab|width|height|bibliography):`|\\{\\{<\\s*(?:" + quartoShortcodes + ")\\b")
