// Package importer converts notebooks, and pages with flattened notebooks and pasted sessions, to
// gpudocs Markdown: bytes in, bytes and diagnostics out. It opens no file and runs nothing.
//
// # Conversion
//
// [Convert] takes these steps, each on the result of the one before:
//
//	notebook.go   the cells of a Jupyter notebook become text and fences
//	flattened.go  so do those of a flattened notebook: "In [1]:", code, bare output
//	              (flatcells.go finds the cells, python.go reads the code, and output.go
//	              distinguishes output from prose)
//	prompts.go    >>> and $ prompts and job scripts get the language they need
//	files.go      links to imported notebooks are changed to their pages
//
// A change is an edit of a span (source.go). Everything else stays as it was, to the byte,
// including the syntax of dialects. Importing a page again changes nothing.
//
// # Guesses
//
// If a file does not contain everything that a page needs, the importer guesses. It reports each
// guess twice: as a diagnostic, and as a comment in the text (guess.go). Code is made runnable only
// with [Options.Run].
//
// # Survey
//
// [Look] reports the dialects and features of a file, and syntax that gpudocs does not support
// (survey.go). It reads lines, not the AST, because it has to find a feature of a dialect before
// that dialect is known.
package importer
