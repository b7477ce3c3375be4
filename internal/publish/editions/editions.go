// Package editions publishes earlier states of a site in folders below the current one.
//
// An edition is a function of its commit, of the program, and of the addresses of pages in the other editions, to which
// its pages lead. So its files are known by that: if they are in the output already, its commit is not even read.
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
	"sync"

	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/publish"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/render/edition"
	"github.com/gpudocs/gpudocs/internal/render/hosting"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/history"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Options are what the editions of a site are made with.
type Options struct {
	// Site and Output are the folders of the site and of what is published.
	Site, Output string
	// List gets the editions. The pages of the current site link to them by it.
	List *edition.List
	// Label is what readers call the current site.
	Label site.Localized
	// Key is the key of what all files depend on besides the commit, or zero if that is not known.
	Key memo.Key
	// Existing returns the names of the files in a folder of the output that were made from a key.
	Existing func(folder string, key memo.Key) []string
	// Load reads the site of a commit, to publish it in a folder of a name. If it cannot, it returns an error, or no site and
	// diagnostics.
	Load func(name, commit string, content fs.FS, links *edition.Origin) (*render.Site, diag.List, error)
}

// A Set is the current site with its editions. It implements [publish.Files].
type Set struct {
	Options
	ctx     context.Context
	current *render.Site
	others  map[string]*other // by name
	tmp     string            // a folder for the files of commits, or empty

	mu    sync.Mutex // held while an edition is read
	roots []*os.Root
	diags diag.List
}

// An other is an edition that is not the current site.
type other struct {
	site.Edition
	tree  history.Tree
	key   memo.Key // of its files apart from their links to other editions, or zero if they are not known by that
	names map[string]bool
	links *edition.Origin
	// open reads it, and returns its files or a diagnostic.
	open func() (files, error)
}

// files are the files of an edition, by names below its folder.
type files interface {
	Paths() []string
	File(name string) (data []byte, ok bool, err error)
}

// New finds the editions, and reads those that are not in the output. An edition that cannot be
// published is left out, with a diagnostic. The set must be closed.
func New(ctx context.Context, current *render.Site, all []site.Edition, o Options) (*Set, diag.List) {
	e := &Set{Options: o, ctx: ctx, current: current, others: map[string]*other{}}
	addresses := render.AddressesOf(current)
	e.List.Current, e.List.BaseURL = addresses, addresses.BaseURL()
	e.List.Editions = []*edition.Edition{{Label: o.Label, Has: addresses.Has}}
	for _, s := range all {
		p := &other{Edition: s, links: &edition.Origin{List: e.List, Name: s.Name}, names: map[string]bool{}}
		err := e.find(p)
		if err == nil {
			err = e.list(p)
		}
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			e.diags.Add(p.fault(err))
			continue
		}
		e.others[p.Name] = p
		e.List.Editions = append(e.List.Editions, &edition.Edition{Name: p.Name, Label: p.Label, Has: func(file string) bool { return p.names[file] }, Hosting: p.hosting()})
	}
	return e, e.diags
}

// list finds the names of an edition's files.
func (e *Set) list(p *other) error {
	for _, name := range e.Existing(p.Name+"/", p.key) {
		p.names[strings.TrimPrefix(name, p.Name+"/")] = true
	}
	if len(p.names) > 0 {
		return nil
	}
	files, err := p.open()
	if err != nil {
		return err
	}
	for _, name := range files.Paths() {
		p.names[name] = true
	}
	return nil
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

// find finds the commit or the folder of an edition.
func (e *Set) find(p *other) (err error) {
	if render.AddressesOf(e.current).HasFolder(p.Name) {
		return &hintedError{diag.Say("cli.edition-name-taken", "name", p.Name), diag.Say("cli.edition-name-taken-hint")}
	}
	if p.Ref == "" {
		folder, err := filepath.Abs(filepath.Join(e.Site, p.Built))
		if err != nil {
			return err
		}
		out, err := filepath.Abs(e.Output)
		if err != nil {
			return err
		}
		if publish.Inside(out, folder) || publish.Inside(folder, out) {
			return &hintedError{diag.Say("cli.edition-output", "folder", p.Built), diag.Say("cli.edition-output-hint")}
		}
		p.open = sync.OnceValues(func() (files, error) {
			e.mu.Lock()
			defer e.mu.Unlock()
			root, err := e.openRoot(e.Site)
			if err == nil {
				root, err = root.OpenRoot(p.Built)
			}
			if err != nil {
				return nil, err
			}
			return openBuilt(root)
		})
		return nil
	}
	p.tree, err = history.Find(e.ctx, e.Site, p.Ref)
	if errors.Is(err, history.ErrNoRef) {
		return &hintedError{diag.Say("cli.edition-without-ref", "name", p.Name, "ref", p.Ref), diag.Say("cli.edition-without-ref-hint")}
	} else if err != nil {
		return err
	}
	if e.Key != (memo.Key{}) {
		p.key = memo.KeyOf("edition", e.Key, p.tree.Commit, p.Built, e.List.BaseURL)
	}
	p.open = sync.OnceValues(func() (files, error) {
		e.mu.Lock()
		defer e.mu.Unlock()
		root, err := e.extract(p)
		if err != nil {
			return nil, err
		}
		if p.Built != "" {
			return openBuilt(root)
		}
		return e.load(p, root)
	})
	return nil
}

// extract writes the files of an edition's commit into a folder.
func (e *Set) extract(p *other) (root *os.Root, err error) {
	if e.tmp == "" {
		if e.tmp, err = os.MkdirTemp("", "gpudocs-editions-"); err != nil {
			return nil, err
		}
	}
	folder := filepath.Join(e.tmp, p.Name)
	if err := os.Mkdir(folder, 0o700); err != nil {
		return nil, err
	}
	if root, err = e.openRoot(folder); err != nil {
		return nil, err
	}
	return root, p.tree.Extract(e.ctx, p.Built, root)
}

func (e *Set) openRoot(folder string) (*os.Root, error) {
	root, err := os.OpenRoot(folder)
	if err == nil {
		e.roots = append(e.roots, root)
	}
	return root, err
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
func (e *Set) load(p *other, root *os.Root) (files, error) {
	s, diags, err := e.Load(p.Name, p.tree.Commit, root.FS(), p.links)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }); i >= 0 && s == nil {
		return nil, diags[i]
	} else if i >= 0 { // nobody mends it, so it is no reason to fail
		d := p.At
		d.Severity, d.Message, d.Hint = diag.Notice, diag.Say("cli.edition-errors", "name", p.Name, "errors", diag.Say("cli.errors", "n", diags.Count(diag.Error)), "first", diags[i]), diag.Text{}
		e.diags.Add(d)
	}
	return builtSite{s}, nil
}

// A builtSite leaves out the files that have a meaning only at the root of a server.
type builtSite struct{ *render.Site }

func (s builtSite) Paths() []string {
	return slices.DeleteFunc(s.Site.Paths(), func(name string) bool {
		return name == "robots.txt" || name == ".nojekyll" || !strings.Contains(name, "/") && strings.HasPrefix(name, "sitemap") && path.Ext(name) == ".xml"
	})
}

// A builtFolder is a folder of files that are published as they are.
type builtFolder struct {
	fs.FS
	names []string
}

func openBuilt(root *os.Root) (files, error) {
	b := &builtFolder{FS: root.FS()}
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
	return b, err
}

func (b *builtFolder) Paths() []string { return b.names }

func (b *builtFolder) File(name string) (data []byte, ok bool, err error) {
	data, err = fs.ReadFile(b, name)
	return data, true, err
}

// hosting returns what a server should know of an edition. Files of an unknown age have no names that depend on their content.
func (p *other) hosting() hosting.Edition {
	h := hosting.Edition{Name: p.Name}
	if p.Built == "" {
		h.Hashed = render.HashedDirs()
	}
	for name := range p.names {
		if code, file, _ := strings.Cut(name, "/"); file == "404.html" {
			h.NotFound = append(h.NotFound, code)
		}
	}
	slices.Sort(h.NotFound)
	return h
}

// PathsBeside implements [publish.Files].
func (e *Set) PathsBeside(existing func(folder string, key memo.Key) []string) []string {
	paths := e.current.PathsBeside(existing)
	for _, p := range e.others {
		for name := range p.names {
			paths = append(paths, p.Name+"/"+name)
		}
	}
	slices.Sort(paths)
	return paths
}

// Make implements [publish.Files].
func (e *Set) Make(name string, earlier memo.Trace) (data []byte, now memo.Trace, ok bool, err error) {
	top, below, _ := strings.Cut(name, "/")
	p := e.others[top]
	if p == nil {
		return e.current.Make(name, earlier)
	}
	if p.key != (memo.Key{}) {
		now.Key = memo.InFolder(top+"/", p.key)
	}
	if fact := p.links.Fact(below); fact != "" && p.Built == "" {
		now.Facts = []string{fact}
	}
	if now.Key != (memo.Key{}) && now.Key == earlier.Key && slices.Equal(now.Facts, earlier.Facts) {
		return nil, earlier, true, nil
	}
	files, err := p.open()
	if err == nil {
		data, ok, err = files.File(below)
	}
	if err != nil && e.ctx.Err() == nil {
		err = p.fault(err)
	}
	return data, now, ok, err
}
