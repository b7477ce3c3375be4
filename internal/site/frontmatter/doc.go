// Package frontmatter reads and writes the YAML at the beginning of a page.
//
// [Split] finds it, [Read] parses it into a [FrontMatter] and blanks it in the file, and
// [WriteStamp] writes the stamp of a translation. frontmatter.go reads the keys of all dialects and
// leaves those that need more than a line to the other files.
package frontmatter
