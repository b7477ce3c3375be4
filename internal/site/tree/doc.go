// Package tree stores the syntax trees of pages in little memory.
//
// [New] packs a tree into a [Document] (pack.go), and [Document.Tree] builds it again when it is
// needed (unpack.go).
package tree
