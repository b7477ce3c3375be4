package sitecmd

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/config"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/themes"
)

//go:embed startertheme
var starterTheme embed.FS

func NewTheme(a *env.Env) *cobra.Command {
	onlyDefault := false
	show := &cobra.Command{
		Use:  "show [FILE]",
		RunE: func(_ *cobra.Command, args []string) error { return themeShow(a, args, onlyDefault) },
	}
	show.Flags().BoolVar(&onlyDefault, "default", false, "")
	c := &cobra.Command{Use: "theme"}
	c.AddCommand(show, &cobra.Command{
		Use:  "new NAME",
		RunE: func(_ *cobra.Command, args []string) error { return themeNew(a, args[0]) },
	}, &cobra.Command{
		Use:  "list",
		RunE: func(*cobra.Command, []string) error { return themeList(a) },
	}, &cobra.Command{
		Use:  "texts LANGUAGE",
		RunE: func(_ *cobra.Command, args []string) error { return themeTexts(a, args[0]) },
	}, &cobra.Command{
		Use:  "copy FILE...",
		RunE: func(_ *cobra.Command, args []string) error { return themeCopy(a, args) },
	})
	return c
}

// themeName matches names that are valid folders on every system, and need no escapes in TOML.
var themeName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

func themeNew(a *env.Env, name string) error {
	if !themeName.MatchString(name) || name == theme.Default {
		return diag.Wrong(diag.Say("cli.theme-name-invalid", "name", name))
	}
	p, _, err := siteConfig(a)
	if err != nil {
		return err
	}
	dir := p.Path(theme.Dir, name)
	if _, err := os.Lstat(dir); err == nil {
		return diag.Wrong(diag.Say("cli.theme-folder-in-use", "folder", path.Join(theme.Dir, name)))
	}
	files, err := fs.Sub(starterTheme, "startertheme")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(p.Path(theme.Dir), 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(p.Path(theme.Dir), ".gpudocs-new-") // there is never half a theme
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := os.CopyFS(tmp, files); err != nil {
		return err
	}
	file := filepath.Join(tmp, theme.File)
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	least, _, _ := strings.Cut(project.Version(), "-")
	text = []byte(strings.NewReplacer(`"NAME"`, `"`+name+`"`, "VERSION", least).Replace(string(text)))
	if err := errors.Join(os.WriteFile(file, text, 0o644), os.Chmod(tmp, 0o755)); err != nil {
		return err
	}
	if err := os.Rename(tmp, dir); err != nil {
		return err
	}
	a.Println(a.Text.Get("made_theme", "folder", path.Join(theme.Dir, name), "file", site.ConfigFile))
	fmt.Fprintf(a.Stdout, "  theme = %q\n", name)
	return nil
}

// siteConfig opens the site and reads gpudocs.toml. It prints what is wrong in it.
func siteConfig(a *env.Env) (*project.Project, *site.Config, error) {
	p, err := a.Open()
	if err != nil {
		return nil, nil, err
	}
	config, diags := config.Read(p.FS)
	a.Print(diags)
	if config == nil || diags.HasErrors() {
		return nil, nil, exit.Content(diags, "nothing_done")
	}
	return p, config, nil
}

// siteTheme opens the site's theme. It prints what is wrong in it.
func siteTheme(a *env.Env) (*project.Project, *theme.Theme, error) {
	p, config, err := siteConfig(a)
	if err != nil {
		return nil, nil, err
	}
	t, diags := theme.Open(p.FS, config.Theme, themes.Default(), project.Version())
	a.Print(diags)
	if diags.HasErrors() {
		return nil, nil, exit.Content(diags, "nothing_done")
	}
	return p, t, nil
}

// themeTexts prints the texts of pages in a language.
func themeTexts(a *env.Env, code string) error {
	if !site.LanguageCode.MatchString(code) {
		return diag.Wrong(diag.Say("config.language-code-invalid", "code", code))
	}
	_, t, err := siteTheme(a)
	if err != nil {
		return err
	}
	var layers []fs.FS
	for _, l := range t.Layers {
		layers = append(layers, l)
	}
	catalog, err := text.ForTheme(code, append(layers, themes.Default())...)
	if err != nil {
		return err
	}
	file, err := catalog.File()
	if err == nil {
		_, err = a.Stdout.Write(file)
	}
	return err
}

func themeList(a *env.Env) error {
	p, config, err := siteConfig(a)
	if err != nil {
		return err
	}
	for _, name := range append([]string{theme.Default}, theme.Names(p.FS)...) {
		t, diags := theme.Open(p.FS, name, themes.Default(), project.Version())
		a.Print(diags)
		mark, about := " ", t.Description
		if name == config.Theme {
			mark = "*"
		}
		if name == theme.Default && about == "" {
			about = a.Text.Get("theme_default")
		}
		if t.Extends != "" {
			about = strings.TrimSpace(about + " (" + a.Text.Get("theme_over", "name", t.Extends) + ")")
		}
		fmt.Fprintln(a.Stdout, strings.TrimRight(fmt.Sprintf("%s %-16s %s", mark, name, about), " "))
	}
	return nil
}

var defaultLayer = theme.Layer{FS: themes.Default(), Dir: "default"}

func themeShow(a *env.Env, args []string, onlyDefault bool) error {
	from := themeFiles(defaultLayer)
	if !onlyDefault {
		_, t, err := siteTheme(a)
		if err != nil {
			return err
		}
		from = themeFiles(append(t.Layers, defaultLayer)...)
	}
	if len(args) == 0 {
		for _, name := range sortedFiles(from) {
			fmt.Fprintf(a.Stdout, "%-44s %s\n", name, from[name].Dir)
		}
		return nil
	}
	text, _, err := readThemeFile(from, args[0])
	if err != nil {
		return err
	}
	_, err = a.Stdout.Write(text)
	return err
}

func themeCopy(a *env.Env, args []string) error {
	p, t, err := siteTheme(a)
	if err != nil {
		return err
	}
	if len(t.Layers) == 0 {
		hint := diag.Say("cli.theme-new-hint")
		if names := theme.Names(p.FS); len(names) > 0 {
			hint = diag.Say("cli.theme-use-hint", "name", names[0])
		}
		return diag.Wrong(diag.Say("cli.theme-none").WithHint(hint))
	}
	siteTheme, below := t.Layers[0], themeFiles(append(t.Layers[1:], defaultLayer)...)
	texts := map[string][]byte{}
	for _, arg := range args { // all or none
		text, name, err := readThemeFile(below, arg)
		if err != nil {
			return err
		}
		if _, err := fs.Stat(siteTheme, name); err == nil {
			hint := diag.Say("cli.theme-file-exists-hint", "file", name)
			return diag.Wrong(diag.Say("cli.theme-file-exists", "file", path.Join(siteTheme.Dir, name)).WithHint(hint))
		}
		texts[name] = text
	}
	root, err := os.OpenRoot(p.Path(filepath.FromSlash(siteTheme.Dir)))
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range sortedFiles(texts) {
		if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
			return err
		}
		if err := root.WriteFile(name, texts[name], 0o644); err != nil {
			return err
		}
		a.Println(a.Text.Get("wrote", "file", path.Join(siteTheme.Dir, name)))
	}
	return nil
}

// themeFiles returns the layer of each file: the first one that has it.
func themeFiles(layers ...theme.Layer) map[string]theme.Layer {
	from := map[string]theme.Layer{}
	for _, l := range layers {
		_ = fs.WalkDir(l, ".", func(name string, d fs.DirEntry, err error) error {
			if _, has := from[name]; err == nil && !d.IsDir() && !has && name != theme.File && !strings.HasPrefix(d.Name(), ".") {
				from[name] = l
			}
			return nil
		})
	}
	return from
}

// readThemeFile reads the file that an argument names.
func readThemeFile(from map[string]theme.Layer, arg string) (text []byte, name string, err error) {
	name = path.Clean(filepath.ToSlash(arg))
	layer, ok := from[name]
	if !ok {
		hint := diag.Suggest(name, sortedFiles(from), diag.Say("cli.theme-files-hint"))
		return nil, "", diag.Wrong(diag.Say("cli.theme-file-unknown", "file", arg).WithHint(hint))
	}
	text, err = fs.ReadFile(layer, name)
	return text, name, err
}

func sortedFiles[V any](files map[string]V) []string {
	return slices.Sorted(maps.Keys(files))
}
