// Package notebook reads Jupyter notebooks: the JSON of a .ipynb file becomes a [Notebook], which
// becomes Markdown whose places are cells and lines.
//
// It reads nbformat 3, 4.0 to 4.5, and 5 if it has the structure of 4; see
// https://nbformat.readthedocs.io/en/latest/format_description.html. What cannot be read is a
// diagnostic: broken JSON with line and column of the file, a wrong type with the number of its
// cell. Nothing is run, and only the file itself is read.
//
// # Cells
//
// A Markdown cell is Markdown like that of pages. A code cell becomes a fence with the attributes
// in its metadata under "gpudocs"; it runs if the kernel is Python. A raw cell is included if its
// format is Markdown or HTML. The tags are those of Jupyter Book
// (https://jupyterbook.org/v1/interactive/hiding.html) and of nbclient:
//
//	hide-input, hide-output, hide-cell         folded
//	remove-input, remove-output, remove-cell   left out of the page, and run
//	skip-execution                             shown, and not run
//	raises-exception                           must end with exit code 1
//
// # Outputs
//
// The richest safe format of an output is used: a picture (SVG that only draws, PNG, JPEG), HTML,
// which the caller has to sanitise, LaTeX, Markdown and plain text as text. Of pictures only the
// headers are checked. Colours of terminals are parsed by [Spans].
//
// # Bounds
//
// [MaxFile] bytes of file, [MaxCells] cells, [MaxOutputs] outputs of a cell, [MaxText] bytes of an
// output's text, which is truncated, and [MaxSide] pixels of a picture.
package notebook
