// Package tomlfile decodes hand-written TOML into a struct, strictly: an unknown key, or a value
// of the wrong type, is a diagnostic with its position.
package tomlfile

import (
	"bytes"
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// maxFile bounds the bytes of a file, maxKeys its keys and tables. go-toml compares each key with all
// others of its table, and reads the whole file again for each unknown key.
const maxFile, maxKeys = 256 << 10, 2000

// keyForm matches the sign after a key, or the head of a table.
var keyForm = lazyregexp.New(`(?m)=|^[ \t]*\[`)

// maxKey bounds the distance of a part of a dotted key from the beginning of the key.
const maxKey = 4 << 10

// Hints are the hints of the diagnostics.
type Hints struct {
	// Unknown is for a key that is not similar to a known one.
	Unknown func(known []string) diag.Text
	// Broken is for invalid TOML and for values of another type.
	Broken diag.Text
}

// Decode decodes a file into v, a pointer to a struct whose fields are tagged with their
// keys. read is false if the file cannot be decoded at all. Unknown keys are diagnostics, and
// the other keys are decoded.
func Decode(f *diag.File, v any, h Hints) (read bool, diags diag.List) {
	if len(f.Data) > maxFile {
		return false, diag.List{diag.About(diag.Error, f.Name, diag.Say("config.file-too-large", "most", maxFile>>10).WithHint(h.Broken))}
	}
	if keys := keyForm.FindAllIndex(f.Data, maxKeys+1); len(keys) > maxKeys {
		at := keys[maxKeys]
		return false, diag.List{f.Error(at[0], at[1], diag.Say("config.keys-too-many", "most", maxKeys))}
	}
	err := toml.NewDecoder(bytes.NewReader(f.Data)).DisallowUnknownFields().Decode(v)
	if err == nil {
		return true, nil
	}
	if strict, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		for _, e := range strict.Errors {
			diags.Add(unknownKeyFault(f, reflect.TypeOf(v).Elem(), &e, h))
		}
		return true, diags
	}
	if broken, ok := errors.AsType[*toml.DecodeError](err); ok {
		at := offset(f, broken)
		why := strings.TrimPrefix(broken.Error(), "toml: ")
		message := diag.Say("config.toml-invalid", "why", why)
		if _, kind, ok := strings.Cut(why, "cannot decode TOML "); ok {
			kind, _, _ = strings.Cut(kind, " into ") // a Go type, which does not help an author
			message = diag.Say("config.key-kind-wrong", "kind", kindOf(kind))
		}
		hint := h.Broken
		if table := tableFor(reflect.TypeOf(v).Elem(), f.Text(f.Line(at))); table != "" {
			hint = diag.Say("config.key-is-table-hint", "table", table)
		}
		return false, diag.List{f.Error(at, at+1, message.WithHint(hint))}
	}
	return false, diag.List{{File: f.Name, Message: diag.Plain(err)}}
}

// unknownKeyFault returns the diagnostic for a key that the type does not have.
func unknownKeyFault(f *diag.File, t reflect.Type, e *toml.DecodeError, h Hints) diag.Diagnostic {
	key := e.Key()
	unknown, known := unknownKey(t, key)
	hint := diag.Suggest(unknown, known, h.Unknown(known))
	if table := tableOf(t, unknown); table != "" && !slices.Contains(known, unknown) && len(key) <= 2 && known != nil {
		hint = diag.Say("config.key-belongs-in-table-hint", "unknown", unknown, "table", table)
	}
	if len(key) > 1 && slices.Contains(Keys(t), unknown) { // TOML gives keys below a table to the table
		hint = diag.Say("config.key-belongs-above-tables-hint", "unknown", unknown)
	}
	at := offset(f, e)
	at += max(0, bytes.Index(f.Data[at:min(len(f.Data), at+maxKey)], []byte(unknown)))
	return f.Error(at, at+len(unknown), diag.Say("config.key-unknown", "key", strings.Join(key, ".")).WithHint(hint))
}

// kindOf returns the name of a kind of TOML value in the reader's language, or TOML's own name for a rare
// kind.
func kindOf(kind string) any {
	switch kind {
	case "string":
		return diag.Say("config.kind-string")
	case "integer":
		return diag.Say("config.kind-integer")
	case "float":
		return diag.Say("config.kind-float")
	case "boolean":
		return diag.Say("config.kind-boolean")
	case "array":
		return diag.Say("config.kind-array")
	case "table":
		return diag.Say("config.kind-table")
	}
	return kind
}

// assigned matches a line that gives a key a value, and the first text in that.
var assigned = lazyregexp.New(`^\s*([\w-]+)\s*=(?:[^"']*["']([\w-]+)["'])?`)

// tableFor returns the table that stands for a line which gives another value to its key: languages.en for
// languages = ["en"]. It is "" if the key is no table.
func tableFor(t reflect.Type, line string) string {
	m := assigned.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	for f := range t.Fields() {
		switch {
		case f.Tag.Get("toml") != m[1]:
		case f.Type.Kind() == reflect.Struct:
			return m[1]
		case f.Type.Kind() == reflect.Map && f.Type.Elem().Kind() == reflect.Struct:
			return m[1] + "." + cmp.Or(m[2], "NAME")
		}
	}
	return ""
}

// offset returns the place of an error, whose column counts bytes.
func offset(f *diag.File, e *toml.DecodeError) int {
	row, col := e.Position()
	return min(f.Offset(row, 1)+col-1, len(f.Data))
}

// tableOf returns the top-level table that has a key, or "" if none or several have it.
func tableOf(t reflect.Type, key string) (table string) {
	for f := range t.Fields() {
		if f.Type.Kind() != reflect.Struct {
			continue
		}
		for below := range f.Type.Fields() {
			if below.Tag.Get("toml") != key {
				continue
			}
			if table != "" {
				return ""
			}
			table = f.Tag.Get("toml")
		}
	}
	return table
}

// unknownKey returns the first unknown part of a dotted key, and the keys that are valid in its place.
func unknownKey(t reflect.Type, key []string) (unknown string, known []string) {
	for _, part := range key {
		switch t.Kind() {
		case reflect.Map:
			t = t.Elem()
			continue
		case reflect.Struct:
		default: // in an inline table, whose keys come without the name of the table
			return part, nil
		}
		known := Keys(t)
		i := slices.Index(known, part)
		if i < 0 {
			return part, known
		}
		t = t.Field(i).Type
	}
	return key[len(key)-1], nil
}
