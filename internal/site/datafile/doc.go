// Package datafile finds the files that the sessions of a page need: those that patterns name
// (files.go), and the modules beside a page that its Python code imports (imports.go).
//
// A [Reader] belongs to one page and records what it was asked, so that the page is parsed again when
// another answer would be given. The [Cache] below it is shared by all pages (cache.go). It hashes each
// file once, and in later loads of a site only if its size or time of change is another.
package datafile
