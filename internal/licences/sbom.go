package licences

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
)

// What CycloneDX 1.6 has for us: https://cyclonedx.org/docs/1.6/json/.
type (
	bom struct {
		Schema       string       `json:"$schema"`
		Format       string       `json:"bomFormat"`
		Spec         string       `json:"specVersion"`
		Serial       string       `json:"serialNumber,omitempty"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	metadata struct {
		Time      string    `json:"timestamp,omitempty"`
		Component component `json:"component"`
	}
	component struct {
		Type       string     `json:"type"`
		Ref        string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version,omitempty"`
		Licences   []licence  `json:"licenses,omitempty"`
		URL        string     `json:"purl"`
		Properties []property `json:"properties,omitempty"`
	}
	// A licence is one by its name, or an expression of several.
	licence struct {
		One        *named `json:"license,omitempty"`
		Expression string `json:"expression,omitempty"`
	}
	named struct {
		ID string `json:"id"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	dependency struct {
		Ref string   `json:"ref"`
		On  []string `json:"dependsOn,omitempty"`
	}
)

// told are the settings of a build that say what the program is. Others name folders of
// the machine that built it.
var told = []string{"-tags", "-trimpath", "CGO_ENABLED", "GOARCH", "GOOS", "vcs.modified", "vcs.revision"}

// WriteSBOM writes the bill of materials of the program that was built so, as CycloneDX
// in JSON. The same program has the same one, to the byte: its time is that of the
// commit, its serial number a hash of the rest.
func WriteSBOM(w io.Writer, info *debug.BuildInfo) error {
	parts := Of(info)
	main := parts[0].component("application")
	b := bom{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", Spec: "1.6", Version: 1,
		Metadata: metadata{Component: main},
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.time" {
			b.Metadata.Time = s.Value
		}
		if slices.Contains(told, s.Key) && s.Value != "" {
			b.Metadata.Component.Properties = append(b.Metadata.Component.Properties, property{"go:build:" + s.Key, s.Value})
		}
	}
	all := dependency{Ref: main.Ref}
	for _, p := range parts[1:] {
		c := p.component("library")
		for _, m := range info.Deps {
			if p.Kind == Go && m.Path == p.Name && m.Sum != "" {
				c.Properties = []property{{"go:sum", m.Sum}}
			}
		}
		b.Components = append(b.Components, c)
		all.On = append(all.On, c.Ref)
		b.Dependencies = append(b.Dependencies, dependency{Ref: c.Ref})
	}
	b.Dependencies = append([]dependency{all}, b.Dependencies...)
	unnumbered, err := json.Marshal(b)
	if err != nil {
		return err
	}
	b.Serial = "urn:uuid:" + uuid(unnumbered)
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(b)
}

func (p Part) component(kind string) component {
	c := component{Type: kind, Ref: p.URL(), Name: p.Name, URL: p.URL()}
	if p.released() {
		c.Version = p.Version
	}
	switch {
	case p.Licence == "":
	case strings.Contains(p.Licence, " "):
		c.Licences = []licence{{Expression: p.Licence}}
	default:
		c.Licences = []licence{{One: &named{p.Licence}}}
	}
	return c
}

// uuid is one of version 8, which is for numbers that a program makes in its own way.
func uuid(data []byte) string {
	h := sha256.Sum256(data)
	h[6] = h[6]&0x0f | 0x80
	h[8] = h[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16])
}
