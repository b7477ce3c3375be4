package content

import (
	"errors"
	"io/fs"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/require"
	"github.com/gpudocs/gpudocs/internal/tomlfile"
)

// MaxTimeout is the longest time limit that a block can have.
const MaxTimeout = 24 * time.Hour

// ConfigFile is the file that makes a folder a site.
const ConfigFile = "gpudocs.toml"

// DefaultTimeout is the time limit of a block that sets none.
const DefaultTimeout = 60 * time.Second

// A Config is the content of gpudocs.toml. An unknown key in it is an error.
//
//	title    = "GPU na prática"
//	base_url = "https://example.org/docs/"   # needed only for absolute links: canonical, hreflang, feeds
//	theme    = "default"                     # or a folder below themes/
//
//	[languages.pt]
//	name   = "Português"
//	weight = 1                               # the lightest is the default language
//
//	[site]
//	edit  = "https://github.com/o/r/edit/main/{path}"  # where a reader can mend a page
//
//	[publish]                                # what is left out, see Outputs; else all is true
//	search = false
//
//	[translations]
//	source = "pt"                            # the language that is translated from; else the default
//
//	[blocks]                                 # defaults of every runnable block
//	timeout = "60s"
//	session = "main"
//	env     = "torch"
//	needs   = "gpus >= 1"
//	packages = ["numpy"]                     # see Config.Packages
//
//	[env.torch]                              # python or conda, not both
//	python   = "/opt/torch/bin/python"
//	packages = ["torch", "numpy"]
//
//	[markdown]
//	dialects = ["obsidian"]                  # also d2l, mkdocs; dialects: in front matter goes before
//	bibliography = "refs.bib"                # what [@key] and :cite: name
//	punctuation = "smart"                    # or "plain", as without it; punctuation: in front matter goes before
//	unsafe_html = true                       # HTML in pages stays as it is written; else it is sanitised
//
//	[trust]                                  # whose signatures of reports count
//	allowed_signers = "allowed_signers"
//
//	[check]                                  # addresses that check --external leaves alone
//	ignore = ["https://intranet.example/*"]  # * is any text
//
//	[params]                                 # in the place of the theme's, see docs/themes.md
//	contact = "lab@example.org"
//
//	[hosting]
//	netlify = true                           # publish _headers and _redirects, which Netlify reads
type Config struct {
	Title   string
	BaseURL string
	Theme   string
	// Edit is where a page can be edited, with {path} in the place of its file below the
	// site's folder, or empty.
	Edit string
	// Without is what the site does not publish.
	Without Outputs
	// Source is the code of the language that pages are written in first, or empty:
	// then it is the default language.
	Source string
	// Blocks are the defaults of every block's attributes.
	Blocks Defaults
	Env    map[string]Environment
	// Packages are those whose versions count for the results of blocks without
	// an environment: the Python in PATH is asked for them.
	Packages []string
	// AllowedSigners is the file, below the site's folder, that lists who may
	// sign reports, or empty.
	AllowedSigners string
	Verify         Verify
	// Dialects are those that every page is read in, unless its front matter says otherwise.
	Dialects markdown.Dialect
	// Bibliography is the BibTeX file, below the site's folder, of what pages cite, or empty.
	Bibliography string
	// Smart shows “so” for "so" on every page, unless its front matter says otherwise.
	Smart bool
	// UnsafeHTML leaves the HTML in pages as their authors wrote it.
	UnsafeHTML bool
	// Ignore are patterns of addresses that check --external does not ask; * in
	// them is any text.
	Ignore []string

	// Params go before those of the theme's theme.toml.
	Params map[string]any
	// NoNetlify leaves the files _headers and _redirects out.
	NoNetlify bool

	languages map[string]Language
	// unread is set where the file is there and could not be read: pages are
	// read all the same, and what they take from it is not held against them.
	unread bool
}

// hasEnv tells whether blocks may name an environment.
func (c *Config) hasEnv(name string) bool {
	_, ok := c.Env[name]
	return ok || c.unread
}

// unreadConfig lets a run go on and name the other faults too.
func unreadConfig() *Config {
	return &Config{Theme: "default", Blocks: Defaults{Timeout: DefaultTimeout}, languages: map[string]Language{}, unread: true}
}

// Defaults are values for attributes that a block does not set itself.
type Defaults struct {
	Session string
	Env     string
	Needs   require.Expr
	Timeout time.Duration
	// Run has the page's .input fences run. Front matter alone says so.
	Run bool
}

// An Environment tells which interpreters a block with env= runs in. Either
// Python or Conda is set.
type Environment struct {
	// Python is the path of an interpreter, or a name to look up in PATH. A path
	// with a slash that is not absolute begins at the site's folder.
	Python string `toml:"python"`
	// Conda is the name or the prefix of a conda environment.
	Conda string `toml:"conda"`
	// Packages are those whose versions count for the results: with another
	// version a check that passed runs again.
	Packages []string `toml:"packages"`
}

// configFile is the form of gpudocs.toml.
type configFile struct {
	Title     string `toml:"title"`
	BaseURL   string `toml:"base_url"`
	Theme     string `toml:"theme"`
	Languages map[string]struct {
		Name   string `toml:"name"`
		Weight int    `toml:"weight"`
	} `toml:"languages"`
	Site         siteFile `toml:"site"`
	Translations struct {
		Source string `toml:"source"`
	} `toml:"translations"`
	Blocks struct {
		Session  string   `toml:"session"`
		Env      string   `toml:"env"`
		Needs    string   `toml:"needs"`
		Timeout  string   `toml:"timeout"`
		Packages []string `toml:"packages"`
	} `toml:"blocks"`
	Env    map[string]Environment `toml:"env"`
	Verify verifyFile             `toml:"verify"`
	Trust  struct {
		AllowedSigners string `toml:"allowed_signers"`
	} `toml:"trust"`
	Markdown struct {
		Dialects     []string `toml:"dialects"`
		Bibliography string   `toml:"bibliography"`
		Punctuation  string   `toml:"punctuation"`
		UnsafeHTML   bool     `toml:"unsafe_html"`
	} `toml:"markdown"`
	Check struct {
		Ignore []string `toml:"ignore"`
	} `toml:"check"`
	Params  map[string]any `toml:"params"`
	Publish publishFile    `toml:"publish"`
	Hosting struct {
		Netlify *bool `toml:"netlify"`
	} `toml:"hosting"`
}

// ReadConfig reads the configuration alone, nil where there is none.
func ReadConfig(fsys fs.FS) (*Config, diag.List) { return loadConfig(fsys) }

// loadConfig returns nil where there is no file: then this is no site.
func loadConfig(fsys fs.FS) (*Config, diag.List) {
	data, err := readFile(fsys, ConfigFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, diag.List{{File: ConfigFile, Message: diag.Say("there is no gpudocs.toml here, so this is not a site"),
			Hint: diag.Say("gpudocs init DIR makes one; --site DIR works on another folder")}}
	}
	if err != nil {
		return unreadConfig(), diag.List{diag.Unreadable(ConfigFile, err)}
	}
	return parseConfig(diag.NewFile(ConfigFile, withoutBOM(data)))
}

// maxFile bounds what is read of gpudocs.toml and of a bibliography, in bytes.
const maxFile = 64 << 20

// readFile reads a regular file; a named pipe would never end.
func readFile(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return nil, diag.Say("it is not a regular file")
	case err == nil && info.Size() > maxFile: // it is not read to say so
		return nil, diag.Say("it has more than %d MiB", maxFile>>20)
	}
	return fs.ReadFile(fsys, name)
}

func parseConfig(f *diag.File) (*Config, diag.List) {
	if d, bad := invalidUTF8(f); bad {
		return unreadConfig(), diag.List{d}
	}
	var file configFile
	read, diags := tomlfile.Decode(f, &file, tomlfile.Hints{
		Unknown: func([]string) diag.Text { return diag.Say("see docs/configuration.md for the keys there are") },
		Broken:  diag.Say("docs/configuration.md shows the form; a text stands in quotes, a key stands once"),
	})
	if !read {
		return unreadConfig(), diags
	}
	c := configChecker{file: f, diags: diags}
	config := c.config(&file)
	c.unseen(&file)
	return config, c.diags
}

var languageCode = lazyregexp.New(`^[a-z]{2,3}(-[a-z0-9]{2,8})*$`)

// configChecker turns the file's values into a Config and says what is wrong
// with them, at the value's own line.
type configChecker struct {
	file   *diag.File
	diags  diag.List
	faults int
}

// maxFaults is how many wrong values are told: the file is searched for each of them.
const maxFaults = 50

// maxLanguages is how many languages a site may have: each page is made in all of
// them, and leads to all of them.
const maxLanguages = 200

// fault reports a value at the place where it stands behind its key, which is
// a pattern: the same text may stand elsewhere too.
func (c *configChecker) fault(key, value string, message, hint diag.Text) {
	if c.faults++; c.faults > maxFaults {
		if c.faults == maxFaults+1 {
			c.diags.Add(diag.Diagnostic{File: c.file.Name, Message: diag.Say("there are more than %d errors in this file", maxFaults), Hint: diag.Say("fix the ones listed first")})
		}
		return
	}
	place := regexp.MustCompile(`\b` + key + `\s*["']*(` + regexp.QuoteMeta(value) + `)["'\s.\]]`).FindSubmatchIndex(c.file.Data)
	if place == nil { // written with escapes
		c.diags.Add(diag.Diagnostic{File: c.file.Name, Message: message, Hint: hint})
		return
	}
	c.diags.Add(c.file.Error(place[2], place[3], message, hint))
}

func (c *configChecker) config(file *configFile) *Config {
	config := &Config{
		Title:     oneLine(file.Title),
		BaseURL:   file.BaseURL,
		Theme:     file.Theme,
		Env:       file.Env,
		languages: map[string]Language{},

		AllowedSigners: file.Trust.AllowedSigners,
		Ignore:         file.Check.Ignore,
		Bibliography:   file.Markdown.Bibliography,
		Params:         file.Params,
		Without:        file.Publish.leftOut(),
		NoNetlify:      file.Hosting.Netlify != nil && !*file.Hosting.Netlify,
	}
	if config.Theme == "" {
		config.Theme = "default"
	}
	if strings.ContainsAny(config.Theme, `/\`) || strings.HasPrefix(config.Theme, ".") {
		c.fault(`theme\s*=`, config.Theme, diag.Say("theme %q is not the name of a folder in themes/", config.Theme), diag.Say(`write theme = "default", or the folder's name alone`))
	}
	if _, err := CheckBaseURL(config.BaseURL); err != nil {
		c.fault(`base_url\s*=`, config.BaseURL, diag.Say("%s", err), diag.Say(`write it as base_url = "https://example.org/docs/"`))
	}
	codes := slices.Sorted(maps.Keys(file.Languages))
	if len(codes) > maxLanguages {
		c.fault(`languages\s*\.`, codes[maxLanguages], diag.Say("%d languages, more than %d", len(codes), maxLanguages), diag.Say("split the site by languages"))
		codes = codes[:maxLanguages]
	}
	for _, code := range codes {
		if !languageCode.MatchString(code) {
			c.fault(`languages\s*\.`, code, diag.Say("%q is not a language code", code), diag.Say("write it in lower case, as pt or pt-br"))
		}
		l := file.Languages[code]
		config.languages[code] = Language{Code: code, Name: oneLine(l.Name), Weight: l.Weight}
	}
	config.Source = file.Translations.Source
	if _, known := config.languages[config.Source]; config.Source != "" && !known && (len(config.languages) > 0 || !languageCode.MatchString(config.Source)) {
		c.fault(`source\s*=`, config.Source, diag.Say("the source of translations, %q, is no language of this site", config.Source),
			diag.Suggest(config.Source, slices.Sorted(maps.Keys(config.languages)), diag.Say(`write source = "pt", and [languages.pt]`)))
	}
	for _, name := range slices.Sorted(maps.Keys(file.Env)) {
		e := file.Env[name]
		if (e.Python == "") == (e.Conda == "") {
			c.fault(`env\s*\.`, name, diag.Say("environment %q must set either python or conda", name), diag.Say(`write python = "/path/to/python" or conda = "name"`))
		}
		c.packages(e.Packages)
	}
	if name := config.AllowedSigners; name != "" && (!fs.ValidPath(name) || name == ".") {
		c.fault(`allowed_signers\s*=`, name, diag.Say("%q is not a file below the site's folder", name), diag.Say(`write it as allowed_signers = "allowed_signers"`))
	}
	if name := config.Bibliography; name != "" && (!fs.ValidPath(name) || name == ".") {
		c.fault(`bibliography\s*=`, name, diag.Say("%q is not a file below the site's folder", name), diag.Say(`write it as bibliography = "refs.bib"`))
		config.Bibliography = ""
	}
	for _, pattern := range config.Ignore {
		if strings.Trim(pattern, "* ") == "" {
			c.fault(`ignore\s*=[^\]]*`, pattern, diag.Say("the pattern %q would leave every address alone", pattern), diag.Say(`write it as ignore = ["https://example.org/*"]; without --external nothing is asked`))
		}
	}
	for _, name := range file.Markdown.Dialects {
		d, ok := markdown.ParseDialect(name)
		if !ok {
			c.fault(`dialects\s*=[^\]]*`, name, diag.Say("there is no dialect %q", name), dialectHint(name))
		}
		config.Dialects |= d
	}
	smart, ok := punctuations[file.Markdown.Punctuation]
	if !ok {
		c.fault(`punctuation\s*=`, file.Markdown.Punctuation, diag.Say("punctuation is smart or plain, not %q", file.Markdown.Punctuation), diag.Say(`write punctuation = "smart"`))
	}
	config.Smart = smart
	c.unsafe(file, config)
	c.site(file.Site, config)
	c.blocks(file, config)
	config.Verify = c.verify(file.Verify)
	return config
}

// unsafe says each time that nothing stands between who writes a page and who reads it.
func (c *configChecker) unsafe(file *configFile, config *Config) {
	if config.UnsafeHTML = file.Markdown.UnsafeHTML; !config.UnsafeHTML {
		return
	}
	d := diag.Diagnostic{Severity: diag.Notice, File: c.file.Name, Message: unsafeMessage, Hint: unsafeHint}
	if at := unsafeKey.FindIndex(c.file.Data); at != nil {
		d = c.file.At(diag.Notice, at[0], at[1], unsafeMessage, unsafeHint)
	}
	c.diags.Add(d)
}

var (
	unsafeKey     = lazyregexp.New(`\bunsafe_html\b`)
	unsafeMessage = diag.Say("HTML in pages is not sanitised: who writes a page can run anything in the browsers of its readers")
	unsafeHint    = diag.Say("take unsafe_html out unless you trust whoever changes pages")
)

// punctuations tell whether a name of gpudocs.toml or front matter is the smart one.
var punctuations = map[string]bool{"smart": true, "plain": false, "": false}

// packageName is the form of a Python package's name.
var packageName = form{lazyregexp.New(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`), 100}

func (c *configChecker) packages(names []string) {
	for _, name := range names {
		if !packageName.MatchString(name) {
			c.fault(`packages\s*=[^\]]*`, name, diag.Say("%q is not the name of a Python package", name), diag.Say(`write the name alone, as in packages = ["torch"]`))
		}
	}
	if len(names) > report.MaxPackages {
		c.fault(`packages\s*=[^\]]*`, names[report.MaxPackages], diag.Say("%d packages, more than %d", len(names), report.MaxPackages), diag.Say("name those on which the outputs depend"))
	}
}

func (c *configChecker) blocks(file *configFile, config *Config) {
	b := file.Blocks
	config.Packages = b.Packages
	c.packages(b.Packages)
	config.Blocks = Defaults{Session: b.Session, Env: b.Env, Timeout: DefaultTimeout}
	if b.Session != "" && !blockName.MatchString(b.Session) {
		c.fault(`session\s*=`, b.Session, diag.Say("%q cannot name a session", b.Session), nameHint)
	}
	if b.Timeout != "" {
		d, err := parseTimeout(b.Timeout)
		if err != nil {
			c.fault(`timeout\s*=`, b.Timeout, diag.Say("%s", err), timeoutHint)
		}
		config.Blocks.Timeout = d
	}
	needs, err := require.Parse(b.Needs)
	if err != nil {
		c.fault(`needs\s*=`, b.Needs, diag.Say("needs: %s", err), hintOf(err))
	}
	config.Blocks.Needs = needs
	if _, ok := file.Env[b.Env]; b.Env != "" && !ok {
		c.fault(`env\s*=`, b.Env, diag.Say("there is no environment %q", b.Env), diag.Say("add [env.%s] with python or conda", b.Env))
	}
}

// CheckBaseURL returns the URL with a slash at its end. An empty one is allowed.
func CheckBaseURL(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return "", diag.Say("base URL %q is not an absolute http or https address", s)
	}
	return strings.TrimSuffix(s, "/") + "/", nil
}

var timeoutHint = diag.Say("write it as 30s, 2m or 1h; at most 24h")

func parseTimeout(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 || d > MaxTimeout {
		return DefaultTimeout, diag.Say("%q is not a time limit", s)
	}
	return d, nil
}

func hintOf(err error) diag.Text {
	var e *require.Error
	if errors.As(err, &e) {
		return e.Hint
	}
	return diag.Text{}
}
