package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const root = "../../.."

// build is the build information of a program, with replaced modules.
func build() *debug.BuildInfo {
	return &debug.BuildInfo{
		GoVersion: "go1.26.1",
		Path:      "github.com/gpudocs/gpudocs/cmd/gpudocs",
		Main:      debug.Module{Path: "github.com/gpudocs/gpudocs", Version: "v1.2.3+dirty"},
		Deps: []*debug.Module{
			{Path: "example.org/new", Version: "v0.1.0", Sum: "h1:x="},
			{Path: "github.com/yuin/goldmark", Version: "v9.0.0", Replace: &debug.Module{Path: "../goldmark"}},
			{Path: "golang.org/x/net", Version: "v0.1.0", Replace: &debug.Module{Path: "example.org/net", Version: "v0.2.0"}},
		},
		Settings: []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "-ldflags", Value: "-L/home/ana"}, {Key: "vcs.time", Value: "2026-11-01T10:00:00Z"}},
	}
}

// TestMaterials: the bill of materials has each part once, with its version, and nothing of the
// machine that built the program.
func TestMaterials(t *testing.T) {
	t.Parallel()
	npm, err := embedded(root)
	if err != nil {
		t.Fatal(err)
	}
	b := materials(build(), npm)
	if m := b.Metadata; m.Component.PackageURL != "pkg:golang/github.com/gpudocs/gpudocs@v1.2.3%2Bdirty" || m.Timestamp != "2026-11-01T10:00:00Z" {
		t.Errorf("%+v", m)
	}
	if d := cmp.Diff(&[]cyclonedx.Property{{Name: "go:build:GOOS", Value: "linux"}}, b.Metadata.Component.Properties); d != "" {
		t.Error(d)
	}
	var refs, modules []string
	for _, c := range *b.Components {
		if slices.Contains(refs, c.BOMRef) {
			t.Errorf("%s is listed twice", c.BOMRef)
		}
		refs = append(refs, c.BOMRef)
		if strings.HasPrefix(c.PackageURL, "pkg:golang/") {
			modules = append(modules, c.PackageURL)
		} else if c.Version == "" || c.Licenses == nil {
			t.Errorf("%+v", c)
		}
	}
	if d := cmp.Diff([]string{"pkg:golang/std@1.26.1", "pkg:golang/example.org/new@v0.1.0", "pkg:golang/github.com/yuin/goldmark@v9.0.0", "pkg:golang/golang.org/x/net@v0.2.0"}, modules); d != "" {
		t.Error(d)
	}
	for _, want := range []string{"pkg:npm/temml@", "pkg:npm/mermaid@", "pkg:npm/%40iconify/utils@"} {
		if !slices.ContainsFunc(refs, func(r string) bool { return strings.HasPrefix(r, want) }) {
			t.Errorf("%s is missing", want)
		}
	}
	if d := cmp.Diff(refs, *(*b.Dependencies)[0].Dependencies); d != "" {
		t.Error(d)
	}
}

// TestSchema validates the bill of materials of this test binary, which is the same twice.
func TestSchema(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var b, again bytes.Buffer
	if err := run(root, program, &b); err != nil {
		t.Fatal(err)
	}
	if err := run(root, program, &again); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("the same program has another bill of materials", err)
	}
	value, err := jsonschema.UnmarshalJSON(&b)
	if err != nil {
		t.Fatal(err)
	}
	if err := schema(t).Validate(value); err != nil {
		t.Error(err)
	}
}

// schema is the schema of CycloneDX 1.6, which comes with its Go library.
func schema(t *testing.T) *jsonschema.Schema {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/CycloneDX/cyclonedx-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	for name, file := range map[string]string{
		"http://cyclonedx.org/schema/bom-1.6.schema.json":  "bom-1.6.schema.json",
		"http://cyclonedx.org/schema/spdx.schema.json":     "spdx.schema.json",
		"http://cyclonedx.org/schema/jsf-0.82.schema.json": "jsf-0.82.schemax.json",
	} {
		data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "schema", file))
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource(name, value); err != nil {
			t.Fatal(err)
		}
	}
	s, err := c.Compile("http://cyclonedx.org/schema/bom-1.6.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}
