package notebook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// The bounds of a notebook.
const (
	MaxFile    = 64 << 20
	MaxCells   = 10000
	MaxOutputs = 1000
	MaxText    = 256 << 10
	MaxSide    = 16384
)

// A Notebook is the content of a file of any version of the format.
type Notebook struct {
	// Language is the language of the kernel: "python", "r". If empty, it is Python.
	Language string
	// Kernel is the name of a kernel that is not Python's, or empty.
	Kernel string
	// Title is the notebook's metadata.title; Page its metadata.gpudocs, a JSON
	// object with the keys of a page's front matter, or nil.
	Title string
	Page  json.RawMessage
	Cells []Cell
}

// kernelName matches the name of a kernel that can run.
var kernelName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

func isPython(language string) bool {
	l := strings.ToLower(language)
	return l == "" || l == "ipython" || strings.HasPrefix(l, "python")
}

// A Kind is the type of a cell.
type Kind string

// The kinds of cells.
const (
	Markdown Kind = "markdown"
	Code     Kind = "code"
	Raw      Kind = "raw"
)

// A Cell is one cell. Its number is its index in [Notebook.Cells], from 1.
type Cell struct {
	Kind   Kind
	Source string
	// ID is the cell's id, from nbformat 4.5 on.
	ID   string
	Tags []string
	// Language is the language of a code cell if it is not that of the notebook.
	Language string
	// Format is the MIME type of a raw cell.
	Format string
	// Attributes are those of metadata.gpudocs, sorted by name.
	Attributes []Attribute
	// Attachments are the pictures by name, without those that cannot be published.
	Attachments map[string]*Picture
	Outputs     []Output

	foldedInput, foldedOutput bool // as JupyterLab stores it
}

// An Attribute is an attribute of a fence. Flag is set if it has no value.
type Attribute struct {
	Name, Value string
	Flag        bool
}

func (c *Cell) has(tags ...string) bool {
	return slices.ContainsFunc(tags, func(t string) bool { return slices.Contains(c.Tags, t) })
}

// FoldInput and FoldOutput report whether readers have to open the part to see it.
func (c *Cell) FoldInput() bool  { return c.foldedInput || c.has("hide-input", "hide-cell") }
func (c *Cell) FoldOutput() bool { return c.foldedOutput || c.has("hide-output", "hide-cell") }

// NoInput and NoOutput report whether the page does not show the part.
func (c *Cell) NoInput() bool  { return c.has("remove-input", "remove-cell") }
func (c *Cell) NoOutput() bool { return c.has("remove-output", "remove-cell") }

// file is the top of every version; worksheets are those of nbformat 3.
type file struct {
	Format     *int `json:"nbformat"`
	Metadata   json.RawMessage
	Cells      []json.RawMessage
	Worksheets []struct{ Cells []json.RawMessage }
}

var saveHint = diag.Say("notebook.save-again-hint")

// TooLarge returns the diagnostic for a notebook of more than MaxFile bytes.
func TooLarge(name string) diag.Diagnostic {
	return diag.Diagnostic{File: name, Message: diag.Say("notebook.too-large", "most", MaxFile>>20), Hint: diag.Say("notebook.too-large-hint")}
}

// Read reads a notebook. It returns nil if the file is not one. An error in a cell costs what is
// wrong in the cell, and the others are read.
func Read(name string, data []byte) (*Notebook, diag.List) {
	if len(data) > MaxFile {
		return nil, diag.List{TooLarge(name)}
	}
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, diag.List{jsonFault(name, data, err)}
	}
	r := &reader{name: name, nb: &Notebook{}}
	switch {
	case f.Format == nil:
		r.fault(0, diag.Say("notebook.nbformat-missing"), saveHint)
		return nil, r.diags
	case *f.Format < 3 || *f.Format > 5:
		r.fault(0, diag.Say("notebook.nbformat-unsupported", "nbformat", *f.Format), diag.Say("notebook.nbformat-unsupported-hint"))
		return nil, r.diags
	case *f.Format == 3:
		for _, w := range f.Worksheets {
			f.Cells = append(f.Cells, w.Cells...)
		}
	case f.Cells == nil:
		r.fault(0, diag.Say("notebook.cells-missing", "nbformat", *f.Format), saveHint)
		return nil, r.diags
	}
	if len(f.Cells) > MaxCells {
		r.fault(0, diag.Say("notebook.cells-too-many", "cells", len(f.Cells), "most", MaxCells), diag.Say("diag.split-hint"))
		return nil, r.diags
	}
	if !r.metadata(f.Metadata) {
		return nil, r.diags // it may say that the page is a draft
	}
	for i, c := range f.Cells {
		r.cell(i+1, c, *f.Format == 3)
	}
	return r.nb, r.diags
}

// jsonFault reports the place at which the JSON of a file is broken.
func jsonFault(name string, data []byte, err error) diag.Diagnostic {
	at := len(data)
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = int(e.Offset) - 1
	} else if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		at = int(e.Offset) - 1
	}
	return diag.NewFile(name, data).Error(at, at+1, jsonMessage(err, "the file"), saveHint)
}

// jsonMessage returns the message for an error of encoding/json about a field of what, or what itself.
func jsonMessage(err error, what string) diag.Text {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		err = fmt.Errorf("%q must not be a JSON %s", strings.ToLower(cmp.Or(wrong.Field, what)), wrong.Value)
	}
	return diag.Say("notebook.json-invalid", "error", strings.TrimPrefix(err.Error(), "json: "))
}

type reader struct {
	name  string
	nb    *Notebook
	diags diag.List
}

func (r *reader) fault(cell int, message, hint diag.Text) {
	r.diags.Add(diag.Diagnostic{File: r.name, Cell: cell, Message: message, Hint: hint})
}

func (r *reader) warn(cell int, message, hint diag.Text) {
	r.diags.Add(diag.Diagnostic{Severity: diag.Warning, File: r.name, Cell: cell, Message: message, Hint: hint})
}

// wrong reports JSON that does not have the form of the format. cell is 0 for the notebook itself.
func (r *reader) wrong(cell int, err error) {
	r.fault(cell, jsonMessage(err, "a cell"), saveHint)
}

// metadata reads the metadata of the notebook. It reports whether they are an object.
func (r *reader) metadata(data json.RawMessage) bool {
	var m struct {
		Title      lenientText
		GPUDocs    json.RawMessage `json:"gpudocs"`
		Kernelspec struct{ Language, Name lenientText }
		Info       struct{ Name lenientText } `json:"language_info"`
	}
	if len(data) > 0 {
		if err := json.Unmarshal(data, &m); err != nil { // it reads on after a field of a wrong type
			r.wrong(0, err)
			if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); !ok || wrong.Field == "" {
				return false
			}
		}
	}
	r.nb.Title = clean(string(m.Title))
	r.nb.Language = clean(string(cmp.Or(m.Info.Name, m.Kernelspec.Language)))
	if r.nb.Language == "" && !isPython(string(m.Kernelspec.Name)) {
		r.nb.Language = clean(string(m.Kernelspec.Name)) // "ir", "bash": so that it does not run as Python
	}
	if name := string(m.Kernelspec.Name); !isPython(r.nb.Language) && kernelName.MatchString(name) {
		r.nb.Kernel = name
	}
	if len(m.GPUDocs) > 0 && !bytes.HasPrefix(m.GPUDocs, []byte("null")) {
		r.nb.Page = m.GPUDocs
	}
	return true
}
