// Package load reads a whole site.
//
// [Load] reads it once. A [Loader] reads it again after changes, and reuses results whose inputs are
// the same. A load reads the configuration (package config), lists content/ (walk.go, listing.go),
// reads the bibliography, parses the pages (package page), checks SVGs, and resolves links (package
// resolve).
package load
