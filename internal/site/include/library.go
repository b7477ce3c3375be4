package include

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// MaxFile bounds a file that pages include, in bytes.
const MaxFile = 4 << 20

// A Library reads the files that one page includes, and records which files the page depends on.
type Library struct {
	fsys fs.FS
	// cache holds the files that other pages have read.
	cache *Cache
	// Dependencies are the files that were requested, whether they exist or not. SearchedFolder is
	// set if a folder was listed for a hint, so that the diagnostics depend on its content too.
	Dependencies   []string
	SearchedFolder bool
	// size is the total size of the files that the page includes.
	size int
}

// NewLibrary returns the library of a page.
func NewLibrary(fsys fs.FS, c *Cache) *Library { return &Library{fsys: fsys, cache: c} }

// A Cache holds the files that pages include, each read once. It is safe for concurrent use.
type Cache struct {
	mu    sync.Mutex
	files map[string]*cachedFile
}

type cachedFile struct {
	once sync.Once
	file *diag.File
	err  error
	// linked is set if a symbolic link is part of the path: the file can change under another name.
	linked bool
}

// same reports whether a page that includes f need not be parsed again if it includes other
// instead.
func (f *cachedFile) same(other *cachedFile) bool {
	if f.err != nil || other.err != nil {
		return f.err != nil && other.err != nil && f.err.Error() == other.err.Error() &&
			errors.Is(f.err, fs.ErrNotExist) == errors.Is(other.err, fs.ErrNotExist)
	}
	return bytes.Equal(f.file.Data, other.file.Data)
}

// file reads a file by its path below the site's folder.
func (l *Library) file(name string) (*diag.File, error) {
	if !slices.Contains(l.Dependencies, name) {
		l.Dependencies = append(l.Dependencies, name)
	}
	f := l.cache.get(name)
	f.once.Do(func() { l.fill(f, name) })
	return f.file, f.err
}

// HashTo implements [memo.Hasher]: it adds the files that were requested.
func (l *Library) HashTo(h *memo.Hash) {
	for _, name := range l.Dependencies {
		if f, err := l.file(name); err != nil {
			h.Add(name, err.Error())
		} else {
			h.Add(name, f.Data)
		}
	}
}

// Prune drops the files that no page uses any more.
func (c *Cache) Prune(asked map[string]bool) {
	maps.DeleteFunc(c.files, func(name string, _ *cachedFile) bool { return !asked[name] })
}

func (c *Cache) get(name string) *cachedFile {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.files[name]
	if f == nil {
		f = &cachedFile{}
		if c.files == nil {
			c.files = map[string]*cachedFile{}
		}
		c.files[name] = f
	}
	return f
}

func (l *Library) fill(f *cachedFile, name string) {
	_, f.linked = sitefile.FollowLink(l.fsys, name)
	f.file, f.err = l.read(name)
}

// Refresh reads the files again that may have changed, and returns the names of those that have.
func (c *Cache) Refresh(fsys fs.FS, mayDiffer func(name string) bool) (changed []string) {
	for name, old := range c.files {
		if !mayDiffer(name) && !old.linked && old.err == nil {
			continue
		}
		f := &cachedFile{}
		f.once.Do(func() { (&Library{fsys: fsys}).fill(f, name) })
		if !f.same(old) {
			c.files[name] = f
			changed = append(changed, name)
		} else {
			old.linked = f.linked
		}
	}
	return changed
}

func (l *Library) read(name string) (*diag.File, error) {
	info, err := fs.Stat(l.fsys, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, diag.Say("include.file-not-regular")
	case info.Size() > MaxFile:
		return nil, diag.Diagnostic{Message: diag.Say("config.content-file-too-large", "most", MaxFile>>20), Hint: diag.Say("config.content-file-too-large-hint")}
	}
	if d, hidden := sitefile.LinksToHidden(l.fsys, name); hidden {
		return nil, diag.Diagnostic{Message: d.Message, Hint: d.Hint}
	}
	data, err := fs.ReadFile(l.fsys, name)
	if err != nil {
		return nil, err
	}
	f := diag.NewFile(name, slices.Clip(sitefile.WithoutBOM(data)))
	if d, bad := sitefile.InvalidUTF8(f); bad {
		return nil, d
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, diag.Diagnostic{Message: diag.Say("include.file-binary"), Hint: diag.Say("include.file-binary-hint")}
	}
	return f, nil
}

// Find reads the first existing file of that path in several folders. A path that begins with / is
// relative to content/, or else to the site's folder.
func (l *Library) Find(file string, folders ...string) (*diag.File, *Problem) {
	if file == "" || strings.HasSuffix(file, "/") {
		return nil, &Problem{diag.Say("include.file-name-invalid", "file", file), diag.Say("include.file-hint")}
	}
	if strings.HasPrefix(file, "/") {
		folders = []string{sitefile.ContentFolder, "."}
	}
	var tried []string
	for _, dir := range folders {
		name := path.Join(dir, file)
		if !fs.ValidPath(name) || slices.Contains(tried, name) {
			continue // it leads out of the site
		}
		tried = append(tried, name)
		if sitefile.IsHidden(name) {
			return nil, &Problem{diag.Say("include.file-hidden", "name", name), diag.Say("include.file-hidden-hint")}
		}
		for _, form := range []string{name, norm.NFC.String(name), norm.NFD.String(name)} { // macOS may keep the latter
			f, err := l.file(form)
			if err == nil {
				return f, nil
			}
			if !errors.Is(err, fs.ErrNotExist) {
				d := diag.Unreadable(form, err)
				return nil, &Problem{diag.Say("diag.message-at", "place", form, "what", d.Message), d.Hint}
			}
		}
	}
	if len(tried) == 0 {
		return nil, &Problem{diag.Say("include.file-outside-site", "file", file), diag.Say("diag.copy-into-site-hint")}
	}
	return nil, &Problem{diag.Say("page.file-missing", "file", file), l.nearest(append(tried, path.Join(sitefile.ContentFolder, file)))}
}

// nearest returns the hint for a file that does not exist. It was not looked for in the last place
// of tried.
func (l *Library) nearest(tried []string) diag.Text {
	l.SearchedFolder = true
	for _, name := range tried {
		var near []string
		entries, _ := fs.ReadDir(l.fsys, path.Dir(name))
		for _, e := range entries {
			if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
				near = append(near, e.Name())
			}
		}
		if n := diag.Nearest(path.Base(name), near); n != "" {
			return diag.Say("links.near-file-hint", "here", path.Join(path.Dir(name), n))
		}
	}
	return diag.Say("include.searched-paths-hint", "tried", strings.Join(tried[:len(tried)-1], ", "))
}

// Record records that the page includes a file. It fails if the total size of the included files is
// too large.
func (l *Library) Record(p *site.Page, f *diag.File) *Problem {
	if !slices.Contains(p.Includes, f.Name) {
		p.Includes = append(p.Includes, f.Name)
	}
	if l.size += len(f.Data); l.size > maxRead {
		return &Problem{diag.Say("include.included-too-large", "most", maxRead>>20), diag.Say("include.split-hint")}
	}
	return nil
}
