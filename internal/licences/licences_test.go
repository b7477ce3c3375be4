package licences

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// a build as Go describes it: with a module that is replaced, one that nobody knows, and
// without most of those that are known.
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
		Settings: []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "vcs.time", Value: "2026-11-01T10:00:00Z"}},
	}
}

func TestOf(t *testing.T) {
	t.Parallel()
	var got []string
	for _, p := range Of(build()) {
		if p.Kind == Go {
			got = append(got, p.URL()+" "+p.Licence)
		}
		if p.Kind == NPM && (p.Version == "" || p.Text == "") {
			t.Errorf("%s has no version or no text", p.Name)
		}
	}
	want := []string{
		"pkg:golang/github.com/gpudocs/gpudocs@v1.2.3%2Bdirty Apache-2.0",
		"pkg:golang/std@1.26.1 BSD-3-Clause",
		"pkg:golang/example.org/new@v0.1.0 ",
		"pkg:golang/github.com/yuin/goldmark@v9.0.0 MIT",
		"pkg:golang/golang.org/x/net@v0.2.0 BSD-3-Clause",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, want string }{
		{"chroma", "github.com/alecthomas/chroma/v2"},
		{"chroma/v2", "github.com/alecthomas/chroma/v2"},
		{"x/net", "golang.org/x/net"},
		{"d3-path", "d3-path d3-path"}, // two versions
		{"utils", "@iconify/utils"},
		{"std", "std"},
		{"hroma", ""},
		{"", ""},
	} {
		var got []string
		for _, p := range Find(Known(), c.name) {
			got = append(got, p.Name)
		}
		if d := cmp.Diff(strings.Fields(c.want), got); c.want+strings.Join(got, "") != "" && d != "" {
			t.Errorf("%s\n%s", c.name, d)
		}
	}
}

// TestSBOM holds the bill of materials against the schema of CycloneDX, and against what
// CycloneDX's own reader finds in it.
func TestSBOM(t *testing.T) {
	t.Parallel()
	var b, again bytes.Buffer
	if err := WriteSBOM(&b, build()); err != nil {
		t.Fatal(err)
	}
	if err := WriteSBOM(&again, build()); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("another one of the same program", err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema(t).Validate(value); err != nil {
		t.Error(err)
	}
	read := new(cyclonedx.BOM)
	if err := cyclonedx.NewBOMDecoder(&b, cyclonedx.BOMFileFormatJSON).Decode(read); err != nil {
		t.Fatal(err)
	}
	refs := map[string]bool{}
	for _, c := range *read.Components {
		if refs[c.BOMRef] {
			t.Errorf("%s is there twice", c.BOMRef)
		}
		refs[c.BOMRef] = true
	}
	for _, ref := range *(*read.Dependencies)[0].Dependencies {
		if !refs[ref] {
			t.Errorf("%s is no component", ref)
		}
	}
	if m := read.Metadata; m.Component.Version != "v1.2.3+dirty" || m.Timestamp != "2026-11-01T10:00:00Z" || len(refs) != len(Of(build()))-1 {
		t.Error(m.Component, m.Timestamp, len(refs))
	}
	other := build()
	other.GoVersion = "go1.26.2"
	again.Reset()
	if err := WriteSBOM(&again, other); err != nil || strings.Contains(again.String(), read.SerialNumber) {
		t.Error("the same number for another program", err)
	}
}

// schema is that of CycloneDX 1.6, which comes with its library for Go.
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
		data := read(t, filepath.Join(strings.TrimSpace(string(out)), "schema", file))
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(data))
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
