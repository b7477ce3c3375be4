// Package content reads a site's folder: configuration, languages, Markdown,
// blocks, links between pages, translations.
//
// # From files to a Site
//
// [Load] takes an fs.FS and returns a [Site] and the diagnostics; nothing is
// printed and nothing is written. A file is read once. Its front matter is
// blanked in place, so that every offset in the parsed Markdown is an offset
// in the file and every diagnostic can show its line. Each page is parsed once
// to a goldmark AST, on all processors, which is kept packed: [Page.Doc] makes a tree of
// it again, as long as somebody holds a node of that. It is read-only:
// the renderer adds the results of machines while it writes, by check ID,
// without ever editing Markdown.
//
// # A site's folder
//
//	gpudocs.toml            title, languages, environments, defaults ([Config])
//	content/pt/a/b.md       a page, published as pt/a/b/
//	content/pt/a/c.ipynb    a Jupyter notebook is a page too: pt/a/c/
//	content/pt/a/index.md   a section's own page, published as pt/a/
//	content/pt/a/x.png      any other file is published as it is: pt/a/x.png
//	content/images/y.png    files that languages share: images/y.png
//
// Names that begin with a dot are left out. A symbolic link
// is followed inside of the site only, and only to a file.
//
// # Translations
//
// Pages with one key are translations of each other. [Site.Source] tells which of them
// the others are made from, [Site.Translation] how a page stands to it: its front matter
// holds the hashes of the source's sections as they were, [WriteStamp] renews them, and
// package translate compares. Code that runs must be the same.
//
// # Notebooks
//
// Package notebook makes Markdown of a notebook, and that is parsed as any other
// page: notebook.go holds all that differs. Offsets are those of that text, and
// [diag.File] says cell and line of each.
//
// # Blocks
//
// The first word after a fence is the language; attributes stand in braces
// behind it, see [parseAttributes] for their form and blocks.go for their
// meaning:
//
//	```bash {run name=gpus timeout=30s needs="gpus >= 1"}
//
// bash, python and pycon blocks with run, and every gpu block, become a
// [Block]. A block with expect belongs to the runnable block before it.
package content
