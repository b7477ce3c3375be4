// Package site holds the types of a site: configuration, languages, pages, blocks and links, with
// the methods that read them.
//
// # From files to a Site
//
// The packages below turn a site's folder, an fs.FS, into a [Site] and diagnostics. They print and
// write nothing. Data flows one way:
//
//	config       gpudocs.toml to Config
//	load         lists content/, parses the pages in parallel, reuses what has not changed
//	  page       the bytes of one file to a Page:
//	    frontmatter   the YAML at its beginning
//	    include       the text of other files in it
//	    blocks        its fences; attribute parses their attributes
//	    tree          its syntax tree, packed
//	  resolve    all pages to links, numbers, redirects, states of translations
//	    picture       sizes of images, active content of SVGs
//
// Package sitefile has the rules for files that all of them share, and sitetest loads small sites
// for tests.
//
// A file is read once. Its front matter is blanked in place, so that every offset in the parsed
// Markdown is an offset in the file, and every diagnostic can show its line. [Page.Doc] is
// read-only: results of machines are added while a page is rendered, by check ID.
//
// # A site's folder
//
//	gpudocs.toml            title, languages, environments, defaults ([Config])
//	content/pt/a/b.md       a page, published as pt/a/b/
//	content/pt/a/c.ipynb    a Jupyter notebook is a page too: pt/a/c/
//	content/pt/a/index.md   the page of a section, published as pt/a/
//	content/pt/a/x.png      any other file is published unchanged: pt/a/x.png
//	content/images/y.png    files that languages share: images/y.png
//
// Names that begin with a dot are left out, and files whose name or folder begins with _ exist only
// to be included, but for pictures that pages show from such a folder. A symbolic link is followed only within the site, and only
// to a file.
//
// # Translations
//
// Pages with the same key are translations of each other. [Site.Source] returns the page that the
// others are made from, and [Site.Translation] the state of a translation: its front matter holds
// the hashes of the source's sections at the time of translation. Package translate compares them,
// and frontmatter.WriteStamp updates them. Code that runs must be the same.
//
// # Notebooks
//
// Package notebook converts a notebook to Markdown, which is parsed like any page. Offsets are those
// of that text; [diag.File] translates them to cell and line.
package site
