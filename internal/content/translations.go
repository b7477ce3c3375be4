package content

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/notebook"
	"github.com/gpudocs/gpudocs/internal/translate"
)

// A State is what a page is to its source.
type State string

// The states of a page.
const (
	// IsSource: the page is not translated.
	IsSource State = "source"
	// Current: no section of the source has changed since the page was stamped.
	Current  State = "current"
	Outdated State = "outdated"
	// Unstamped: nobody has said of which version it is a translation.
	Unstamped State = "unstamped"
	// Missing: the language has no such page.
	Missing State = "missing"
)

// Source returns the page from which the translations of a key are made: the one that
// says original, else that of the site's source language, else that of the first
// language that has one. It is nil for a key that no page has.
func (s *Site) Source(key string) *Page {
	all := s.Translations(key)
	for _, p := range all {
		if p.Original {
			return p
		}
	}
	for _, p := range all {
		if p.Language.Code == s.Config.Source {
			return p
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

// Translation tells what a page is to its source, and what has changed in the source
// since, if it is outdated.
func (s *Site) Translation(p *Page) (State, translate.Changes) {
	source := s.Source(p.Key)
	switch {
	case source == p:
		return IsSource, translate.Changes{}
	case p.Stamp.IsZero() || p.Stamp.From != source.Language.Code:
		return Unstamped, translate.Changes{}
	}
	if c := translate.Compare(p.Stamp, source.Sections); c.Any() {
		return Outdated, c
	}
	return Current, translate.Changes{}
}

// checkTranslation holds a translation against its source.
func (s *Site) checkTranslation(p, source *Page, o Options) diag.List {
	t := translation{page: p, source: source, differs: diag.Error}
	if o.Editing {
		t.differs = diag.Warning
	}
	t.originals()
	t.anchors()
	t.blocks()
	if state, c := s.Translation(p); state == Outdated {
		t.outdated(c)
	}
	return t.diags
}

// A translation is a page beside its source.
type translation struct {
	page, source *Page
	// differs is how much it matters that code differs.
	differs diag.Severity
	diags   diag.List
}

// first is a finding about the whole page.
func (t *translation) first(s diag.Severity, message, hint diag.Text) {
	t.diags.Add(diag.Diagnostic{Severity: s, File: t.page.Source.Name, Message: message, Hint: hint})
}

// at is a finding about a line of the translation, or of what it includes.
func (t *translation) at(s diag.Severity, f *diag.File, line int, message, hint diag.Text) {
	begin := f.Offset(line, 1)
	text := f.Text(line)
	indent := len(text) - len(strings.TrimLeft(text, " \t>"))
	t.diags.Add(f.At(s, begin+indent, begin+len(text), message, hint))
}

// fence is a finding about the fence of a block.
func (t *translation) fence(s diag.Severity, b *Block, message, hint diag.Text) {
	f := b.Page.Source
	t.at(s, f, f.Line(b.pos), message, hint)
}

func (t *translation) originals() {
	if t.page.Original {
		t.first(diag.Error, diag.Say("this page and %s both say that they are the original", t.source.Source.Name), diag.Say("one of the languages is the source of the others"))
	}
}

// anchors looks for the ids that the author of the source gave.
func (t *translation) anchors() {
	own := t.page.Sections
	for i, s := range t.source.Sections {
		if !s.Given || t.page.anchors[s.Anchor] {
			continue
		}
		message := diag.Say("the heading of %s has the id %q, and no heading of this page has", lineOf(t.source.Source, s.Line), s.Anchor)
		hint := diag.Say("links to it lead nowhere here; write {#%s} behind the heading's translation", s.Anchor)
		if len(own) == len(t.source.Sections) && !own[i].Given {
			t.at(diag.Warning, t.page.Source, own[i].Line, message, hint)
			continue
		}
		t.first(diag.Warning, message, hint)
	}
}

func (t *translation) outdated(c translate.Changes) {
	var what []diag.Text
	for _, s := range slices.Concat(c.Changed, c.Added) {
		title := diag.Say("%s", s.Title)
		if s.Title == "" {
			title = diag.Say("its beginning")
		}
		what = append(what, diag.Say("%s (%s)", title, t.source.Source.NameLine(s.Line)))
	}
	if len(c.Removed) > 0 {
		what = append(what, diag.Say("sections that are gone: %s", strings.Join(c.Removed, ", ")))
	}
	t.first(diag.Warning, diag.Say("outdated: %s has changed since it was translated: %s", t.source.Source.Name, shortList(what)),
		diag.Say("mend the translation, then say: gpudocs translations --stamp %s", t.page.Source.Name))
}

// shortList names a few and counts the rest.
func shortList(what []diag.Text) diag.Text {
	const shown = 5
	if len(what) > shown {
		what = append(slices.Clone(what[:shown]), diag.Say("and %d more", len(what)-shown))
	}
	return diag.Join(what, ", ")
}

// blocks holds the code against the source's: blocks of the same name, and those
// without a name in their order, if both pages have as many.
func (t *translation) blocks() {
	named, unnamed := byName(t.page.Blocks)
	sourceNamed, sourceUnnamed := byName(t.source.Blocks)
	for _, b := range t.source.Blocks {
		if own := named[b.Name]; own != nil {
			t.block(own, b)
		} else if sourceNamed[b.Name] != nil && !b.Differs {
			t.first(diag.Warning, diag.Say("the block %q of %s is missing", b.Name, b.place()), diag.Say("a block is found by its name=, which is not translated"))
		}
	}
	for _, b := range t.page.Blocks {
		if named[b.Name] != nil && sourceNamed[b.Name] == nil && !b.Differs {
			t.fence(diag.Warning, b, diag.Say("%s has no block %q", t.source.Source.Name, b.Name), diag.Say("give both the same name, which is not translated, or write differs behind this one's"))
		}
	}
	if len(unnamed) != len(sourceUnnamed) {
		// Perhaps there are more of those that are meant to differ.
		marked := func(b *Block) bool { return b.Differs }
		unnamed, sourceUnnamed = slices.DeleteFunc(unnamed, marked), slices.DeleteFunc(sourceUnnamed, marked)
	}
	if len(unnamed) != len(sourceUnnamed) {
		t.first(diag.Warning, diag.Say("blocks that run and have no name: %d here, %d in %s; they were not compared", len(unnamed), len(sourceUnnamed), t.source.Source.Name),
			diag.Say("give them names, the same in both languages: {run name=sum}"))
		return
	}
	for i, b := range unnamed {
		t.block(b, sourceUnnamed[i])
	}
}

// placeIn names a line of a file, of a notebook with its cell.
func placeIn(file string, cell, line int) diag.Text {
	if cell > 0 {
		return diag.Say("%s, cell %d, line %d", file, cell, line)
	}
	return diag.Say("%s:%d", file, line)
}

// lineOf names a line of a text by the file that it comes from.
func lineOf(f *diag.File, line int) diag.Text {
	of, _ := f.Origin(line)
	cell, in := f.Cell(line)
	return placeIn(of.Name, cell, in)
}

func (b *Block) place() diag.Text { return placeIn(b.File, b.Cell, b.Line) }

// codePlace names a line of the block's code.
func (b *Block) codePlace(line int) diag.Text {
	if b.origin != nil {
		return placeIn(b.CodeFile, 0, line)
	}
	return placeIn(b.CodeFile, b.Cell, line)
}

// namedByCell tells whether the name of a notebook's block is not its author's.
func (b *Block) namedByCell() bool {
	return b.Cell > 0 && b.Page.Notebook.Cells[b.Cell-1].Kind == notebook.Code && !slices.ContainsFunc(b.Page.Notebook.Cells[b.Cell-1].Attributes, func(a notebook.Attribute) bool { return a.Name == "name" })
}

// byName parts the blocks that their author named from the others.
func byName(blocks []*Block) (named map[string]*Block, unnamed []*Block) {
	named = map[string]*Block{}
	for _, b := range blocks {
		if strings.HasPrefix(b.Name, "#") || b.namedByCell() {
			unnamed = append(unnamed, b)
		} else {
			named[b.Name] = b
		}
	}
	return named, unnamed
}

// block holds a block against that of the source: the same check runs once for both.
func (t *translation) block(own, source *Block) {
	if own.Differs || source.Differs {
		return
	}
	there := source.place()
	hint := diag.Say("what runs is the same in all languages, comments and strings too; or write differs in the braces behind the fence")
	if own.Kind != source.Kind {
		t.fence(t.differs, own, diag.Say("this block is %s, and in %s it is %s", own.Kind, there, source.Kind), hint)
		return
	}
	if t.code(own, source, hint) {
		return
	}
	if own.ID != source.ID || !slices.Equal(expected(own), expected(source)) {
		t.settings(own, source)
	}
}

// code points at the first line that differs, and shows the source's.
func (t *translation) code(own, source *Block, hint diag.Text) (differs bool) {
	here, there := codeLines(own), codeLines(source)
	n := 0
	for n < len(here) && n < len(there) && here[n].text == there[n].text {
		n++
	}
	name := source.codePlace
	line := func(i int) (*diag.File, int) {
		if own.origin != nil {
			return own.origin.file, here[i].line
		}
		f := own.Page.Source
		return f, f.Line(own.pos) + 1 + here[i].line - own.CodeLine
	}
	switch {
	case n == len(here) && n == len(there):
		return false
	case n == len(there):
		f, at := line(n)
		t.at(t.differs, f, at, diag.Say("this code goes on where that of %s has ended", source.place()), hint)
	case n == len(here):
		t.fence(t.differs, own, diag.Say("the code of this block ends too early: in %s it goes on with %s", name(there[n].line), quoted(there[n].text)), hint)
	default:
		f, at := line(n)
		t.at(t.differs, f, at, diag.Say("this code differs from %s, which has %s", name(there[n].line), quoted(there[n].text)), hint)
	}
	return true
}

// A ranLine is a line of a block that runs; line is its number in the file.
type ranLine struct {
	text string
	line int
}

// codeLines are the lines of a block, of a Python session those behind a prompt: the
// others are what it prints.
func codeLines(b *Block) []ranLine {
	var out []ranLine
	for i, text := range strings.Split(strings.TrimSuffix(b.Code, "\n"), "\n") {
		prompt := strings.TrimLeft(text, " ")
		if b.Kind != Pycon || strings.HasPrefix(prompt, ">>>") || strings.HasPrefix(prompt, "...") {
			out = append(out, ranLine{text, b.LineOf(i)})
		}
	}
	return out
}

// settings are what else makes two blocks of the same code two checks.
func (t *translation) settings(own, source *Block) {
	var what []diag.Text
	if !slices.Equal(expected(own), expected(source)) {
		what = append(what, diag.Say("expected output"))
	}
	if own.Needs.String() != source.Needs.String() {
		what = append(what, diag.Say("needs"))
	}
	if own.Session != nil && source.Session != nil && (own.Session.Name != source.Session.Name || own.Session.Env != source.Session.Env) {
		what = append(what, diag.Say("session or environment"))
	}
	if len(what) == 0 {
		return // an earlier block of the session differs, which is said there
	}
	all := what[0]
	for _, w := range what[1:] {
		all = diag.Say("%s and another %s", all, w)
	}
	t.fence(diag.Warning, own, diag.Say("the same code has another %s in %s", all, source.place()),
		diag.Say("make them the same, so that it runs once for both; or write differs in the braces behind the fence"))
}

func expected(b *Block) (out []string) {
	for _, e := range b.Expects {
		exit := ""
		if e.Exit != nil {
			exit = fmt.Sprint(*e.Exit)
		}
		out = append(out, fmt.Sprint(e.When.String(), "\x00", e.Stderr, "\x00", exit, "\x00", e.Options, "\x00", e.Text))
	}
	if b.Kind == Pycon { // its code is the same by now
		out = append(out, b.Code)
	}
	return append(out, fmt.Sprint(b.Exit))
}

// quoted shows a line of code in a message, not more of it than helps.
func quoted(line string) string {
	const most = 80
	if r := []rune(line); len(r) > most {
		line = string(r[:most]) + "…"
	}
	return "`" + strings.TrimSpace(line) + "`"
}
