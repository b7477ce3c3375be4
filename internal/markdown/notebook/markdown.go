package notebook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Mark is the byte that begins the line before each cell in [Notebook.Markdown]. No cell contains
// it.
const Mark = '\x00'

// Session is the name of the session in which the code cells of a page run.
const Session = "notebook"

// Markdown returns the text that is parsed like the file of a page. It begins with front matter.
// Each cell begins with a line of [Mark] alone and ends before the next one, so that whatever a
// cell leaves open ends with it. The file knows the cell of each line.
func (n *Notebook) Markdown(name string) *diag.File {
	var b bytes.Buffer
	line := 1
	write := func(s string) {
		b.WriteString(s)
		line += strings.Count(s, "\n")
	}
	write("---\n" + n.frontMatter() + "\n---\n")
	var cells []diag.Cell
	names := map[string]bool{}
	for _, c := range n.Cells {
		for _, a := range c.Attributes {
			if a.Name == "name" {
				names[a.Value] = true
			}
		}
	}
	for i := range n.Cells {
		c := &n.Cells[i]
		at := diag.Cell{First: line, Base: line}
		write(string(Mark) + "\n")
		switch {
		case c.Kind == Markdown, c.Kind == Raw && (c.Format == "text/markdown" || c.Format == "text/html"):
			write(ended(c.Source))
		case c.Kind == Code && strings.TrimSpace(c.Source) != "":
			at.Base++
			fence := "~~~"
			for strings.Contains(c.Source, fence) {
				fence += "~"
			}
			write(fence + n.info(c, i+1, names) + "\n" + ended(c.Source) + fence + "\n")
		}
		cells = append(cells, at)
	}
	return diag.NewCells(name, slices.Clip(b.Bytes()), cells)
}

// frontMatter returns metadata.gpudocs as front matter: JSON is also YAML.
func (n *Notebook) frontMatter() string {
	var page any
	if json.Unmarshal(n.Page, &page) != nil {
		page = map[string]any{}
	}
	if m, ok := page.(map[string]any); ok && m["title"] == nil && n.Title != "" {
		m["title"] = n.Title
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(page) // it was JSON
	return strings.TrimSpace(strings.ReplaceAll(b.String(), "\x00", "\ufffd"))
}

func ended(s string) string {
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	return s
}

// cellID matches an ID that can name a block.
var cellID = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

// info returns the info string of a code cell: its language, and the attributes.
func (n *Notebook) info(c *Cell, number int, names map[string]bool) string {
	f := n.Fence(c)
	var words []string
	if f.Runs {
		words = append(words, "run")
		if !c.sets("name") {
			words = append(words, "name="+freeName(c.ID, number, names))
		}
		for _, a := range f.Defaults {
			words = append(words, a.Name+"="+a.Value)
		}
	}
	for _, a := range f.Given {
		word := a.Name
		if !a.Flag {
			word += "=" + Quote(a.Value)
		}
		words = append(words, word)
	}
	if len(words) == 0 {
		return f.Language
	}
	return fmt.Sprintf("%s {%s}", f.Language, strings.Join(words, " "))
}

// A Fence describes the fence that a code cell becomes.
type Fence struct {
	Language string
	// Runs reports whether the cell is runnable.
	Runs bool
	// Given are the attributes in the metadata of the cell, and Defaults those that a runnable cell
	// has besides: the session and the kernel of the notebook, and the exit code of an exception.
	Given, Defaults []Attribute
}

// Fence returns the fence of a code cell. Without a language of its own the cell has that of the
// notebook.
func (n *Notebook) Fence(c *Cell) (f Fence) {
	f.Language = cmp.Or(c.Language, n.Language)
	inKernel := n.Kernel != "" && c.Language == ""
	f.Runs = (isPython(f.Language) || inKernel) && !c.has("skip-execution")
	for _, a := range c.Attributes {
		switch {
		case a.Flag && a.Value == "false":
			f.Runs = f.Runs && a.Name != "run"
		case a.Flag && a.Name == "run":
		default:
			f.Given = append(f.Given, a)
		}
	}
	if !c.sets("session") {
		f.Defaults = append(f.Defaults, Attribute{Name: "session", Value: Session})
	}
	if inKernel && !c.sets("kernel") {
		f.Defaults = append(f.Defaults, Attribute{Name: "kernel", Value: n.Kernel})
	}
	if !c.sets("exit") && c.has("raises-exception") {
		f.Defaults = append(f.Defaults, Attribute{Name: "exit", Value: "1"})
	}
	if isPython(f.Language) {
		f.Language = "python"
	}
	words := strings.FieldsFunc(f.Language, func(r rune) bool { return strings.ContainsRune(" \t\n{}", r) })
	f.Language = strings.Join(words, "-")
	return f
}

// sets reports whether the metadata of a cell contains an attribute, even to remove it.
func (c *Cell) sets(name string) bool {
	return slices.ContainsFunc(c.Attributes, func(a Attribute) bool { return a.Name == name })
}

// freeName returns the name of a cell's check: its ID, which does not change when cells are
// inserted, or else its number.
func freeName(id string, number int, names map[string]bool) string {
	name := "cell-" + strconv.Itoa(number)
	if cellID.MatchString(id) && !names[id] {
		name = id
	}
	for names[name] {
		name += "-"
	}
	names[name] = true
	return name
}

// Quote returns the value of an attribute in quotation marks.
func Quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
