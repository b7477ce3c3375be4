package render

import (
	"path"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A maker makes a file of a planned site.
type maker func(p *Plan) ([]byte, error)

// A claim asks for the name of a file. Of several claims to one name, or to a name and a folder of that name, the first gets it.
type claim struct {
	name string
	make maker
	// lost returns what is wrong if other, which may be a folder of name, is taken. It is nil if another file may well replace
	// this one: authors bring their own in content/.
	lost func(other string) diag.Diagnostic
	// authors is set for a file of an author, which gets no name in the folders of generated files.
	authors bool
	// to is the address that the file leads to if it only sends readers there, and former is set if it is a former address of that.
	to     string
	former bool
	// section is set for the page with all pages of a section, notebook for the notebook of a page.
	section  *section
	notebook *site.Page
}

// always returns the maker of a file that is known.
func always(data []byte) maker { return func(*Plan) ([]byte, error) { return data, nil } }

// alone returns a maker that needs no plan.
func alone(make func() ([]byte, error)) maker { return func(*Plan) ([]byte, error) { return make() } }

// decide gives each name to the first of the claims to it.
func decide(in *inputs, claims []claim) (*Plan, diag.List) {
	p := &Plan{
		inputs:    in,
		files:     make(map[string]maker, len(claims)),
		redirects: map[string]string{},
		formerly:  map[string][]string{},
		sections:  map[*nav.Entry]*section{},
		notebooks: map[*site.Page]string{},
	}
	var diags diag.List
	folders := map[string]bool{}
	for _, c := range claims {
		other := inTheWay(p.files, folders, c.name)
		if other == "" && c.authors && isOurs(c.name) {
			other = c.name
		}
		if other != "" {
			if c.lost != nil {
				diags.Add(c.lost(other))
			}
			continue
		}
		p.files[c.name] = c.make
		for dir := path.Dir(c.name); dir != "." && !folders[dir]; dir = path.Dir(dir) {
			folders[dir] = true
		}
		if c.to != "" {
			p.redirects[c.name] = c.to
		}
		if c.former {
			p.formerly[c.to] = append(p.formerly[c.to], folderOf(c.name))
		}
		if c.section != nil {
			p.sections[c.section.entry] = c.section
		}
		if c.notebook != nil {
			p.notebooks[c.notebook] = c.name
		}
	}
	return p, diags
}

// inTheWay returns the file or folder that keeps a file from having a name, or "".
func inTheWay(files map[string]maker, folders map[string]bool, name string) string {
	if folders[name] {
		return name
	}
	for at := name; at != "."; at = path.Dir(at) {
		if files[at] != nil {
			return at
		}
	}
	return ""
}

// folderOf returns the folder of a file, with a slash at its end unless it is the root.
func folderOf(name string) string {
	dir, _ := path.Split(name)
	return dir
}
