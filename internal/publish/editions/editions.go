// Package editions publishes earlier states of a site in folders below the current one.
package editions

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/render/edition"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/history"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Sources are what the editions of a site are made with.
type Sources struct {
	// Site is the folder of the site.
	Site string
	// List gets the editions. The pages of the current site link to them by it.
	List *edition.List
	// Label is what readers call the current site.
	Label site.Localized
	// Load reads the site of a commit, to publish it in a folder of a name. If it cannot, it returns an error, or no site and
	// diagnostics.
	Load func(name, commit string, content fs.FS, links *edition.Origin) (*render.Site, diag.List, error)
}

// A Set is the current site with its editions. It implements [publish.Files].
type Set struct {
	Sources
	ctx     context.Context
	current *render.Site
	others  map[string]*other // by name
	tmp     string            // a folder for the files of commits, or empty
	roots   []*os.Root
	diags   diag.List
}

// An other is an edition that is not the current site.
type other struct {
	site.Edition
	files files
	names map[string]bool
}

// files are the files of an edition, by names below its folder.
type files interface {
	Paths() []string
	File(name string) (data []byte, ok bool, err error)
}

// New finds the editions and reads them. One that cannot be published is left out, with a diagnostic. The set must be closed.
func New(ctx context.Context, current *render.Site, all []site.Edition, o Sources) (*Set, diag.List) {
	e := &Set{Sources: o, ctx: ctx, current: current, others: map[string]*other{}}
	e.List.Current, e.List.BaseURL = current, current.BaseURL()
	e.List.Editions = []*edition.Edition{{Label: o.Label, Has: current.Has}}
	for _, s := range all {
		p := &other{Edition: s, names: map[string]bool{}}
		err := e.read(p)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			e.diags.Add(p.fault(err))
			continue
		}
		for _, name := range p.files.Paths() {
			p.names[name] = true
		}
		e.others[p.Name] = p
		e.List.Editions = append(e.List.Editions, &edition.Edition{
			Name:    p.Name,
			Label:   p.Label,
			Has:     func(file string) bool { return p.names[file] },
			Foreign: p.Built != "",
		})
	}
	return e, e.diags
}

// fault returns the diagnostic that an edition is left out.
func (p *other) fault(err error) diag.Diagnostic {
	d := p.At
	d.Message, d.Hint = diag.Say("cli.edition-unread", "name", p.Name, "why", err), diag.Say("cli.edition-unread-hint")
	if hinted, ok := errors.AsType[*hintedError](err); ok {
		d.Message, d.Hint = hinted.message, hinted.hint
	}
	return d
}

// A hintedError says why an edition is left out, with a hint.
type hintedError struct{ message, hint diag.Text }

func (e *hintedError) Error() string { return e.message.String() }

// read finds the commit of an edition, and reads it.
func (e *Set) read(p *other) error {
	if e.current.HasFolder(p.Name) {
		return &hintedError{diag.Say("cli.edition-name-taken", "name", p.Name), diag.Say("cli.edition-name-taken-hint")}
	}
	tree, err := history.Find(e.ctx, e.Site, p.Ref)
	if errors.Is(err, history.ErrNoRef) {
		return &hintedError{diag.Say("cli.edition-without-ref", "name", p.Name, "ref", p.Ref), diag.Say("cli.edition-without-ref-hint")}
	} else if err != nil {
		return err
	}
	if e.tmp == "" {
		if e.tmp, err = os.MkdirTemp("", "gpudocs-editions-"); err != nil {
			return err
		}
	}
	folder := filepath.Join(e.tmp, p.Name)
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	e.roots = append(e.roots, root)
	if err := tree.Extract(e.ctx, p.Built, root); err != nil {
		return err
	}
	if p.Built != "" {
		return p.readBuilt(root)
	}
	return e.load(p, tree.Commit, root)
}

// Close removes the files of commits.
func (e *Set) Close() {
	for _, root := range e.roots {
		_ = root.Close()
	}
	if e.tmp != "" {
		_ = os.RemoveAll(e.tmp)
	}
}

// load reads the content of an edition.
func (e *Set) load(p *other, commit string, root *os.Root) error {
	s, diags, err := e.Load(p.Name, commit, root.FS(), &edition.Origin{List: e.List, Name: p.Name})
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }); i >= 0 && s == nil {
		return diags[i]
	} else if i >= 0 { // nobody mends it, so it is no reason to fail
		d := p.At
		d.Severity, d.Message, d.Hint = diag.Notice, diag.Say("cli.edition-errors", "name", p.Name,
			"errors", diag.Say("cli.errors", "n", diags.Count(diag.Error)), "first", diags[i]), diag.Text{}
		e.diags.Add(d)
	}
	p.files = builtSite{s}
	return nil
}

// A builtSite leaves out the files that have a meaning only at the root of a server.
type builtSite struct{ *render.Site }

func (s builtSite) Paths() []string {
	return slices.DeleteFunc(s.Site.Paths(), func(name string) bool {
		return name == "robots.txt" || name == ".nojekyll" ||
			!strings.Contains(name, "/") && strings.HasPrefix(name, "sitemap") && path.Ext(name) == ".xml"
	})
}

// A builtFolder is a folder of files that are published as they are.
type builtFolder struct {
	fs.FS
	names []string
}

// readBuilt reads a folder that is published as it is.
func (p *other) readBuilt(root *os.Root) error {
	b := &builtFolder{FS: root.FS()}
	p.files = b
	err := fs.WalkDir(b, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == ".git":
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.Type().IsRegular():
			b.names = append(b.names, name)
		case !d.IsDir():
			return &hintedError{diag.Say("cli.edition-link", "file", name), diag.Say("cli.edition-link-hint")}
		}
		return nil
	})
	if err == nil && !slices.Contains(b.names, "index.html") {
		err = &hintedError{diag.Say("cli.edition-without-page"), diag.Say("cli.edition-without-page-hint")}
	}
	return err
}

func (b *builtFolder) Paths() []string { return b.names }

func (b *builtFolder) File(name string) (data []byte, ok bool, err error) {
	data, err = fs.ReadFile(b, name)
	return data, true, err
}

// Paths implements [publish.Files].
func (e *Set) Paths() []string {
	paths := e.current.Paths()
	for _, p := range e.others {
		for name := range p.names {
			paths = append(paths, p.Name+"/"+name)
		}
	}
	slices.Sort(paths)
	return paths
}

// File implements [publish.Files].
func (e *Set) File(name string) (data []byte, ok bool, err error) {
	top, below, _ := strings.Cut(name, "/")
	p := e.others[top]
	if p == nil {
		return e.current.File(name)
	}
	data, ok, err = p.files.File(below)
	if err != nil && e.ctx.Err() == nil {
		err = p.fault(err)
	}
	return data, ok, err
}
