package include

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/site/datafile"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// MaxFile bounds a file that pages include, in bytes.
const MaxFile = 4 << 20

// A Library reads the files that one page includes, and records which files the page depends on.
type Library struct {
	cache *Cache
	// Data finds the files that sessions need.
	Data *datafile.Reader
	// Includes are the files that the page includes.
	Includes []string
	// Dependencies are the files that were requested, whether they exist or not. SearchedFolder is
	// set if a folder was listed for a hint, so that the diagnostics depend on its content too.
	Dependencies   []string
	SearchedFolder bool
	// size is the total size of the files that the page includes.
	size int
}

// NewLibrary returns the library of a page.
func NewLibrary(c *Cache) *Library { return &Library{cache: c, Data: datafile.NewReader(c.Data)} }

// A Cache holds the files that pages include, each read once. It is safe for concurrent use.
type Cache struct {
	// Data holds the files that sessions need.
	Data  *datafile.Cache
	fsys  fs.FS
	mu    sync.Mutex
	files map[string]func() cachedFile
	// before are the files of an earlier cache. Pages hold them, so that a file with the same content must
	// not be in memory twice.
	before map[string]func() cachedFile
}

// A cachedFile is a file, or the error of reading it.
type cachedFile struct {
	file *diag.File
	err  error
	key  memo.Key // of the content or the error
}

// NewCache returns a cache for the files of a site. before is the cache of an earlier load, or nil. A file
// that has the same content as there is the one from there.
func NewCache(fsys fs.FS, before *Cache) *Cache {
	c := &Cache{fsys: fsys, files: map[string]func() cachedFile{}}
	if before == nil {
		c.Data = datafile.NewCache(fsys, nil)
	} else {
		c.Data = datafile.NewCache(fsys, before.Data)
		c.before = before.files
		before.before = nil // or all earlier files would stay in memory
	}
	return c
}

// get reads a file by its path below the site's folder.
func (c *Cache) get(name string) cachedFile {
	c.mu.Lock()
	read := c.files[name]
	if read == nil {
		read = sync.OnceValue(func() cachedFile {
			f, err := readFile(c.fsys, name)
			if err != nil {
				return cachedFile{err: err, key: memo.KeyOf("error", err.Error())}
			}
			now := cachedFile{file: f, key: memo.KeyOf("file", string(f.Data))}
			if earlier := c.before[name]; earlier != nil {
				if e := earlier(); e.key == now.key {
					return e
				}
			}
			return now
		})
		c.files[name] = read
	}
	c.mu.Unlock()
	return read()
}

// Key returns a key of the content of files. If it is the same, no page that depends on them needs to be
// parsed again.
func (c *Cache) Key(names []string) memo.Key {
	var all []string
	for _, name := range names {
		key := c.get(name).key
		all = append(all, name, string(key[:]))
	}
	return memo.KeyOf(all...)
}

func readFile(fsys fs.FS, name string) (*diag.File, error) {
	info, err := fs.Stat(fsys, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, diag.Say("include.file-not-regular")
	case info.Size() > MaxFile:
		return nil, diag.Diagnostic{
			Message: diag.Say("config.content-file-too-large", "most", MaxFile>>20),
			Hint:    diag.Say("config.content-file-too-large-hint"),
		}
	}
	if d, hidden := sitefile.LinksToHidden(fsys, name); hidden {
		return nil, diag.Diagnostic{Message: d.Message, Hint: d.Hint}
	}
	data, err := fs.ReadFile(fsys, name)
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

// Find reads the first existing file of that path in several folders, as one that the page includes.
// A path that begins with / is relative to content/, or else to the site's folder.
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
			if !slices.Contains(l.Dependencies, form) {
				l.Dependencies = append(l.Dependencies, form)
			}
			f := l.cache.get(form)
			if f.err == nil {
				return f.file, l.record(f.file)
			}
			if !errors.Is(f.err, fs.ErrNotExist) {
				d := diag.Unreadable(form, f.err)
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
		entries, _ := fs.ReadDir(l.cache.fsys, path.Dir(name))
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

// record records that the page includes a file. It fails if the total size of the included files is
// too large.
func (l *Library) record(f *diag.File) *Problem {
	if !slices.Contains(l.Includes, f.Name) {
		l.Includes = append(l.Includes, f.Name)
	}
	if l.size += len(f.Data); l.size > maxRead {
		return &Problem{diag.Say("include.included-too-large", "most", maxRead>>20), diag.Say("include.split-hint")}
	}
	return nil
}
