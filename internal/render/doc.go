// Package render turns a site and the reports of its machines into files.
//
// Data flows from a site, reports and a theme through [New] to the plan of all files, and from there to the bytes of
// each file that is asked for.
//
// Packages below it do the work: [nav] knows the addresses of pages, [results] what machines found, [theme] the
// templates and their data. [page] renders the text of one page, [status] the pages of all checks, [feeds] the files
// beside the pages. This package has the rest: a [Plan] says which files the site has and what makes each. It is made of
// claims to names, in an order (plan.go), of which the first to a name gets it (claims.go). Only then is a file made, from the
// plan: frame.go puts a frame around the text of a page, and redirect.go, generated.go, print.go, book.go, notfound.go and
// hosting.go make others.
//
// It is pure: it runs no program and uses no clock, network or GPU. The same site, reports and theme give the same
// bytes on any machine. A [Site] knows the names of its files from the start, and makes each when it is asked for:
// build asks for all of them on all CPUs, serve for what the browser requests. The names of figures and the
// files of search indexes depend on what is in them, so these are listed only when one of them or all names are asked for.
//
// Only New gets reports. Under each runnable block a page shows what they say of its check ID. A report of code that
// has changed since is shown as stale. It is found by the block's page and name.
//
// # What is published
//
//	index.html            sends readers to their language, and lists all of them
//	pt/a/b/index.html     a page; every language has every page, with a notice
//	                      and the original text where it lacks a translation
//	pt/a/b/index.html.md  the page in Markdown
//	pt/_print/a/...       all pages of a section on one, and as a PDF if others add it
//	pt/404.html           what a host shows for an unknown address, also at the root
//	llms.txt, sitemap.xml, robots.txt, ... for programs
//	pt/old/index.html     sends readers of an old address to its page
//	_headers, _redirects  what a server should know, as Netlify reads it
//	pt/a/x.png            other files of content/, as they are
//	pt/_tags/...          the pages with a tag, and all tags
//	pt/_status/           the status of all checks on all machines; feed.xml has the changes
//	badges/...            the same as a badge, by page and machine
//	_results/...          the same for programs
//	_theme/HASH/...       the theme's assets and a generated chroma.css; another theme
//	                      has another hash, so browsers may cache them for ever
//	pt/_search/...        the index of that language's pages, see internal/render/search
//	_figures/...          what snippets drew, from the reports, and the pictures
//	                      of notebooks
//	_images/...           smaller versions of images
//
// Links in pages are relative, so the site works below any prefix. Only canonical and hreflang addresses
// and the sitemap need the base URL.
package render
