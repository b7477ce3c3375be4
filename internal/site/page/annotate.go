package page

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/blocks"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// annotate links the marks in code to the items of the ordered list after it. In MkDocs' dialect
// any code may have marks; elsewhere and in notebooks the author asks for them with annotate.
func annotate(p *site.Page, fences []*blocks.Fence) (diags diag.List) {
	count := 0
	for _, f := range fences {
		if !f.Annotated && (!p.Dialects.Has(markdown.MkDocs) || f.Cell != nil) || f.Expect != nil {
			continue
		}
		notes := annotationMarks(f.Language, f.Code)
		list := listAfter(f.Fence)
		if f.Annotated {
			diags.Add(checkAnnotations(p.Source, f, notes, list)...)
		}
		if list == nil {
			continue
		}
		items := itemsOf(list)
		notes = slices.DeleteFunc(notes, func(n site.Annotation) bool { return items[n.Number] == nil })
		if len(notes) == 0 {
			continue
		}
		count++
		list.SetAttributeString("class", []byte("annotations"))
		linkAnnotations(f.Fence, notes, items, count)
	}
	return diags
}

// linkAnnotations sets the ids of marks and items, and adds to each item a link to its first mark.
func linkAnnotations(f *site.Fence, notes []site.Annotation, items map[int]*ast.ListItem, count int) {
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
		back := &site.AnnotationBacklink{Mark: n.ID, Number: n.Number}
		switch last := item.LastChild().(type) {
		case *ast.Paragraph, *ast.TextBlock:
			last.AppendChild(last, back)
		default:
			text := ast.NewTextBlock()
			text.AppendChild(text, back)
			item.AppendChild(item, text)
		}
	}
	f.Annotations = notes
}

// checkAnnotations reports marks without an item and items without a mark.
func checkAnnotations(page *diag.File, f *blocks.Fence, notes []site.Annotation, list *ast.List) (diags diag.List) {
	warn := func(n site.Annotation, message diag.Text) {
		if file, start, stop, ok := f.Place(page, n.Line, n.From, n.To); ok {
			diags.Add(file.Warning(start, stop, message))
		}
	}
	first, end := f.Pos(), f.Pos()+len(page.Text(page.Line(f.Pos())))
	switch {
	case len(notes) == 0:
		diags.Add(page.Warning(first, end, diag.Say("blocks.annotate-no-mark")))
		return diags
	case list == nil:
		diags.Add(page.Warning(first, end, diag.Say("blocks.annotations-missing")))
		return diags
	}
	items := itemsOf(list)
	used := map[int]bool{}
	for _, n := range notes {
		used[n.Number] = true
		if items[n.Number] == nil {
			warn(n, diag.Say("blocks.annotation-item-missing", "number", n.Number))
		}
	}
	number := list.Start
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		if !used[number] {
			at := item.Pos()
			line := page.Line(at)
			diags.Add(page.Warning(at, page.Offset(line, 1)+len(page.Text(line)),
				diag.Say("blocks.annotation-mark-missing", "number", number)))
		}
		number++
	}
	return diags
}

// listAfter returns the ordered list that follows the code and its expected outputs, or nil.
func listAfter(f *site.Fence) *ast.List {
	next := f.NextSibling()
	for e, ok := next.(*site.Fence); ok && e.Expect != nil; e, ok = next.(*site.Fence) {
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

// commentForms match the beginning of a comment, by language. In other languages comments begin with #.
var commentForms = func() map[string]*lazyregexp.Regexp {
	by := map[string]*lazyregexp.Regexp{}
	for signs, languages := range map[string]string{
		"//|/\\*": "c c++ cpp cu cuda cuh h hpp java javascript js jsx ts tsx typescript go rust rs swift kotlin scala csharp c# dart zig " +
			"glsl hlsl opencl json json5 jsonc less scss verilog",
		"/\\*":      "css",
		"#|//|/\\*": "php terraform hcl",
		"--":        "sql lua haskell hs ada vhdl elm",
		"<!--":      "html xml svg markdown md vue",
		";|#":       "ini asm nasm lisp clojure scheme elisp ptx",
		"%":         "tex latex matlab octave erlang prolog",
		"!":         "fortran f90",
		"'":         "vb basic",
	} {
		for l := range strings.FieldsSeq(languages) {
			by[l] = commentForm(signs)
		}
	}
	return by
}()

var hashCommentForm = commentForm("#")

// commentForm returns an expression for comments that begin with one of the signs.
func commentForm(signs string) *lazyregexp.Regexp {
	return lazyregexp.New(`(?:^|[ \t])(` + signs + `)`)
}

// marksForm matches the marks at the end of a line, and markForm one of them. Material for MkDocs
// accepts marks anywhere in a comment,
// https://squidfunk.github.io/mkdocs-material/reference/code-blocks/#adding-annotations; here they
// must be at its end, so that a comment that mentions f(1) is not changed.
var (
	marksForm = lazyregexp.New(`(?:^|[^\pL\pN_)\]])((?:\([1-9][0-9]{0,2}\)!?[ \t]*)+)(?:\*/|-->)?[ \t]*$`)
	markForm  = lazyregexp.New(`\(([1-9][0-9]{0,2})\)(!?)`)
)

// annotationMarks returns the marks in code.
func annotationMarks(language, code string) (notes []site.Annotation) {
	commentForm := cmp.Or(commentForms[strings.ToLower(language)], hashCommentForm)
	for i, line := range site.CodeLines(code) {
		if !strings.ContainsRune(line, '(') {
			continue
		}
		m := marksForm.FindStringSubmatchIndex(line)
		if m == nil {
			continue
		}
		comment := commentForm.FindStringSubmatchIndex(line[:m[2]])
		if comment == nil {
			continue
		}
		first := len(notes) // of this line
		for _, at := range markForm.FindAllStringSubmatchIndex(line[m[2]:m[3]], -1) {
			n := site.Annotation{Line: i, From: m[2] + at[0], To: m[2] + at[3] + 1}
			n.Number, _ = strconv.Atoi(line[m[2]+at[2] : m[2]+at[3]])
			if at[4] < at[5] { // with ! the whole comment is replaced
				n.From, n.To = comment[2], len(line)
				notes = append(notes[:first], n)
				break
			}
			notes = append(notes, n)
		}
	}
	return notes
}
