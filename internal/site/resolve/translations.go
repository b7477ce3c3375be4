package resolve

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/translate"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// CheckTranslation compares a translation with its source.
func CheckTranslation(s *site.Site, p, source *site.Page, editing bool) diag.List {
	t := translation{page: p, source: source, differs: diag.Error}
	if editing {
		t.differs = diag.Warning
	}
	if p.Original {
		t.addPageDiag(diag.Error, diag.Say("translations.source-ambiguous", "name", source.Source.Name))
	}
	t.checkAnchors()
	t.compareBlocks()
	if state, c := s.Translation(p); state == site.Outdated {
		t.reportOutdated(c)
	}
	return t.diags
}

// A translation is a page with its source.
type translation struct {
	page, source *site.Page
	// differs is the severity of different code.
	differs diag.Severity
	diags   diag.List
}

// addPageDiag reports something about the whole page.
func (t *translation) addPageDiag(s diag.Severity, message diag.Text) {
	t.diags.Add(diag.About(s, t.page.Source.Name, message))
}

// addLineDiag reports something about a line of the translation, or of a file that it includes.
func (t *translation) addLineDiag(s diag.Severity, f *diag.File, line int, message diag.Text) {
	begin := f.Offset(line, 1)
	text := f.Text(line)
	indent := len(text) - len(strings.TrimLeft(text, " \t>"))
	t.diags.Add(f.At(s, begin+indent, begin+len(text), message))
}

// addFenceDiag reports something about a block, at its fence.
func (t *translation) addFenceDiag(s diag.Severity, b *site.Block, message diag.Text) {
	f := b.Page.Source
	t.addLineDiag(s, f, f.Line(b.Pos), message)
}

// checkAnchors reports ids that the author of the source gave and that the translation lacks.
func (t *translation) checkAnchors() {
	sections := t.page.Sections
	for i, s := range t.source.Sections {
		if !s.Given || t.page.Anchors[s.Anchor] {
			continue
		}
		message := diag.Say("translations.heading-id-missing", "source", linePlace(t.source.Source, s.Line), "anchor", s.Anchor)
		if len(sections) == len(t.source.Sections) && !sections[i].Given {
			t.addLineDiag(diag.Warning, t.page.Source, sections[i].Line, message)
			continue
		}
		t.addPageDiag(diag.Warning, message)
	}
}

func (t *translation) reportOutdated(c translate.Changes) {
	var what []diag.Text
	for _, s := range slices.Concat(c.Changed, c.Added) {
		title := diag.Plain(s.Title)
		if s.Title == "" {
			title = diag.Say("translations.section-beginning")
		}
		what = append(what, diag.Say("diag.message-beside-place", "what", title, "where", t.source.Source.NameLine(s.Line)))
	}
	if len(c.Removed) > 0 {
		what = append(what, diag.Say("translations.sections-removed", "removed", strings.Join(c.Removed, ", ")))
	}
	t.addPageDiag(diag.Warning, diag.Say("translations.outdated", "source", t.source.Source.Name, "what", site.ShortList(what),
		"name", t.page.Source.Name))
}

// compareBlocks compares the code with the source's: blocks of the same name, and those without a
// name in order, if both pages have the same number of them.
func (t *translation) compareBlocks() {
	named, unnamed := byName(t.page.Blocks)
	sourceNamed, sourceUnnamed := byName(t.source.Blocks)
	for _, source := range t.source.Blocks {
		if b := named[source.Name]; b != nil {
			t.compareBlock(b, source)
		} else if sourceNamed[source.Name] != nil && !source.Differs {
			t.addPageDiag(diag.Warning, diag.Say("translations.block-missing", "name", source.Name, "place", blockPlace(source)))
		}
	}
	for _, b := range t.page.Blocks {
		if named[b.Name] != nil && sourceNamed[b.Name] == nil && !b.Differs {
			t.addFenceDiag(diag.Warning, b, diag.Say("translations.block-unknown", "name", t.source.Source.Name, "block", b.Name))
		}
	}
	if len(unnamed) != len(sourceUnnamed) {
		// There may be more of those that are marked with differs.
		marked := func(b *site.Block) bool { return b.Differs }
		unnamed, sourceUnnamed = slices.DeleteFunc(unnamed, marked), slices.DeleteFunc(sourceUnnamed, marked)
	}
	if len(unnamed) != len(sourceUnnamed) {
		t.addPageDiag(diag.Warning, diag.Say("translations.blocks-unnamed", "unnamed", len(unnamed), "source_unnamed", len(sourceUnnamed),
			"name", t.source.Source.Name))
		return
	}
	for i, b := range unnamed {
		t.compareBlock(b, sourceUnnamed[i])
	}
}

// placeText names a line of a file, for a notebook with its cell.
func placeText(file string, cell, line int) diag.Text {
	if cell > 0 {
		return diag.Say("translations.place-cell", "file", file, "cell", cell, "line", line)
	}
	return diag.Say("diag.place-line", "file", file, "line", line)
}

// linePlace names a line of a text by the file that it comes from.
func linePlace(f *diag.File, line int) diag.Text {
	of, _ := f.Origin(line)
	cell, in := f.Cell(line)
	return placeText(of.Name, cell, in)
}

func blockPlace(b *site.Block) diag.Text { return placeText(b.File, b.Cell, b.Line) }

// codePlace names a line of the block's code.
func codePlace(b *site.Block, line int) diag.Text {
	if b.Origin != nil {
		return placeText(b.CodeFile, 0, line)
	}
	return placeText(b.CodeFile, b.Cell, line)
}

// namedByCell reports whether the name of a notebook's block is generated from its cell.
func namedByCell(b *site.Block) bool {
	return b.Cell > 0 && b.Page.Notebook.Cells[b.Cell-1].Kind == notebook.Code &&
		!slices.ContainsFunc(b.Page.Notebook.Cells[b.Cell-1].Attributes, func(a notebook.Attribute) bool { return a.Name == "name" })
}

// byName separates the blocks that their author named from the others.
func byName(blocks []*site.Block) (named map[string]*site.Block, unnamed []*site.Block) {
	named = map[string]*site.Block{}
	for _, b := range blocks {
		if strings.HasPrefix(b.Name, "#") || namedByCell(b) {
			unnamed = append(unnamed, b)
		} else {
			named[b.Name] = b
		}
	}
	return named, unnamed
}

// compareBlock compares a block with that of the source. The same check runs once for both.
func (t *translation) compareBlock(b, source *site.Block) {
	if b.Differs || source.Differs {
		return
	}
	hint := diag.Say("translations.code-differs-hint")
	if b.Kind != source.Kind {
		message := diag.Say("translations.block-kind-differs", "kind", b.Kind, "there", blockPlace(source), "name", source.Kind)
		t.addFenceDiag(t.differs, b, message.WithHint(hint))
		return
	}
	for i, f := range b.Saves {
		if i < len(source.Saves) && f.Name == source.Saves[i].Name &&
			t.compareCode(f.Block, source.Saves[i].Block, diag.Say("translations.saved-differs-hint")) {
			return
		}
	}
	if t.compareCode(b, source, hint) {
		return
	}
	if b.ID != source.ID || !slices.Equal(expected(b), expected(source)) || !slices.Equal(combinations(b), combinations(source)) {
		t.reportSettings(b, source)
	}
}

// compareCode reports the first line that differs, with the source's.
func (t *translation) compareCode(b, source *site.Block, hint diag.Text) (differs bool) {
	lines, sourceLines := codeLines(b), codeLines(source)
	n := 0
	for n < len(lines) && n < len(sourceLines) && lines[n].text == sourceLines[n].text {
		n++
	}
	line := func(i int) (*diag.File, int) {
		if b.Origin != nil {
			return b.Origin.File, lines[i].line
		}
		f := b.Page.Source
		return f, f.Line(b.Pos) + 1 + lines[i].line - b.CodeLine
	}
	switch {
	case n == len(lines) && n == len(sourceLines):
		return false
	case n == len(sourceLines):
		f, at := line(n)
		t.addLineDiag(t.differs, f, at, diag.Say("translations.code-too-long", "place", blockPlace(source)).WithHint(hint))
		return true
	}
	sourceLine, sourceText := codePlace(source, sourceLines[n].line), quoted(sourceLines[n].text)
	if n == len(lines) {
		t.addFenceDiag(t.differs, b, diag.Say("translations.code-too-short", "line", sourceLine, "there", sourceText).WithHint(hint))
		return true
	}
	f, at := line(n)
	t.addLineDiag(t.differs, f, at, diag.Say("translations.code-differs", "line", sourceLine, "there", sourceText).WithHint(hint))
	return true
}

// A numberedLine is a line of a block's code; line is its number in the file.
type numberedLine struct {
	text string
	line int
}

// codeLines returns the lines of a block. For a Python session they are those after a prompt: the
// others are its output.
func codeLines(b *site.Block) []numberedLine {
	var out []numberedLine
	for i, text := range strings.Split(strings.TrimSuffix(b.Code, "\n"), "\n") {
		prompt := strings.TrimLeft(text, " ")
		if b.Kind != site.Pycon || strings.HasPrefix(prompt, ">>>") || strings.HasPrefix(prompt, "...") {
			out = append(out, numberedLine{text, b.LineOf(i)})
		}
	}
	return out
}

// reportSettings reports what else makes the checks of two blocks with the same code differ.
func (t *translation) reportSettings(b, source *site.Block) {
	var what []diag.Text
	if !slices.Equal(expected(b), expected(source)) {
		what = append(what, diag.Say("translations.option-expectation"))
	}
	if b.Needs.String() != source.Needs.String() {
		what = append(what, diag.Say("translations.option-needs"))
	}
	if b.Session != nil && source.Session != nil && (b.Session.Name != source.Session.Name || b.Session.Env != source.Session.Env ||
		b.Session.Kernel != source.Session.Kernel) {
		what = append(what, diag.Say("translations.option-session"))
	}
	if !slices.Equal(combinations(b), combinations(source)) {
		what = append(what, diag.Plain("matrix="))
	}
	if b.Flags != source.Flags || b.NoBuild != source.NoBuild {
		what = append(what, diag.Say("translations.option-build"))
	}
	if !slices.Equal(filesOf(b), filesOf(source)) {
		what = append(what, diag.Say("translations.option-files"))
	}
	if len(what) == 0 {
		return // an earlier block of the session differs, and is reported
	}
	all := what[0]
	for _, w := range what[1:] {
		all = diag.Say("translations.option-list", "all", all, "name", w)
	}
	t.addFenceDiag(diag.Warning, b, diag.Say("translations.options-differ-in", "all", all, "place", blockPlace(source)))
}

// filesOf returns what the files of a block's session are, as far as its ID holds it.
func filesOf(b *site.Block) (out []string) {
	for _, f := range b.Saves {
		out = append(out, f.Name)
	}
	for _, f := range b.Files {
		out = append(out, f.Trait())
	}
	return out
}

func combinations(b *site.Block) (names []string) {
	for _, c := range b.Combinations {
		names = append(names, c.Combination())
	}
	return names
}

func expected(b *site.Block) (out []string) {
	for _, e := range b.Expects {
		exit := ""
		if e.Exit != nil {
			exit = fmt.Sprint(*e.Exit)
		}
		out = append(out, fmt.Sprint(e.When.String(), "\x00", e.Stderr, "\x00", exit, "\x00", e.Tolerance, "\x00", e.Text))
	}
	if b.Kind == site.Pycon { // its code is the same by now
		out = append(out, b.Code)
	}
	return append(out, fmt.Sprint(b.Exit))
}

// quoted quotes a line of code in a message, shortened if it is long.
func quoted(line string) string {
	const most = 80
	if r := []rune(line); len(r) > most {
		line = string(r[:most]) + "…"
	}
	return "`" + strings.TrimSpace(line) + "`"
}
