package sitecmd

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/markdown/importer"
	"github.com/gpudocs/gpudocs/internal/site/datafile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

type importFlags struct {
	check, json, strict        bool
	force, run, stdout, dryRun bool
	to                         string
}

func NewImport(a *env.Env) *cobra.Command {
	f := &importFlags{}
	c := &cobra.Command{
		Use: "import [PATH...]",
		RunE: func(_ *cobra.Command, args []string) error {
			if f.check {
				return importCheck(a, f, args)
			}
			return importPages(a, f, args)
		},
	}
	c.Flags().BoolVar(&f.check, "check", false, "")
	c.Flags().BoolVar(&f.json, "json", false, "")
	c.Flags().BoolVar(&f.strict, "strict", false, "")
	c.Flags().StringVar(&f.to, "to", "", "")
	c.Flags().BoolVar(&f.run, "run", false, "")
	c.Flags().BoolVar(&f.force, "force", false, "")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "")
	c.Flags().BoolVar(&f.stdout, "stdout", false, "")
	_ = c.MarkFlagDirname("to")
	for _, other := range []string{"to", "run", "force", "dry-run", "stdout"} {
		c.MarkFlagsMutuallyExclusive("check", other)
	}
	for _, other := range []string{"to", "dry-run", "force"} {
		c.MarkFlagsMutuallyExclusive("stdout", other)
	}
	return c
}

// importPages converts all files, and writes them if none is broken.
func importPages(a *env.Env, f *importFlags, args []string) error {
	switch {
	case len(args) == 0:
		return diag.Wrong(diag.Say("import.paths-missing"))
	case f.json:
		return diag.Wrong(diag.Say("import.json-without-check"))
	case !f.stdout && f.to == "":
		return diag.Wrong(diag.Say("import.target-missing"))
	}
	var trees []*importTree
	all := 0
	for _, arg := range args {
		t, err := openTree(arg)
		if err != nil {
			return err
		}
		root, err := os.OpenRoot(t.root)
		if err != nil {
			return diag.Wrong(diag.Plain(err).WithHint(diag.Say("import.path-hint")))
		}
		defer root.Close()
		t.modules = datafile.NewReader(datafile.NewCache(root.FS(), nil))
		trees = append(trees, t)
		all += len(t.pages)
	}
	plan := &importPlan{to: f.to, files: map[string]planned{}}
	var diags diag.List
	guesses, pages, unchanged := 0, 0, 0
	var text []byte
	busy := a.NewBusy()
	defer busy.End()
	read := a.Counted(busy, "work_import", all)
	for _, t := range trees {
		for _, name := range t.pages {
			data, err := t.read(name)
			if err != nil {
				return err
			}
			r := importer.Convert(name, data, importer.Options{Run: f.run, Files: t.files})
			read()
			t.place(r.Diags)
			diags.Add(r.Diags...)
			switch {
			case r.Unchanged:
				unchanged++
				continue
			case r.Data == nil:
				continue
			}
			guesses += r.Guesses
			pages++
			text = r.Data
			if !f.stdout {
				diags.Add(plan.add(t, name, r, f.run)...)
			}
		}
	}
	busy.End()
	a.Print(diags.Sorted())
	switch {
	case diags.HasErrors():
		return exit.Content(diags, "nothing_written")
	case pages == 0 && unchanged > 0:
		return diag.Wrong(diag.Say("import.nothing-to-import"))
	case pages == 0:
		return noPage(args)
	case f.stdout && pages > 1:
		return diag.Wrong(diag.Say("import.stdout-many-pages", "n", pages))
	}
	var err error
	if f.stdout {
		_, err = a.Stdout.Write(text)
	} else {
		err = writeImport(a, f, plan, guesses)
	}
	if err == nil && f.strict && diags.Count(diag.Warning)+guesses > 0 {
		return exit.Code(exit.Failed)
	}
	return err
}

// noPage is the error if none of the arguments has a page.
func noPage(args []string) error {
	message := diag.Say("import.path-without-page", "path", strings.Join(args, ", "))
	return diag.Wrong(message.WithHint(diag.Say("import.page-extensions-hint")))
}

// writeImport writes the planned files, and lists them.
func writeImport(a *env.Env, f *importFlags, plan *importPlan, guesses int) error {
	if err := plan.compare(f.force); err != nil {
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
		fmt.Fprintf(a.Stdout, "%s -> %s\n", filepath.ToSlash(p.from), filepath.ToSlash(target))
	}
	text := a.Text.Get(done, "pages", a.Text.Count("pages", pages), "others", a.Text.Count("other_files", others))
	if same > 0 {
		text += a.Text.Count("same_files", same)
	}
	a.Println(text)
	if guesses > 0 {
		a.Println(a.Text.Get("import_guesses", "guesses", a.Text.Count("guesses", guesses), "folder", filepath.ToSlash(f.to)))
	}
	return nil
}

// An importTree is a file or folder to be imported.
type importTree struct {
	root  string // the folder that names are below
	pages []string
	files map[string]bool // all of them, pages too
	// modules finds the modules that pages import.
	modules *datafile.Reader
}

// isPage reports whether a file in a folder is a page.
func isPage(name string) bool {
	return slices.Contains([]string{".md", ".markdown", ".ipynb"}, strings.ToLower(filepath.Ext(name)))
}

// openTree lists what an argument names.
func openTree(arg string) (*importTree, error) {
	info, err := os.Stat(arg)
	if err != nil {
		return nil, diag.Wrong(diag.Plain(err).WithHint(diag.Say("import.path-hint")))
	}
	if !info.IsDir() {
		t := &importTree{root: filepath.Dir(arg), pages: []string{filepath.Base(arg)}, files: map[string]bool{}}
		entries, _ := os.ReadDir(t.root) // build and check report what is missing
		for _, e := range entries {
			t.files[e.Name()] = !e.IsDir()
		}
		return t, nil
	}
	t := &importTree{root: arg, files: map[string]bool{}}
	return t, filepath.WalkDir(t.root, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return diag.Wrong(err)
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
		t.files[name] = true
		if isPage(name) {
			t.pages = append(t.pages, name)
		}
		return nil
	})
}

// maxImport bounds a Markdown file, in bytes, as the build does. Notebooks have their own bound.
const maxImport = 4 << 20

// read reads a page.
func (t *importTree) read(name string) ([]byte, error) {
	file := filepath.Join(t.root, filepath.FromSlash(name))
	info, err := os.Stat(file)
	if err == nil && !importer.IsNotebook(name) && info.Size() > maxImport {
		message := diag.Say("import.page-too-large", "file", filepath.ToSlash(file), "n", maxImport>>20)
		return nil, diag.Wrong(message.WithHint(diag.Say("diag.split-hint")))
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, diag.Wrong(err)
	}
	return data, nil
}

// place names files as the user does.
func (t *importTree) place(l diag.List) {
	for i := range l {
		l[i].File = filepath.ToSlash(filepath.Join(t.root, filepath.FromSlash(l[i].File)))
	}
}
