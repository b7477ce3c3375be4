// Package page renders the text of one page as HTML.
//
// [Render] makes a [Body] of an [Input], which holds all that the text depends on: the page and its address, the site in
// which its links lead, its results, the theme. It knows no file that is published.
//
// Each kind of node has a writer, which goldmark calls: inline nodes (markdown.go, image.go), code, diagrams and what
// notebooks store (code.go, diagram.go, stored.go), formulas (math.go), boxes (boxes.go), figures and references
// (captions.go, numbers.go), citations (bibliography.go), tables, and raw HTML (rawhtml.go). A page that another
// embeds is rendered by a writer of its own (embed.go), and its HTML rewritten to fit in (rewrite.go).
package page
