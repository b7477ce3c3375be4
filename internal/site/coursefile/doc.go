// Package coursefile reads what the configuration of other tools says of a course: its title, the order
// of its pages, its bibliography, and the pages that are left out. It reads bytes, and opens no file.
//
//	mkdocs.yml                MkDocs
//	myst.yml                  MyST
//	_config.yml, _toc.yml     Jupyter Book
//	_quarto.yml               Quarto
//	config.yaml, _config.yml  the Carpentries, and their older lessons
//	.obsidian                 the folder of an Obsidian vault
//
// Only the top-level keys that matter are parsed, so that tags of YAML such as !!python/name: elsewhere
// in a file do no harm. Aliases are ignored: they could grow without bound.
package coursefile
