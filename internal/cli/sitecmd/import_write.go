package sitecmd

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/markdown/importer"
	"github.com/gpudocs/gpudocs/internal/site/datafile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// An importPlan has the files that an import is going to write, all or none.
type importPlan struct {
	to    string
	files map[string]planned // by the path to write
	order []string
}

// A planned file has its bytes, or those of another file.
type planned struct {
	from string // the file that it comes from
	data []byte
	copy bool
	page bool
	// same is set if the file exists with these bytes, over if it exists with others.
	same, over bool
}

func (p *importPlan) put(target string, f planned) bool {
	before, taken := p.files[target]
	if !taken {
		p.files[target] = f
		p.order = append(p.order, target)
	}
	return !taken || before.from == f.from
}

// add plans a page, its embedded pictures, the files that it uses, and the modules and data files beside it
// that its code imports and reads. If its code is to run, the page names the latter.
func (p *importPlan) add(t *importTree, name string, r importer.Result, run bool) (diags diag.List) {
	from := filepath.Join(t.root, filepath.FromSlash(name))
	say := func(s diag.Severity, message, hint diag.Text) {
		diags.Add(diag.Diagnostic{Severity: s, File: filepath.ToSlash(from), Message: message, Hint: hint})
	}
	put := func(rel string, f planned) {
		target := filepath.Join(p.to, filepath.FromSlash(rel))
		if !p.put(target, f) {
			other := filepath.ToSlash(p.files[target].from)
			message := diag.Say("import.target-duplicate", "target", filepath.ToSlash(target), "from", other)
			say(diag.Error, message, message.Hint())
		}
	}
	data := t.dataFiles(name, r)
	if run && len(data) > 0 {
		var hint diag.Text
		if r.Data, hint = nameFiles(r.Data, data); !hint.IsZero() {
			say(diag.Notice, diag.Say("import.data-unnamed"), hint)
		}
	}
	put(r.Name, planned{from: from, data: r.Data, page: true})
	for _, file := range data {
		beside := path.Join(path.Dir(name), file)
		put(beside, planned{from: filepath.Join(t.root, filepath.FromSlash(beside)), copy: true})
	}
	for _, picture := range slices.Sorted(maps.Keys(r.Pictures)) {
		put(path.Join(path.Dir(name), picture), planned{from: from, data: r.Pictures[picture]})
	}
	for _, use := range r.Uses {
		file := filepath.Join(t.root, filepath.FromSlash(use))
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() || isPage(use) {
			continue // gpudocs check reports what is missing
		}
		if !p.inside(use) {
			say(diag.Warning, diag.Say("import.file-outside-folder", "use", use), diag.Say("import.file-outside-folder-hint"))
			continue
		}
		put(use, planned{from: file, copy: true})
	}
	for _, i := range datafile.Imports(string(r.Data)) {
		files, err := t.modules.Module(path.Dir(name), i.Name)
		if err != nil {
			say(diag.Warning, diag.Plain(err), diag.Plain(err).Hint())
		}
		for _, f := range files {
			put(f.Path, planned{from: filepath.Join(t.root, filepath.FromSlash(f.Path)), copy: true})
		}
	}
	return diags
}

// inside reports whether a file may be copied to its place: in the target folder, or in the folder
// content/ around it.
func (p *importPlan) inside(use string) bool {
	rest, above := use, 0
	for strings.HasPrefix(rest, "../") {
		rest, above = rest[3:], above+1
	}
	to, err := filepath.Abs(p.to)
	for ; above > 0 && err == nil; above-- {
		if filepath.Base(to) == "content" {
			return false
		}
		if to = filepath.Dir(to); above == 1 && !strings.Contains(filepath.ToSlash(to)+"/", "/content/") {
			return false
		}
	}
	return err == nil
}

// compare compares the plan with the files that exist. Without force none may be different.
func (p *importPlan) compare(force bool) error {
	var there []string
	for _, target := range p.order {
		f := p.files[target]
		if f.copy {
			data, err := os.ReadFile(f.from)
			if err != nil {
				return diag.Wrong(err)
			}
			f.data = data
		}
		old, err := os.ReadFile(target)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return diag.Wrong(diag.Say("import.file-in-the-way", "file", filepath.ToSlash(target), "why", err))
		case bytes.Equal(old, f.data):
			f.same = true
		default:
			f.over = true
			there = append(there, filepath.ToSlash(target))
		}
		p.files[target] = f
	}
	if len(there) > 0 && !force {
		return diag.Wrong(diag.Say("import.files-in-the-way", "files", firstOf(there)))
	}
	return nil
}

// firstOf lists the first of many names.
func firstOf(names []string) diag.Text {
	const most = 5
	if len(names) > most {
		return diag.Say("import.names-and-more", "names", strings.Join(names[:most], ", "), "n", len(names)-most)
	}
	return diag.Plain(strings.Join(names, ", "))
}

// write writes all files to a temporary folder, and then moves them to their places. If that fails,
// the target is as it was, except for files that --force replaced.
func (p *importPlan) write() (err error) {
	if err := os.MkdirAll(p.to, 0o755); err != nil {
		return diag.Wrong(diag.Plain(err).WithHint(diag.Say("import.target-hint")))
	}
	tmp, err := os.MkdirTemp(p.to, ".gpudocs-import-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	for i, target := range p.order {
		if err := os.WriteFile(filepath.Join(tmp, strconv.Itoa(i)), p.files[target].data, 0o644); err != nil {
			return err
		}
	}
	var moved []string
	for i, target := range p.order {
		f := p.files[target]
		if f.same {
			continue
		}
		err := os.MkdirAll(filepath.Dir(target), 0o755)
		if err == nil {
			err = os.Rename(filepath.Join(tmp, strconv.Itoa(i)), target)
		}
		if err != nil {
			for _, m := range moved {
				err = errors.Join(err, os.Remove(m))
			}
			return err
		}
		if !f.over {
			moved = append(moved, target)
		}
	}
	return nil
}
