package report

import (
	"bytes"
	"encoding/json"
	"strings"
)

// duplicateKey returns the first key that occurs twice in an object of valid JSON, or "". Of
// two values Go uses the last, and other programs the first
// (https://www.rfc-editor.org/rfc/rfc8259#section-4), so that a report would differ
// between programs. Keys are compared without case, because Go accepts "Outcome" for
// "outcome".
func duplicateKey(data []byte) (at int, key string) {
	var objects [][]string // the keys of the open objects; nil for an array
	expect := false        // a key may follow
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{':
			objects, expect = append(objects, []string{}), true
		case '[':
			objects, expect = append(objects, nil), false
		case '}', ']':
			objects, expect = objects[:len(objects)-1], false
		case ',':
			expect = objects[len(objects)-1] != nil
		case '"':
			end := i + 1
			for data[end] != '"' {
				if data[end] == '\\' {
					end++
				}
				end++
			}
			if expect {
				last := len(objects) - 1
				key := keyOf(data[i : end+1])
				for _, other := range objects[last] {
					if strings.EqualFold(other, key) {
						return i, key
					}
				}
				objects[last], expect = append(objects[last], key), false
			}
			i = end
		}
	}
	return 0, ""
}

// keyOf returns the text of a key, which may have escapes.
func keyOf(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	var key string
	_ = json.Unmarshal(quoted, &key) // valid, as the whole JSON is
	return key
}
