// Package importer turns what other tools' authors write into the Markdown that
// gpudocs reads without a dialect: bytes in, bytes and findings out. It opens no
// file and runs nothing.
//
// # What is turned
//
// A feature is one file, and each works on the text that the one before it left:
//
//	notebook.go   the cells of a Jupyter notebook
//	flattened.go  notebooks that became text: "In [1]:", code, its bare output
//	obsidian.go   wiki links, embeds, callouts, marks, comments, block ids
//	d2l.go        labels, references, tabs of frameworks, .input fences
//	mkdocs.go     !!! and /// blocks, === tabs, snippets
//	keys.go       the front matter's keys of other tools
//	prompts.go    >>> and $ prompts, job scripts
//
// A change is an [edit] of a span; what no edit covers stays as it was, to the
// byte. Text of the page is never changed, only the marks around it: the words
// that a reader sees are the same before and after, and importing what was
// imported changes nothing.
//
// # Guesses
//
// Where a form does not say all that its page needs, the importer guesses, and
// says so twice: as a diagnostic, and in the text as a comment that no reader
// sees (see [mark]). What runs on a lab's machines is never guessed: code gets run
// only with [Options.Run].
//
// # What is found
//
// [Look] says which dialects and features a file holds, and what nobody
// understands. It reads lines, not the AST, for it has to see a feature in a file
// whose dialect is not known yet.
package importer
