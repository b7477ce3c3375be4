// Package themes embeds the default theme, so that the program needs no file
// beside itself.
//
// A theme is a folder:
//
//	layouts/*.html   templates: page.html, root.html, and the parts they name
//	i18n/*.toml      interface texts by language; en.toml has all of them
//	assets/...       published below _theme/ of the site; a folder named like a
//	                 file, style.css/, is that file in parts
//
// A site's own themes/NAME lies over the default one file by file.
package themes

import (
	"embed"
	"io/fs"
)

//go:embed all:default
var files embed.FS

// Default returns the default theme's folder.
func Default() fs.FS {
	sub, err := fs.Sub(files, "default")
	if err != nil {
		panic(err) // the name is a constant above
	}
	return sub
}
