package site

import (
	"github.com/gpudocs/gpudocs/internal/site/bibtex"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Work returns a work of the bibliography, or nil.
func (s *Site) Work(key string) *bibtex.Entry { return s.Bibliography.Works[key] }

// A Bibliography is the content of the site's BibTeX file.
type Bibliography struct {
	// Name is the name of the file, or empty if the site has no bibliography.
	Name  string
	File  *diag.File
	Works map[string]*bibtex.Entry
	Diags diag.List
}
