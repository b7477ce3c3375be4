package notebook

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// An OutputKind is the type of an output.
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

// An Output is a stored output of a code cell.
type Output struct {
	Kind OutputKind
	// Text is the output, which may contain escape sequences of a terminal. HTML is not sanitised.
	// Cut is the number of bytes that were cut off.
	Text string
	Cut  int
	// Plain is the text form of HTML, or empty.
	Plain   string
	Picture *Picture // of a Drawing
}

// A rawOutput is an output of nbformat 4, with the fields that 3 had instead.
type rawOutput struct {
	Type      string                     `json:"output_type"`
	Name      lenientText                // of a stream
	Stream    lenientText                // 3
	Text      json.RawMessage            // of a stream; 3: text/plain
	Data      map[string]json.RawMessage // by MIME type
	Ename     lenientText
	Evalue    lenientText
	Traceback []string

	PNG, JPEG, SVG, HTML, LaTeX json.RawMessage // 3
}

// formats3 maps the names of formats in nbformat 3 to MIME types.
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
		r.warn(number, diag.Say("notebook.outputs-cut", "all", len(all), "most", MaxOutputs), diag.Say("notebook.outputs-cut-hint"))
		all = all[:MaxOutputs]
	}
	for i, data := range all {
		var raw rawOutput
		if err := json.Unmarshal(data, &raw); err != nil {
			r.warn(number, diag.Say("notebook.output-unreadable", "output", i+1), diag.Say("notebook.run-again-hint"))
			continue
		}
		o, why := raw.output()
		if why != "" {
			r.warn(number, diag.Say("notebook.output-invalid", "output", i+1, "why", why), diag.Say("notebook.run-again-hint"))
		}
		if o.Kind == "" {
			continue
		}
		// Jupyter may store one text of a program in pieces.
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
			if o.Kind == HTML { // half a table is useless
				o = Output{Kind: Result, Text: o.Plain, Cut: o.Cut}
			}
		}
		c.Outputs = append(c.Outputs, o)
	}
}

// output reads an output. why is the reason why a part of it cannot be shown, if any.
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

// textOf returns a text, or "" if the value is not one.
func textOf(data json.RawMessage) string {
	var t text
	if json.Unmarshal(data, &t) != nil {
		return ""
	}
	return strings.NewReplacer("\r\n", "\n", "\x00", "\ufffd").Replace(string(t))
}

// richest selects the richest safe format.
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
