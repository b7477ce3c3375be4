package site

import "github.com/gpudocs/gpudocs/internal/site/coursefile"

// A Course is a part of the site that was made for another tool, whose configuration lies there.
type Course struct {
	*coursefile.Course
	// File is the configuration, by path below the site's folder.
	File string
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
