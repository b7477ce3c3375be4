package importer

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// Files are the files that come along, by their slash paths.
type Files struct {
	all map[string]bool
	// byName are the paths by their last element in lower case, the shortest first,
	// as Obsidian looks for what a wiki link names.
	byName map[string][]string
}

// NewFiles makes them of paths.
func NewFiles(paths []string) *Files {
	f := &Files{all: map[string]bool{}, byName: map[string][]string{}}
	for _, p := range paths {
		f.all[p] = true
		name := strings.ToLower(path.Base(p))
		f.byName[name] = append(f.byName[name], p)
	}
	for _, list := range f.byName {
		slices.SortFunc(list, func(a, b string) int {
			if n := strings.Count(a, "/") - strings.Count(b, "/"); n != 0 {
				return n
			}
			return strings.Compare(a, b)
		})
	}
	return f
}

// has tells whether a file comes along.
func (f *Files) has(p string) bool { return f != nil && f.all[p] }

// named finds the file that a wiki link on the page from means: by its path from the
// top or from the page, else by its name anywhere.
func (f *Files) named(from, target string) (string, bool) {
	if f == nil {
		return "", false
	}
	for _, p := range []string{path.Clean(target), path.Join(path.Dir(from), target)} {
		if f.all[p] {
			return p, true
		}
	}
	list := f.byName[strings.ToLower(path.Base(target))]
	for _, p := range list {
		if path.Dir(p) == path.Dir(from) && !strings.Contains(target, "/") {
			return p, true
		}
	}
	for _, p := range list {
		if strings.HasSuffix("/"+strings.ToLower(p), "/"+strings.ToLower(strings.TrimPrefix(path.Clean(target), "/"))) {
			return p, true
		}
	}
	return "", false
}

// read finds the file whose text a page shows: MkDocs and its plugins look from
// the folder of mkdocs.yml, wherever above the page that is.
func (f *Files) read(from, target string) (string, bool) {
	if f == nil {
		return "", false
	}
	for dir := path.Dir(from); ; dir = path.Dir(dir) {
		if p := path.Join(dir, target); f.all[p] {
			return p, true
		}
		if dir == "." {
			return "", false
		}
	}
}

// relativeTo is the path of a file as a page in another place names it.
func relativeTo(from, file string) string {
	here := strings.Split(path.Dir(from), "/")
	if path.Dir(from) == "." {
		here = nil
	}
	there := strings.Split(file, "/")
	for len(here) > 0 && len(there) > 1 && here[0] == there[0] {
		here, there = here[1:], there[1:]
	}
	return strings.Repeat("../", len(here)) + strings.Join(there, "/")
}

// destination writes a path so that Markdown reads it as one.
func destination(p string) string {
	var b strings.Builder
	for _, c := range []byte(p) {
		if c <= ' ' || c == 0x7f || strings.IndexByte("()<>\\%\"'*_`[]?#&", c) >= 0 && c != '_' {
			b.WriteString("%" + strings.ToUpper(string("0123456789abcdef"[c>>4])+string("0123456789abcdef"[c&15])))
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// fileOf is the path that a destination names beside the page from, or nothing
// where it is no file's.
func fileOf(from, dest string) string {
	u, err := url.Parse(dest)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" || strings.HasPrefix(u.Path, "/") {
		return ""
	}
	return path.Join(path.Dir(from), u.Path)
}
