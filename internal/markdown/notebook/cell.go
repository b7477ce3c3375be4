package notebook

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// text is a text of nbformat: a string, or a list of strings to be joined.
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(data []byte) error {
	var one string
	var list []string
	if json.Unmarshal(data, &one) != nil && json.Unmarshal(data, &list) != nil {
		return errors.New("a text must be a string or a list of strings")
	}
	*t = text(one + strings.Join(list, ""))
	return nil
}

// A lenientText is a string. A value of another type, which some tools write, counts as "".
type lenientText string

// UnmarshalJSON implements json.Unmarshaler.
func (l *lenientText) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		*l = lenientText(s)
	}
	return nil
}

// clean returns a text with \n line ends and without NUL, which separates the cells in their
// Markdown.
func clean(s string) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\ufffd").Replace(s)
}

// A rawCell is a cell of nbformat 4, with the fields that 3 had instead.
type rawCell struct {
	Type     string `json:"cell_type"`
	Source   text
	ID       lenientText
	Metadata struct {
		Tags      json.RawMessage
		GPUDocs   json.RawMessage `json:"gpudocs"`
		Format    lenientText     // of a raw cell
		Mimetype  lenientText     `json:"raw_mimetype"`
		Collapsed json.RawMessage
		Jupyter   struct {
			Source  json.RawMessage `json:"source_hidden"`
			Outputs json.RawMessage `json:"outputs_hidden"`
		}
	}
	Attachments map[string]map[string]json.RawMessage
	Outputs     []json.RawMessage

	Input    text        // 3: the source of a code cell
	Language lenientText // 3: of a code cell
	Level    int         // 3: of a heading
}

func (r *reader) cell(number int, data json.RawMessage, v3 bool) {
	var raw rawCell
	err := json.Unmarshal(data, &raw) // it reads on after a field of a wrong type
	if err != nil {
		r.wrong(number, err)
	}
	c := Cell{Kind: Kind(raw.Type), Source: clean(string(raw.Source)), ID: string(raw.ID)}
	switch {
	case c.Kind == Markdown, c.Kind == Raw:
	case c.Kind == Code && v3:
		c.Source, c.Language = clean(string(raw.Input)), clean(string(raw.Language))
	case c.Kind == Code:
	case raw.Type == "heading" && v3:
		c.Kind = Markdown
		c.Source = strings.Repeat("#", min(max(raw.Level, 1), 6)) + " " + strings.ReplaceAll(c.Source, "\n", " ")
	case raw.Type == "html" && v3:
		c.Kind, c.Format = Raw, "text/html"
	default:
		if err == nil {
			r.fault(number, diag.Say("notebook.cell-type-unknown", "type", raw.Type), diag.Say("notebook.cell-type-unknown-hint"))
		}
		c.Kind = Markdown // its text stays readable
	}
	if c.Format == "" {
		c.Format = string(raw.Metadata.Format + raw.Metadata.Mimetype)
	}
	_ = json.Unmarshal(raw.Metadata.Tags, &c.Tags) // anything but a list of texts is ignored
	c.foldedInput = string(raw.Metadata.Jupyter.Source) == "true"
	c.foldedOutput = string(raw.Metadata.Jupyter.Outputs) == "true" || string(raw.Metadata.Collapsed) == "true"
	if c.Kind == Code {
		r.attributes(number, &c, raw.Metadata.GPUDocs)
		r.outputs(number, &c, raw.Outputs)
	}
	r.attachments(number, &c, raw.Attachments)
	r.nb.Cells = append(r.nb.Cells, c)
}

// attributes reads metadata.gpudocs of a cell. A text or a number is a value, true an attribute
// without value, and false omits the attribute.
func (r *reader) attributes(number int, c *Cell, data json.RawMessage) {
	if len(data) == 0 {
		return
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		r.fault(number, diag.Say("notebook.metadata-not-object"), diag.Say("notebook.metadata-not-object-hint"))
		return
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		a := Attribute{Name: name}
		switch v := m[name].(type) {
		case string:
			a.Value = clean(v)
		case float64:
			a.Value = fmt.Sprint(v)
		case bool:
			a.Flag = true
			if !v {
				a.Value = "false"
			}
		default:
			r.fault(number, diag.Say("notebook.metadata-value-invalid", "name", name), diag.Say("notebook.metadata-value-invalid-hint"))
			continue
		}
		if strings.ContainsAny(name, " \t\r\n={}\"',") || name == "" || strings.ContainsAny(a.Value, "\n{}") {
			r.fault(number, diag.Say("notebook.metadata-attribute-invalid", "name", name), diag.Say("notebook.metadata-attribute-invalid-hint"))
			continue
		}
		c.Attributes = append(c.Attributes, a)
	}
}

func (r *reader) attachments(number int, c *Cell, all map[string]map[string]json.RawMessage) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		p, why := picture(all[name])
		if p == nil {
			r.warn(number, diag.Say("notebook.attachment-not-published", "name", name, "why", why),
				diag.Say("notebook.attachment-not-published-hint"))
			continue
		}
		if c.Attachments == nil {
			c.Attachments = map[string]*Picture{}
		}
		c.Attachments[name] = p
	}
}
