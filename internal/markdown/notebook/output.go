package notebook

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// An OutputKind is what an output is.
type OutputKind string

// The kinds of outputs.
const (
	Stdout  OutputKind = "stdout"
	Stderr  OutputKind = "stderr"
	Result  OutputKind = "result" // text/plain
	Error   OutputKind = "error"
	HTML    OutputKind = "html"
	LaTeX   OutputKind = "latex"
	Drawing OutputKind = "picture"
)

// An Output is one that the notebook's author saved with a code cell.
type Output struct {
	Kind OutputKind
	// Text is the output, also with the escape sequences of a terminal; of HTML
	// it is not sanitised. Cut is how many bytes more there were.
	Text string
	Cut  int
	// Plain is the same output as text, beside HTML; it may be empty.
	Plain   string
	Picture *Picture // of a Drawing
}

// rawOutput is an output of nbformat 4, with the fields that 3 had instead.
type rawOutput struct {
	Type      string                     `json:"output_type"`
	Name      loose                      // of a stream
	Stream    loose                      // 3
	Text      json.RawMessage            // of a stream; 3: text/plain
	Data      map[string]json.RawMessage // MIME type: what it is
	Ename     loose
	Evalue    loose
	Traceback []string

	PNG, JPEG, SVG, HTML, LaTeX json.RawMessage // 3
}

// formats3 are the names that nbformat 3 has for MIME types.
func (o *rawOutput) formats3() map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for mime, data := range map[string]json.RawMessage{"text/plain": o.Text, "image/png": o.PNG, "image/jpeg": o.JPEG,
		"image/svg+xml": o.SVG, "text/html": o.HTML, "text/latex": o.LaTeX} {
		if len(data) > 0 {
			out[mime] = data
		}
	}
	return out
}

func (r *reader) outputs(number int, c *Cell, all []json.RawMessage) {
	if len(all) > MaxOutputs {
		r.warn(number, diag.Say("notebook.cell-outputs-shown", "all", len(all), "most", MaxOutputs), diag.Say("notebook.cell-outputs-shown-hint"))
		all = all[:MaxOutputs]
	}
	for i, data := range all {
		var raw rawOutput
		if err := json.Unmarshal(data, &raw); err != nil {
			r.warn(number, diag.Say("notebook.output-cannot-read", "output", i+1), diag.Say("notebook.run-cell-jupyter"))
			continue
		}
		o, why := raw.output()
		if why != "" {
			r.warn(number, diag.Say("notebook.output", "output", i+1, "why", why), diag.Say("notebook.run-cell-jupyter"))
		}
		if o.Kind == "" {
			continue
		}
		// What a program writes at once, Jupyter may store in pieces.
		if n := len(c.Outputs); n > 0 && (o.Kind == Stdout || o.Kind == Stderr) && c.Outputs[n-1].Kind == o.Kind {
			o.Text, o.Cut = c.Outputs[n-1].Text+o.Text, c.Outputs[n-1].Cut+o.Cut
			c.Outputs = c.Outputs[:n-1]
		}
		if over := len(o.Text) - MaxText; over > 0 {
			keep := MaxText
			for keep > 0 && !utf8.RuneStart(o.Text[keep]) {
				keep--
			}
			o.Cut += len(o.Text) - keep
			o.Text = strings.Clone(o.Text[:keep])
			if o.Kind == HTML { // half a table is none
				o = Output{Kind: Result, Text: o.Plain, Cut: o.Cut}
			}
		}
		c.Outputs = append(c.Outputs, o)
	}
}

// output reads one. why says what of it could not be shown.
func (o *rawOutput) output() (out Output, why string) {
	switch o.Type {
	case "stream":
		kind := Stdout
		if o.Name == "stderr" || o.Stream == "stderr" {
			kind = Stderr
		}
		return Output{Kind: kind, Text: textOf(o.Text)}, ""
	case "error", "pyerr":
		trace := strings.Join(o.Traceback, "\n")
		if trace == "" {
			trace = string(o.Ename + ": " + o.Evalue)
		}
		return Output{Kind: Error, Text: clean(trace)}, ""
	case "display_data", "execute_result", "update_display_data":
		if o.Data == nil { // 3
			return richest(o.formats3())
		}
		return richest(o.Data)
	case "pyout":
		return richest(o.formats3())
	}
	return Output{}, fmt.Sprintf("the type %q is not known", o.Type)
}

// textOf is a text, or nothing where it is none.
func textOf(data json.RawMessage) string {
	var t text
	if json.Unmarshal(data, &t) != nil {
		return ""
	}
	return strings.NewReplacer("\r\n", "\n", "\x00", "\ufffd").Replace(string(t))
}

// richest takes the format that says most and is safe.
func richest(data map[string]json.RawMessage) (Output, string) {
	plain := textOf(data["text/plain"])
	p, why := picture(data)
	if p != nil {
		return Output{Kind: Drawing, Picture: p, Text: plain}, why
	}
	if html := textOf(data["text/html"]); html != "" {
		return Output{Kind: HTML, Text: html, Plain: plain}, why
	}
	for _, f := range []struct {
		mime string
		kind OutputKind
	}{{"text/latex", LaTeX}, {"text/markdown", Result}, {"text/plain", Result}} {
		if t := textOf(data[f.mime]); t != "" {
			return Output{Kind: f.kind, Text: t}, why
		}
	}
	return Output{}, why
}
