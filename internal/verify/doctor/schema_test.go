package doctor

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const schemaFile = "../../../docs/doctor.schema.json"

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	for _, name := range []string{"report.schema.json", "doctor.schema.json"} {
		data, err := os.ReadFile("../../../docs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err == nil {
			err = c.AddResource(name, doc)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s, err := c.Compile("doctor.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSchemaTakesDiagnoses: a diagnosis is valid as it is written, and invalid with an unknown
// field.
func TestSchemaTakesDiagnoses(t *testing.T) {
	s := schema(t)
	for name, machine := range machines() {
		data, err := json.Marshal(machine())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			data string
			want bool
		}{{string(data), true}, {strings.Replace(string(data), `"processors":`, `"host":"lab","processors":`, 1), false}} {
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(c.data))
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Validate(v); (err == nil) != c.want {
				t.Errorf("%s: valid should be %v: %v", name, c.want, err)
			}
		}
	}
}

// TestSchemaHasEveryField compares the schema with the Go types.
func TestSchemaHasEveryField(t *testing.T) {
	type object struct {
		Description string
		Properties  map[string]map[string]any
		Required    []string
		Additional  *bool              `json:"additionalProperties"`
		Defs        map[string]*object `json:"$defs"`
	}
	var root object
	read(t, schemaFile, &root)
	objects := maps.Clone(root.Defs)
	objects["diagnosis"] = &root
	types := map[string]reflect.Type{}
	collectTypes(reflect.TypeFor[Diagnosis](), types)
	if d := cmp.Diff(slices.Sorted(maps.Keys(types)), slices.Sorted(maps.Keys(objects))); d != "" {
		t.Fatalf("objects (-Go +schema)\n%s", d)
	}
	for name, rt := range types {
		o := objects[name]
		fields, required := fieldsOf(rt)
		slices.Sort(fields)
		slices.Sort(required)
		if d := cmp.Diff(fields, slices.Sorted(maps.Keys(o.Properties))); d != "" {
			t.Errorf("fields of %s (-Go +schema)\n%s", name, d)
		}
		if d := cmp.Diff(required, slices.Sorted(slices.Values(o.Required))); d != "" {
			t.Errorf("required of %s (-Go +schema)\n%s", name, d)
		}
		if o.Additional == nil || *o.Additional || o.Description == "" {
			t.Errorf("%s needs a description and no additional properties", name)
		}
		for field, p := range o.Properties {
			if p["description"] == nil && p["$ref"] == nil {
				t.Errorf("%s.%s has no description", name, field)
			}
		}
	}
}

// collectTypes collects the structs of this package.
func collectTypes(rt reflect.Type, into map[string]reflect.Type) {
	for rt.Kind() == reflect.Pointer || rt.Kind() == reflect.Slice {
		rt = rt.Elem()
	}
	if rt.Kind() != reflect.Struct || rt.PkgPath() != reflect.TypeFor[Diagnosis]().PkgPath() {
		return
	}
	into[strings.ToLower(rt.Name())] = rt
	for f := range rt.Fields() {
		collectTypes(f.Type, into)
	}
}

// fieldsOf returns a struct's names in JSON, with those of an embedded struct.
func fieldsOf(rt reflect.Type) (fields, required []string) {
	for f := range rt.Fields() {
		if f.Anonymous {
			inner, must := fieldsOf(f.Type)
			fields, required = append(fields, inner...), append(required, must...)
			continue
		}
		if !f.IsExported() {
			continue
		}
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields = append(fields, name)
		if option == "" {
			required = append(required, name)
		}
	}
	return fields, required
}

// TestSchemaHasEveryValue compares the schema's lists of values with the constants.
func TestSchemaHasEveryValue(t *testing.T) {
	var doc struct {
		Defs map[string]struct {
			Properties map[string]struct{ Enum []string }
		} `json:"$defs"`
	}
	read(t, schemaFile, &doc)
	for _, c := range []struct{ file, prefix, def, property string }{
		{"findings.go", "Found", "finding", "code"}, {"doctor.go", "Tool", "tool", "name"}, {"doctor.go", "Slurm", "slurm", "failed"},
		{"../dryrun.go", "Would", "check", "fate"}, {"../../machine/pyenv/pyenv.go", "Kind", "python", "kind"},
	} {
		want, got := constants(t, c.file, c.prefix), slices.Sorted(slices.Values(doc.Defs[c.def].Properties[c.property].Enum))
		if d := cmp.Diff(want, got); d != "" || len(want) == 0 {
			t.Errorf("%s.%s (-Go +schema)\n%s", c.def, c.property, d)
		}
	}
}

// constants returns the string constants of a file whose names have a prefix.
func constants(t *testing.T, file, prefix string) (out []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 || !strings.HasPrefix(spec.Names[0].Name, prefix) {
			return true
		}
		if l, ok := spec.Values[0].(*ast.BasicLit); ok {
			s, err := strconv.Unquote(l.Value)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, s)
		}
		return true
	})
	slices.Sort(out)
	return out
}

// TestManual: docs/content/en/doctor.md explains exactly the findings that exist.
func TestManual(t *testing.T) {
	manual, err := os.ReadFile("../../../docs/content/en/doctor.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|").FindAllSubmatch(manual, -1) {
		got = append(got, string(m[1]))
	}
	slices.Sort(got)
	if d := cmp.Diff(constants(t, "findings.go", "Found"), got); d != "" {
		t.Errorf("(-Go +manual)\n%s", d)
	}
}
