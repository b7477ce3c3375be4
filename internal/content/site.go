package content

import (
	"io/fs"
	"strings"
	"sync"
	"time"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/bibtex"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/measure"
	"github.com/gpudocs/gpudocs/internal/notebook"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/require"
	"github.com/gpudocs/gpudocs/internal/translate"
)

// A Site is everything that was read from a site's folder. Nothing in it
// changes after [Load] has returned, so it may be shared between goroutines.
type Site struct {
	Config *Config
	// FS is the site's folder.
	FS fs.FS
	// Languages are in the order of their weight; the first is the default.
	Languages []*Language
	// Pages are sorted by language, then path. Drafts are left out unless asked for.
	Pages []*Page
	// Assets are the other files below content/, as slash paths below it.
	Assets []string
	// Redirects are the addresses that pages had.
	Redirects []Redirect

	// Included are the files that pages include or try to, and the bibliography, as
	// slash paths below the site's folder. They may stand outside of content/.
	Included []string

	*index
	// works are those of the bibliography, by key.
	works        map[string]*bibtex.Entry
	bibliography *diag.File
	// captures are the checks that capture a value of that name.
	captures map[string][]report.ID
	// images holds what [Site.ImageSize] has found.
	images *sync.Map
}

// A Language is one folder below content/.
type Language struct {
	Code   string // "pt", "pt-br"
	Name   string // what its readers call it: "Português"
	Weight int
}

// A Page is one Markdown file, or one notebook.
type Page struct {
	Language *Language
	// Path is the file's path below content/<language>/: "gpu/index.md".
	Path string
	// Source is the file, named as below the site's folder. Its front matter is
	// blanked in place, so that offsets are those of the file. Of a notebook it is
	// the Markdown that was made of it.
	Source *diag.File
	// File is the page's own file. Source is another where the page includes files:
	// its text with theirs, which knows where each line comes from.
	File *diag.File
	// Includes are the files that the page shows parts of, by their names below the
	// site's folder.
	Includes []string
	// Notebook is set where the page is one.
	Notebook *notebook.Notebook
	// Key is the same for all translations of a page: the front matter's
	// translation key, else the path without ".md".
	Key string
	// URL is the page's address below the site's base: "pt/gpu/".
	URL         string
	Title       string
	Description string
	Weight      int
	Draft       bool
	// Dialects are those in which the page is read.
	Dialects markdown.Dialect
	// RawHTML is set where the page holds HTML of its author's.
	RawHTML bool
	// Updated is the day on which the author says the page was changed, or zero.
	Updated time.Time
	// Tags are those of the front matter.
	Tags []string
	// Headings are those of the page in order, without a first-level one that
	// gave the title.
	Headings []Heading
	// Blocks are the runnable and the gpu blocks in order.
	Blocks []*Block
	// Sections are the page cut at its headings, with their hashes; the first is
	// what stands before them.
	Sections []translate.Section
	// Stamp is what a translation says of its source, or zero.
	Stamp translate.Stamp
	// Original marks the page as the source of its translations.
	Original bool
	// LiveValues are the {live} values in the page's prose.
	LiveValues []*markdown.Live
	// Formulas are those of the page in order.
	Formulas []*markdown.Formula
	// Diagrams are those of the page in order.
	Diagrams []*Diagram

	// Cited are the keys of the works that the page cites, each once, in order.
	Cited []string

	// Links are the addresses on the page in order, those in raw HTML too.
	Links []Link

	// embedding tells that it shows other pages, or parts of them.
	embedding bool
	// weight is the author's, while Weight may be that of a list of pages.
	weight  int
	anchors map[string]bool
	// aliases are other names of the page, redirects addresses that it had.
	aliases   []string
	redirects []oldAddress
	// body is the parsed Markdown, mute are the images in it that have no text.
	body *body
	mute map[*ast.Image]bool
	// labels are what references name. By [Page.place] of their nodes, numbers are
	// what figures count as, referred is what the page's own references lead to.
	labels map[string]Label
	// labelOf has the label of an anchor that is called otherwise.
	labelOf  map[string]string
	numbers  map[int]int
	referred map[int]Referred
	contents map[int][]Target
	// folders are where the links of included Markdown begin, and read is how many
	// bytes the included files have.
	folders []linkFolder
	read    int
	// targets are where its links lead, by place, rawTargets those in raw HTML.
	targets    []Target
	rawTargets map[string]Target
	// unlinked is the page as it was parsed, before its links were resolved. Blocks and
	// the targets of links refer to it: if they referred to pages with links, each page
	// would keep in memory the pages that those once linked to, and so on.
	unlinked *Page
}

// A Heading is an entry of a page's table of contents.
type Heading struct {
	Level int
	ID    string
	Text  string
}

// A Kind is what runs a block; its values are those of [report.Check]'s Kind.
type Kind string

// The kinds of blocks that make checks.
const (
	Bash   Kind = report.KindBash
	Python Kind = report.KindPython
	Pycon  Kind = report.KindPycon
	GPU    Kind = report.KindGPU
	// Sbatch is a bash block that is a job script: run=sbatch.
	Sbatch Kind = report.KindSbatch
)

// A Block is a runnable block or a gpu block.
type Block struct {
	// Page is the page as it was parsed, which knows nothing of where its links lead.
	Page *Page
	Kind Kind
	// Name is the author's name= or "#2" for the second block of its page.
	Name string
	// Cell is the notebook's cell, counted from 1, in which lines are counted; 0
	// in a Markdown file.
	Cell int
	// File is where the block stands: the page's file, or one that it includes.
	File string
	// Line is the line of the fence, CodeLine the first line of the code. In a
	// code cell both are 1. Opening is the text of Line.
	Line, CodeLine int
	Opening        string
	// CodeFile is where the code stands, in which CodeLine counts: another file
	// than File where the block has file=.
	CodeFile string
	Code     string
	// ID is the check of a runnable block; a gpu block has one for each line.
	ID report.ID
	// Session is nil for a gpu block.
	Session *Session
	// Env is the environment in which a gpu block looks for frameworks.
	Env     string
	Timeout time.Duration
	Needs   require.Expr
	// Exit is the exit code to expect, where the expected output names none.
	Exit int
	// Captures are the names of the values that its expectations take.
	Captures []string
	// Differs allows translations to have other code here.
	Differs bool
	// Expects are the expected outputs that follow the block.
	Expects []*Expect
	// GPULines are the requirements of a gpu block.
	GPULines []GPULine

	// pos is the offset of its fence in the page's source.
	pos    int
	origin *origin
}

// A Session is the blocks of a page that share one interpreter process.
type Session struct {
	// Name is the author's session=, or empty where the block is on its own.
	Name string
	// Interpreter is "bash" or "python"; pycon and python blocks share one. A job
	// script is on its own, with "sbatch".
	Interpreter string
	// Env names an environment of gpudocs.toml, or is empty for the machine's own.
	Env string
	// Network: its first block says network, which counts in a sandbox.
	Network bool
	Blocks  []*Block
}

// A GPULine is one line of a gpu block.
type GPULine struct {
	ID report.ID
	// Name is the check's: the block's, a dot, and what the line is about, which is
	// a fact, the software that is to run, or the name of what is measured:
	// "lab.driver", "lab.cu124", "lab.matmul".
	Name string
	// Fact is the requirement's, or empty.
	Fact require.Fact
	// Need is the requirement, and zero where the line asks for a measurement.
	Need    require.Expr
	Measure *measure.Spec
	Line    int
}

// Want is the line in one form.
func (l GPULine) Want() string {
	if l.Measure != nil {
		return l.Measure.String()
	}
	return l.Need.String()
}

// Page returns the page with the key in the language, or nil.
func (s *Site) Page(key, language string) *Page {
	if i, ok := s.byKey[key][language]; ok {
		return s.Pages[i]
	}
	return nil
}

// Translations returns the pages that share a key, by language.
func (s *Site) Translations(key string) []*Page {
	var out []*Page
	for _, l := range s.Languages {
		if p := s.Page(key, l.Code); p != nil {
			out = append(out, p)
		}
	}
	return out
}

// Place is where the block stands: its fence, or the line of a gpu block.
func (b *Block) Place(line int) report.Place {
	return report.Place{File: b.File, Cell: b.Cell, Line: line}
}

// CodePlace is a line of the file or the cell in which the block's code stands.
func (b *Block) CodePlace(line int) report.Place {
	return report.Place{File: b.CodeFile, Cell: b.Cell, Line: line}
}

// Anchor is the id that the block has in its page.
func (b *Block) Anchor() string {
	if number, ok := strings.CutPrefix(b.Name, "#"); ok {
		return "block-" + number
	}
	return "code-" + b.Name
}
