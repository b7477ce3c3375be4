package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/datafile"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/tomlfile"
)

// configFile is the form of gpudocs.toml.
type configFile struct {
	Title     string `toml:"title" doc:"Title of the site, in the bar and in the titles of pages."`
	BaseURL   string `toml:"base_url" doc:"Public address of the site. Canonical links, hreflang, the sitemap, feeds and images of pages need it."`
	Theme     string `toml:"theme" doc:"Name of a folder below themes/, or default."`
	Languages map[string]struct {
		Name   string `toml:"name" doc:"What readers of the language call it: Português."`
		Weight int    `toml:"weight" doc:"Position among the languages. The lightest is the default language."`
	} `toml:"languages" doc:"Languages by code, as the folders below content/ are named: pt, es, pt-br."`
	Site         siteFile      `toml:"site" doc:"The site itself: author, links to its repository, name of its edition, time to read."`
	Nav          navFile       `toml:"nav" doc:"The sidebar."`
	Editions     []editionFile `toml:"editions" doc:"Earlier editions of the site, the newest first."`
	Translations struct {
		Source string `toml:"source" doc:"Code of the language that pages are translated from. Default: the first language."`
	} `toml:"translations" doc:"How translations are compared with their sources."`
	Blocks struct {
		Session  string   `toml:"session" doc:"Default session of runnable blocks."`
		Env      string   `toml:"env" doc:"Default environment, a table [env.NAME]."`
		Kernel   string   `toml:"kernel" doc:"Default Jupyter kernel."`
		Needs    string   `toml:"needs" doc:"What blocks need of a machine: gpus >= 1."`
		Timeout  string   `toml:"timeout" doc:"Time limit of a block: 30s, 2m, 1h. Default: 60s."`
		Retries  *int64   `toml:"retries" doc:"How often a block that does not pass is tried again."`
		Packages []string `toml:"packages" doc:"Python packages whose versions are part of the results of blocks without an environment."`
		Files    any      `toml:"files" form:"text|texts" doc:"Patterns of files that every session gets."`
	} `toml:"blocks" doc:"Defaults of every runnable block."`
	Env        map[string]site.Environment  `toml:"env" doc:"Environments that blocks run in, by name."`
	Verify     verifyFile                   `toml:"verify" doc:"How all snippets run."`
	References map[string]map[string]string `toml:"references" doc:"Reference values of captured and measured values, by name and then by machine."`
	Run        map[string]recipeFile        `toml:"run" doc:"Recipes: how blocks of a language are built and run."`
	Trust      struct {
		AllowedSigners string `toml:"allowed_signers" doc:"File that lists who may sign reports."`
	} `toml:"trust" doc:"Who may sign reports."`
	Markdown struct {
		Dialects     []string `toml:"dialects" enum:"obsidian,d2l,mkdocs,myst,quarto,carpentries" doc:"Dialects of all pages. Default: each page is recognised."`
		Bibliography string   `toml:"bibliography" doc:"BibTeX file with the works that pages cite."`
		Punctuation  string   `toml:"punctuation" enum:"smart,plain" doc:"Whether quotation marks and dashes get the form of the language. Default: plain."`
		UnsafeHTML   bool     `toml:"unsafe_html" doc:"Keep HTML in pages as it is written. Default: it is sanitised."`
	} `toml:"markdown" doc:"How pages are read."`
	Check struct {
		Ignore []string `toml:"ignore" doc:"Addresses that check --external does not request; * is any text."`
		Stale  []string `toml:"stale" doc:"Machines that run after the site is built: their stale results are only notices."`
	} `toml:"check" doc:"What gpudocs check looks at."`
	Params  map[string]any `toml:"params" doc:"Values for the templates of the theme."`
	Publish publishFile    `toml:"publish" doc:"Outputs beside the pages. Default: true, except PDF."`
	Search  struct {
		Synonyms map[string][][]string `toml:"synonyms" doc:"By language, lists of words that mean the same in a search."`
	} `toml:"search" doc:"The search of the site."`
	Launch  *launchFile `toml:"launch" doc:"Pages as notebooks, and the services that open them."`
	Hosting struct {
		Netlify *bool `toml:"netlify" doc:"Publish _headers and _redirects for Netlify. Default: true."`
	} `toml:"hosting" doc:"Files for hosts."`
}

// Schema returns the JSON Schema of gpudocs.toml.
func Schema() []byte { return tomlfile.Schema("gpudocs.toml", reflect.TypeFor[configFile](), false) }

// Read reads gpudocs.toml. It returns nil if the file does not exist: then the folder is not a
// site.
func Read(fsys fs.FS) (*site.Config, diag.List) {
	data, err := sitefile.ReadFile(fsys, site.ConfigFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, diag.List{diag.About(diag.Error, site.ConfigFile, diag.Say("config.config-missing"))}
	}
	if err != nil {
		return site.UnreadableConfig(), diag.List{diag.Unreadable(site.ConfigFile, err)}
	}
	return parseConfig(fsys, diag.NewFile(site.ConfigFile, sitefile.WithoutBOM(data)))
}

func parseConfig(fsys fs.FS, f *diag.File) (*site.Config, diag.List) {
	if d, bad := sitefile.InvalidUTF8(f); bad {
		return site.UnreadableConfig(), diag.List{d}
	}
	var file configFile
	read, diags := tomlfile.Decode(f, &file, tomlfile.Hints{
		Unknown: func([]string) diag.Text { return diag.Say("config.keys-documented-hint") },
		Broken:  diag.Say("config.toml-form-hint"),
	})
	if !read {
		return site.UnreadableConfig(), diags
	}
	c := checker{fsys: fsys, file: f, diags: diags}
	config := c.config(&file)
	c.checkInvisible(&file)
	return config, c.diags
}

// A checker turns the values of the file into a Config, and reports invalid ones at their lines.
type checker struct {
	fsys   fs.FS
	file   *diag.File
	diags  diag.List
	faults int
}

// maxFaults is the largest number of invalid values that are reported, since the file is searched
// for each of them.
const maxFaults = 50

// fault reports a value at its place after key, which is a regular expression: the same text may
// occur elsewhere too.
func (c *checker) fault(key, value string, message diag.Text) {
	if c.faults++; c.faults > maxFaults {
		if c.faults == maxFaults+1 {
			c.diags.Add(diag.About(diag.Error, c.file.Name, diag.Say("config.errors-too-many", "most", maxFaults)))
		}
		return
	}
	d := c.place(key, value)
	d.Message, d.Hint = message, message.Hint()
	c.diags.Add(d)
}

// place returns a diagnostic of a value, without a message.
func (c *checker) place(key, value string) diag.Diagnostic {
	at := regexp.MustCompile(`\b` + key + `\s*["']*(` + regexp.QuoteMeta(value) + `)["'\s.=\]]`).FindSubmatchIndex(c.file.Data)
	if at == nil { // written with escapes
		return diag.Diagnostic{File: c.file.Name}
	}
	return c.file.Error(at[2], at[3], diag.Text{})
}

func (c *checker) config(file *configFile) *site.Config {
	config := &site.Config{
		Title:     site.OneLine(file.Title),
		BaseURL:   file.BaseURL,
		Theme:     file.Theme,
		Env:       file.Env,
		Languages: map[string]site.Language{},

		AllowedSigners: file.Trust.AllowedSigners,
		Ignore:         file.Check.Ignore,
		Late:           file.Check.Stale,
		Bibliography:   file.Markdown.Bibliography,
		Params:         file.Params,
		Without:        file.Publish.leftOut(),
		PDF:            file.Publish.PDF,
		SolutionsAfter: c.day("solutions_after", file.Publish.SolutionsAfter),
		NoNetlify:      file.Hosting.Netlify != nil && !*file.Hosting.Netlify,
	}
	if config.Theme == "" {
		config.Theme = "default"
	}
	if strings.ContainsAny(config.Theme, `/\`) || strings.HasPrefix(config.Theme, ".") {
		c.fault(`theme\s*=`, config.Theme, diag.Say("config.theme-name-invalid", "theme", config.Theme))
	}
	if _, err := site.CheckBaseURL(config.BaseURL); err != nil {
		c.fault(`base_url\s*=`, config.BaseURL, diag.Plain(err).WithHint(diag.Say("config.base-url-hint")))
	}
	codes := slices.Sorted(maps.Keys(file.Languages))
	if len(codes) > site.MaxLanguages {
		c.fault(`languages\s*\.`, codes[site.MaxLanguages], diag.Say("config.languages-too-many", "codes", len(codes),
			"most", site.MaxLanguages).WithHint(diag.Say("config.languages-split-site-hint")))
		codes = codes[:site.MaxLanguages]
	}
	for _, code := range codes {
		if !site.LanguageCode.MatchString(code) {
			c.fault(`languages\s*\.`, code, diag.Say("config.language-code-invalid", "code", code))
		}
		l := file.Languages[code]
		config.Languages[code] = site.Language{Code: code, Name: site.OneLine(l.Name), Weight: l.Weight}
	}
	config.Source = file.Translations.Source
	if _, known := config.Languages[config.Source]; config.Source != "" && !known &&
		(len(config.Languages) > 0 || !site.LanguageCode.MatchString(config.Source)) {
		hint := diag.Suggest(config.Source, slices.Sorted(maps.Keys(config.Languages)), diag.Say("config.source-language-hint"))
		c.fault(`source\s*=`, config.Source, diag.Say("config.source-language-unknown", "source", config.Source).WithHint(hint))
	}
	for _, name := range slices.Sorted(maps.Keys(file.Env)) {
		c.environment(name, file.Env[name])
	}
	if name := config.AllowedSigners; name != "" && (!fs.ValidPath(name) || name == ".") {
		c.fault(`allowed_signers\s*=`, name, diag.Say("config.file-outside-site", "name", name))
	}
	if name := config.Bibliography; name != "" && (!fs.ValidPath(name) || name == ".") {
		c.fault(`bibliography\s*=`, name, diag.Say("config.file-outside-site", "name", name).WithHint(diag.Say("config.bibliography-hint")))
		config.Bibliography = ""
	}
	for _, pattern := range config.Ignore {
		if strings.Trim(pattern, "* ") == "" {
			c.fault(`ignore\s*=[^\]]*`, pattern, diag.Say("config.ignore-pattern-too-wide", "pattern", pattern))
		}
	}
	config.DialectsSet = file.Markdown.Dialects != nil
	for _, name := range file.Markdown.Dialects {
		d, ok := markdown.ParseDialect(name)
		if !ok {
			c.fault(`dialects\s*=[^\]]*`, name, diag.Say("config.dialect-unknown", "name", name).WithHint(site.DialectHint(name)))
		}
		config.Dialects |= d
	}
	smart, ok := site.Punctuations[file.Markdown.Punctuation]
	if !ok {
		c.fault(`punctuation\s*=`, file.Markdown.Punctuation, diag.Say("config.punctuation-invalid", "punctuation", file.Markdown.Punctuation))
	}
	config.Smart = smart
	c.unsafe(file, config)
	c.site(file.Site, config)
	c.launch(file.Launch, config)
	c.synonyms(file.Search.Synonyms, config)
	config.Nav = c.nav(file.Nav)
	config.Editions = c.editions(file.Editions)
	c.blocks(file, config)
	config.Verify = c.verify(file.Verify)
	config.References = c.references(file.References)
	config.Recipes = c.recipes(file.Run)
	return config
}

// unsafe warns in every run that the HTML of authors reaches readers unchanged.
func (c *checker) unsafe(file *configFile, config *site.Config) {
	if config.UnsafeHTML = file.Markdown.UnsafeHTML; !config.UnsafeHTML {
		return
	}
	d := diag.About(diag.Notice, c.file.Name, unsafeMessage.WithHint(unsafeHint))
	if at := unsafeKey.FindIndex(c.file.Data); at != nil {
		d = c.file.At(diag.Notice, at[0], at[1], unsafeMessage.WithHint(unsafeHint))
	}
	c.diags.Add(d)
}

var (
	unsafeKey     = lazyregexp.New(`\bunsafe_html\b`)
	unsafeMessage = diag.Say("config.unsafe-html")
	unsafeHint    = diag.Say("config.unsafe-html-hint")
)

// packageName is the form of the name of a Python package.
var packageName = site.Pattern{Regexp: lazyregexp.New(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`), Max: 100}

func (c *checker) packages(names []string) {
	for _, name := range names {
		if !packageName.MatchString(name) {
			c.fault(`packages\s*=[^\]]*`, name, diag.Say("config.package-name-invalid", "name", name))
		}
	}
	if len(names) > report.MaxPackages {
		c.fault(`packages\s*=[^\]]*`, names[report.MaxPackages],
			diag.Say("config.packages-too-many", "names", len(names), "most", report.MaxPackages))
	}
}

func (c *checker) blocks(file *configFile, config *site.Config) {
	b := file.Blocks
	config.Packages = b.Packages
	c.packages(b.Packages)
	config.Files = c.files(b.Files)
	config.Blocks = site.Defaults{Env: b.Env, Timeout: site.DefaultTimeout}
	retries := ""
	if b.Retries != nil {
		retries = strconv.FormatInt(*b.Retries, 10)
	}
	for _, d := range [][2]string{{"session", b.Session}, {"kernel", b.Kernel}, {"timeout", b.Timeout}, {"retries", retries},
		{"needs", b.Needs}} {
		key, text := d[0], d[1]
		if text == "" {
			continue
		}
		if message := config.Blocks.Set(key, text); !message.IsZero() {
			c.fault(key+`\s*=`, text, message)
		}
	}
	if _, ok := file.Env[b.Env]; b.Env != "" && !ok {
		c.fault(`env\s*=`, b.Env, diag.Say("blocks.environment-unknown", "env", b.Env))
	}
}

// files reads a list of patterns, or one text of them, and reports those without a file.
func (c *checker) files(value any) (patterns []string) {
	var list []any
	switch v := value.(type) {
	case nil:
	case string:
		for _, s := range strings.Fields(v) {
			list = append(list, s)
		}
	case []any:
		list = v
	default:
		list = []any{v}
	}
	for _, v := range list {
		pattern, is := v.(string)
		if !is {
			c.fault(`files\s*=[^\]]*`, fmt.Sprint(v), diag.Say("files.list-invalid").WithHint(diag.Say("files.list-hint")))
			continue
		}
		if err := datafile.Check(c.fsys, ".", pattern); err != nil {
			c.fault(`files\s*=[^\]]*`, pattern, diag.Plain(err))
			continue
		}
		patterns = append(patterns, rooted(pattern))
	}
	return patterns
}

// rooted returns a pattern that begins at the site's folder.
func rooted(pattern string) string { return "/" + strings.TrimPrefix(pattern, "/") }
