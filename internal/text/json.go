package text

import (
	"bytes"
	"encoding/json"
)

// JSON returns a value as indented JSON with a line end, which people can read: unlike json.MarshalIndent it leaves <, > and & as
// they are.
func JSON(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(v)
	return b.Bytes(), err
}
