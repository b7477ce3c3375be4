// Package markdown holds what all packages below it share: the nodes in which the
// dialects of Markdown meet, the faults of authors, and what a [Syntax] is.
//
// # From text to tree
//
// Package syntax reads a page: from text to a goldmark AST, without files,
// configuration or other pages. It puts together CommonMark (commonmark), what every
// page may use (native, container, figure, formula, typography), and the dialects that
// the page asks for (obsidian, d2l, mkdocs). Each of these exports one [Syntax]. The
// dialects do not import each other.
//
// # Nodes
//
// A [Callout] comes of "> [!NOTE]", ":::note", "!!! note" and "/// note" alike, [Tabs]
// of as many forms, so that what renders them knows one. Such nodes stand here. A node
// that one syntax alone makes stands in its package, beside the parser.
//
// # Adding a syntax
//
// Write one file in the package of the dialect, as mkdocs/keys.go is: the node, its
// parser, a function that writes it as HTML, and PlainText ([Texter]) if the text of
// the node is not that of its children. Name the parser and the function in the
// package's Syntax. Add a test beside it and a line to docs/dialects.md.
//
// # Places
//
// The source is parsed as it stands in the file, and never edited before: every
// offset in the AST is one of the file. A node of a dialect keeps the extent of its
// own marks ([Span]).
//
// A parser never fails. What an author got wrong is a [Fault] in the parser's
// context, and the text stays on the page as it is written.
package markdown
