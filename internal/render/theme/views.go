package theme

import (
	"html/template"

	"github.com/gpudocs/gpudocs/internal/text"
)

// The types below are all that a theme's templates see. docs/themes.md and the
// default theme are written against them.

// PageView is the data of page.html.
type PageView struct {
	Site SiteView
	// Kind is "page" for a page of the content, else the template that made the text:
	// "status", "notfound".
	Kind string
	// Hidden asks search engines to pass it over.
	Hidden bool
	// Lang is the language of the page's address and interface; ContentLang is
	// that of its text, which differs where a translation is missing.
	Lang, ContentLang string
	// Title is plain text, for <title> and links. Heading is what the page shows
	// as its title, with markup and, if the author gave one, an id.
	Title       string
	Heading     template.HTML
	HeadingID   string
	Description string
	// Root leads from this page to the site's root: "../../". Every link on a
	// page is relative, so that a site works below any prefix.
	Root string
	// Theme leads to the theme's assets: "../../_theme/3f9ac21b/".
	Theme string
	// Search leads to the index of the language's pages, which search.js loads.
	Search string
	// Home is the link to the language's first page.
	Home string
	// Body is the rendered Markdown, results included.
	Body template.HTML
	// TOC are the headings of level 2 and 3.
	TOC []TOCEntry
	// Nav is the sidebar, with the path to this page opened.
	Nav        []NavItem
	Breadcrumb []Link
	Prev, Next *Link
	// Languages are all languages of the site, with this page in each.
	Languages []LanguageLink
	// Missing is set where this language has no translation and the text is
	// that of another.
	Missing *MissingTranslation
	// Outdated is set where the source of this translation has changed since it was made.
	Outdated *OutdatedTranslation
	// Canonical and Alternates are absolute; they are empty without a base URL.
	Canonical  string
	Alternates []Alternate
	Draft      bool
	// Markdown is the address of the page in Markdown, Edit where its file can be edited,
	// and Print that of all pages of its section on one. Each may be empty.
	Markdown, Edit, Print string
	// PrintsAll is set where that section is the whole language.
	PrintsAll bool
	// Offline is set where the site opens from a folder: no server answers there.
	Offline bool
	// Card is the picture that stands beside links to the page elsewhere, or nil.
	Card *CardView
	// Tags are those that the page's front matter gives it, in Obsidian's dialect.
	Tags []string
	// Changed is the day of its last change, or nil where that is not known.
	Changed *Day
	// Checks counts the page's blocks by the worst result on any machine.
	Checks CheckCount
	// Machines are those that a reader may choose from, those with the same GPUs together.
	// MachineNames are the names of all of them, IncludedNames of those whose results the page
	// includes. Deferred tells where the results of the others are; nil if there are none.
	Machines                    []MachineOption
	MachineNames, IncludedNames string
	Deferred                    *DeferredView
	// Unreadable are the machines whose reports cannot be read.
	Unreadable []string
	// Verdicts say how the page fares on each machine, if it has checks.
	Verdicts []VerdictView
	// Status leads to the page of all checks and machines; it is empty where a site
	// has nothing to check. Feeds are what programs can read of it.
	Status string
	Feeds  []FeedLink
	T      text.Catalog
}

// SiteView is what all pages share.
type SiteView struct {
	Title string
	// Generator names the program for <meta name="generator">.
	Generator string
	// Params are those of theme.toml, with the site's own over them: {{.Site.Params.colour}}.
	Params map[string]any
}

// CardView is a picture for links to a page. Its address is absolute.
type CardView struct {
	URL           string
	Width, Height int
	Alt           string
}

// A Day is one in the reader's words, and as 2026-11-02.
type Day struct{ ISO, Text string }

// A Link is a title and a relative address.
type Link struct{ Title, URL string }

// A NavItem is an entry of the sidebar. An open section without a page of its
// own has no URL; a closed one leads to its first page. An item "…" stands for
// entries that are left out.
type NavItem struct {
	Title string
	URL   string
	// Current marks this page, Open an entry whose children are shown.
	Current, Open bool
	// Lang is set where the page has no translation and is shown in another language.
	Lang     string
	Children []NavItem
}

// TOCEntry is a heading in the contents list.
type TOCEntry struct {
	Level    int
	ID, Text string
}

// LanguageLink leads to this page in a language.
type LanguageLink struct {
	Code, Name, URL string
	Current         bool
	// Missing marks a language that lacks a translation of this page; the link
	// leads to the original text with a notice.
	Missing bool
}

// Alternate is a <link rel="alternate" hreflang>.
type Alternate struct{ Lang, URL string }

// MissingTranslation says which language the text is in instead, by its own name.
type MissingTranslation struct {
	Lang, Name string
	// URL is the page in its own language.
	URL string
}

// OutdatedTranslation says what has changed in the source, which is in the language
// Lang, Name by its own name.
type OutdatedTranslation struct {
	Lang, Name string
	// URL is the source.
	URL string
	// Sections are those of the source that were changed or added, with links to them.
	// There is none where sections were only taken out.
	Sections []Link
}

// CheckCount counts the checks of a page by what the machines found.
type CheckCount struct{ Total, Passed, Failed, Skipped, Stale, NotRun, Altered int }

// RootView is the data of root.html, the page that sends readers to their language.
type RootView struct {
	Site      SiteView
	Languages []LanguageLink
	// Theme leads to the theme's assets.
	Theme     string
	Canonical string
	// Default is the code of the language that search engines and readers
	// without a match get.
	Default string
}

// RedirectView is the data of redirect.html, a page at an address that a page had.
type RedirectView struct {
	Site SiteView
	T    text.Catalog
	// Lang is the language of the address. Title and URL are the page's, and
	// TitleLang is set where its text is in another language.
	Lang, Title, URL, TitleLang string
	// Canonical is the page's absolute address, or empty. Theme leads to the theme's
	// assets.
	Canonical, Theme string
}

// CodeView is the data of the template "code": a code block.
type CodeView struct {
	// Language is what the author wrote ("python"), Title its title= attribute.
	Language, Title string
	// Code is highlighted HTML: spans with chroma's classes. Where lines have more to
	// them than their text each is a <span class="line">: a marked one has "hl" too,
	// lines of a diff "add", "del" or "same"; data-n is a line's number.
	Code template.HTML
	// Parts is the same code in pieces, where a reader opens some lines to see them.
	Parts []CodePart
	// Missing is the file that the code should have come from, where there is none.
	Missing string
	// Runnable marks a block that makes a check; Expected an expected output,
	// with the requirement of its when=.
	Runnable, Expected bool
	When               string
	// PerMachine is set if Requirements or ExpectedOn apply to the block, even if they are empty:
	// a script may add those of deferred machines.
	PerMachine bool
	// ExpectedOn tells for which machines an expected output is, if the block has several.
	ExpectedOn []ExpectedOnView
	// Attributes say how an expected output is compared, and what exit code a
	// runnable block should have: "rtol=0.05", "stream=stderr", "exit=3".
	Attributes []string
	// Anchor is an HTML id for a runnable block, so that reports can link to it.
	Anchor string
	// Needs is the requirement of the block, as written, and Name its name=.
	Needs, Name string
	// Requirements say which machines meet Needs.
	Requirements []RequirementView
	// Folded marks the code of a notebook's cell that a reader opens to see; NoCode
	// one whose code the page leaves out.
	Folded, NoCode bool
	// Stored holds the outputs that a notebook keeps for the cell.
	Stored *StoredView
	// Panel holds the results that are shown under a runnable block.
	Panel *PanelView
	T     text.Catalog
}

// CodePart is a piece of code; Hidden is how many lines it has, if a reader opens
// it to see them.
type CodePart struct {
	Code   template.HTML
	Hidden int
}

// DiagramView is the data of the template "diagram".
type DiagramView struct {
	// Title is the title= attribute.
	Title string
	// SVG is the drawing, an element whose colours are classes: "diagram-fill-box".
	SVG template.HTML
	// Source is what it was drawn from, as highlighted HTML.
	Source template.HTML
	T      text.Catalog
}

// StoredView is the data of the template "stored": the outputs of a notebook's
// cell as its author saved them. Nobody has compared them with what machines find.
type StoredView struct {
	// Folded marks outputs that a reader opens to see.
	Folded  bool
	Outputs []StoredOutput
	T       text.Catalog
}

// StoredOutput is one output. Text or HTML or Picture is set.
type StoredOutput struct {
	// Kind is "stdout", "stderr", "result", "error", "latex", "html" or "picture".
	Kind string
	// Text holds spans with the classes ansi-*; HTML is sanitised.
	Text, HTML template.HTML
	Picture    *FigureView
	// Cut says how much was left out, or is empty.
	Cut string
}

// TabsView is the data of the template "tabs": neighbouring blocks of which one shows.
type TabsView struct {
	// ID is unique on the page; Anchor is the author's, or empty.
	ID, Anchor string
	Tabs       []TabView
	T          text.Catalog
}

// TabView is one tab. Label is its Title with markup; Anchor is the id that its
// author gave it, or empty.
type TabView struct {
	ID, Anchor, Title string
	Label             template.HTML
	Body              template.HTML
	Selected          bool
}

// CalloutView is the data of the template "callout": a note, a warning, a fold.
type CalloutView struct {
	// Kind is "note", "tip", "important", "warning", "caution", "danger", "info",
	// "success", "question", "failure", "bug", "example", "quote", "abstract",
	// "todo", or "details", which is a fold and nothing else.
	Kind string
	// ID and Classes are the author's, and mostly empty; "inline" and "inline end"
	// are boxes that text flows around.
	ID, Classes string
	// Title is the author's, else the kind in the reader's language; empty where
	// the author wants none.
	Title template.HTML
	Body  template.HTML
	// Fold is set where it can be folded, Open where it is open at first.
	Fold, Open bool
	T          text.Catalog
}

// PanelView is the data of the template "panel": what machines found for a
// runnable block or for a gpu block.
type PanelView struct {
	// ID is unique on the page.
	ID string
	// Status is the worst result: "altered", "failed", "error", "stale", "skipped",
	// "passed", or "none" where no machine has run it.
	Status string
	// Summary is one line: "passed on 2 machines, failed on 1, 21 Nov 2026".
	Summary string
	// Results are those of the included machines, Total counts all. Omitted says how many are
	// missing, or is empty.
	Results []ResultView
	Total   int
	Omitted string
	// Outcomes has one entry for each included machine.
	Outcomes []OutcomeView
	// Checks are the IDs of the block's checks, by which a script finds them in the results of
	// deferred machines. It is empty if the page includes all machines.
	Checks string
	T      text.Catalog
}

// ResultView is the result on one machine: one tab of a panel.
type ResultView struct {
	// ID is unique on the page.
	ID      string
	Machine string
	// Local marks the machine that this build has just verified on.
	Local bool
	// Selected marks the tab that shows first: the worst.
	Selected bool
	// Status is "passed", "failed", "error", "skipped", "stale" or "altered";
	// StatusText says it in the reader's language.
	Status, StatusText string
	// Signature tells who vouches for the machine's report.
	Signature SignatureView
	// Reason says why it did not pass, in the reader's language; Place is the
	// line of Markdown where, "content/pt/gpu.md:72", or empty.
	Reason, Place string
	// Stale is set where the code has changed since; what is shown is the old result.
	Stale bool
	// WasText is, for a stale result, what it was: "passed".
	WasText string
	// DateISO is for <time datetime>, Date is in the reader's language.
	DateISO, Date string
	Duration      string
	OS            string
	// GPU sums the GPUs up: "2 x NVIDIA GeForce RTX 2070", or says that there is none.
	GPU, Driver, CUDA string
	// Interpreter is what ran it, "Python 3.12.4", and Packages what it declares
	// to depend on: "numpy 2.1.0, torch 2.4.0".
	Interpreter, Packages string
	Stdout, Stderr        string
	// StdoutCut, StderrCut say how much was left out of the middle, or are empty.
	StdoutCut, StderrCut string
	Diff                 []DiffView
	// Taken tells that matchers took parts of the lines in Diff.
	Taken bool
	// Captures are the values that the author's expectation names.
	Captures []CaptureView
	// Figures are the pictures that the block drew.
	Figures []FigureView
	// Rows are the lines of a gpu block, Measurements what some of them measured.
	Rows         []RowView
	Measurements []*MeasurementView
}

// FigureView is a picture that a block drew: a PNG file of the site, its size in
// pixels, and what stands for it where it cannot be seen.
type FigureView struct {
	URL           string
	Width, Height int
	Alt           string
}

// DiffView is one line of a difference; Op is "same", "missing" (expected, not
// there) or "extra" (there, not expected). Parts are its text in pieces.
type DiffView struct {
	Op, Text string
	Parts    []PartView
}

// PartView is a piece of a line; Taken marks what a matcher took: what stood for
// "..." or a capture.
type PartView struct {
	Text  string
	Taken bool
}

// CaptureView is a value that an expectation names; Unit may be empty.
type CaptureView struct{ Name, Value, Unit string }

// RowView is one line of a gpu block on one machine.
type RowView struct {
	Want, Found        string
	Status, StatusText string
	Reason             string
}

// MeasurementView is what one line of a gpu block measured on a machine. CPU is a
// sentence about the same work on its processor, Lesson one on what a clock shows
// that does not wait for the GPU; either may be empty.
type MeasurementView struct {
	Want        string
	GPUs        []MeasuredView
	CPU, Lesson string
}

// MeasuredView is what one GPU did, in the reader's language. Where nothing could
// be measured Why says the reason, and the rest is empty.
type MeasuredView struct {
	// GPU is its number and name.
	GPU, Why string
	// Rate is "16.3 TFLOP/s". Share says how much of the peak that is, and Bar is it
	// as a number from 0 to 100; both are empty where the peak is not known.
	Rate, Share, Bar string
	Backend          string
	// Times sums up the timed runs; Lesson sets the time after which the call came
	// back beside that after which its result was there.
	Times, Lesson string
	// Error compares with the same sums in float64; Wrong tells that it is too large.
	Error           string
	Wrong           bool
	Power, Throttle string
}

// MachinesView is the data of the template "machines": the table that
// :::machines puts into a page.
type MachinesView struct {
	Machines []MachineView
	// Unreadable are the machines whose reports cannot be read.
	Unreadable []string
	T          text.Catalog
}

// MachineView is one row.
type MachineView struct {
	Name                       string
	Local                      bool
	OS, CPU, GPU, Driver, CUDA string
	Memory, Compute            string
	// Devices say in a line each what unlike GPUs are made of: "82 SMs · 2100 MHz".
	Devices []string
	// Software are the frameworks of its Python environments.
	Software []SoftwareView
	// Counts explains why NVML and CUDA see different numbers of GPUs, or is empty.
	Counts                           string
	Passed, Failed, Skipped, Errored int
	// Altered counts the checks of a report whose signature does not match.
	Altered       int
	DateISO, Date string
	Signature     SignatureView
}

// SoftwareView is a framework on a machine: "torch 2.6.0+cu124", in which environment
// of gpudocs.toml, if it is not the machine's own Python, and a sentence that says
// whether it runs there and why. Status is "passed" where it runs, "failed" where
// driver or card keep it from running, and "skipped" else.
type SoftwareView struct{ Name, Environment, Status, Text string }

// SignatureView tells who vouches for a report. State is "signed", "none",
// "unknown" (with a key that the site does not list), "other-machine" (with a key
// that may not sign for this machine) or "altered" (the signature
// does not match); it is empty where the site says nothing of signatures.
type SignatureView struct{ State, Text string }

// LiveView is the data of the template "live": a value of a machine in a sentence.
type LiveView struct {
	Machine, Fact string
	// Value is empty where no report holds it that can be trusted.
	Value string
	// Date is when the machine was asked, in the reader's language.
	DateISO, Date string
	// PerMachine is set if the site has machines. Others are the values of those that the author
	// has not named.
	PerMachine bool
	Others     []LiveOther
	T          text.Catalog
}

// NoteView is the data of note: another page, or a part of one, within a page.
type NoteView struct {
	// Title names the page, and its section where it is one; URL leads there.
	Title, URL string
	// Lang is set where it is in another language than the page.
	Lang string
	Body template.HTML
	T    text.Catalog
}

// Unknown tells that no machine has run any of the checks.
func (c CheckCount) Unknown() bool { return c.NotRun == c.Total }

// Plus adds two counts.
func (c CheckCount) Plus(d CheckCount) CheckCount {
	return CheckCount{c.Total + d.Total, c.Passed + d.Passed, c.Failed + d.Failed, c.Skipped + d.Skipped,
		c.Stale + d.Stale, c.NotRun + d.NotRun, c.Altered + d.Altered}
}

// NotFoundView is the data of the template "notfound".
type NotFoundView struct {
	PageView
	// Pages are the first of the sidebar.
	Pages []NavItem
}

// PrintView is the data of the template "print".
type PrintView struct {
	PageView
	// Note tells how many pages there are.
	Note  string
	Pages []PrintedPage
	// Omitted are pages that are only linked to, because there are too many.
	Omitted []Link
}

// PrintedPage is one page of the section. ID is that of its place, HeadingID that of its
// title, which may be empty. Lang is set where it is in another language.
type PrintedPage struct {
	ID, HeadingID, Lang string
	Title               string
	Heading, Body       template.HTML
	// URL leads to the page itself, Address is what stands on paper.
	URL, Address string
	Changed      *Day
}
