package theme

import (
	"html/template"
	"slices"

	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/text"
)

// The types below are the data of a theme's templates. docs/content/en/themes.md and the default theme depend on
// them.

// PageView is the data of page.html.
type PageView struct {
	Site SiteView
	// Kind is "page" for a page of the content, else the template of a generated page: "status",
	// "notfound", "print", "index".
	Kind string
	// Hidden asks search engines not to index the page.
	Hidden bool
	// Lang is the language of the page's address and interface; ContentLang is
	// that of its text, which differs where a translation is missing.
	Lang, ContentLang string
	// ContentDir is the direction of the text, "ltr" or "rtl", if it is not that of the interface, which is {{.T.Dir}}.
	ContentDir string
	// Title is plain text, for <title> and links. Heading is the title as the page shows it, with
	// markup and, if the author gave one, an id.
	Title     string
	Heading   template.HTML
	HeadingID string
	// Number is that of a page in a numbered group, "5.".
	Number      string
	Description string
	// Root leads from this page to the site's root: "../../". Every link on a page is relative, so a
	// site works below any prefix.
	Root string
	// Theme leads to the theme's assets: "../../_theme/3f9ac21b/".
	Theme string
	// Search leads to the index of the language, which search.js loads.
	Search string
	// Home is the link to the language's first page.
	Home string
	// Body is the rendered Markdown, results included.
	Body template.HTML
	// TOC are the headings of levels 2 and 3.
	TOC []TOCEntry
	// Nav is the sidebar, in which the path to this page is open.
	Nav        []NavItem
	Breadcrumb []Link
	Prev, Next *Link
	// Languages are all languages of the site, with this page in each.
	Languages []LanguageLink
	// Missing is set if the page is not translated into this language, and the text is that of
	// another.
	Missing *MissingTranslation
	// Outdated is set if the source of this translation has changed since.
	Outdated *OutdatedTranslation
	// Canonical and Alternates are absolute; they are empty without a base URL.
	Canonical  string
	Alternates []Alternate
	// Editions leads to this page in the other editions of the site. It is nil without other editions.
	Editions *EditionsView
	Draft    bool
	// Markdown is the address of the page's Markdown export, Edit where its file can be edited, and
	// Print that of its section on one page. Each may be empty.
	Markdown, Edit, Print string
	// Notebook is the address of the page as a notebook, or empty. Launch are the services that open it.
	Notebook string
	Launch   []Link
	// Report is where readers report a wrong result of the page, or empty. ReportBlank is the text in it that stands for the machine.
	Report, ReportBlank string
	// Minutes is how long reading takes, or 0. Requires are the pages to read before.
	Minutes  int
	Requires []Link
	// PrintsAll is set if that section is the whole language.
	PrintsAll bool
	// Downloads are the documents that contain the page.
	Downloads []Link
	// Offline is set if the site opens from a folder, without a server.
	Offline bool
	// Image is the absolute address of the image that other sites show beside links to the page, or empty.
	Image string
	// Tags are those of its front matter. TagLinks lead to their pages; the address is empty for a tag without one.
	Tags     []string
	TagLinks []Link
	// Changed is the day of its last change, or nil if it is not known.
	Changed *Day
	// Checks counts the page's blocks by their status on all machines.
	Checks CheckCount
	// Needs are what its checks lack that are not applicable to any machine.
	Needs []NeedView
	// Failing says how many checks fail and on which machines, and links to the first of them. It is nil if none does.
	Failing *NeedView
	// Machines are those that a reader may choose from, those with the same GPUs together.
	// MachineNames are the names of all of them, IncludedNames of those whose results the page
	// includes. Deferred has the addresses of the others' results; it is nil if there are none.
	Machines                    []MachineOption
	MachineNames, IncludedNames string
	Deferred                    *DeferredView
	// MyGPU leads to the file with which the script my-gpu.js answers for a reader's own GPU. It is empty if the site
	// has nothing to check.
	MyGPU string
	// Torch is set if a block of the page uses PyTorch, OnGPU if one is for a GPU.
	Torch, OnGPU bool
	// Unreadable are the machines whose reports cannot be read.
	Unreadable []string
	// Measures are the times and rates that machines found, or nil.
	Measures *MeasuresView
	// Verdicts are the results of the page on each included machine, if it has checks.
	Verdicts []VerdictView
	// Status leads to the page of all checks and machines; it is empty if the site has nothing to
	// check. Feeds are for programs.
	Status string
	Feeds  []FeedLink
	T      text.Catalog
}

// SiteView is the data that all pages share.
type SiteView struct {
	Title string
	// Repository is the address of the site's repository, or empty. Report is the form of the addresses at which
	// wrong results are reported.
	Repository, Report string
	// Generator is the name of the program, for <meta name="generator">.
	Generator string
	// Params are those of theme.toml, overridden by the site's own: {{.Site.Params.colour}}.
	Params map[string]any
}

// A Day is a date in the reader's language, and as 2026-11-02.
type Day struct{ ISO, Text string }

// A Link is a title and a relative address.
type Link struct{ Title, URL string }

// A NavItem is an entry of the sidebar. An open section without a page of its own has no URL; a closed
// one leads to its first page. An item "…" stands for entries that are left out.
type NavItem struct {
	Title string
	URL   string
	// Current marks this page, Open an entry whose children are shown.
	Current, Open bool
	// External marks a link to another site.
	External bool
	// Lang is set if the page has no translation and is shown in another language.
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
	// Sections are the ids that the headings of TOC have there, with blanks between them; empty if they are the same.
	Sections string
	// Missing marks a language that lacks a translation of this page; the link
	// leads to the original text with a notice.
	Missing bool
}

// Alternate is a <link rel="alternate" hreflang>.
type Alternate struct{ Lang, URL string }

// EditionsView leads to a page in the editions of a site.
type EditionsView struct {
	// Label is the name of this edition. It is empty for the current site if that has no name.
	Label string
	// Newest leads to the current site. It is nil there.
	Newest *EditionLink
	// Links are all editions, the newest first.
	Links []EditionLink
}

// EditionLink leads to the page in an edition. If Elsewhere is set, the edition does not have it, and the link leads
// to the nearest page above.
type EditionLink struct {
	Label, URL         string
	Current, Elsewhere bool
}

// MissingTranslation names the language of the text, also in that language.
type MissingTranslation struct {
	Lang, Name string
	// URL is the page in its own language.
	URL string
}

// OutdatedTranslation says what has changed in the source. Lang is the language of the source, Name its name in
// that language.
type OutdatedTranslation struct {
	Lang, Name string
	// URL is the source.
	URL string
	// Sections are those of the source that were changed or added, with links to them. There is none
	// if sections were only removed.
	Sections []Link
}

// CheckCount counts checks by their strongest standing on all machines, or by that on one.
type CheckCount struct{ standing.Count }

// StatusCount is the number of checks with a status; Key is that of its text, which has plural forms.
type StatusCount struct {
	Status, Key string
	N           int
}

// Counts returns the counts that are not 0. Errors are among the failures, and answers left out.
func (c CheckCount) Counts() []StatusCount {
	return slices.DeleteFunc([]StatusCount{
		{"passed", "checks_passed", c.Passed()},
		{"failed", "checks_failed", c.Failed()},
		{"failed", "checks_lost", c.Lost},
		{"altered", "checks_altered", c.Altered()},
		{"stale", "checks_stale", c.Stale()},
		{"not-applicable", "checks_not-applicable", c.NotApplicable()},
		{"skipped", "checks_skipped", c.Skipped()},
		{"none", "checks_notrun", c.NotRun()},
	}, func(s StatusCount) bool { return s.N == 0 })
}

// NeedView counts the checks that lack the same: Text is "4 need a GPU", URL leads to the first of them. Unknown is set if it is not known
// whether the machines have it. They come last. Nowhere is set for the last of the others, which no machine that has reported has.
type NeedView struct {
	N                int
	Text, URL        string
	Unknown, Nowhere bool
}

// RootView is the data of root.html, the page that sends readers to their language.
type RootView struct {
	Site      SiteView
	Languages []LanguageLink
	// Theme leads to the theme's assets.
	Theme     string
	Canonical string
	// Default is the code of the language for search engines and readers without a match. Dir is "rtl" if it is written from
	// right to left.
	Default, Dir string
}

// RedirectView is the data of redirect.html, a page at an old address.
type RedirectView struct {
	Site SiteView
	T    text.Catalog
	// Lang is the language of the address. Title and URL are those of the page, and TitleLang is set
	// if its text is in another language.
	Lang, Title, URL, TitleLang string
	// Canonical is the page's absolute address, or empty. Theme leads to the theme's assets.
	Canonical, Theme string
}

// CodeView is the data of the template "code": a code block.
type CodeView struct {
	// Language is what the author wrote ("python"), Title its title= attribute.
	Language, Title string
	// Code is highlighted HTML: spans with chroma's classes. If lines have attributes, each is a <span
	// class="line">: a marked one has "hl" too, lines of a diff "add", "del" or "same"; data-n is a
	// line's number.
	Code template.HTML
	// Parts is the same code in pieces, if some lines are hidden at first.
	Parts []CodePart
	// Missing is the file of the code, if it does not exist.
	Missing string
	// Runnable marks a block that is a check; Expected an expected output.
	Runnable, Expected bool
	// PerMachine is set if Requirements or ExpectedOn apply to the block, even if they are empty:
	// a script may add those of deferred machines.
	PerMachine bool
	// ExpectedOn lists the machines for which an expected output is, if the block has several.
	ExpectedOn []ExpectedOnView
	// Words say what the attributes of a block mean: what it needs, that it fails on purpose; of an
	// expected output, for which machines it is and how it is compared.
	Words []WordsView
	// When is the requirement of an expected output, if the block has several, and Stderr is set if it is for that stream.
	When   string
	Stderr bool
	// Asks are the requirements of a gpu block, each on a line.
	Asks string
	// Anchor is the HTML id of a runnable block, for links.
	Anchor string
	// Needs is the requirement of the block, as written, and Name its name=. Demands joins Needs and the lines of a gpu block that
	// demand something.
	Needs, Name, Demands string
	// Requirements tell for each included machine whether it meets Needs.
	Requirements []RequirementView
	// Folded marks the code of a notebook's cell that is folded at first; NoCode one whose code is not
	// on the page.
	Folded, NoCode bool
	// Kept marks an expected output that is folded, because what was printed is visible.
	Kept bool
	// Stored has the outputs that a notebook stores for the cell.
	Stored *StoredView
	// Panel has the results that are shown under a runnable block.
	Panel *PanelView
	T     text.Catalog
}

// WordsView is the meaning of an attribute: "needs a GPU". Source is what the author wrote, as a tooltip.
// Instead, Code follows the text if it is easier to read: "needs" "gpus >= 1".
type WordsView struct{ Text, Source, Code string }

// CodePart is a piece of code. Hidden is the number of its lines if it is hidden at first.
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
	// Source is the source of the diagram, as highlighted HTML.
	Source template.HTML
	T      text.Catalog
}

// StoredView is the data of the template "stored": the outputs of a notebook's cell as its author
// saved them. They are not compared with the results of machines.
type StoredView struct {
	// Folded marks outputs that are folded at first.
	Folded  bool
	Outputs []StoredOutput
	T       text.Catalog
}

// StoredOutput is one output. Text, HTML or Picture is set.
type StoredOutput struct {
	// Kind is "stdout", "stderr", "result", "error", "latex", "html" or "picture".
	Kind string
	// Text has spans with the classes ansi-*; HTML is sanitised.
	Text, HTML template.HTML
	Picture    *FigureView
	// Cut says how much was left out, or is empty.
	Cut string
}

// TabsView is the data of the template "tabs": adjacent blocks of which one is shown.
type TabsView struct {
	// ID is unique on the page; Anchor is the author's, or empty.
	ID, Anchor string
	Tabs       []TabView
	T          text.Catalog
}

// TabView is one tab. Label is its Title with markup; Anchor is the id that its author gave it, or
// empty.
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
	// ID and Classes are the author's, and mostly empty; "inline" and "inline end" are boxes with text
	// around them.
	ID, Classes string
	// Title is the author's, else the kind in the reader's language; it is empty if the author wants
	// none.
	Title template.HTML
	Body  template.HTML
	// Fold is set if it can be folded, Open if it is open at first.
	Fold, Open bool
	// See are the links from an exercise to its solutions and back.
	See []Link
	T   text.Catalog
}

// PanelView is the data of the template "panel": what machines found for a
// runnable block or for a gpu block.
type PanelView struct {
	// ID is unique on the page.
	ID string
	// Status is the strongest result: "altered", "failed", "error", "stale", "passed",
	// "skipped", "not-applicable", or "none" where no machine has run it.
	Status string
	// Summary is one line: "passed on 2 machines, failed on 1, 21 Nov 2026".
	Summary string
	// Mark is that in a few words, for the head of the code: "4 machines", "fails on 1 of 4".
	Mark string
	// Proven is set if a machine has passed it, Open if the panel is open at first, Paper if it is to be printed.
	Proven, Open, Paper bool
	// Preview is what is always visible, or nil.
	Preview *PreviewView
	// Results are those of the included machines, the most informative first. Total counts all. Omitted
	// says how many are missing, or is empty.
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

// PreviewView is what a reader sees of a block's results below its code: what is wrong, and values or output.
type PreviewView struct {
	News []NewsView
	// Columns are machines, and Rows the values that they found. MoreRows counts those that are left out.
	Columns  []PreviewMachine
	Rows     []PreviewRow
	MoreRows int
	// Single is set if there is one row: its values are also the Value of each machine.
	Single bool
	// Output is what the block printed, if there are no values, or nil.
	Output *PreviewOutput
	T      text.Catalog
}

// MeasuresView is a table of times and rates. Prefix begins the ids on the page of a section, Status leads to the page of all
// checks, Notes is set if a value has notes.
type MeasuresView struct {
	List           []MeasureView
	Prefix, Status string
	Notes          bool
	T              text.Catalog
}

// Listed reports whether a measure has rows, and not only tables of combinations.
func (v MeasuresView) Listed() bool {
	return slices.ContainsFunc(v.List, func(m MeasureView) bool { return m.Rows != nil })
}

// MeasureView is a time or a rate on several machines, the best first. Title is the heading above its block, or empty, and URL leads
// to the block. Better is 1 if more is better, -1 if less is. Of a block with matrix= it has Grids instead of Rows.
type MeasureView struct {
	Name, Title, URL string
	Better           int
	Rows             []MeasureRow
	Grids            []MeasureGrid
	// Line is set for what a line of a gpu block measured.
	Line bool
}

// MeasureGrid is a table of the values of a block with matrix=. Of one parameter its columns are machines. Of several they are the
// values of the last one: then there is a table for each Machine, which has the Name.
type MeasureGrid struct {
	Machine, Name, Corner string
	Columns               []MeasureColumn
	Rows                  []MeasureGridRow
}

// MeasureColumn is the head of a column: a value of a parameter, or the name of a Machine.
type MeasureColumn struct{ Machine, Name string }

// MeasureGridRow has a cell for each column, which is empty if nothing was measured.
type MeasureGridRow struct {
	Name  string
	Cells []MeasureRow
}

// Compared reports whether there are values of several machines.
func (v MeasureView) Compared() bool {
	return len(v.Rows) > 1 || len(v.Grids) > 1 || len(v.Grids) == 1 && v.Grids[0].Machine == "" && len(v.Grids[0].Columns) > 1
}

// Noted reports whether a value has notes.
func (v MeasureView) Noted() bool {
	return slices.ContainsFunc(v.Rows, func(r MeasureRow) bool { return r.Required != "" || r.History != "" })
}

// MeasureRow is a value that a machine measured. Name is the name of the machine, as at the head of a column of a preview. Size is the
// number, and Bar its percentage of the largest of all machines.
// Required is what the page requires of the value, and its reference. History is its drift.
type MeasureRow struct {
	Machine, Name, Value, Bar, Required, History string
	Size                                         float64
}

// NewsView says on which machines a block has a status such as "failed", and why. Line is a line of its output, or empty.
// URL leads to the first of these results, Machines are their names.
type NewsView struct{ Status, Text, Reason, Line, URL, Machines string }

// PreviewMachine is a machine of a preview, named by its GPUs, "4 × A100", or if the block uses none by its CPU, "Intel Xeon (4 × A100)".
// Versions are those of the frameworks and the driver that the block uses.
type PreviewMachine struct{ Machine, Name, Versions, Value string }

// PreviewRow is a value on each of the machines.
type PreviewRow struct {
	Name  string
	Cells []PreviewCell
}

// PreviewCell is the value on a machine, or "–".
type PreviewCell struct{ Machine, Text string }

// PreviewOutput is what a block printed, on the machine that says most. Machines are the names of all that printed this.
// Name, Versions and Date are empty if all did. More counts the lines that are left out, and URL leads to the whole.
// Expected is set if it is the expected output, which the page then shows only here.
type PreviewOutput struct {
	Machines, Name, Versions, Date string
	Text, URL                      string
	More                           int
	Expected                       bool
	Displays                       []DisplayView
	T                              text.Catalog
}

// ResultView is the result on one machine: one tab of a panel.
type ResultView struct {
	// ID is unique on the page.
	ID string
	// Label names the machine by its GPUs first.
	Machine, Label string
	// Local marks the machine that this build has just verified on.
	Local bool
	// Selected marks the tab that is shown first.
	Selected bool
	// Status is "passed", "failed", "error", "skipped", "not-applicable", "stale" or "altered";
	// StatusText says it in the reader's language.
	Status, StatusText string
	// Line is the line of a failed result's output that says most, or empty.
	Line string
	// Signature says who signed the machine's report.
	Signature SignatureView
	// Reason says why it did not pass, in the reader's language; Place is a line of Markdown,
	// "content/pt/gpu.md:72", or empty.
	Reason, Place string
	// ReportURL is where readers report that the result is wrong, or empty.
	ReportURL string
	// Cause is the block that failed first, if this one was not reached because of it.
	Cause BlockLink
	// Stale is set if the code has changed since; the result shown is the old one.
	Stale bool
	// Tried says how often an unsteady or failed check was tried, if more than once; Tries are those before
	// the last one.
	Tried string
	Tries []TryView
	// WasText is the outcome of a stale result: "passed".
	WasText string
	// Build says how the block was compiled, "compiled with nvcc 12.4.131 in 1.9 s", or is empty.
	// Compiler is what the compiler printed, and CompilerCut says how much of it is left out.
	Build, Compiler, CompilerCut string
	// DateISO is for <time datetime>, Date is in the reader's language.
	DateISO, Date string
	Duration      string
	OS            string
	// GPU describes the GPUs, "2 × NVIDIA GeForce RTX 2070", or says that there is none.
	GPU, Driver, CUDA string
	// Interpreter is the interpreter that ran it, "Python 3.12.4", and Packages the declared
	// dependencies: "numpy 2.1.0, torch 2.4.0".
	Interpreter, Packages string
	Stdout, Stderr        string
	// StdoutCut and StderrCut say how much of the middle is left out, or are empty.
	StdoutCut, StderrCut string
	// Above is "stdout" or "stderr" if the preview shows all of that, and DisplaysAbove is set if it shows Displays.
	Above         string
	DisplaysAbove bool
	Diff          []DiffView
	// Taken is set if matchers took parts of the lines in Diff.
	Taken bool
	// Combinations are those of a block with matrix=, in a table with the columns Parameters and Values, which
	// are captured. Shown is the name of the combination that all other fields are of: one with the worst status, or an unsteady one.
	Combinations       []CombinationView
	Parameters, Values []string
	Shown              string
	// Captures are the values that the expectation captures.
	Captures []CaptureView
	// Displays is what the block displayed, and Figures the pictures among it.
	Displays []DisplayView
	Figures  []FigureView
	T        text.Catalog
	// Tasks are the tasks of a job array: Want is the index, Found the output. If the output is not known
	// by task, it is empty, and OutputByTask is not set.
	Tasks        []RowView
	OutputByTask bool
	// Rows are the lines of a gpu block, Measurements what they measured.
	Rows         []RowView
	Measurements []*MeasurementView
}

// DisplayView is something that a block displayed: a picture, or HTML or LaTeX.
type DisplayView struct {
	// Form is "png", "jpeg", "svg", "html" or "latex".
	Form    string
	Picture *FigureView
	// HTML is sanitised, or the formula as MathML. It is empty if nothing of it can be shown. Label
	// names the output.
	HTML  template.HTML
	Label string
	// Source is the HTML or LaTeX as it was displayed.
	Source string
}

// FigureView is a picture that a block drew: a file of the site, its size in pixels, or 0 if it has
// none, and its text alternative.
type FigureView struct {
	URL           string
	Width, Height int
	Alt           string
}

// CombinationView is a row of a table of combinations. Cells are the values of the parameters, then the
// captured ones.
type CombinationView struct {
	Cells                      []string
	Status, StatusText, Reason string
	// Notes are as those of a CaptureView.
	Notes []string
}

// TryView is a try of a check that did not pass. Title is its outcome and reason, Text what differed, or else the output.
type TryView struct{ Title, Text string }

// DiffView is one line of a difference; Op is "same", "missing" (expected, not in the output) or
// "extra" (in the output, not expected). Parts are its text in pieces.
type DiffView struct {
	Op, Text string
	Parts    []PartView
}

// PartView is a piece of a line; Taken marks what matched "..." or a capture.
type PartView struct {
	Text  string
	Taken bool
}

// CaptureView is a value that an expectation captures; Unit may be empty.
type CaptureView struct {
	Name, Value, Unit string
	// Notes are what is required of the value, its reference and its history.
	Notes []string
}

// RowView is one line of a gpu block on one machine.
type RowView struct {
	Want, Found        string
	Status, StatusText string
	Reason             string
	// Notes are as those of a CaptureView.
	Notes []string
}

// MeasurementView is what one line of a gpu block measured on a machine. CPU is a sentence about the
// same work on its CPU, Lesson one about timing without waiting for the GPU; either may be empty.
type MeasurementView struct {
	Want        string
	GPUs        []MeasuredView
	CPU, Lesson string
}

// MeasuredView is the measurement of one GPU, in the reader's language. If nothing could be measured,
// Why is the reason, and all other fields but GPU are empty.
type MeasuredView struct {
	// GPU is its number and name.
	GPU, Why string
	// Rate is "16.3 TFLOP/s". Share says how much of the peak that is, and Bar is the same as a number
	// from 0 to 100; both are empty if the peak is not known.
	Rate, Share, Bar string
	Backend          string
	// Times summarises the timed runs; Lesson compares the time after which the call returned with
	// that after which its result was there.
	Times, Lesson string
	// Error is the difference from the result in float64; Wrong is set if it is too large.
	Error           string
	Wrong           bool
	Power, Throttle string
	// Peers are the copies to other GPUs: "GPU 0 → GPU 1: 50.2 GB/s".
	Peers string
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
	// Cards has the short names of its GPUs, GPU their full names. Without a GPU both say why.
	Name, Cards                string
	Local                      bool
	OS, CPU, GPU, Driver, CUDA string
	Memory, Compute            string
	// Devices describe the GPUs, one line for all that are equal: "82 SMs · 2100 MHz".
	Devices []string
	// Software are the frameworks of its Python environments.
	Software []SoftwareView
	// Counts explains why NVML and CUDA see different numbers of GPUs, or is empty.
	Counts string
	CheckCount
	DateISO, Date string
	Signature     SignatureView
}

// SoftwareView is a framework on a machine: "torch 2.6.0+cu124", its environment of gpudocs.toml, if
// it is not the machine's own Python, and a sentence that says whether it runs there and why. Status
// is "passed" if it runs, "failed" if the driver or the GPU prevents it, and "not-applicable" otherwise.
type SoftwareView struct{ Name, Environment, Status, Text string }

// SignatureView says who signed a report. State is "signed", "none", "unknown" (with a key that the
// site does not list), "other-machine" (with a key that may not sign for this machine) or "altered"
// (the signature does not match); it is empty if the site does not list any keys.
type SignatureView struct{ State, Text string }

// LiveView is the data of the template "live": a value of a machine in a sentence.
type LiveView struct {
	Machine, Fact string
	// Label names the machine by its GPUs first.
	Label string
	// Value is empty if no trusted report has it. It is for programs; Amount makes a number of it for readers.
	Value string
	// Date is when the machine was asked, in the reader's language.
	DateISO, Date string
	// PerMachine is set if the site has machines. Others are the values of those that the author
	// has not named.
	PerMachine bool
	Others     []LiveOther
	T          text.Catalog
}

// NoteView is the data of the template "note": another page, or a part of one, within a page.
type NoteView struct {
	// Title is that of the page and, for a section, that of the section; URL leads there.
	Title, URL string
	// Lang is set if its language is not that of the page.
	Lang string
	Body template.HTML
	T    text.Catalog
}

// Unknown reports whether no machine has run any of the checks.
func (c CheckCount) Unknown() bool { return c.NotRun() == c.Total() }

// NotFoundView is the data of the template "notfound".
type NotFoundView struct {
	PageView
	// Pages are the first of the sidebar.
	Pages []NavItem
}

// IndexView is the data of the template "index", the page of a folder without one.
type IndexView struct {
	PageView
	Pages []IndexedPage
}

// An IndexedPage is a page or a folder that an index lists.
type IndexedPage struct {
	Link
	// Lang is set if the page is in another language.
	Lang, Description string
}

// PrintView is the data of the template "print".
type PrintView struct {
	PageView
	// Note says how many pages there are.
	Note string
	// Numbered is set if titles begin with numbers of their own.
	Numbered bool
	Pages    []PrintedPage
	// Omitted are pages that are only linked to, because there are too many.
	Omitted []Link
}

// PrintedPage is one page of the section. ID is its id. Lang is set if it is in another language, and Dir if
// that has another direction.
type PrintedPage struct {
	// Title begins with Number.
	ID, Lang, Dir, Title, Number string
	// URL leads to the page itself, Address is the address to print.
	URL, Address string
	Changed      *Day
	Measures     *MeasuresView
	PrintedBody
}

// PrintedBody is the text of a page. HeadingID is the id of its title, which may be empty.
type PrintedBody struct {
	HeadingID     string
	Heading, Body template.HTML
}

// BookView is the data of the template "book.html": a section, or all pages of a language, as one document, from which a
// PDF is made.
type BookView struct {
	PrintView
	// All is set if the document has all pages of the language. Address is that of the site, or empty.
	All     bool
	Address string
	// Author is that of the site, or empty. Results is the day of the newest result, or nil.
	Author   string
	Results  *Day
	Contents []BookEntry
}

// BookEntry is an entry of the contents of a document: a part without an ID, a page, or a heading.
type BookEntry struct {
	ID, Title string
	Entries   []BookEntry
}
