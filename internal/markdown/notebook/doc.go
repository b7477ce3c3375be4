// Package notebook reads Jupyter notebooks: the JSON of a .ipynb file becomes a
// [Notebook], and that a text in Markdown whose places are cells and lines.
//
// It reads nbformat 3, 4.0 to 4.5, and what calls itself 5 if it has the
// structure of 4; the format is described at
// https://nbformat.readthedocs.io/en/latest/format_description.html. What cannot
// be read is a diagnostic: broken JSON with line and column of the file, a wrong
// type with the number of its cell. Nothing is run, and nothing outside of the
// file is looked at.
//
// # Cells
//
// A Markdown cell is the Markdown of pages. A code cell becomes a fence with the
// attributes that its metadata gives under "gpudocs", and it is to be run where
// the kernel is a Python. A raw cell is taken if its format is Markdown or HTML.
// The tags are those of Jupyter Book
// (https://jupyterbook.org/v1/interactive/hiding.html) and of nbclient:
//
//	hide-input, hide-output, hide-cell         folded
//	remove-input, remove-output, remove-cell   left out of the page, and run
//	skip-execution                             shown, and not run
//	raises-exception                           must end with exit code 1
//
// # Outputs
//
// Of an output's formats the richest that is safe is kept: a picture (SVG that
// holds nothing but drawing, PNG, JPEG), HTML, which its reader has to sanitise,
// LaTeX, Markdown and plain text as text. Pictures are checked by their headers,
// never drawn. Colours of terminals are parsed by [Spans].
//
// # Bounds
//
// [MaxFile] bytes of file, [MaxCells] cells, [MaxOutputs] outputs of a cell, [MaxText] bytes of
// an output's text, of which the rest is cut, and [MaxSide] pixels of a picture.
package notebook
