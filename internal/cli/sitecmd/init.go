package sitecmd

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

//go:embed starter
var starter embed.FS

// starterTemplates are the kinds of new sites: folders of starter, beside the pages that all have.
var starterTemplates = []string{"lab", "course"}

type initFlags struct {
	languages []string
	template  string
}

func NewInit(a *env.Env) *cobra.Command {
	f := &initFlags{}
	c := &cobra.Command{
		Use:  "init DIR",
		RunE: func(_ *cobra.Command, args []string) error { return runInit(a, f, args[0]) },
	}
	c.Flags().StringSliceVar(&f.languages, "languages", []string{"pt", "es"}, "")
	c.Flags().StringVar(&f.template, "template", starterTemplates[0], "")
	_ = c.RegisterFlagCompletionFunc("template", cobra.FixedCompletions(starterTemplates, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func runInit(a *env.Env, f *initFlags, dir string) error {
	if !slices.Contains(starterTemplates, f.template) {
		hint := diag.Suggest(f.template, starterTemplates, diag.Say("diag.known-names-hint", "known", strings.Join(starterTemplates, ", ")))
		return diag.Wrong(diag.Say("cli.init-template-unknown", "name", f.template).WithHint(hint))
	}
	for i, code := range f.languages {
		if !site.LanguageCode.MatchString(code) {
			return diag.Wrong(diag.Say("config.language-code-invalid", "code", code))
		}
		if slices.Contains(f.languages[:i], code) {
			return diag.Wrong(diag.Say("cli.init-language-twice", "code", code))
		}
	}
	entries, err := os.ReadDir(dir)
	switch {
	case err == nil && len(entries) > 0:
		return diag.Wrong(diag.Say("cli.init-folder-not-empty", "folder", dir).WithHint(diag.Say("cli.init-folder-hint")))
	case err == nil || errors.Is(err, fs.ErrNotExist):
		err = f.writeStarter(dir, err == nil)
	}
	switch {
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS):
		return diag.Wrong(diag.Plain(err).WithHint(diag.Say("cli.init-permission-hint")))
	case err != nil:
		return diag.Wrong(diag.Plain(err).WithHint(diag.Say("cli.init-folder-hint")))
	}
	a.Println(a.Text.Get("made_site", "folder", dir))
	fmt.Fprintf(a.Stdout, "  gpudocs serve --site %s --verify\n", dir)
	for _, code := range f.languages {
		if starterOf(code) == "" {
			a.Println(a.Text.Get("made_english", "folder", "content/"+code))
		}
	}
	return nil
}

// writeStarter makes the site in a temporary folder and moves it to its place, so that there is
// never half a site.
func (f *initFlags) writeStarter(dir string, exists bool) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	parent := filepath.Dir(dir)
	if exists {
		// It stays the same folder: it may be where the user's shell is, a link
		// or a mount.
		parent = dir
	} else if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(parent, ".gpudocs-init-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := f.copyStarter(tmp); err != nil {
		return err
	}
	if exists {
		return moveEntries(tmp, dir)
	}
	return os.Rename(tmp, dir)
}

// starterOf returns the language of the starter for readers of a language, Portuguese for pt-br, or "".
func starterOf(code string) string {
	primary, _, _ := strings.Cut(code, "-")
	if _, err := fs.Stat(starter, path.Join("starter/pages", primary)); err != nil {
		return ""
	}
	return primary
}

func (f *initFlags) copyStarter(dir string) error {
	languages := ""
	for i, code := range f.languages {
		for _, from := range []string{"pages", f.template} {
			files, err := fs.Sub(starter, path.Join("starter", from, cmp.Or(starterOf(code), "en")))
			if err == nil {
				err = os.CopyFS(filepath.Join(dir, "content", code), files)
			}
			if err != nil {
				return err
			}
		}
		languages += fmt.Sprintf("[languages.%s]\nname = %q\nweight = %d\n\n", code, load.NativeName(code), i+1)
	}
	// The starter's .gitignore has another name in this repository, where it would hide files.
	for from, to := range map[string]string{"gitignore": ".gitignore", "netlify.toml": "netlify.toml", site.ConfigFile: site.ConfigFile} {
		data, err := fs.ReadFile(starter, path.Join("starter", from))
		if err != nil {
			return err
		}
		if from == site.ConfigFile {
			data = bytes.Replace(data, []byte("# LANGUAGES\n\n"), []byte(languages), 1)
		}
		if err := os.WriteFile(filepath.Join(dir, to), data, 0o644); err != nil {
			return err
		}
	}
	return errors.Join(
		f.stampStarter(dir),
		os.Mkdir(filepath.Join(dir, project.ResultsDir), 0o755),
		os.Chmod(dir, 0o755),
	)
}

// stampStarter records that the pages of the starter are translations of those in the first language.
func (f *initFlags) stampStarter(dir string) error {
	var translations []string
	for _, code := range f.languages[1:] {
		if starterOf(code) != "" {
			translations = append(translations, path.Join("content", code))
		}
	}
	if len(translations) == 0 {
		return nil
	}
	s, diags := load.Load(os.DirFS(dir), load.Options{Editing: true})
	return runStamp(&env.Env{Stdout: io.Discard, Stderr: io.Discard}, &project.Project{Dir: dir, FS: s.FS}, s, translations, diags)
}

// moveEntries moves all entries of a folder into another, or none.
func moveEntries(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for i, e := range entries {
		if err := os.Rename(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			for _, moved := range entries[:i] {
				err = errors.Join(err, os.RemoveAll(filepath.Join(to, moved.Name())))
			}
			return err
		}
	}
	return nil
}
