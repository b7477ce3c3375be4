package blocks

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/datafile"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Files of a session come from files= of its blocks, from the page's and the site's files, from the
// modules that its code imports (modules.go), and from blocks with save=. They are given to the first
// block that needs them when the page is read to its end.

// saveAttributes are the attributes of a block that is saved as a file.
var saveAttributes = slices.Concat([]string{"save", "session"}, shownAttributes)

// A neededFile is a file that a block needs in its session's folder, and the place of what says so.
type neededFile struct {
	site.DataFile
	file       *diag.File
	start, end int
}

// A save is a block with save=.
type save struct {
	site.SavedFile
	session    string
	before     int // the number of blocks before it on the page
	start, end int
	used       bool
}

// readFiles finds the files that a block names.
func (r *Reader) readFiles(b *site.Block, f *Fence, a fenceAttributes) {
	r.readModules(b, f)
	at, ok := a.by["files"]
	if !ok {
		return
	}
	patterns := strings.Fields(at.Value)
	if len(patterns) == 0 {
		a.fault(at, diag.Say("files.list-empty").WithHint(diag.Say("files.list-hint")))
	}
	folder := path.Join(sitefile.ContentFolder, r.Page.FolderAt(b.Pos))
	place := 0
	for _, pattern := range patterns {
		start, end := a.base+at.Start, a.base+at.End
		if i := strings.Index(at.Value[place:], pattern); at.End-at.ValueStart <= len(at.Value)+1 { // no backslashes
			start = a.base + at.ValueStart + place + i
			end = start + len(pattern)
			place += i + len(pattern)
		}
		r.needs(b, pattern, folder, r.File, start, end)
	}
}

// needs adds the files of a pattern to those that a block needs, or to all blocks' if b is nil.
func (r *Reader) needs(b *site.Block, pattern, folder string, in *diag.File, start, end int) {
	if r.patterns++; r.patterns > maxPatterns {
		if r.patterns == maxPatterns+1 {
			r.Diags.Add(in.Error(start, end, diag.Say("files.patterns-too-many", "most", maxPatterns)))
		}
		return
	}
	files, err := r.Library.Data.Files(folder, pattern)
	if err != nil {
		r.Diags.Add(in.Error(start, end, diag.Plain(err)))
	}
	r.add(b, files, in, start, end)
}

func (r *Reader) add(b *site.Block, files []site.DataFile, in *diag.File, start, end int) {
	if r.needed == nil {
		r.needed = map[*site.Block][]neededFile{}
	}
	if !r.count(len(files), in, start, end) {
		return
	}
	for _, f := range files {
		r.needed[b] = append(r.needed[b], neededFile{f, in, start, end})
	}
}

// maxGiven bounds the files of all blocks of a page together, and maxPatterns their patterns: each is a
// search.
const maxGiven, maxPatterns = 200_000, 1000

// count bounds how often a page needs files, and reports whether it may need n more.
func (r *Reader) count(n int, in *diag.File, start, end int) bool {
	before := r.given
	if r.given += n; r.given > maxGiven && before <= maxGiven {
		r.Diags.Add(in.Error(start, end, diag.Say("files.page-too-many", "most", maxGiven).WithHint(diag.Say("files.narrow-hint"))))
	}
	return r.given <= maxGiven
}

// readModules finds the modules beside the page that a block of Python imports.
func (r *Reader) readModules(b *site.Block, f *Fence) {
	if kind := kindByLanguage[strings.ToLower(f.Language)]; kind != site.Python && kind != site.Pycon {
		return
	}
	for _, i := range datafile.Imports(f.Code) {
		// one by one, so that an error has the place of its import
		files, err := r.Library.Data.Module(path.Join(sitefile.ContentFolder, r.Page.FolderAt(b.Pos)), i.Name)
		if len(files) == 0 && err == nil {
			continue
		}
		file, start, end, ok := f.Place(r.File, i.Line, i.From, i.To)
		if !ok {
			file, start, end = r.File, b.Pos, b.Pos+1
		}
		if err != nil {
			r.Diags.Add(file.Warning(start, end, diag.Plain(err)))
			continue
		}
		r.add(b, files, file, start, end)
	}
}

// readDefaultFiles finds the files of the page and of the site.
func (r *Reader) readDefaultFiles() {
	folder := path.Join(sitefile.ContentFolder, r.Page.FolderAt(-1))
	for _, d := range r.Defaults.Files {
		r.needs(nil, d.Pattern, folder, d.File, d.Start, d.End)
	}
	if len(r.sessions) == 0 {
		return
	}
	for _, pattern := range r.Config.Files { // those of the site have been checked
		files, _ := r.Library.Data.Files(".", pattern)
		r.add(nil, files, r.Page.File, 0, 0)
	}
}

// readSave reads a block that is saved as a file. It does not run.
func (r *Reader) readSave(n *ast.FencedCodeBlock, f *Fence, a fenceAttributes) {
	at := a.by["save"]
	if a.has("run") || a.has("expect") {
		a.fault(at, diag.Say("files.save-run"))
		return
	}
	a.allowOnly(diag.Say("files.where-saved"), saveAttributes...)
	if !a.has("title") {
		f.Title = at.Value
	}
	session := r.Defaults.Session
	if s, ok := a.by["session"]; ok {
		session = s.Value
	}
	switch {
	case at.Value == "" || at.Value == "." || len(at.Value) > maxSavedName || !fs.ValidPath(at.Value) || !datafile.ValidName(at.Value):
		a.fault(at, diag.Say("files.save-name-invalid", "name", diag.Clip(at.Value, 100)).WithHint(diag.Say("files.save-name-hint")))
		return
	case session == "":
		a.fault(at, diag.Say("files.save-without-session"))
		return
	}
	b := r.newBlock(n, f)
	r.saves = append(r.saves, &save{SavedFile: site.SavedFile{Name: at.Value, Block: b}, session: session, before: len(r.Page.Blocks),
		start: a.base + at.Start, end: a.base + at.End})
}

// maxSavedName bounds the path of a saved file, in bytes.
const maxSavedName = 200

// giveFiles gives the files of the page to the blocks that need them first in their sessions.
func (r *Reader) giveFiles() {
	r.readDefaultFiles()
	if len(r.needed) == 0 && len(r.saves) == 0 {
		return
	}
	number := map[*site.Block]int{}
	for i, b := range r.Page.Blocks {
		number[b] = i
	}
	saves := map[string][]*save{}
	for _, f := range r.saves {
		saves[f.session] = append(saves[f.session], f)
	}
	for _, s := range r.sessions {
		if n := len(r.needed[nil]); n > 0 && !r.count(n, r.Page.File, 0, 0) {
			return
		}
		r.giveTo(s, saves[s.Name], number)
	}
	for _, f := range r.saves {
		if !f.used {
			r.Diags.Add(r.File.Warning(f.start, f.end, diag.Say("files.save-unused", "session", f.session)))
		}
	}
}

// giveTo gives a session its files. saves are the blocks that are saved in sessions of its name, and number
// are the numbers of the blocks on the page.
func (r *Reader) giveTo(s *site.Session, saves []*save, number map[*site.Block]int) {
	folder := sessionFolder{files: map[string]string{}}
	for _, b := range s.Blocks {
		for len(saves) > 0 && saves[0].before <= number[b] {
			f := saves[0]
			saves = saves[1:]
			f.used = true
			if err := folder.take(f.Name, ""); err != nil {
				r.Diags.Add(r.File.Error(f.start, f.end, diag.Plain(err)))
				continue
			}
			b.Saves = append(b.Saves, f.SavedFile)
		}
		for _, f := range slices.Concat(r.needed[nil], r.needed[b]) {
			if folder.files[f.Name] == f.Path {
				continue
			}
			err := folder.take(f.Name, f.Path)
			if err == nil {
				err = folder.count(f.DataFile)
			}
			if err != nil {
				r.Diags.Add(f.file.Error(f.start, f.end, diag.Plain(err)))
				continue
			}
			b.Files = append(b.Files, f.DataFile)
		}
		if b.Recipe == nil {
			continue
		}
		if source := b.Recipe.Source(b.Program()); folder.has(source) {
			r.Diags.Add(r.File.Error(b.Pos, b.Pos+len(b.Opening), diag.Say("files.name-taken", "name", source).
				WithHint(diag.Say("files.source-hint"))))
		}
	}
}

// A sessionFolder is what is put into the folder of a session: files, by name, with their paths in the
// site. A saved file has no path.
type sessionFolder struct {
	files map[string]string
	n     int
	total int64
}

// has reports whether a file has the name.
func (f *sessionFolder) has(name string) bool {
	_, is := f.files[name]
	return is
}

// take takes a name for a file, if no other file needs it.
func (f *sessionFolder) take(name, from string) error {
	if other, taken := f.files[name]; taken && (other != "" || from != "") { // otherwise it is saved again
		return diag.Say("files.name-taken", "name", name).WithHint(diag.Say("files.name-taken-hint"))
	}
	for other := range f.files {
		if file := min(name, other); strings.HasPrefix(max(name, other), file+"/") {
			return diag.Say("files.name-of-folder", "name", file).WithHint(diag.Say("files.name-taken-hint"))
		}
	}
	f.files[name] = from
	return nil
}

// count bounds the files of a session.
func (f *sessionFolder) count(file site.DataFile) error {
	f.n++
	if !file.Large() {
		f.total += file.Size
	}
	if f.n > datafile.MaxFiles || f.total > datafile.MaxTotal {
		return diag.Say("files.session-too-large", "files", datafile.MaxFiles, "most", datafile.MaxTotal>>20).
			WithHint(diag.Say("files.narrow-hint"))
	}
	return nil
}

// addFiles makes the files that a block gets a part of its check's ID, and of those of later blocks.
func addFiles(chain *report.Chain, b *site.Block) {
	for _, f := range b.Saves {
		chain.With("save " + f.Name + "\n" + f.Block.Code)
	}
	for _, f := range b.Files {
		chain.With(f.Trait())
	}
}
