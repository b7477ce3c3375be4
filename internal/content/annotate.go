package content

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// A Note is a mark in code, such as # (1), that stands for an item of the list
// behind the block.
type Note struct {
	// Line counts from 0; From and To are the bytes of the line that the mark takes.
	// (1)! takes its whole comment, (1) itself alone.
	Line, From, To int
	Number         int
	// ID is the mark's own, Item that of its item in the list; both are ids of HTML.
	ID, Item string
}

// NoteBack stands at the end of an annotation, and leads to its mark.
type NoteBack struct {
	ast.BaseInline
	Mark   string
	Number int
}

// KindNoteBack is the kind of [NoteBack].
var KindNoteBack = ast.NewNodeKind("GpudocsNoteBack")

// Kind implements ast.Node.
func (*NoteBack) Kind() ast.NodeKind { return KindNoteBack }

// Dump implements ast.Node.
func (n *NoteBack) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Mark": n.Mark}, nil)
}

// comments are what begins a comment in a language; # does in all others.
var comments = func() map[string][]string {
	by := map[string][]string{}
	for signs, languages := range map[string]string{
		"// /*":   "c c++ cpp cu cuda cuh h hpp java javascript js jsx ts tsx typescript go rust rs swift kotlin scala csharp c# dart zig glsl hlsl opencl json json5 jsonc less scss verilog",
		"/*":      "css",
		"# // /*": "php terraform hcl",
		"--":      "sql lua haskell hs ada vhdl elm",
		"<!--":    "html xml svg markdown md vue",
		"; #":     "ini asm nasm lisp clojure scheme elisp ptx",
		"%":       "tex latex matlab octave erlang prolog",
		"!":       "fortran f90",
		"'":       "vb basic",
	} {
		for l := range strings.FieldsSeq(languages) {
			by[l] = strings.Fields(signs)
		}
	}
	return by
}()

// noteMarks is what stands at the end of a line that has marks, and noteMark one.
// Material for MkDocs takes a mark anywhere in a comment,
// https://squidfunk.github.io/mkdocs-material/reference/code-blocks/#adding-annotations;
// at its end alone a comment that says f(1) keeps its text.
var (
	noteMarks = lazyregexp.New(`(?:^|[^\pL\pN_)\]])((?:\([1-9][0-9]{0,2}\)!?[ \t]*)+)(?:\*/|-->)?[ \t]*$`)
	noteMark  = lazyregexp.New(`\(([1-9][0-9]{0,2})\)(!?)`)
)

// marksOf finds the marks in code.
func marksOf(language, code string) (notes []Note) {
	signs := comments[strings.ToLower(language)]
	if signs == nil {
		signs = []string{"#"}
	}
	for i, line := range codeLinesOf(code) {
		if !strings.ContainsRune(line, '(') {
			continue
		}
		m := noteMarks.FindStringSubmatchIndex(line)
		if m == nil {
			continue
		}
		comment := commentStart(line[:m[2]], signs)
		if comment < 0 {
			continue
		}
		first := len(notes) // of this line
		for _, at := range noteMark.FindAllStringSubmatchIndex(line[m[2]:m[3]], -1) {
			n := Note{Line: i, From: m[2] + at[0], To: m[2] + at[3] + 1}
			n.Number, _ = strconv.Atoi(line[m[2]+at[2] : m[2]+at[3]])
			if at[4] < at[5] { // with ! the comment goes, and what else it says
				n.From, n.To = comment, len(line)
				notes = append(notes[:first], n)
				break
			}
			notes = append(notes, n)
		}
	}
	return notes
}

// commentStart is where the comment begins that a line ends with, or -1.
func commentStart(line string, signs []string) int {
	first := -1
	for _, sign := range signs {
		for from := 0; ; {
			i := strings.Index(line[from:], sign)
			if i < 0 {
				break
			}
			at := from + i
			if at == 0 || line[at-1] == ' ' || line[at-1] == '\t' {
				if first < 0 || at < first {
					first = at
				}
				break
			}
			from = at + len(sign)
		}
	}
	return first
}

// annotate ties the marks of code to the items of the ordered list behind it.
// In MkDocs' dialect any code may have some, and none must; cells of notebooks ask.
func (p *pageParser) annotate(fences []*Fence) {
	count := 0
	for _, f := range fences {
		asked := f.annotated
		if !asked && (!p.page.Dialects.Has(markdown.MkDocs) || f.Cell != nil) || f.Expect != nil {
			continue
		}
		notes := marksOf(f.Language, f.Code)
		list := listBehind(f)
		if asked {
			p.annotations(f, notes, list)
		}
		if list == nil {
			continue
		}
		items := itemsOf(list)
		notes = slices.DeleteFunc(notes, func(n Note) bool { return items[n.Number] == nil })
		if len(notes) == 0 {
			continue
		}
		count++
		list.SetAttributeString("class", []byte("annotations"))
		p.tie(f, notes, items, count)
	}
}

// tie gives marks and items their ids, and each item a way back to its first mark.
func (p *pageParser) tie(f *Fence, notes []Note, items map[int]*ast.ListItem, count int) {
	marked := map[int]int{}
	for i := range notes {
		n := &notes[i]
		n.Item = fmt.Sprintf("_note.%d.%d", count, n.Number)
		n.ID = fmt.Sprintf("_mark.%d.%d", count, n.Number)
		marked[n.Number]++
		if again := marked[n.Number]; again > 1 {
			n.ID += fmt.Sprintf(".%d", again)
			continue
		}
		item := items[n.Number]
		item.SetAttributeString("id", []byte(n.Item))
		back := &NoteBack{Mark: n.ID, Number: n.Number}
		switch last := item.LastChild().(type) {
		case *ast.Paragraph, *ast.TextBlock:
			last.AppendChild(last, back)
		default:
			text := ast.NewTextBlock()
			text.AppendChild(text, back)
			item.AppendChild(item, text)
		}
	}
	f.Notes = notes
}

// annotations reports marks and items that do not find each other.
func (p *pageParser) annotations(f *Fence, notes []Note, list *ast.List) {
	warn := func(n Note, message, hint diag.Text) {
		if file, start, stop, ok := f.place(p.file, n.Line, n.From, n.To); ok {
			p.diags.Add(file.Warning(start, stop, message, hint))
		}
	}
	first, end := f.Pos(), f.Pos()+len(p.file.Text(p.file.Line(f.Pos())))
	switch {
	case len(notes) == 0:
		p.diags.Add(p.file.Warning(first, end, diag.Say("annotate finds no mark in the code"), diag.Say("a mark is a comment at the end of a line: # (1)!")))
		return
	case list == nil:
		p.diags.Add(p.file.Warning(first, end, diag.Say("no ordered list follows the annotated code"), diag.Say("write the annotations as 1. 2. 3. directly behind the block")))
		return
	}
	items := itemsOf(list)
	used := map[int]bool{}
	for _, n := range notes {
		used[n.Number] = true
		if items[n.Number] == nil {
			warn(n, diag.Say("the list behind the code has no item %d", n.Number), diag.Say("write the item, or another number"))
		}
	}
	number := list.Start
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		if !used[number] {
			at := item.Pos()
			line := p.file.Line(at)
			p.diags.Add(p.file.Warning(at, p.file.Offset(line, 1)+len(p.file.Text(line)),
				diag.Say("no line of the code has the mark (%d)", number), diag.Say("end a line of the code with # (%d)!", number)))
		}
		number++
	}
}

// listBehind is the ordered list that follows code and what is expected of it.
func listBehind(f *Fence) *ast.List {
	next := f.NextSibling()
	for e, ok := next.(*Fence); ok && e.Expect != nil; e, ok = next.(*Fence) {
		next = e.NextSibling()
	}
	if list, ok := next.(*ast.List); ok && list.IsOrdered() {
		return list
	}
	return nil
}

func itemsOf(list *ast.List) map[int]*ast.ListItem {
	items := map[int]*ast.ListItem{}
	number := list.Start
	for n := list.FirstChild(); n != nil; n = n.NextSibling() {
		if item, ok := n.(*ast.ListItem); ok {
			items[number] = item
			number++
		}
	}
	return items
}
