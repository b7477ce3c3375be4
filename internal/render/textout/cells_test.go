package textout

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/test/rendertest"
)

// A cell is a cell of a notebook.
type cell struct {
	Type     string `json:"cell_type"`
	ID       string
	Source   []string
	Outputs  []map[string]any
	Metadata struct{ Tags []string }
}

// cells returns the cells of a page's notebook.
func cells(t *testing.T, in Input) []cell {
	t.Helper()
	data, err := Notebook(in)
	var n struct{ Cells []cell }
	if err == nil {
		err = json.Unmarshal(data, &n)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range n.Cells {
		if (c.Type == "code") != (c.Outputs != nil) {
			t.Errorf("%s: a cell of %s has outputs: %v", c.ID, c.Type, c.Outputs != nil)
		}
	}
	return n.Cells
}

// texts returns the cells of text.
func texts(t *testing.T, in Input) (list []string) {
	t.Helper()
	for _, c := range cells(t, in) {
		if c.Type == "markdown" {
			list = append(list, strings.Join(c.Source, ""))
		}
	}
	return list
}

// listing returns cells as text, each after a line with its id and tags.
func listing(list []cell) string {
	var b strings.Builder
	for _, c := range list {
		b.WriteString("[" + strings.Join(append([]string{c.ID}, c.Metadata.Tags...), " ") + "]\n" + strings.Join(c.Source, "") + "\n")
	}
	return b.String()
}

// TestCells compares the notebooks of pages with their goldens.
func TestCells(t *testing.T) {
	lab, got := rendertest.Read(t, "testdata/cells.txtar"), map[string]string{}
	for _, in := range inputs(t, lab, "") {
		got[in.Page.Key] = listing(cells(t, in))
	}
	lab.Golden(t, got)
}
