package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	schemaFile    = "../../docs/report.schema.json"
	oldSchemaFile = "../../docs/report.schema-1.json"
	manual        = "../../docs/content/en/report.md"
	results       = "../../results"
)

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func schema(t *testing.T) *jsonschema.Schema { return schemaOf(t, schemaFile) }

func schemaOf(t *testing.T, file string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(read(t, file)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("report.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// valid checks that the schema and Parse agree about one report.
func valid(t *testing.T, s *jsonschema.Schema, name string, data []byte, want bool) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); (err == nil) != want {
		t.Errorf("the schema: want valid %v: %v", want, err)
	}
	if _, err := Parse(name, data); (err == nil) != want {
		t.Errorf("Parse: want valid %v: %v", want, err)
	}
}

// agree is valid for a report whose checks and runs may differ, which a schema cannot know, and Parse refuses.
func agree(t *testing.T, s *jsonschema.Schema, machine string, data []byte, want bool) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); (err == nil) != want {
		t.Errorf("the schema: want valid %v: %v", want, err)
	}
	_, err = Parse(machine+".json", data)
	differ := err != nil && strings.Contains(err.Error(), "is not that of the check")
	if want && differ {
		return
	}
	if (err == nil) != want {
		t.Errorf("want valid %v: %v", want, err)
	}
}

func written(t *testing.T, r *Report) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), r.Machine.Name+".json")
	if err := Write(file, r); err != nil {
		t.Fatal(err)
	}
	return read(t, file)
}

func TestSchemaTakesWhatIsWritten(t *testing.T) {
	s := schema(t)
	r := sample()
	valid(t, s, r.Machine.Name+".json", written(t, r), true)
	least := &Report{Schema: Schema, Machine: Machine{Name: "x", GPU: GPU{Status: GPUNone}}, Checks: []Check{}}
	valid(t, s, "x.json", written(t, least), true)
}

// TestSchemaTakesResults validates the reports of this repository's own site, and the example
// in the manual.
func TestSchemaTakesResults(t *testing.T) {
	s, old := schema(t), schemaOf(t, oldSchemaFile)
	files, err := filepath.Glob(filepath.Join(results, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no reports in %s: %v", results, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			of, data := s, read(t, file)
			if bytes.Contains(data, []byte("\"schema\": 1,")) {
				of = old
			}
			valid(t, of, filepath.Base(file), data, true)
		})
	}
	example := regexp.MustCompile("(?s)```json\n(.*?)```").FindSubmatch(read(t, manual))
	if example == nil {
		t.Fatalf("%s holds no example", manual)
	}
	valid(t, s, "deepnine.json", example[1], true)
}

func TestSchemaAndParseRefuse(t *testing.T) {
	s := schema(t)
	base := string(written(t, sample()))
	tests := []struct{ name, old, new string }{
		{"no schema number", `"schema": 2,`, ``},
		{"schema 0", `"schema": 2,`, `"schema": 0,`},
		{"schema 3", `"schema": 2,`, `"schema": 3,`},
		{"schema as a text", `"schema": 2,`, `"schema": "2",`},
		{"unknown outcome", `"outcome": "failed"`, `"outcome": "stale"`},
		{"outcome in capitals", `"outcome": "passed"`, `"outcome": "Passed"`},
		{"no outcome", `"outcome": "passed",`, ``},
		{"invalid kind", `"kind": "bash"`, `"kind": "C++ <b>"`},
		{"invalid outcome of a build", `"build": {
        "outcome": "failed"`, `"build": {
        "outcome": "skipped"`},
		{"negative duration of a build", `"build_ms": 1900.5`, `"build_ms": -1`},
		{"duration of a build in the check", `"tool"`, `"duration_ms": 1, "tool"`},
		{"time of a check", `"kind": "bash"`, `"ran": "2026-03-14T15:09:00Z", "kind": "bash"`},
		{"history of a check", `"kind": "bash"`, `"history": [], "kind": "bash"`},
		{"before its run", `"after_ms": 26535`, `"after_ms": -1`},
		{"weeks after its run began", `"after_ms": 26535`, `"after_ms": 604800001`},
		{"a run without results", `"runs": [`, `"runs": [{"at": "2026-03-14T15:09:00Z", "results": []}, `},
		{"no runs", `"runs": [`, `"x": [`},
		{"failed without a reason", `"outcome": "passed"`, `"outcome": "failed"`},
		{"skipped without a reason", `"outcome": "passed"`, `"outcome": "skipped"`},
		{"error without a reason", `"outcome": "passed"`, `"outcome": "error"`},
		{"short ID", string(id(1)), string(id(1)[1:])},
		{"ID in capitals", string(id(1)), strings.ToUpper(string(id(1)))},
		{"ID with a path", string(id(1)), "../" + string(id(1)[3:])},
		{"no ID", `"id": "` + string(id(1)) + `",`, ``},
		{"extra field", `"generator"`, `"hostname": "deepnine.local", "generator"`},
		{"extra field of the machine", `"os"`, `"user": "ana", "os"`},
		{"extra field of a GPU", `"memory_bytes"`, `"uuid": "GPU-0", "memory_bytes"`},
		{"extra field of a check", `"page"`, `"path": "/home/ana", "page"`},
		{"machine's name with a slash", `"name": "deep-nine.lab_2"`, `"name": "deep/nine"`},
		{"machine's name in capitals", `"name": "deep-nine.lab_2"`, `"name": "DeepNine"`},
		{"machine's name with dots", `"name": "deep-nine.lab_2"`, `"name": "deep..nine"`},
		{"machine's name begins with a dot", `"name": "deep-nine.lab_2"`, `"name": ".deepnine"`},
		{"machine's name ends with a line end", `"name": "deep-nine.lab_2"`, `"name": "deepnine\n"`},
		{"no name", `"name": "deep-nine.lab_2"`, `"name": ""`},
		{"long name", `"name": "deep-nine.lab_2"`, `"name": "` + strings.Repeat("a", 64) + `"`},
		{"unknown GPU status", `"status": "ok"`, `"status": "fine"`},
		{"no time", `"at": "2026-03-14T15:09:00Z", `, ``},
		{"the zero time", `"at": "2026-03-14T15:09:00Z"`, `"at": "0001-01-01T00:00:00Z"`},
		{"a time without a zone", `"at": "2026-03-14T15:09:00Z"`, `"at": "2026-03-14T15:09:26"`},
		{"an invalid time", `"at": "2026-03-14T15:09:00Z"`, `"at": "2026-13-14T15:09:26Z"`},
		{"a time as a number", `"at": "2026-03-14T15:09:00Z"`, `"at": 1773500966`},
		{"negative duration", `"duration_ms": 12.5`, `"duration_ms": -1`},
		{"endless duration", `"duration_ms": 12.5`, `"duration_ms": 1e12`},
		{"negative index of a task", `"index": 17`, `"index": -1`},
		{"negative duration of a task", `"duration_ms": 250.5`, `"duration_ms": -1`},
		{"endless output of a task", `"bytes": 2`, `"bytes": 1e99`},
		{"unknown outcome of a task", `"index": 17, "outcome": "passed"`, `"index": 17, "outcome": "kept"`},
		{"task failed without a reason", `"index": 17, "outcome": "passed"`, `"index": 17, "outcome": "failed"`},
		{"line 0", `"line": 12`, `"line": 0`},
		{"negative line of a reason", `"line": 14`, `"line": -1`},
		{"negative cut", `"cut": 7`, `"cut": -7`},
		{"fraction of a byte", `"cut": 7`, `"cut": 7.5`},
		{"negative memory", `"memory_bytes": 42949672960`, `"memory_bytes": -1`},
		{"unknown mark", `"op": "-"`, `"op": "?"`},
		{"exit code as a text", `"exit": 1`, `"exit": "1"`},
		{"checks as an object", `"checks": [`, `"checks": {}, "x": [`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			broken := strings.Replace(base, tt.old, tt.new, 1)
			if broken == base {
				t.Fatalf("the sample holds no %s", tt.old)
			}
			// The name is right, unless the row is about it, so that Parse
			// refuses the report for no other reason.
			var head struct{ Machine struct{ Name string } }
			if err := json.Unmarshal([]byte(broken), &head); err != nil {
				t.Fatal(err)
			}
			valid(t, s, head.Machine.Name+".json", []byte(broken), false)
		})
	}
	lists := []struct {
		name  string
		limit int
		set   func(r *Report, n int)
	}{
		{"devices", 1024, func(r *Report, n int) { r.Machine.GPU.Devices = make([]Device, n) }},
		{"reasons to throttle", 64, func(r *Report, n int) { r.Machine.GPU.Devices[0].Readings.Throttle = make([]string, n) }},
		{"fields that are not known", 64, func(r *Report, n int) {
			r.Machine.GPU.Devices[0].Readings.Unknown = slices.Repeat([]Unknown{{Field: "x", Why: WhyNotSupported}}, n)
		}},
		{"MIG devices", 64, func(r *Report, n int) { r.Machine.GPU.Devices[0].Readings.MIG.Instances = make([]Instance, n) }},
		{"environments", MaxEnvironments, func(r *Report, n int) { r.Machine.Environments = make([]Environment, n) }},
		{"frameworks", MaxFrameworks, func(r *Report, n int) {
			r.Machine.Environments[0].Frameworks = slices.Repeat([]Framework{{Name: "torch"}}, n)
		}},
		{"lines of a difference", 4096, func(r *Report, n int) { r.Checks[1].Diff = slices.Repeat([]DiffLine{{Op: " "}}, n) }},
		{"captures", MaxCaptures, func(r *Report, n int) { r.Checks[0].Captures = make([]Capture, n) }},
		{"figures", MaxFigures, func(r *Report, n int) { r.Checks[0].Figures = slices.Repeat(r.Checks[0].Figures[:1], n) }},
		{"packages", MaxPackages, func(r *Report, n int) { r.Checks[0].Packages = slices.Repeat([]Package{{Name: "torch"}}, n) }},
		{"captures of an earlier outcome", MaxCaptures, func(r *Report, n int) { r.Checks[0].History[0].Captures = make([]Capture, n) }},
		{"measured GPUs", 1024, func(r *Report, n int) { r.Checks[5].Measurement.GPUs = make([]Measured, n) }},
		{"reasons to throttle while measuring", 64, func(r *Report, n int) { r.Checks[5].Measurement.GPUs[0].Throttle = make([]string, n) }},
	}
	for _, tt := range lists {
		t.Run("too many "+tt.name, func(t *testing.T) {
			r := sample()
			tt.set(r, tt.limit)
			both(t, s, r, true)
			tt.set(r, tt.limit+1)
			both(t, s, r, false)
		})
	}
	t.Run("a long code of an earlier outcome", func(t *testing.T) {
		r := sample()
		r.Checks[0].History[0].Code = strings.Repeat("x", maxShort)
		both(t, s, r, true)
		r.Checks[0].History[0].Code += "x"
		both(t, s, r, false)
	})
	t.Run("too many places", func(t *testing.T) {
		r := sample()
		r.Checks[1].Places = slices.Repeat([]Place{{File: "x", Line: 1}}, MaxChecks+1)
		both(t, s, r, false)
	})
	t.Run("too many checks", func(t *testing.T) {
		r := sample()
		c := Check{Kind: KindBash, Places: []Place{}, Outcome: Passed, Ran: r.Checks[0].Ran}
		r.Checks = nil
		for i := range MaxChecks + 1 {
			c.ID = GPULine(strconv.Itoa(i))
			r.Checks = append(r.Checks, c)
		}
		both(t, s, r, false)
	})
}

func both(t *testing.T, s *jsonschema.Schema, r *Report, want bool) {
	t.Helper()
	data, err := json.Marshal(store(r))
	if err != nil {
		t.Fatal(err)
	}
	valid(t, s, r.Machine.Name+".json", data, want)
}

// TestSchemaBoundsEveryValue changes each value of the sample in turn: to one of another type,
// to a text of the maximum length, and to a longer one.
func TestSchemaBoundsEveryValue(t *testing.T) {
	t.Parallel()
	s := schema(t)
	var sampled any
	if err := json.Unmarshal(written(t, sample()), &sampled); err != nil {
		t.Fatal(err)
	}
	// What a check captured is in its newest run too, so only the schema takes another text.
	captured := regexp.MustCompile(`^/checks/\d+/captures/\d+/(name|value|unit)|^/runs/0/results/\d+/captures`)
	check := func(where string, want bool) {
		t.Helper()
		data, err := json.Marshal(sampled)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(where, func(t *testing.T) {
			if captured.MatchString(where) {
				agree(t, s, sample().Machine.Name, data, want)
			} else {
				valid(t, s, sample().Machine.Name+".json", data, want)
			}
		})
	}
	fixed := regexp.MustCompile(`/(schema|id|kind|outcome|status|code|source|op|at|ran|png|jpeg|svg|why|answer|by|limit/what)$|^/machine/(name|limits|sandbox|containment)$`)
	fractional := regexp.MustCompile(`/([a-z0-9]+_(ms|w)|rate|reference|median|allowed|peak|max_error|tolerance|amount)$`)
	var walk func(where string, v any, set func(any))
	walk = func(where string, v any, set func(any)) {
		for _, other := range []any{"text", 0.5, true, []any{"x"}, map[string]any{"x": 1}} {
			_, number := v.(float64)
			if (reflect.TypeOf(other) == reflect.TypeOf(v) || v == nil && other == "text") && (!number || fractional.MatchString(where)) {
				continue
			}
			set(other)
			check(fmt.Sprintf("%s is %v", where, other), false)
		}
		set(v)
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				walk(where+"/"+k, v[k], func(to any) { v[k] = to })
			}
			v["extra"] = "x"
			check(where+" with an extra field", false)
			delete(v, "extra")
		case []any:
			for i := range v {
				walk(fmt.Sprintf("%s/%d", where, i), v[i], func(to any) { v[i] = to })
			}
		case string:
			if fixed.MatchString(where) {
				break
			}
			limit := maxShort
			if regexp.MustCompile(`/(text|reason/said)$`).MatchString(where) {
				limit = 256 << 10
			}
			if regexp.MustCompile(`/figures/\d+/(html|latex)$`).MatchString(where) {
				limit = MaxMarkup
			}
			set(strings.Repeat("x", limit))
			check(where+" as long as may be", true)
			set(strings.Repeat("x", limit+1))
			check(where+" too long", false)
			set(v)
		}
	}
	walk("", sampled, func(v any) { sampled = v })
	check("the sample is whole again", true)
}

// storedFields returns the fields that a struct has in JSON: of embedded structs those with a name of their own.
func storedFields(rt reflect.Type) (list []reflect.StructField) {
	name := func(f reflect.StructField) string {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		return name
	}
	times := map[string]int{}
	for f := range rt.Fields() {
		if f.Anonymous {
			list = append(list, storedFields(f.Type)...)
		} else if name(f) != "-" {
			list = append(list, f)
		}
	}
	for _, f := range list {
		times[name(f)]++
	}
	return slices.DeleteFunc(list, func(f reflect.StructField) bool { return times[name(f)] > 1 })
}

// TestSchemaHasEveryField compares the schema with the Go types: the same fields, the same
// required ones, and an object for each struct.
func TestSchemaHasEveryField(t *testing.T) {
	type object struct {
		Description string
		Type        string
		Properties  map[string]map[string]any
		Required    []string
		Additional  *bool              `json:"additionalProperties"`
		Defs        map[string]*object `json:"$defs"`
	}
	var root object
	if err := json.Unmarshal(read(t, schemaFile), &root); err != nil {
		t.Fatal(err)
	}
	objects := map[string]*object{"report": &root}
	for name, o := range root.Defs {
		if o.Type == "object" {
			objects[strings.ToLower(name)] = o
		}
	}
	types := map[string]reflect.Type{}
	var walk func(reflect.Type)
	walk = func(rt reflect.Type) {
		for rt.Kind() == reflect.Pointer || rt.Kind() == reflect.Slice {
			rt = rt.Elem()
		}
		if rt.Kind() != reflect.Struct || rt.PkgPath() != reflect.TypeFor[Report]().PkgPath() {
			return
		}
		types[strings.ToLower(strings.TrimPrefix(rt.Name(), "stored"))] = rt
		for _, f := range storedFields(rt) {
			walk(f.Type)
		}
	}
	walk(reflect.TypeFor[storedReport]())
	if diff := cmp.Diff(slices.Sorted(maps.Keys(types)), slices.Sorted(maps.Keys(objects))); diff != "" {
		t.Fatalf("objects (-Go +schema)\n%s", diff)
	}
	for name, rt := range types {
		o := objects[name]
		var fields, required []string
		for _, f := range storedFields(rt) {
			field, option, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.Tag.Get("schema") == "1" || rt == reflect.TypeFor[Build]() && field == "duration_ms" {
				continue // not in reports, or in their runs
			}
			fields = append(fields, field)
			if option == "" {
				required = append(required, field)
			}
		}
		slices.Sort(fields)
		slices.Sort(required)
		if diff := cmp.Diff(fields, slices.Sorted(maps.Keys(o.Properties))); diff != "" {
			t.Errorf("fields of %s (-Go +schema)\n%s", name, diff)
		}
		if diff := cmp.Diff(required, slices.Sorted(slices.Values(o.Required))); diff != "" {
			t.Errorf("required of %s (-Go +schema)\n%s", name, diff)
		}
		if o.Additional == nil || *o.Additional || o.Description == "" {
			t.Errorf("%s needs a description and no additional properties", name)
		}
		for field, p := range o.Properties {
			ref, _ := p["$ref"].(string)
			of := root.Defs[strings.TrimPrefix(ref, "#/$defs/")]
			if p["description"] == nil && (of == nil || of.Description == "") && ref != "#/$defs/long" {
				t.Errorf("%s.%s has no description", name, field)
			}
		}
	}
}

// TestSchemaHasEveryValue compares the schema's lists of values with the constants of this
// package.
func TestSchemaHasEveryValue(t *testing.T) {
	constants := constantsByPrefix(t)
	var doc struct {
		Defs map[string]struct {
			Properties map[string]struct{ Enum []string }
		} `json:"$defs"`
	}
	if err := json.Unmarshal(read(t, schemaFile), &doc); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ def, property, prefix string }{
		{"gpu", "status", "GPU"}, {"gpu", "code", "Code"}, {"gpu", "source", "Source"},
		{"check", "outcome", "Outcome"}, {"reason", "code", "Reason"}, {"limit", "what", "Limit"},
		{"machine", "limits", "Limits"}, {"machine", "sandbox", "Sandbox"}, {"machine", "containment", "Containment"},
		{"counts", "why", "Differ"}, {"unknown", "why", "Why"}, {"measured", "why", "Why"}, {"measuredCPU", "why", "Why"}, {"verdict", "answer", "Runs"}, {"verdict", "by", "By"},
	} {
		want, got := slices.Sorted(slices.Values(constants[tt.prefix])), slices.Sorted(slices.Values(doc.Defs[tt.def].Properties[tt.property].Enum))
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
			t.Errorf("%s.%s (-Go +schema)\n%s", tt.def, tt.property, diff)
		}
	}
}

// constantsByPrefix reads the string constants of this package, by the first word of their
// names, or by their type.
func constantsByPrefix(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	word := regexp.MustCompile(`^(GPU|[A-Z][a-z]+)`)
	inspect := func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		literal, ok := spec.Values[0].(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		value, err := strconv.Unquote(literal.Value)
		if err != nil {
			t.Fatal(err)
		}
		prefix := word.FindString(spec.Names[0].Name)
		if named, ok := spec.Type.(*ast.Ident); ok {
			prefix = named.Name
		}
		out[prefix] = append(out[prefix], value)
		return true
	}
	for _, name := range []string{"report.go", "reasons.go", "gpu.go", "software.go", "measurement.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, inspect)
	}
	return out
}
