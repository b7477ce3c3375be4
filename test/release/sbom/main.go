// Command sbom prints the bill of materials of a gpudocs program as CycloneDX in JSON:
// the modules of Go that are linked into it, Go's own packages, and the packages of npm
// that are embedded in it. The output depends on the program and the repository only.
//
//	sbom REPOSITORY PROGRAM
//
// .goreleaser.yaml calls it for each program of a release.
package main

import (
	"cmp"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: sbom REPOSITORY PROGRAM")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(repository, program string, w io.Writer) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	embedded, err := embedded(repository)
	if err != nil {
		return err
	}
	return cyclonedx.NewBOMEncoder(w, cyclonedx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(materials(info, embedded),
		cyclonedx.SpecVersion1_6)
}

// materials returns the bill of materials of a program.
func materials(info *debug.BuildInfo, embedded []cyclonedx.Component) *cyclonedx.BOM {
	program := component("golang", info.Main.Path, info.Main.Version)
	program.Type = cyclonedx.ComponentTypeApplication
	program.Properties = settings(info)

	parts := []cyclonedx.Component{component("golang", "std", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, m := range info.Deps {
		part := component("golang", m.Path, m.Version)
		if m.Replace != nil {
			part = component("golang", m.Path, cmp.Or(m.Replace.Version, m.Version))
		}
		if m.Sum != "" {
			part.Properties = &[]cyclonedx.Property{{Name: "go:sum", Value: m.Sum}}
		}
		parts = append(parts, part)
	}
	parts = append(parts, embedded...)

	var refs []string
	for _, p := range parts {
		refs = append(refs, p.BOMRef)
	}
	b := cyclonedx.NewBOM()
	b.Metadata = &cyclonedx.Metadata{Timestamp: setting(info, "vcs.time"), Component: &program}
	b.Components = &parts
	b.Dependencies = &[]cyclonedx.Dependency{{Ref: program.BOMRef, Dependencies: &refs}}
	return b
}

// component returns a part of the program with its package URL:
// https://github.com/package-url/purl-spec.
func component(kind, name, version string) cyclonedx.Component {
	url := "pkg:" + kind + "/" + strings.ReplaceAll(name, "@", "%40")
	if strings.HasPrefix(version, "(") { // Go's "(devel)"
		version = ""
	}
	if version != "" {
		url += "@" + strings.ReplaceAll(version, "+", "%2B")
	}
	return cyclonedx.Component{Type: cyclonedx.ComponentTypeLibrary, BOMRef: url, Name: name, Version: version, PackageURL: url}
}

// settings returns the settings of the build that distinguish programs. Others name folders of the
// machine that built it.
func settings(info *debug.BuildInfo) *[]cyclonedx.Property {
	var list []cyclonedx.Property
	for _, key := range []string{"-tags", "-trimpath", "CGO_ENABLED", "GOARCH", "GOOS", "vcs.modified", "vcs.revision"} {
		if value := setting(info, key); value != "" {
			list = append(list, cyclonedx.Property{Name: "go:build:" + key, Value: value})
		}
	}
	return &list
}

func setting(info *debug.BuildInfo, key string) string {
	i := slices.IndexFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == key })
	if i < 0 {
		return ""
	}
	return info.Settings[i].Value
}

var (
	// packageLine begins the licence of each package in Mermaid's LICENSES.
	packageLine = regexp.MustCompile(`(?m)^(\S+) (\d\S*): (\S+)$`)
	// versionLine matches the version of the engine in internal/render/tex and internal/render/diagram.
	versionLine = regexp.MustCompile(`const version = "(\S+) (\S+),`)
)

// embedded returns the packages of npm in the program: Temml, Mermaid and the packages that Mermaid
// is bundled with.
func embedded(repository string) ([]cyclonedx.Component, error) {
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(repository, name))
		if err != nil {
			return ""
		}
		return string(data)
	}
	temml := versionLine.FindStringSubmatch(read("internal/render/tex/tex.go"))
	mermaid := versionLine.FindStringSubmatch(read("internal/render/diagram/engine.go"))
	if temml == nil || mermaid == nil {
		return nil, errors.New("internal/render/tex/tex.go or internal/render/diagram/engine.go names no version of its engine")
	}
	list := []cyclonedx.Component{licensed(temml[1], temml[2], "MIT")}
	found := false
	for _, m := range packageLine.FindAllStringSubmatch(read("internal/render/diagram/mermaid/LICENSES"), -1) {
		list = append(list, licensed(m[1], m[2], m[3]))
		found = found || m[1] == mermaid[1] && m[2] == mermaid[2]
	}
	if !found {
		return nil, fmt.Errorf("internal/render/diagram/mermaid/LICENSES has no %s %s", mermaid[1], mermaid[2])
	}
	return list, nil
}

func licensed(name, version, licence string) cyclonedx.Component {
	c := component("npm", name, version)
	c.Licenses = &cyclonedx.Licenses{{License: &cyclonedx.License{ID: licence}}}
	return c
}
