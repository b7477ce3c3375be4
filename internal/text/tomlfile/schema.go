package tomlfile

import (
	"reflect"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text"
)

type object = map[string]any

var (
	word  = object{"type": "string"}
	forms = map[string]object{
		"text": word, "number": {"type": "integer"}, "boolean": {"type": "boolean"}, "date": word, "any": {},
		"texts":     {"type": "array", "items": word},
		"localized": {"type": "object", "additionalProperties": word},
	}
)

// Schema returns the JSON Schema of a file that is decoded into a type of struct, with which editors complete and check it. A field has its
// key in the tag toml, its documentation in doc, and, if it has few values, these in enum. The tag form is for fields of any type:
// "text|texts", names of [forms]. open allows other keys.
func Schema(title string, t reflect.Type, open bool) []byte {
	s := of(t)
	s["$schema"] = "http://json-schema.org/draft-07/schema#" // the newest that editors of TOML read
	s["title"] = title
	s["additionalProperties"] = open
	data, err := text.JSON(s, "  ")
	if err != nil {
		panic(err) // it is made of maps and texts
	}
	return data
}

// Keys returns the keys of a struct, in order.
func Keys(t reflect.Type) (keys []string) {
	for f := range t.Fields() {
		keys = append(keys, f.Tag.Get("toml"))
	}
	return keys
}

func of(t reflect.Type) object {
	switch t.Kind() {
	case reflect.Pointer:
		return of(t.Elem())
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Slice:
		return object{"type": "array", "items": of(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": of(t.Elem())}
	case reflect.Struct:
		properties := object{}
		for f := range t.Fields() {
			properties[f.Tag.Get("toml")] = field(f)
		}
		return object{"type": "object", "additionalProperties": false, "properties": properties}
	}
	return object{}
}

func field(f reflect.StructField) object {
	s := of(f.Type)
	if form := f.Tag.Get("form"); form != "" {
		var any []object
		for name := range strings.SplitSeq(form, "|") {
			any = append(any, forms[name])
		}
		s = object{"anyOf": any}
	}
	if values := f.Tag.Get("enum"); values != "" {
		to := s
		if items, ok := s["items"].(object); ok {
			to = items
		}
		to["enum"] = strings.Split(values, ",")
	}
	if doc := f.Tag.Get("doc"); doc != "" {
		s["description"] = doc
	}
	return s
}
