package site

import "github.com/gpudocs/gpudocs/internal/site/coursefile"

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
