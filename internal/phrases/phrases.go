// Package phrases says in Portuguese and Spanish what diagnostics say in English.
//
// A file for each language holds a text for each format that is given to
// [diag.Say] anywhere in gpudocs. The English format is its key, so who writes a
// diagnostic needs no name for it, and one that has no entry is still said, in
// English. A test holds that none lacks one. A text has the verbs of its key, with
// their numbers, as %[2]q, where they stand in another order. Names of keys,
// attributes, commands and whatever else an author writes stay as they are.
package phrases

import (
	"embed"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"github.com/gpudocs/gpudocs/internal/diag"
)

//go:embed pt.toml es.toml
var files embed.FS

// catalogs are read when they are first asked for: a run that has nothing to say does not
// pay for them.
var catalogs = map[string]func() diag.Catalog{"pt": catalog("pt.toml"), "es": catalog("es.toml")}

func catalog(file string) func() diag.Catalog {
	return sync.OnceValue(func() (c diag.Catalog) {
		data, err := files.ReadFile(file)
		if err == nil {
			err = toml.Unmarshal(data, &c)
		}
		if err != nil {
			panic(err) // the file is a part of the program
		}
		return c
	})
}

// Of is the catalog of a language such as pt or es-MX; that of English, and of any
// language without a file, is empty.
func Of(code string) diag.Catalog {
	primary, _, _ := strings.Cut(code, "-")
	if c := catalogs[primary]; c != nil {
		return c()
	}
	return nil
}
