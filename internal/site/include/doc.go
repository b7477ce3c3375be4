// Package include reads the files that pages include.
//
// [Compose] replaces the include directives of a page by the text of files before the page is
// parsed. [Library.Find] looks for a file and [Lines] selects a region or lines of it, also for code
// of other files (packages blocks and page).
//
// A [Library] belongs to one page and records which files the page depends on. The [Cache] below it
// is shared by all pages and by later loads of a site.
package include
