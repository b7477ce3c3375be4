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
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/config"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/themes"
)

//go:embed startertheme
var starterTheme embed.FS

func NewTheme(a *env.Env) *cobra.Command {
	c := &cobra.Command{
		Use:     "theme",
		Short:   "help.theme.short",
		Long:    "help.theme.long",
		Example: "help.theme.example",
		Args:    env.NoArgs,
		RunE:    env.WhichCommand,
	}
	c.AddCommand(newThemeNew(a), newThemeList(a), newThemeShow(a), newThemeCopy(a))
	return c
}

func newThemeNew(a *env.Env) *cobra.Command {
	return &cobra.Command{
		Use:     "new NAME",
		Short:   "help.theme.new.short",
		Long:    "help.theme.new.long",
		Example: "help.theme.new.example",
		Args:    env.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return themeNew(a, args[0]) },
	}
}

func newThemeList(a *env.Env) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "help.theme.list.short",
		Long:    "help.theme.list.long",
		Example: "help.theme.list.example",
		Args:    env.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return themeList(a) },
	}
}

func newThemeShow(a *env.Env) *cobra.Command {
	own := false
	c := &cobra.Command{
		Use:     "show [FILE]",
		Short:   "help.theme.show.short",
		Long:    "help.theme.show.long",
		Example: "help.theme.show.example",
		Args:    env.MaximumArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return themeShow(a, args, own) },
	}
	c.Flags().BoolVar(&own, "default", false, "help.theme.show.--default")
	return c
}

func newThemeCopy(a *env.Env) *cobra.Command {
	return &cobra.Command{
		Use:     "copy FILE...",
		Short:   "help.theme.copy.short",
		Long:    "help.theme.copy.long",
		Example: "help.theme.copy.example",
		Args:    env.MinimumArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return themeCopy(a, args) },
	}
}

// themeName matches names that are valid folders on every system, and need no escapes in TOML.
var themeName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

func themeNew(a *env.Env, name string) error {
	if !themeName.MatchString(name) || name == theme.Default {
		return env.Usage(diag.Say("cli.theme-name-invalid-hint"), diag.Say("cli.theme-name-invalid", "name", name))
	}
	if _, err := siteConfig(a); err != nil {
		return err
	}
	dir := a.Path(theme.Dir, name)
	if _, err := os.Lstat(dir); err == nil {
		return env.Usage(diag.Say("cli.theme-folder-in-use-hint"), diag.Say("cli.theme-folder-in-use", "folder", filepath.ToSlash(filepath.Join(theme.Dir, name))))
	}
	files, err := fs.Sub(starterTheme, "startertheme")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(a.Path(theme.Dir), 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(a.Path(theme.Dir), ".gpudocs-new-") // there is never half a theme
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
	least, _, _ := strings.Cut(env.Version(), "-")
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

// siteConfig reads gpudocs.toml, and prints what is wrong in it.
func siteConfig(a *env.Env) (*site.Config, error) {
	fsys, err := workspace.OpenSite(a)
	if err != nil {
		return nil, err
	}
	config, diags := config.Read(fsys)
	a.Print(diags)
	if config == nil || diags.HasErrors() {
		return nil, a.Broken(diags, "nothing_done")
	}
	return config, nil
}

// siteTheme opens the site's theme.
func siteTheme(a *env.Env) (*theme.Theme, error) {
	config, err := siteConfig(a)
	if err != nil {
		return nil, err
	}
	fsys, err := workspace.OpenSite(a)
	if err != nil {
		return nil, err
	}
	t, diags := theme.Open(fsys, config.Theme, themes.Default(), env.Version())
	a.Print(diags)
	if diags.HasErrors() {
		return nil, a.Broken(diags, "nothing_done")
	}
	return t, nil
}

func themeList(a *env.Env) error {
	config, err := siteConfig(a)
	if err != nil {
		return err
	}
	fsys, err := workspace.OpenSite(a)
	if err != nil {
		return err
	}
	for _, name := range append([]string{theme.Default}, theme.Names(fsys)...) {
		t, diags := theme.Open(fsys, name, themes.Default(), env.Version())
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

// A source is a folder of themes with its path.
type source struct {
	fs.FS
	dir string
}

// sourcesOf returns the folders of a theme, the default's last.
func sourcesOf(t *theme.Theme) (all []source) {
	for _, l := range t.Layers {
		all = append(all, source{l.FS, l.Dir})
	}
	return append(all, source{themes.Default(), "default"})
}

func themeShow(a *env.Env, args []string, onlyDefault bool) error {
	all := sourcesOf(&theme.Theme{})
	if !onlyDefault {
		t, err := siteTheme(a)
		if err != nil {
			return err
		}
		all = sourcesOf(t)
	}
	from := themeFiles(all)
	if len(args) == 0 {
		for _, name := range sortedFiles(from) {
			fmt.Fprintf(a.Stdout, "%-44s %s\n", name, from[name].dir)
		}
		return nil
	}
	text, _, err := pick(from, args[0])
	if err != nil {
		return err
	}
	_, err = a.Stdout.Write(text)
	return err
}

func themeCopy(a *env.Env, args []string) error {
	t, err := siteTheme(a)
	if err != nil {
		return err
	}
	if len(t.Layers) == 0 {
		return noOwnTheme(a)
	}
	all := sourcesOf(t)
	own, below := all[0], themeFiles(all[1:])
	texts := map[string][]byte{}
	for _, arg := range args { // all or none
		text, name, err := pick(below, arg)
		if err != nil {
			return err
		}
		if _, err := fs.Stat(own, name); err == nil {
			return env.Usage(diag.Say("cli.theme-file-exists-hint", "file", name), diag.Say("cli.theme-file-exists", "file", path.Join(own.dir, name)))
		}
		texts[name] = text
	}
	root, err := os.OpenRoot(a.Path(filepath.FromSlash(own.dir)))
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
		a.Println(a.Text.Get("wrote", "file", path.Join(own.dir, name)))
	}
	return nil
}

// noOwnTheme returns the error for a site that uses only the default theme.
func noOwnTheme(a *env.Env) error {
	fsys, err := workspace.OpenSite(a)
	if err != nil {
		return err
	}
	hint := diag.Say("cli.theme-new-hint")
	if there := theme.Names(fsys); len(there) > 0 {
		hint = diag.Say("cli.theme-use-hint", "name", there[0])
	}
	return env.Usage(hint, diag.Say("cli.theme-none"))
}

// themeFiles returns where each file is taken from: the first folder that has it.
func themeFiles(all []source) map[string]source {
	from := map[string]source{}
	for _, s := range all {
		_ = fs.WalkDir(s, ".", func(name string, d fs.DirEntry, err error) error {
			if _, has := from[name]; err == nil && !d.IsDir() && !has && name != theme.File && !strings.HasPrefix(d.Name(), ".") {
				from[name] = s
			}
			return nil
		})
	}
	return from
}

// pick reads a file by the name that the user gave.
func pick(from map[string]source, arg string) (text []byte, name string, err error) {
	name = path.Clean(filepath.ToSlash(arg))
	s, ok := from[name]
	if !ok {
		hint := diag.Suggest(name, sortedFiles(from), diag.Say("cli.theme-files-hint"))
		return nil, "", env.Usage(hint, diag.Say("cli.theme-file-unknown", "file", arg))
	}
	text, err = fs.ReadFile(s, name)
	return text, name, err
}

func sortedFiles[V any](files map[string]V) []string {
	return slices.Sorted(maps.Keys(files))
}
