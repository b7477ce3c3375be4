package notebook

import (
	"bytes"
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
			fence := strings.Repeat("~", max(3, longest(c.Source, '~')+1))
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

// longest returns the length of the longest run of c in s.
func longest(s string, c byte) (most int) {
	run := 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		most = max(most, run)
	}
	return most
}

// cellID matches an ID that can name a block.
var cellID = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

// info returns the info string of a code cell: its language, and the attributes.
func (n *Notebook) info(c *Cell, number int, names map[string]bool) string {
	language := c.Language
	if language == "" {
		language = n.Language
	}
	runs := isPython(language) && !c.has("skip-execution")
	given := map[string]bool{}
	var attributes []string
	for _, a := range c.Attributes {
		given[a.Name] = true
		switch {
		case a.Flag && a.Value == "false":
			runs = runs && a.Name != "run"
		case a.Name == "run" && a.Flag:
		case a.Flag:
			attributes = append(attributes, a.Name)
		default:
			attributes = append(attributes, a.Name+"="+quote(a.Value))
		}
	}
	if isPython(language) {
		language = "python"
	}
	language = strings.Join(strings.FieldsFunc(language, func(r rune) bool { return strings.ContainsRune(" \t\n{}", r) }), "-")
	if runs {
		own := []string{"run"}
		if !given["name"] {
			own = append(own, "name="+freeName(c.ID, number, names))
		}
		if !given["session"] {
			own = append(own, "session="+Session)
		}
		if c.has("raises-exception") && !given["exit"] {
			own = append(own, "exit=1")
		}
		attributes = append(own, attributes...)
	}
	if len(attributes) == 0 {
		return language
	}
	return fmt.Sprintf("%s {%s}", language, strings.Join(attributes, " "))
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

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
