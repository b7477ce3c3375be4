// Package text has the texts of the terminal, of pages and of the overlay of serve, in English,
// Portuguese and Spanish.
//
// The texts are in TOML files, one for each language and group: pt/links.toml has the
// messages about links in Portuguese. The key of a text, "links.page-missing", is the name of its
// group and its name in the file:
//
//	page-missing = "there is no page {file:q}"
//
// A placeholder {file} is replaced by the argument of that name; {file:q} quotes it as %q of
// package fmt does, so that text from elsewhere can neither end the quotation nor move a
// terminal's cursor. Braces around anything that is not an argument stay as they are. A text
// with plural forms is a table by the plural categories of CLDR (zero, one, two, few, many, other).
// The argument n selects the form:
//
//	[pages]
//	one = "{n} page"
//	other = "{n} pages"
//
// The name of any other table is part of the keys in it: short in the table [build] of help.toml
// is "help.build.short".
//
// Data flows from a key to a reader. [Say] makes a [Message]: a key with its arguments. It is in no language yet. As a string and
// as an error it is English, for programs and logs. Where it is shown, on the terminal or in the
// overlay of serve, a [Catalog] returns it in the language of the reader. Code that prints a text
// itself, such as a line of a table, uses [Catalog.Get].
//
// Texts of pages are part of the default theme, because other themes may replace them: the files
// i18n/pt.toml, with tables [strings], [plurals.NAME] and [date]. [ForTheme] makes a catalog of
// them. Scripts get their texts from a catalog too: those of a theme in attributes that its
// templates write, those of serve by [Catalog.Texts].
//
// message.go has messages, catalog.go finds their texts and fills the placeholders, files.go
// reads the texts, and locale.go chooses the language of a terminal.
package text
