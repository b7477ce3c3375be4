// Package text has the texts that people read on the terminal, in pages and in the overlay of
// serve, in English, Portuguese and Spanish.
//
// The texts are TOML files, one for each language and group: pt/links.toml has the
// messages about links in Portuguese. A text is known by its key, "links.page-missing", which
// is the name of its group and its name in the file:
//
//	page-missing = "there is no page {file:q}"
//
// A placeholder {file} is replaced by the argument of that name; {file:q} quotes it as %q of
// package fmt does, so that text from elsewhere can neither end the quotation nor move a
// terminal's cursor. Braces around anything that is not an argument stay as they are. A text
// that counts has a table of the plural forms of its language (the categories of CLDR:
// zero, one, two, few, many, other), chosen by the argument n:
//
//	[pages]
//	one = "{n} page"
//	other = "{n} pages"
//
// Any other table is the beginning of the keys in it: short in the table [build] of help.toml
// is "help.build.short".
//
// [Say] makes a [Message]: a key with its arguments. It has no language yet. As a string and
// as an error it is English, for programs and logs; a [Catalog] words it for a reader, at the
// edge: on the terminal, in the overlay of serve. What is worded at once, such as a line of
// a table, asks a catalog for the text directly ([Catalog.Get]).
//
// Texts of pages are part of the default theme, because other themes may replace them: the files
// i18n/pt.toml, with tables [strings], [plurals.NAME] and [date]. [ForTheme] makes a catalog of
// them. Scripts get their texts from a catalog too: those of a theme in attributes that its
// templates write, those of serve by [Catalog.Texts].
//
// Data flows one way: files.go reads, catalog.go finds a text and fills its placeholders, and
// message.go holds what is yet to be worded. locale.go chooses a language for a terminal.
package text
