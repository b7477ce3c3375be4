// Package survey finds out which dialects a page is written in, by its marks: the syntax that only
// one tool has. Code and code spans do not count, because pages show the syntax of other tools.
package survey
