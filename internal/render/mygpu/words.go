package mygpu

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
)

// A Page is a page that has runnable blocks.
type Page struct {
	// Title is its title, URL its address from the folder of the language.
	Title, URL string
	// Blocks is the number of its blocks, Needs what they need, of each that needs something.
	Blocks int
	Needs  []Need
}

// A Need is what a machine must meet for a block to pass, as far as it is known before.
type Need struct {
	// Demands is what the author demands.
	Demands ask.Expr
	// Compiled is set if nvcc compiles the block, so that its driver must be new enough for the toolkit. Toolkit is the one that compiled
	// it on machines of the site, "13.0", or "" if that is not known. Readers may have another one.
	Compiled bool
	Toolkit  string
}

// Demands returns what a machine must meet for a block to pass, as far as it is known before: what the block needs, or the lines of a gpu
// block that do not only ask.
func Demands(b *site.Block) ask.Expr {
	demands := b.Needs
	for _, l := range b.GPULines {
		if !l.Asks() {
			demands = ask.And(demands, l.Condition())
		}
	}
	return demands
}

// String returns the need as the script looks it up.
func (n Need) String() string {
	if !n.Compiled {
		return n.Demands.String()
	}
	return n.Demands.String() + " [nvcc " + n.software() + "]"
}

func (n Need) software() string { return "cu" + strings.ReplaceAll(n.Toolkit, ".", "") }

// PageOf returns a page of the site, of whose blocks need returns the needs. It does not count gpu blocks that demand nothing.
func PageOf(p *site.Page, url string, need func(*site.Block) Need) (of Page) {
	of = Page{Title: p.Title, URL: url}
	for _, b := range p.Blocks {
		n := need(b)
		asks := n.String() != ""
		if b.Kind != site.GPU || asks {
			of.Blocks++
		}
		if asks {
			of.Needs = append(of.Needs, n)
		}
	}
	return of
}

var importsTorch = lazyregexp.New(`(?m)(?:^[ \t]*(?:>>> |\.\.\. )?|["';][ \t]*)(?:import|from)[ \t][^#\n]*\btorch`)

// UsesTorch reports whether a block of some needs PyTorch or imports it.
func UsesTorch(blocks []*site.Block) bool {
	return slices.ContainsFunc(blocks, func(b *site.Block) bool {
		return importsTorch.MatchString(b.Code) || slices.ContainsFunc(Demands(b).Comparisons(), func(c ask.Expr) bool {
			name, _ := c.Package()
			return name == "torch"
		})
	})
}

// Query returns a machine of the site as the part of an address that names a reader's own:
// "gpu=2x-tesla-k80~11441~3.7&driver=470.82.01&os=linux".
func Query(m report.Machine) string {
	query, n := "", 0
	for i, d := range m.GPU.Devices {
		if n++; i+1 < len(m.GPU.Devices) && m.GPU.Devices[i+1].Same(d) {
			continue
		}
		name := strings.Trim(notInSlug.ReplaceAllString(strings.ToLower(strings.TrimPrefix(d.Name, "NVIDIA ")), "-"), "-")
		query += fmt.Sprintf(",%dx-%.60s", n, name)
		if mib := d.Usable() >> 20; mib > 0 {
			query += fmt.Sprintf("~%d", mib)
		}
		if n = 0; d.Compute != "" {
			query += "~" + d.Compute
		}
	}
	query = "gpu=" + strings.TrimPrefix(cmp.Or(query, "none"), ",")
	for _, fact := range [][2]string{{"driver", m.GPU.Driver}, {"cuda", m.GPU.CUDA}} {
		if fact[1] != "" {
			query += "&" + fact[0] + "=" + fact[1]
		}
	}
	switch {
	case m.GPU.Platform == report.PlatformWSL2:
		return query + "&os=wsl"
	case strings.HasPrefix(strings.ToLower(m.OS), "windows"):
		return query + "&os=windows"
	}
	return query + "&os=linux"
}

var notInSlug = lazyregexp.New(`[^a-z0-9]+`)

// Words is what the script shows in one language.
type Words struct {
	Form   string // the template my-gpu-form
	Pages  []Page
	Blocks []*site.Block // of all pages
	Tags   []string      // the toolkits that the pages name, "cu126": see [Tags]
	// Machines are those of the site in the form of an address ([Query]), by their names.
	Machines map[string]string
	// Field is the address of the first page with :::my-gpu, below that of the language, or nil. Status is that of the status page, or "".
	Field  *string
	Status string
}

var toolkitTag = lazyregexp.New(`\bcu[1-9]\d\d\b`)

// Tags returns the toolkits that a page names, as in the titles and the code of its tabs.
func Tags(p *site.Page) []string { return toolkitTag.FindAllString(string(p.Source.Data), -1) }

// A comparison is one of a requirement, for the script.
type comparison struct {
	Fact ask.Fact `json:"fact"`
	Op   string   `json:"op,omitempty"`
	// Value is a version, a count or a number of bytes, in its parts, or else the text. Pattern is a text as a regular expression.
	Value   any    `json:"value,omitempty"`
	Pattern string `json:"pattern,omitempty"`
	// Own is set if readers install themselves what is asked for.
	Own bool `json:"own,omitempty"`
	// Words and Not are the comparison and its negation in words, and whether that is what a machine must not have.
	Words []any `json:"words"`
	Not   []any `json:"not"`
}

// A collection has the requirements of a site, each once.
type collection struct {
	t           text.Catalog
	Comparisons []comparison   `json:"comparisons"`
	Trees       map[string]any `json:"trees"`
	sources     []string
	software    []software
}

// add adds a requirement.
func (c *collection) add(e ask.Expr) any {
	source := e.String()
	if source != "" && c.Trees[source] == nil {
		c.Trees[source] = e.Tree(c.comparison)
	}
	return c.Trees[source]
}

// comparison returns the number of a comparison.
func (c *collection) comparison(e ask.Expr) any {
	if i := slices.Index(c.sources, e.String()); i >= 0 {
		return i
	}
	op, value := e.Compared()
	of := comparison{
		Fact:  e.Fact(),
		Op:    op,
		Value: value,
		Words: c.words(e),
		Not:   c.words(ask.Not(e)),
		Own:   readersInstall(e),
	}
	switch {
	case e.Fact().Entry().Kind == ask.OfWord:
		of.Pattern = pattern(value)
	case e.Fact() == ask.Runs && e.Software()[:2] == "cu":
		c.software = append(c.software, software{name: value})
	case op != "":
		of.Value = e.Parts()
	}
	c.sources, c.Comparisons = append(c.sources, e.String()), append(c.Comparisons, of)
	return len(c.sources) - 1
}

func (c *collection) words(e ask.Expr) []any {
	words, without := e.Words(c.t)
	return []any{words, without}
}

// compiled adds the tree of a need of which nvcc's toolkit is a part: {base: what the author demands, built: that its programs run}.
func (c *collection) compiled(n Need) {
	if !n.Compiled || c.Trees[n.String()] != nil {
		return
	}
	tree := map[string]any{"base": c.add(n.Demands), "built": nil}
	if e, err := ask.Parse("runs " + n.software()); err == nil {
		tree["built"] = c.comparison(e)
	}
	c.Trees[n.String()] = tree
}

// readersInstall reports whether readers install themselves what a comparison asks for, as far as that does not depend on the driver.
func readersInstall(e ask.Expr) bool {
	name, _ := e.Package()
	function, _ := e.Fact().Call()
	return name != "" && (e.Fact() != ask.Runs || name == "torch") || e.Fact() == ask.Python || function == ask.Has
}

// globs replaces what [regexp.QuoteMeta] makes of a pattern of [path.Match].
var globs = strings.NewReplacer(
	`\\\*`, `\*`, `\\\?`, `\?`, `\\\[`, `\[`, `\\\]`, `\]`, `\\\\`, `\\`, `\\`, ``,
	`\*`, `.*`, `\?`, `.`, `\[`, `[`, `\]`, `]`, `\^`, `^`)

// pattern returns a pattern, which has been parsed, as a regular expression for JavaScript. As in package ask, * matches slashes too.
func pattern(of string) string {
	return "^" + globs.Replace(regexp.QuoteMeta(strings.ToLower(of))) + "$"
}

// Script returns the file: the form, its texts, and the requirements of the site in words.
func (w Words) Script(t text.Catalog) []byte {
	c := &collection{t: t, Trees: map[string]any{}}
	for _, b := range w.Blocks {
		c.add(Demands(b))
		c.add(b.Needs)
		for _, l := range b.GPULines {
			c.add(l.Condition())
		}
		for _, e := range b.Expects {
			c.add(e.When)
		}
	}
	// Of large sites most pages need the same, or nothing, and those that need nothing are left out. A row is a title, an address, the number
	// of blocks, and indexes of needs.
	rows, needs, index := [][]any{}, []string{}, map[string]int{}
	for _, p := range w.Pages {
		of := []int{}
		for _, need := range p.Needs {
			n := need.String()
			if _, ok := index[n]; !ok {
				index[n], needs = len(needs), append(needs, n)
			}
			of = append(of, index[n])
			c.compiled(need)
		}
		if len(of) > 0 || len(w.Pages) <= 200 {
			rows = append(rows, []any{p.Title, p.URL, p.Blocks, of})
		}
	}
	for _, tag := range w.Tags {
		c.software = append(c.software, software{name: tag})
	}
	torch := UsesTorch(w.Blocks)
	if torch || len(w.Tags) > 0 {
		c.software = append(c.software, wheels()...)
	}
	answers, words := answersFor(c.software), t.Texts("words_")
	data, err := json.Marshal(map[string]any{
		"form":        w.Form,
		"texts":       t.Texts("my_"),
		"words":       map[string]any{"and": words["and"], "or": words["or"], "without": words["without"]},
		"comparisons": c.Comparisons,
		"trees":       c.Trees,
		"pages":       rows,
		"needs":       needs,
		"total":       len(w.Pages),
		"machines":    w.Machines,
		"field":       w.Field,
		"status":      w.Status,
		"answers":     answers,
		"refusals":    answers.sentences(t),
		"torch":       torch,
		"no_gpu":      compat.Sentence(t, report.Verdict{What: "{what}", Answer: report.RunsNo, By: report.ByNoGPU}),
	})
	if err != nil {
		panic(err) // they are texts and numbers
	}
	return []byte("gpudocs.gpu.site = " + string(data) + ";\n")
}
