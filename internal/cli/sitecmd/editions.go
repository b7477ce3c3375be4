package sitecmd

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/publish"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/render/edition"
	"github.com/gpudocs/gpudocs/internal/render/hosting"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/history"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// editions are the current site with others in folders below it. They are published together, and implement
// [publish.Files].
//
// An edition is a function of its commit, of the program, and of the addresses of pages in the other editions, to which
// its pages lead. So its files are known by that: if they are in the output already, its commit is not even read.
type editions struct {
	*env.Env
	ctx     context.Context
	list    edition.List
	current *render.Site
	others  map[string]*otherEdition // by name
	options render.Options           // those of the current site
	public  load.Publication
	tmp     string // a folder for the files of commits, or empty

	mu    sync.Mutex // held while an edition is read
	roots []*os.Root
	diags diag.List
}

// An otherEdition is published below the current site.
type otherEdition struct {
	site.Edition
	tree   history.Tree
	key    memo.Key // of its files apart from their links to other editions, or zero if they are not known by that
	names  map[string]bool
	origin *edition.Origin
	// open reads it, and returns its files or a diagnostic.
	open func() (editionFiles, error)
}

// editionFiles are the files of an edition, by names below its folder.
type editionFiles interface {
	Paths() []string
	File(name string) (data []byte, ok bool, err error)
}

// withFlags returns the editions of gpudocs.toml with those of --edition NAME or NAME=REF, which replace others of the
// same name.
func withFlags(list []site.Edition, flags []string) ([]site.Edition, error) {
	list = slices.Clone(list)
	for _, f := range flags {
		e := site.Edition{At: diag.Diagnostic{File: "--edition " + f}}
		e.Name, e.Ref, _ = strings.Cut(f, "=")
		if _, _, message, hint := e.Complete(); !message.IsZero() {
			return nil, env.Usage(hint, message)
		}
		if i := slices.IndexFunc(list, func(other site.Edition) bool { return other.Name == e.Name }); i >= 0 {
			e.Label = list[i].Label
			list[i] = e
		} else {
			list = append(list, e)
		}
	}
	return list, nil
}

// prepare finds the editions, and reads those that are not in the output. An edition that cannot be
// published is left out, with a diagnostic.
func (e *editions) prepare(current *render.Site, label site.Localized, all []site.Edition, output string) diag.List {
	e.current, e.others = current, map[string]*otherEdition{}
	addresses := render.AddressesOf(current)
	e.list.Current, e.list.BaseURL = addresses, addresses.BaseURL()
	e.list.Editions = []*edition.Edition{{Label: label, Has: addresses.Has}}
	existing := publish.Existing(output, workspace.CacheFile(workspace.OutputsDir))
	for _, s := range all {
		p := &otherEdition{Edition: s, origin: &edition.Origin{List: &e.list, Name: s.Name}, names: map[string]bool{}}
		if err := e.find(p, output); err != nil {
			e.diags.Add(p.fault(err))
			continue
		}
		for _, name := range existing(p.Name+"/", p.key) {
			p.names[strings.TrimPrefix(name, p.Name+"/")] = true
		}
		if len(p.names) == 0 {
			files, err := p.open()
			if e.ctx.Err() != nil {
				return nil
			}
			if err != nil {
				e.diags.Add(p.fault(err))
				continue
			}
			for _, name := range files.Paths() {
				p.names[name] = true
			}
		}
		e.others[p.Name] = p
		e.list.Editions = append(e.list.Editions, &edition.Edition{Name: p.Name, Label: p.Label, Has: func(file string) bool { return p.names[file] }, Hosting: p.hosting()})
	}
	return e.diags
}

// fault returns the diagnostic that an edition is left out.
func (p *otherEdition) fault(err error) diag.Diagnostic {
	d := p.At
	d.Message, d.Hint = diag.Say("cli.edition-unread", "name", p.Name, "why", err), diag.Say("cli.edition-unread-hint")
	if hinted, ok := errors.AsType[*editionError](err); ok {
		d.Message, d.Hint = hinted.message, hinted.hint
	}
	return d
}

// An editionError says why an edition is left out, with a hint.
type editionError struct{ message, hint diag.Text }

func (e *editionError) Error() string { return e.message.String() }

// find finds the commit or the folder of an edition.
func (e *editions) find(p *otherEdition, output string) (err error) {
	if render.AddressesOf(e.current).HasFolder(p.Name) {
		return &editionError{diag.Say("cli.edition-name-taken", "name", p.Name), diag.Say("cli.edition-name-taken-hint")}
	}
	if p.Ref == "" {
		folder, err := filepath.Abs(e.Path(p.Built))
		if err != nil {
			return err
		}
		out, err := filepath.Abs(output)
		if err != nil {
			return err
		}
		if workspace.Inside(out, folder) || workspace.Inside(folder, out) {
			return &editionError{diag.Say("cli.edition-output", "folder", p.Built), diag.Say("cli.edition-output-hint")}
		}
		p.open = sync.OnceValues(func() (editionFiles, error) {
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
		return &editionError{diag.Say("cli.edition-without-ref", "name", p.Name, "ref", p.Ref), diag.Say("cli.edition-without-ref-hint")}
	} else if err != nil {
		return err
	}
	if program := workspace.Program(); program != "" {
		p.key = memo.KeyOf("edition", program, p.tree.Commit, p.Built, e.list.BaseURL, e.options.Offline, e.public.Key())
	}
	p.open = sync.OnceValues(func() (editionFiles, error) {
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
func (e *editions) extract(p *otherEdition) (root *os.Root, err error) {
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

func (e *editions) openRoot(folder string) (*os.Root, error) {
	root, err := os.OpenRoot(folder)
	if err == nil {
		e.roots = append(e.roots, root)
	}
	return root, err
}

// close removes the files of commits.
func (e *editions) close() {
	for _, root := range e.roots {
		_ = root.Close()
	}
	if e.tmp != "" {
		_ = os.RemoveAll(e.tmp)
	}
}

// load reads the content of an edition, with its own theme, reports and signers.
func (e *editions) load(p *otherEdition, root *os.Root) (editionFiles, error) {
	in := workspace.PublicInputs(root.FS(), e.public)
	read := in.Content
	in.Content = func() (*site.Site, diag.List) {
		s, diags := read()
		if s != nil { // it is published elsewhere now, and nobody edits it
			s.Config.BaseURL, s.Config.Edit, s.Config.NoNetlify, s.Config.Editions = "", "", true, nil
		}
		return s, diags
	}
	o := e.options
	o.BaseURL, o.Root, o.Editions = "", "/"+p.Name+"/", p.origin
	if e.list.BaseURL != "" {
		o.BaseURL, o.Root = e.list.BaseURL+p.Name+"/", ""
	}
	l, err := workspace.Load(e.Env, e.ctx, root.FS(), in, nil, o, workspace.Dates(e.Env, e.ctx, p.tree.Commit))
	if err == nil && l.Render != nil {
		err = (&leftOut{content: l.Content}).tryTheme(l.Render)
	}
	if faults, ok := errors.AsType[*theme.Faults](err); ok {
		l.Diags, l.Render, err = faults.List, nil, nil
	}
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(l.Diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }); i >= 0 && l.Render == nil {
		return nil, l.Diags[i]
	} else if i >= 0 { // nobody mends it, so it is no reason to fail
		d := p.At
		d.Severity, d.Message, d.Hint = diag.Notice, diag.Say("cli.edition-errors", "name", p.Name, "errors", diag.Say("cli.errors", "n", l.Diags.Count(diag.Error)), "first", l.Diags[i]), diag.Text{}
		e.diags.Add(d)
	}
	return editionSite{l.Render}, nil
}

// An editionSite leaves out the files that have a meaning only at the root of a server.
type editionSite struct{ *render.Site }

func (s editionSite) Paths() []string {
	return slices.DeleteFunc(s.Site.Paths(), func(name string) bool {
		return name == "robots.txt" || name == ".nojekyll" || !strings.Contains(name, "/") && strings.HasPrefix(name, "sitemap") && path.Ext(name) == ".xml"
	})
}

// A builtEdition is a folder of files that are published as they are.
type builtEdition struct {
	fs.FS
	names []string
}

func openBuilt(root *os.Root) (editionFiles, error) {
	b := &builtEdition{FS: root.FS()}
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
			return &editionError{diag.Say("cli.edition-link", "file", name), diag.Say("cli.edition-link-hint")}
		}
		return nil
	})
	if err == nil && !slices.Contains(b.names, "index.html") {
		err = &editionError{diag.Say("cli.edition-without-page"), diag.Say("cli.edition-without-page-hint")}
	}
	return b, err
}

func (b *builtEdition) Paths() []string { return b.names }

func (b *builtEdition) File(name string) (data []byte, ok bool, err error) {
	data, err = fs.ReadFile(b, name)
	return data, true, err
}

// hosting returns what a server should know of an edition. Files of an unknown age have no names that depend on their content.
func (p *otherEdition) hosting() hosting.Edition {
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

// names returns the names of the other editions, the newest first.
func (e *editions) names() (list []string) {
	for _, o := range e.list.Editions[min(1, len(e.list.Editions)):] {
		list = append(list, o.Name)
	}
	return list
}

// PathsBeside implements [publish.Files].
func (e *editions) PathsBeside(existing func(folder string, key memo.Key) []string) []string {
	paths := e.current.PathsBeside(existing)
	for _, p := range e.others {
		for name := range maps.Keys(p.names) {
			paths = append(paths, p.Name+"/"+name)
		}
	}
	slices.Sort(paths)
	return paths
}

// Make implements [publish.Files].
func (e *editions) Make(name string, earlier memo.Trace) (data []byte, now memo.Trace, ok bool, err error) {
	top, below, _ := strings.Cut(name, "/")
	p := e.others[top]
	if p == nil {
		return e.current.Make(name, earlier)
	}
	if p.key != (memo.Key{}) {
		now.Key = memo.InFolder(top+"/", p.key)
	}
	if fact := p.origin.Fact(below); fact != "" && p.Built == "" {
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
