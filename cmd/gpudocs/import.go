package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/importer"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

type importFlags struct {
	check, json, strict        bool
	force, run, stdout, dryRun bool
	to                         string
	dialects                   []string
}

func newImport(a *app) *cobra.Command {
	f := &importFlags{}
	c := &cobra.Command{
		Use:   "import [PATH...]",
		Short: "Turn notebooks and pages of other tools into gpudocs Markdown",
		Long: `Import takes files and folders (.md, .markdown, .ipynb; a file that is named may
end otherwise) and writes them as pages in gpudocs' own Markdown: notebooks, also
those that became text with In [1]: lines; pages written for Obsidian, d2lbook, or
MkDocs with Material; Python sessions, commands behind a $, Slurm scripts. Files that
pages use come along. A folder with mkdocs.yml gives its pages their order.

The words of a page stay as they are, and what is not turned stays to the byte. Each
guess is told, and stands in the text as a comment that readers do not see:
  <!-- gpudocs import: guess: ... -->
No code is marked to be run, unless --run says so. Nothing is replaced without
--force, and nothing is written while a file cannot be read.

--check writes nothing: it says which dialects and features the files hold, what is
not understood, and what to write into gpudocs.toml to have them read as they are.
Without PATH it looks at the site's content.

Exit code 0 says that all was read; 1, with --strict only, that something was guessed
or kept, or with --check is not understood; 2 that a file is broken or in the way.

docs/import.md lists what is recognised and how it is guessed.`,
		Example: `  gpudocs import --check docs
  gpudocs import --to content/pt aula.ipynb
  gpudocs import --to content/es --dialect obsidian vault
  gpudocs import --stdout notes/gpu.md | less`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if f.check {
				return a.importCheck(f, args)
			}
			return a.importPages(f, args)
		},
	}
	c.Flags().BoolVar(&f.check, "check", false, "say what the files hold, and write nothing")
	c.Flags().BoolVar(&f.json, "json", false, "with --check: print one JSON document")
	c.Flags().BoolVar(&f.strict, "strict", false, "end with exit code 1 if something was guessed, kept, or not understood")
	c.Flags().StringVar(&f.to, "to", "", "the `folder` to write to, content/pt for example")
	c.Flags().StringSliceVar(&f.dialects, "dialect", nil, "the `dialects` that the files are written in, with commas: obsidian, d2l, mkdocs\n(default those that they hold)")
	c.Flags().BoolVar(&f.run, "run", false, "mark cells of notebooks, sessions and job scripts to be run")
	c.Flags().BoolVar(&f.force, "force", false, "replace files that are there")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "say what would be written, and write nothing")
	c.Flags().BoolVar(&f.stdout, "stdout", false, "print the page of one file, and write nothing")
	_ = c.RegisterFlagCompletionFunc("dialect", cobra.FixedCompletions(markdown.DialectNames(), cobra.ShellCompDirectiveNoFileComp))
	_ = c.MarkFlagDirname("to")
	for _, pair := range importClashes {
		c.MarkFlagsMutuallyExclusive(pair[0], pair[1])
	}
	return c
}

// importClashes are flags of which one makes no sense beside the other.
var importClashes = [][2]string{
	{"check", "to"}, {"check", "run"}, {"check", "force"}, {"check", "dry-run"}, {"check", "stdout"}, {"check", "dialect"},
	{"stdout", "to"}, {"stdout", "dry-run"}, {"stdout", "force"},
}

// options are those that all files share.
func (f *importFlags) options() (importer.Options, error) {
	o := importer.Options{Run: f.run, Keys: content.FrontMatterKeys(), Given: len(f.dialects) > 0}
	for _, name := range f.dialects {
		d, ok := markdown.ParseDialect(name)
		if !ok && name != "none" {
			return o, usage(diag.Suggest(name, markdown.DialectNames(), diag.Say("known are %s; none is none of them", strings.Join(markdown.DialectNames(), ", "))),
				"there is no dialect %q", name)
		}
		o.Dialects |= d
	}
	return o, nil
}

// importPages turns all files, and writes them where none is broken.
func (a *app) importPages(f *importFlags, args []string) error {
	o, err := f.options()
	switch {
	case err != nil:
		return err
	case len(args) == 0:
		return usage("name files, or a folder of them", "what is to be imported?")
	case f.json:
		return usage("add --check", "--json tells what --check finds")
	case !f.stdout && f.to == "":
		return usage("add --to content/pt, or --stdout", "where to?")
	}
	o.Labels, o.Aliases = map[string]string{}, map[string]string{}
	var trees []*importTree
	for _, arg := range args {
		t, err := openTree(arg)
		if err != nil {
			return err
		}
		if err := t.labels(o.Labels, o.Aliases); err != nil {
			return err
		}
		trees = append(trees, t)
	}
	plan := &importPlan{to: f.to, files: map[string]planned{}}
	var diags diag.List
	guesses, pages := 0, 0
	var text []byte
	all := 0
	for _, t := range trees {
		all += len(t.pages)
	}
	busy := a.newBusy()
	defer busy.end()
	read := a.counted(busy, "work_import", all)
	for _, t := range trees {
		diags.Add(t.notes...)
		for _, name := range t.pages {
			r, err := t.convert(name, o)
			read()
			if err != nil {
				return err
			}
			diags.Add(r.Diags...)
			if r.Data == nil {
				continue
			}
			guesses += r.Guesses
			pages++
			text = r.Data
			if !f.stdout {
				diags.Add(plan.add(t, name, r)...)
			}
		}
	}
	busy.end()
	a.print(diags.Sorted())
	switch {
	case diags.HasErrors():
		return a.broken(diags, "nothing_written")
	case pages == 0:
		return usage("pages end in .md, .markdown or .ipynb", "there is no page in %s", strings.Join(args, ", "))
	case f.stdout && pages > 1:
		return usage("name one file", "--stdout prints one page, and there are %d", pages)
	case f.stdout:
		_, err = a.stdout.Write(text)
	default:
		err = a.writeImport(f, plan, guesses)
	}
	if err == nil && f.strict && diags.Count(diag.Warning)+guesses > 0 {
		return said(exitFailed)
	}
	return err
}

// writeImport writes what was planned, and says what.
func (a *app) writeImport(f *importFlags, plan *importPlan, guesses int) error {
	if err := plan.settle(f.force); err != nil {
		return err
	}
	done := "import_wrote"
	if f.dryRun {
		done = "import_would"
	} else if err := plan.write(); err != nil {
		return err
	}
	pages, others, same := 0, 0, 0
	for _, target := range plan.order {
		p := plan.files[target]
		switch {
		case p.same:
			same++
			continue
		case p.page:
			pages++
		default:
			others++
		}
		fmt.Fprintf(a.stdout, "%s -> %s\n", filepath.ToSlash(p.from), filepath.ToSlash(target))
	}
	text := a.w.Get(done, "pages", a.w.Count("pages", pages), "others", a.w.Count("other_files", others))
	if same > 0 {
		text += a.w.Count("same_files", same)
	}
	a.tell(text)
	if guesses > 0 {
		a.tell(a.w.Get("import_guesses", "guesses", a.w.Count("guesses", guesses), "folder", filepath.ToSlash(f.to)))
	}
	return nil
}

// An importTree is a file or folder to be imported.
type importTree struct {
	root  string // the folder that names are below
	pages []string
	files *importer.Files
	nav   map[string]navEntry
	notes diag.List
}

type navEntry struct {
	title  string
	weight int
}

// isPage tells whether a file in a folder is a page.
func isPage(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".md", ".markdown", ".ipynb":
		return true
	}
	return false
}

// openTree lists what an argument names.
func openTree(arg string) (*importTree, error) {
	info, err := os.Stat(arg)
	if err != nil {
		return nil, usage("name a file or a folder", "%v", err)
	}
	if !info.IsDir() {
		t := &importTree{root: filepath.Dir(arg), pages: []string{filepath.Base(arg)}}
		var names []string
		entries, _ := os.ReadDir(t.root) // a name that is not found is said later
		for _, e := range entries {
			if !e.IsDir() {
				names = append(names, e.Name())
			}
		}
		t.files = importer.NewFiles(names)
		return t, nil
	}
	t := &importTree{root: arg}
	if err := t.readNav(); err != nil {
		return nil, err
	}
	return t, t.walk()
}

func (t *importTree) walk() error {
	var names []string
	err := filepath.WalkDir(t.root, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return usage("", "%v", err)
		}
		hidden := strings.HasPrefix(e.Name(), ".") && p != t.root
		switch {
		case e.IsDir() && (hidden || e.Name() == "node_modules"):
			return fs.SkipDir
		case hidden || !e.Type().IsRegular():
			return nil
		}
		rel, err := filepath.Rel(t.root, p)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		names = append(names, name)
		if isPage(name) {
			t.pages = append(t.pages, name)
		}
		return nil
	})
	t.files = importer.NewFiles(names)
	return err
}

// readNav reads the navigation of a MkDocs project: of the folder that holds
// mkdocs.yml, or of the pages' own folder in it.
func (t *importTree) readNav() error {
	for _, dir := range []string{t.root, filepath.Dir(filepath.Clean(t.root))} {
		file := filepath.Join(dir, "mkdocs.yml")
		data, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var nav *importer.Nav
		if err == nil {
			nav, err = importer.ReadNav(data)
		}
		if err != nil {
			t.notes.Add(diag.Diagnostic{Severity: diag.Warning, File: filepath.ToSlash(file), Message: diag.Say("the navigation is not taken: %s", firstLine(err)), Hint: diag.Say("write weight: into the pages' front matter")})
			return nil
		}
		docs := filepath.Join(dir, filepath.FromSlash(nav.Docs))
		if info, err := os.Stat(docs); err != nil || !info.IsDir() || dir != t.root && filepath.Clean(t.root) != docs {
			continue
		}
		t.root = docs
		t.nav = map[string]navEntry{}
		for i, p := range nav.Pages {
			if _, twice := t.nav[p.File]; !twice {
				t.nav[p.File] = navEntry{p.Title, i + 1}
			}
		}
		return nil
	}
	return nil
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// maxImport bounds a Markdown file, in bytes, as the build does; notebooks have a
// bound of their own.
const maxImport = 4 << 20

// labels notes the labels and the further names of all pages, for references
// between them.
func (t *importTree) labels(labels, aliases map[string]string) error {
	note := func(of map[string]string, list []string, name string) {
		for _, l := range list {
			if _, twice := of[l]; !twice {
				of[l] = name
			}
		}
	}
	for _, name := range t.pages {
		data, err := t.read(name)
		if err != nil {
			return err
		}
		note(labels, importer.Labels(data), name)
		note(aliases, importer.Aliases(data), name)
	}
	return nil
}

func (t *importTree) convert(name string, o importer.Options) (importer.Result, error) {
	data, err := t.read(name)
	if err != nil {
		return importer.Result{}, err
	}
	o.Files = t.files
	o.Title, o.Weight = t.nav[name].title, t.nav[name].weight
	r := importer.Convert(name, data, o)
	t.place(r.Diags)
	return r, nil
}

// read reads a page, which may have been made after the list.
func (t *importTree) read(name string) ([]byte, error) {
	file := filepath.Join(t.root, filepath.FromSlash(name))
	info, err := os.Stat(file)
	if err == nil && !importer.IsNotebook(name) && info.Size() > maxImport {
		return nil, usage(diag.Say("part it"), "%s has more than %d MiB", filepath.ToSlash(file), maxImport>>20)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, usage("", "%v", err)
	}
	return data, nil
}

// place names files as the user does.
func (t *importTree) place(l diag.List) {
	for i := range l {
		l[i].File = filepath.ToSlash(filepath.Join(t.root, filepath.FromSlash(l[i].File)))
	}
}
