// Package markdown reads the Markdown that authors write: from text to a
// goldmark AST, without files, configuration or other pages.
//
// # Features and dialects
//
// A feature is one file: its nodes, its parser, and its renderer where that
// needs nothing of the site. Base features are always there: GFM, footnotes,
// definition lists, alerts, containers, tabs. A [Dialect] is a list of further
// features, what the authors of another tool write; [New] puts together those
// that a page asks for.
//
// Dialects meet in few nodes. A [Callout] comes of "> [!NOTE]", ":::note",
// "!!! note" and "/// note" alike, [Tabs] of as many forms, so that what renders
// or imports them knows one.
//
// # Places
//
// The source is parsed as it stands in the file, and never edited before: every
// offset in the AST is one of the file. A node that is a dialect's keeps the
// extent of its own marks ([Span]); with them gpudocs import writes it anew.
//
// A parser never fails. What an author got wrong is a [Fault] in the parser's
// context, and the text stays on the page as it is written.
package markdown
