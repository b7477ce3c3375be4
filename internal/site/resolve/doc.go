// Package resolve compares the pages of a site.
//
// [Resolve] first indexes all names (index.go, with names.go, redirects.go and vault.go), then
// resolves the links of each page in parallel: resolve.go visits the nodes, and links.go, wiki.go,
// references.go, rawhtml.go and others resolve one kind of them each. They find pages and files by
// name (find.go) and report what is missing (report.go). contents.go, embeds.go and live.go then
// check what depends on several pages. The results are stored in the [site.Site], and a [Resolution]
// holds them for the next load.
//
// [CheckTranslation] compares a translation with its source.
package resolve
