// Package tomlfile decodes hand-written TOML into a struct, strictly: an unknown key, or a value
// of the wrong type, is a diagnostic with its position.
package tomlfile

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// maxFile and maxKeys bound a file, in bytes and in keys and tables: go-toml compares
// each key with all others of its table, and reads the whole file for each that is
// unknown.
const maxFile, maxKeys = 256 << 10, 2000

// keyForm is the sign behind a key, or the head of a table.
var keyForm = lazyregexp.New(`(?m)=|^[ \t]*\[`)

// maxKey is how far behind the beginning of a dotted key its parts are looked for.
const maxKey = 4 << 10

// Hints are what an author is told to do.
type Hints struct {
	// Unknown is for a key that is like none of the known ones.
	Unknown func(known []string) diag.Text
	// Broken is for what is no TOML, or a value of another type.
	Broken diag.Text
}

// Decode reads a file into what v points to, a struct whose fields are tagged with their
// keys. read is false where the file could not be read at all; with unknown keys the
// others are read.
func Decode(f *diag.File, v any, h Hints) (read bool, diags diag.List) {
	if len(f.Data) > maxFile {
		return false, diag.List{{File: f.Name, Message: diag.Say("config.file-too-large", "most", maxFile>>10), Hint: h.Broken}}
	}
	if keys := keyForm.FindAllIndex(f.Data, maxKeys+1); len(keys) > maxKeys {
		at := keys[maxKeys]
		return false, diag.List{f.Error(at[0], at[1], diag.Say("config.keys-too-many", "most", maxKeys), diag.Say("config.keys-too-many-hint"))}
	}
	err := toml.NewDecoder(bytes.NewReader(f.Data)).DisallowUnknownFields().Decode(v)
	var strict *toml.StrictMissingError
	var broken *toml.DecodeError
	switch {
	case err == nil:
		return true, nil
	case errors.As(err, &strict):
		for _, e := range strict.Errors {
			at := offset(f, &e)
			unknown, known := unknownKey(reflect.TypeOf(v).Elem(), e.Key())
			at += max(0, bytes.Index(f.Data[at:min(len(f.Data), at+maxKey)], []byte(unknown)))
			hint := diag.Suggest(unknown, known, h.Unknown(known))
			if table := tableOf(reflect.TypeOf(v).Elem(), unknown); table != "" && !slices.Contains(known, unknown) && len(e.Key()) <= 2 && known != nil {
				hint = diag.Say("config.key-belongs-in-table-hint", "unknown", unknown, "table", table)
			}
			if _, top := unknownKey(reflect.TypeOf(v).Elem(), []string{""}); len(e.Key()) > 1 && slices.Contains(top, unknown) {
				hint = diag.Say("config.key-belongs-above-tables-hint", "unknown", unknown) // what stands below is the table's
			}
			diags.Add(f.Error(at, at+len(unknown), diag.Say("config.key-unknown", "key", strings.Join(e.Key(), ".")), hint))
		}
		return true, diags
	case errors.As(err, &broken):
		at := offset(f, broken)
		why := strings.TrimPrefix(broken.Error(), "toml: ")
		message := diag.Say("config.toml-invalid", "why", why)
		if _, kind, ok := strings.Cut(why, "cannot decode TOML "); ok {
			kind, _, _ = strings.Cut(kind, " into ") // a Go type, of no use to an author
			message = diag.Say("config.key-kind-wrong", "kind", kindOf(kind))
		}
		return false, diag.List{f.Error(at, at+1, message, h.Broken)}
	}
	return false, diag.List{{File: f.Name, Message: diag.Plain(err)}}
}

// kindOf names a kind of value of TOML; the rare ones keep the name they have there.
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

// offset is where the error lies. Its column counts bytes.
func offset(f *diag.File, e *toml.DecodeError) int {
	row, col := e.Position()
	return min(f.Offset(row, 1)+col-1, len(f.Data))
}

// tableOf names the one table at the top that has a key, empty if none has or several have.
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

// unknownKey returns the first part of a dotted key that is unknown and the keys
// that may stand in its place, read from the struct tags so that there is one
// list only.
func unknownKey(t reflect.Type, key []string) (unknown string, known []string) {
	for _, part := range key {
		switch t.Kind() {
		case reflect.Map:
			t = t.Elem()
			continue
		case reflect.Struct:
		default: // in an inline table, whose keys are given without the table's own
			return part, nil
		}
		var next reflect.Type
		known = nil
		for f := range t.Fields() {
			if known = append(known, f.Tag.Get("toml")); f.Tag.Get("toml") == part {
				next = f.Type
			}
		}
		if next == nil {
			return part, known
		}
		t = next
	}
	return key[len(key)-1], nil
}
