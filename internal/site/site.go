package site

import (
	"cmp"
	"io/fs"

	"github.com/gpudocs/gpudocs/internal/site/picture"
)

// A Site is the content of a site's folder. It does not change after it is loaded, so it may be
// shared between goroutines.
type Site struct {
	Config *Config
	// FS is the site's folder.
	FS fs.FS
	// Languages are sorted by weight. The first is the default.
	Languages []*Language
	// Pages are sorted by language, then path. Drafts are left out, unless [load.Options] ask for
	// them.
	Pages []*Page
	// LeftOut are the files of pages that are not among Pages because of an error, by path below the
	// site's folder. Unusable is set if an error concerns the whole site: nothing of it may be
	// published or run.
	LeftOut  map[string]bool
	Unusable bool
	// Assets are the other files below content/, as slash-separated paths below it.
	Assets []string
	// Redirects are the former addresses of pages.
	Redirects []Redirect

	// Included are the files that pages include or try to, those that their sessions need, and the
	// bibliography, as slash-separated paths below the site's folder. They may be outside of content/.
	// Searched are the folders in which new files may be needed too.
	Included, Searched []string

	// Courses are the parts that were made for other tools. They determine what gpudocs.toml and front
	// matter do not.
	Courses []*Course

	// Bibliography holds the works that pages can cite.
	Bibliography *Bibliography
	// ImageSizes remembers the sizes of images.
	ImageSizes *picture.Sizes

	// What follows is set by package resolve. Names indexes pages and files, LinksByPage holds the
	// links of each of Pages, and PageIndex the index of each page in Pages.
	Names       *NameIndex
	LinksByPage []*Links
	PageIndex   map[*Page]int
	// ListPositions are the positions of pages in lists of pages.
	ListPositions map[*Page]int
	// Captures are the checks that capture a value, by its name.
	Captures map[string][]Captured
}

// A NameIndex indexes the pages and other files of a site by name. Pages are indexes of
// [Site.Pages], so that the same NameIndex serves all sites whose pages have the same names.
type NameIndex struct {
	// ByKey are the pages by key and language code.
	ByKey map[string]map[string]int
	// Sources are the indexes of the pages that these are translations of: a page's own index if it
	// is a source.
	Sources []int
	// Files maps the NFC form of the names of assets to those on disk.
	Files map[string]string
	// HasChecks reports whether a page has blocks.
	HasChecks bool
}

// A Language is one folder below content/.
type Language struct {
	Code   string // "pt", "pt-br"
	Name   string // what its readers call it: "Português"
	Weight int
}

// Page returns the page with the key in the language, or nil.
func (s *Site) Page(key, language string) *Page {
	if i, ok := s.Names.ByKey[key][language]; ok {
		return s.Pages[i]
	}
	return nil
}

// Translations returns the pages that share a key, by language.
func (s *Site) Translations(key string) []*Page {
	var out []*Page
	for _, l := range s.Languages {
		if p := s.Page(key, l.Code); p != nil {
			out = append(out, p)
		}
	}
	return out
}

// CompareWeight orders by weight, with those without a weight last.
func CompareWeight(a, b int) int {
	if (a == 0) != (b == 0) {
		if a == 0 {
			return 1
		}
		return -1
	}
	return cmp.Compare(a, b)
}

// StatusDir is the folder of a language's status page, below that of the language. The page is
// generated, and authors may link to it.
const StatusDir = "_status/"

// HasChecks reports whether a page of the site has anything to check. If not, there is no status
// page.
func (s *Site) HasChecks() bool {
	return s.Names != nil && s.Names.HasChecks
}
