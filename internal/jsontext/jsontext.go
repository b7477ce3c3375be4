// Package jsontext writes JSON files that people read too.
package jsontext

import (
	"bytes"
	"encoding/json"
)

// Encode returns a value as indented JSON with a line end. It leaves <, > and & as they are, which json.MarshalIndent
// escapes.
func Encode(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(v)
	return b.Bytes(), err
}
