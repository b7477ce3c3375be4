package docs

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/pelletier/go-toml/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gpudocs/gpudocs/internal/cli/sitecmd"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

var update = flag.Bool("update", false, "write the JSON Schemas and their pages anew")

// schemas are the files of the JSON Schemas by the name of their command.
var schemas = map[string]string{"config": "gpudocs.schema.json", "page": "frontmatter.schema.json", "theme": "theme.schema.json"}

func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(sitecmd.Schemas[name]()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// invalid returns what a schema says of a value that was decoded from TOML or YAML.
func invalid(t *testing.T, s *jsonschema.Schema, value any) error {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

func TestSchemaFiles(t *testing.T) {
	for name, file := range schemas {
		file = filepath.Join("..", "..", "docs", file)
		want := sitecmd.Schemas[name]()
		if *update {
			if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what gpudocs schema %s prints: go test ./test/docs -run TestSchemaFiles -update (%v)", file, name, err)
		}
		var s map[string]any
		if err := json.Unmarshal(want, &s); err != nil {
			t.Fatal(err)
		}
		undocumented(t, name, s)
	}
}

// TestKeys: docs/content/en/keys.md lists what the schemas say. -update writes it.
func TestKeys(t *testing.T) {
	const file = "../../docs/content/en/keys.md"
	var b strings.Builder
	b.WriteString(`---
group: reference
weight: 4
---

# Keys

This page lists every key of ` + "`gpudocs.toml`" + `, of the front matter of pages, and of themes, as the [JSON Schemas](configuration.md#in-an-editor) have
them. It is made from the program: do not edit it. NAME is a name of yours, and [] an entry of a list.
`)
	for _, s := range [][]string{{"config", "gpudocs.toml", "[Configuration](configuration.md) explains them."},
		{"page", "Front matter", "The [reference](reference.md#front-matter) explains them."}, {"theme", "theme.toml", "[Themes](themes.md) explains them."}} {
		var schema map[string]any
		if err := json.Unmarshal(sitecmd.Schemas[s[0]](), &schema); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| key | value | meaning |\n|---|---|---|\n", s[1], s[2])
		keyRows(&b, "", schema)
	}
	got, err := os.ReadFile(file)
	if *update {
		got, err = []byte(b.String()), os.WriteFile(file, []byte(b.String()), 0o644)
	}
	if err != nil || string(got) != b.String() {
		t.Errorf("%s is not what the schemas say: go test ./test/docs -run TestKeys -update (%v)", file, err)
	}
}

// keyRows writes a row for each key below at.
func keyRows(b *strings.Builder, at string, schema map[string]any) {
	properties, _ := schema["properties"].(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		p := properties[key].(map[string]any)
		fmt.Fprintf(b, "| `%s%s` | %s | %s |\n", at, key, kind(p), p["description"])
		keyRows(b, at+key+".", p)
		for below, mark := range map[string]string{"items": "[].", "additionalProperties": ".NAME."} {
			if s, ok := p[below].(map[string]any); ok {
				keyRows(b, at+key+mark, s)
			}
		}
	}
}

// kind returns what a value can be, in words.
func kind(schema map[string]any) string {
	var kinds []string
	if of, _ := schema["type"].(string); of != "" {
		kinds = append(kinds, cmp.Or(map[string]string{"boolean": "true or false", "object": "table", "array": "list", "string": "text", "integer": "number"}[of], of))
	}
	if values, _ := schema["enum"].([]any); len(values) > 0 {
		kinds = nil
		for _, v := range values {
			kinds = append(kinds, fmt.Sprintf("`%v`", v))
		}
	}
	forms, _ := schema["anyOf"].([]any)
	for _, s := range forms {
		kinds = append(kinds, kind(s.(map[string]any)))
	}
	return strings.Join(kinds, " or ")
}

// undocumented reports the keys without documentation.
func undocumented(t *testing.T, at string, schema map[string]any) {
	t.Helper()
	properties, _ := schema["properties"].(map[string]any)
	for key, p := range properties {
		p := p.(map[string]any)
		if at := at + "." + key; p["description"] == nil {
			t.Error(at, "has no documentation")
		} else {
			undocumented(t, at, p)
		}
	}
	for _, below := range []string{"items", "additionalProperties"} {
		if s, ok := schema[below].(map[string]any); ok {
			undocumented(t, at, s)
		}
	}
}

// TestSchemasAcceptOurFiles: the files of this repository, and those that commands write, are valid.
func TestSchemasAcceptOurFiles(t *testing.T) {
	config, page, theme := compiled(t, "config"), compiled(t, "page"), compiled(t, "theme")
	count := map[string]int{}
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && (d.Name() == ".git" || d.Name() == "node_modules" || d.Name() == "dialects" || d.Name() == "text") {
				return fs.SkipDir
			}
			return err
		}
		of := map[string]*jsonschema.Schema{"gpudocs.toml": config, "theme.toml": theme}[d.Name()]
		isPage := strings.HasSuffix(name, ".md") && strings.Contains(name, "/content/")
		if of == nil && !isPage {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var value map[string]any
		if start, stop, _, ok, open := frontmatter.Split(data); isPage && ok && !open {
			of, err = page, yaml.Unmarshal(data[start:stop], &value)
		} else if !isPage {
			err = toml.Unmarshal(data, &value)
		}
		if of == nil || err != nil {
			return err
		}
		count[of.Location]++
		if err := invalid(t, of, value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return nil
	})
	if err != nil || len(count) != 3 || count[page.Location] < 20 {
		t.Error(count, err)
	}
}

func TestSchemasReject(t *testing.T) {
	for _, c := range []struct{ schema, toml string }{
		{"config", "titel = 'x'"}, {"config", "title = 1"}, {"config", "[languages.pt]\nnam = 'x'"}, {"config", "[markdown]\ndialects = ['word']"},
		{"config", "[[nav.groups]]\nlabel = 3"}, {"config", "[publish]\nsearch = 'no'"}, {"config", "[env.x]\npyton = 'x'"},
		{"page", "weight = 'x'"}, {"page", "prev = {pag = 'x'}"}, {"page", "[blocks]\nsesion = 'x'"}, {"page", "tags = 3"},
		{"theme", "colors = {}"}, {"theme", "[colours.light]\naccent = 3"},
	} {
		var value map[string]any
		if err := toml.Unmarshal([]byte(c.toml), &value); err != nil {
			t.Fatal(err)
		}
		if invalid(t, compiled(t, c.schema), value) == nil {
			t.Errorf("%s accepts %s", c.schema, c.toml)
		}
	}
}

// TestSchemaOfPages: the parser knows the keys of the schema, and no other. Those of TOML are read into what the schema is made of.
func TestSchemaOfPages(t *testing.T) {
	var s struct {
		Properties map[string]struct{ Properties map[string]any }
	}
	if err := json.Unmarshal(sitecmd.Schemas["page"](), &s); err != nil {
		t.Fatal(err)
	}
	lines := ""
	for key, p := range s.Properties {
		if key == "blocks" {
			lines += "blocks:\n"
			for key := range p.Properties {
				lines += "  " + key + ":\n"
			}
			continue
		}
		lines += key + ":\n"
	}
	if _, got := sitetest.Load(t, map[string]string{"content/pt/p.md": "---\n" + lines + "---\n"}); strings.Contains(got, "unknown") || strings.Contains(got, "not a key") {
		t.Error(got)
	}
	source, err := os.ReadFile("../../internal/site/frontmatter/frontmatter.go")
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(source), "func (r *reader) value(")
	body, _, _ = strings.Cut(body, "\n}\n")
	for line := range strings.Lines(body) {
		key, ok := strings.CutPrefix(strings.TrimSpace(line), `case "`)
		key, _, _ = strings.Cut(key, `"`)
		if _, known := s.Properties[key]; ok && !known {
			t.Errorf("the schema lacks %s", key)
		}
	}
	var config struct {
		Properties struct {
			Markdown struct {
				Properties struct {
					Dialects struct{ Items struct{ Enum []string } }
				}
			}
		}
	}
	if err := json.Unmarshal(sitecmd.Schemas["config"](), &config); err != nil || !slices.Equal(config.Properties.Markdown.Properties.Dialects.Items.Enum, markdown.DialectNames()) {
		t.Error("the dialects of the schema:", config, err)
	}
}
