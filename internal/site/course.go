package site

import (
	"path"
	"slices"

	"github.com/gpudocs/gpudocs/internal/site/coursefile"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Course is a part of the site that was made for another tool, whose configuration lies there.
type Course struct {
	*coursefile.Course
	// File is the configuration, by path below the site's folder, and Scope the folder below content/ to whose
	// pages it applies. That is empty for the whole site.
	File, Scope string
	// Listed are the entries of the configuration in order, for each language of the course.
	Listed []Listed
	// LeftOut is the number of pages that the configuration leaves out.
	LeftOut int
}

// A Listed entry is a page, a section, or both. Depth is the number of sections around it.
type Listed struct {
	Title string
	// File is the page's file, by path below content/, or empty. Language is that of the list.
	File, Language string
	Depth          int
}

// PagesByFile returns the pages by the paths of their files below content/.
func (s *Site) PagesByFile() map[string]*Page {
	pages := make(map[string]*Page, len(s.Pages))
	for _, p := range s.Pages {
		pages[p.Language.Code+"/"+p.Path] = p
	}
	return pages
}

// FirstListed returns the page of a language that a course for all of its pages lists first, or nil.
func (s *Site) FirstListed(l *Language) *Page {
	for _, c := range s.Courses {
		for _, listed := range c.Listed {
			if c.Scope != "" && c.Scope != l.Code || listed.Language != l.Code {
				continue
			}
			for _, p := range s.Pages {
				if p.Language == l && listed.File == l.Code+"/"+p.Path {
					return p
				}
			}
		}
	}
	return nil
}

// WithoutFirstPage returns a warning for each language whose address shows no page that somebody wrote.
func (s *Site) WithoutFirstPage() (diags diag.List) {
	for _, l := range s.Languages {
		has := s.FirstListed(l) != nil || slices.Contains(s.Assets, l.Code+"/index.html")
		for _, p := range s.Pages {
			has = has || p.URL == p.Language.Code+"/" && (p.Language == l || s.Page(p.Key, l.Code) == nil)
		}
		if !has {
			folder := path.Join(sitefile.ContentFolder, l.Code)
			diags.Add(diag.Diagnostic{
				Severity: diag.Warning,
				Rule:     RuleFirstPage,
				File:     folder,
				Message:  diag.Say("page.first-page-missing", "code", l.Code),
				Hint:     diag.Say("page.first-page-missing-hint", "file", folder+"/index.md"),
			})
		}
	}
	return diags
}
