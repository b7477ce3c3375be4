// Package importer turns notebooks and pages copied from other tools into Markdown that
// gpudocs runs: bytes in, bytes and diagnostics out. It opens no file and runs nothing.
//
// # Conversion
//
// [Convert] takes these steps, each on the text that the one before it left:
//
//	notebook.go   the cells of a Jupyter notebook become text and fences
//	flattened.go  so do those of a notebook that became text: "In [1]:", code, bare output
//	              (python.go reads the code, output.go tells output from prose)
//	prompts.go    >>> and $ prompts and job scripts get the language they need
//	files.go      links to imported notebooks lead to their pages
//
// A change is an [edit] of a span (source.go). What no edit covers stays as it was, to
// the byte: also what a dialect that gpudocs reads has written. Importing a page again
// changes nothing.
//
// # Guesses
//
// If a form does not say everything that its page needs, the importer guesses. It reports
// each guess twice: as a diagnostic, and as a comment in the text (guess.go). Code is
// marked to be run only with [Options.Run].
//
// # Survey
//
// [Look] reports which dialects and features a file holds, and what nothing here
// understands (survey.go). It reads lines, not the AST, because it has to see a feature
// of a dialect before that dialect is known.
package importer
