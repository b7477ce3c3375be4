package site

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site/recipe"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// ConfigFile is the file that makes a folder a site.
const ConfigFile = "gpudocs.toml"

// A Config is the content of gpudocs.toml. An unknown key in it is an error.
//
//	title    = "GPU na prática"
//	base_url = "https://example.org/docs/"   # only for absolute links: canonical, hreflang, feeds
//	theme    = "default"                     # or a folder below themes/
//
//	[languages.pt]
//	name   = "Português"
//	weight = 1                               # the lightest is the default language
//
//	[site]
//	author = "Ana Lima"                      # for PDF
//	edit  = "https://github.com/o/r/edit/main/{path}"  # where readers can edit a page
//	repository = "https://github.com/o/r"    # for links to it, and to report a wrong result
//	report_url = "https://git.example/new?t={title}"  # instead of the form of GitHub or GitLab
//	image = "cover.png"                      # what other sites show beside links to pages
//	reading_time = true                      # show how long a page takes
//	edition = "2026.2"                       # what readers call the current site, beside other editions
//
//	[[editions]]                             # earlier states that are published beside it, see Edition
//	name = "2026.1"
//	ref  = "v2026.1"
//
//	[[nav.groups]]                           # groups of the sidebar, see NavGroup
//	name  = "learn"
//	label = {pt = "Aprender", es = "Aprender"}
//	links = [{label = "CUDA", url = "https://docs.nvidia.com/cuda/"}]
//
//	[publish]                                # outputs to omit, see Outputs; all are true by default
//	search = false
//	pdf    = true                            # documents to add; false by default
//	solutions_after = 2026-12-01             # of exercises; front matter overrides it
//
//	[search.synonyms]                        # see docs/content/en/search.md
//	pt = [["contêiner", "docker"]]
//
//	[translations]
//	source = "pt"                            # the language of the originals; by default the first language
//
//	[blocks]                                 # defaults of every runnable block
//	timeout = "60s"
//	retries = 1
//	session = "main"
//	env     = "torch"
//	needs   = "gpus >= 1"
//	packages = ["numpy"]                     # see Config.Packages
//
//	[env.torch]                              # see Environment
//	python   = "/opt/torch/bin/python"
//	packages = ["torch", "numpy"]
//
//	[markdown]
//	dialects = ["obsidian"]                  # instead of recognising them; front matter overrides it
//	bibliography = "refs.bib"                # the works for [@key] and :cite:
//	punctuation = "smart"                    # or "plain", the default; front matter overrides it
//	unsafe_html = true                       # keep HTML in pages as it is written; by default it is sanitised
//
//	[run.hip]                                # a language that blocks can have, see recipe.Recipe
//	file  = "{name}.hip"
//	build = "hipcc -o {name} {file} {flags}"
//	run   = "./{name}"
//
//	[trust]                                  # the people who may sign reports
//	allowed_signers = "allowed_signers"
//
//	[check]                                  # addresses that check --external does not request
//	ignore = ["https://intranet.example/*"]  # * is any text
//
//	[params]                                 # override those of the theme, see docs/content/en/themes.md
//	contact = "lab@example.org"
//
//	[launch]                                 # publish pages as notebooks, see docs/content/en/notebooks.md
//	repository = "https://github.com/o/r"    # where build --notebooks puts them
//	branch   = "notebooks"
//	folder   = "nb"
//	services = ["colab", "kaggle", "binder"]
//	outputs  = "deepnine"                    # the machine whose results they contain
//
//	[hosting]
//	netlify = true                           # publish _headers and _redirects for Netlify, the default
type Config struct {
	Title   string
	BaseURL string
	Theme   string
	// Edit is the address at which a page can be edited, with {path} for its file below the site's
	// folder, or empty.
	Edit string
	// Repository is the address of the site's repository, and Report that at which readers report a wrong
	// result, with ReportMarks for what it is about. Either may be empty.
	Repository, Report string
	// Image is what other sites show beside links to pages: a path below content/, or an address. At is its place.
	Image struct {
		Path string
		At   diag.Diagnostic
	}
	// Author is who wrote the site, for PDF, or empty.
	Author string
	// ReadingTime shows on each page how long reading it takes.
	ReadingTime bool
	// Edition is the name of the current site among its editions, or empty. Editions are the others, the newest first.
	Edition  Localized
	Editions []Edition
	// Nav are the groups of the sidebar, in order.
	Nav []NavGroup
	// Without are the outputs that the site does not publish.
	Without Outputs
	// PDF makes build write such documents of sections and languages.
	PDF bool
	// SolutionsAfter is the day, in UTC, from which on solutions are published, or zero.
	SolutionsAfter time.Time
	// Synonyms are, by language, groups of words or phrases that mean the same in a search.
	Synonyms map[string][][]string
	// Source is the code of the language that pages are translated from. If empty, it is the
	// default language.
	Source string
	// Blocks are the default attributes of all blocks.
	Blocks Defaults
	Env    map[string]Environment
	// Packages are the Python packages whose versions are part of the results of blocks without an
	// environment: those of the Python in PATH.
	Packages []string
	// Files are the patterns of files that every session gets. They begin with a slash.
	Files []string
	// AllowedSigners is the file, below the site's folder, that lists the people who may sign
	// reports, or empty.
	AllowedSigners string
	Verify         Verify
	// References are those of captured and measured values, by the names of values and then of machines.
	References References
	// Recipes are those that the site defines or changes, by name.
	Recipes recipe.Table
	// Dialects are the Markdown dialects of every page, unless its front matter sets others. If DialectsSet is
	// false, each page's are recognised.
	Dialects    markdown.Dialect
	DialectsSet bool
	// Bibliography is the BibTeX file with the works that pages cite, below the site's folder, or
	// empty.
	Bibliography string
	// Smart shows “so” for "so" on every page, unless its front matter sets something else.
	Smart bool
	// UnsafeHTML keeps the HTML in pages as it is written.
	UnsafeHTML bool
	// Ignore are patterns of addresses that check --external does not request; * matches any text.
	Ignore []string
	// Late are machines that run after the site is built. Their stale results are notices.
	Late []string

	// Params override those of the theme's theme.toml.
	Params map[string]any
	// Launch is how readers get pages as notebooks. It is nil if they do not.
	Launch *Launch
	// NoNetlify omits the files _headers and _redirects.
	NoNetlify bool

	Languages map[string]Language
	// Unreadable is set if the file exists but cannot be read. Pages are read anyway, and
	// references to its content are not reported.
	Unreadable bool
}

// HasEnv reports whether blocks may name an environment.
func (c *Config) HasEnv(name string) bool {
	_, ok := c.Env[name]
	return ok || c.Unreadable
}

// UnreadableConfig returns a configuration with which a run can go on, to report other errors too.
func UnreadableConfig() *Config {
	return &Config{Theme: "default", Blocks: Defaults{Timeout: DefaultTimeout}, Languages: map[string]Language{}, Unreadable: true}
}

// Defaults are the values of attributes that a block does not set.
type Defaults struct {
	Session string
	Env     string
	Kernel  string
	Needs   ask.Expr
	Timeout time.Duration
	// Retries is how often a block is tried again if it does not pass.
	Retries int
	// Run makes the .input fences of a page run. Only front matter can set it.
	Run bool
	// Files are the patterns of files that every session of the page gets.
	Files []FilePattern
}

// Set sets the default of session, kernel, timeout, retries or needs from the text of the attribute. It returns what
// is wrong with the text, or a zero message.
func (d *Defaults) Set(attribute, text string) diag.Text {
	var err error
	switch attribute {
	case "session":
		if d.Session = text; text != "" && !BlockName.MatchString(text) {
			return diag.Say("blocks.session-name-invalid", "value", text).WithHint(NameHint)
		}
	case "kernel":
		if d.Kernel = text; text != "" && !KernelName.MatchString(text) {
			return diag.Say("blocks.kernel-name-invalid", "value", text).WithHint(KernelHint)
		}
	case "timeout":
		if d.Timeout, err = ParseTimeout(text); err != nil {
			return diag.Plain(err).WithHint(TimeoutHint)
		}
	case "retries":
		if d.Retries, err = ParseRetries(text); err != nil {
			return diag.Plain(err).WithHint(RetriesHint)
		}
	case "needs":
		if d.Needs, err = ask.Parse(text); err != nil {
			return diag.Say("config.needs-invalid", "why", err).WithHint(diag.Plain(err).Hint())
		}
	}
	return diag.Text{}
}

// CheckBaseURL returns the URL with a slash at its end. It may be empty.
func CheckBaseURL(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return "", diag.Say("config.base-url-invalid", "url", s)
	}
	return strings.TrimSuffix(s, "/") + "/", nil
}

// Outputs are what a site publishes in addition to its pages.
type Outputs struct {
	// Search is the full-text index, and the button for it.
	Search bool
	// Print is the page that contains all pages of a section.
	Print bool
	// Markdown is each page as Markdown, and the lists of these files for programs.
	Markdown bool
	// Feeds are the results as JSON and the changes as Atom.
	Feeds bool
	// Badges are images of results for other sites.
	Badges bool
	// Images are smaller versions of the images of pages, for phones.
	Images bool
}

// PathMark is the placeholder for a page's file in [site] edit.
const PathMark = "{path}"

// ReportMarks are the placeholders of [site] report_url.
var ReportMarks = []string{"{page}", "{block}", "{machine}", "{title}", "{body}"}

// EditURL returns the address at which a file of the site can be edited, or "". file is a
// slash-separated path below the site's folder.
func (c *Config) EditURL(file string) string {
	before, after, ok := strings.Cut(c.Edit, PathMark)
	if !ok {
		return ""
	}
	if strings.ContainsAny(before, "?#") {
		return before + url.QueryEscape(file) + after
	}
	return before + (&url.URL{Path: file}).EscapedPath() + after
}

// SandboxBwrap confines snippets with bubblewrap.
const SandboxBwrap = "bwrap"

// Verify determines how all snippets run.
//
//	[verify]
//	memory    = "8 GiB"   # of a session's processes together
//	processes = 512       # and threads
//	sandbox   = "bwrap"   # by default there is no sandbox
type Verify struct {
	// Memory and Processes are zero if the machine's limits apply.
	Memory    ask.Value
	Processes int
	// Sandbox is SandboxBwrap, or empty.
	Sandbox string
	// Drift is how values are held against earlier ones, unless a run says otherwise.
	Drift Drift
}

// MaxTimeout is the longest time limit that a block can have.
const MaxTimeout = 24 * time.Hour

// DefaultTimeout is the time limit of a block that does not set one.
const DefaultTimeout = 60 * time.Second

// MaxLanguages is the largest number of languages of a site. Each page is generated in all of them,
// with links to all of them.
const MaxLanguages = 200

// Punctuations are the values of the key punctuation, and whether they mean smart punctuation.
var Punctuations = map[string]bool{"smart": true, "plain": false, "": false}

// ParseTimeout parses a time limit. With an error it returns DefaultTimeout.
func ParseTimeout(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 || d > MaxTimeout {
		return DefaultTimeout, diag.Say("config.time-limit-invalid", "name", s)
	}
	return d, nil
}

// MaxRetries limits how often a block is tried again: each try runs its session from the beginning.
const MaxRetries = report.MaxTries

// ParseRetries parses how often a block is tried again. With an error it returns 0.
func ParseRetries(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > MaxRetries {
		return 0, diag.Say("config.retries-invalid", "value", diag.Clip(s, 100))
	}
	return n, nil
}
