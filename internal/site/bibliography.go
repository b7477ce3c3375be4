package site

import (
	"github.com/gpudocs/gpudocs/internal/site/bibtex"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Work returns a work of the bibliography, or nil.
func (s *Site) Work(key string) *bibtex.Entry { return s.Bibliography.Works[key] }

// A Bibliography is the content of the site's BibTeX files.
type Bibliography struct {
	// Names are the names of the files.
	Names []string
	Files []*diag.File
	Works map[string]*bibtex.Entry
	// FileOf are the files of works.
	FileOf map[*bibtex.Entry]*diag.File
	Diags  diag.List
}
