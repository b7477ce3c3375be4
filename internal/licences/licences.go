// Package licences says what a gpudocs program is made of: modules of Go, Go itself, and
// the packages of npm that are embedded in it; of which version, under which licence, with
// the full texts. Licences ask that their texts come with every copy, so they lie in the
// program itself, in notices.txt.
//
// notices.txt is made by a command,
//
//	go test ./internal/licences -update
//
// from what the program imports on all systems it is released for: the licence files of
// each module, and those beside the packages of it that are linked. The same test, without
// -update, holds that the file is what the command would write, that every licence is known
// by its text and not by its name, and that it is one of those that may go into gpudocs.
// After a change of a dependency, or of what is bundled in internal/tex and
// internal/diagram, run it and look at the difference.
//
// Which of these parts are in a program, and of which version, the program knows better:
// Go writes it into each. [Of] puts both together; [WriteSBOM] writes it for other
// programs, as CycloneDX.
package licences

import (
	"cmp"
	_ "embed"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
)

//go:embed notices.txt
var notices string

// Kinds of parts, by the names that package URLs have for them.
const (
	Go  = "golang"
	NPM = "npm"
)

// std is the name of Go's own packages, which every program has.
const std = "std"

// separator stands between two parts in notices.txt.
const separator = "\n------------------------------------------------------------------------\n\n"

// A Part is something of which a program is made.
type Part struct {
	Kind, Name string
	// Version is as the part's own world writes it: v1.2.3, 1.2.3, go1.2.3. It may be
	// empty, of a program that nobody has released.
	Version string
	// Licence is an SPDX expression, or empty where it is not known.
	Licence string
	Text    string
}

// Known are the parts of notices.txt: gpudocs, then all others by name.
func Known() (list []Part) {
	for section := range strings.SplitSeq(notices, separator) {
		head, text, _ := strings.Cut(section, "\n\n")
		name, licence, _ := strings.Cut(head, ": ")
		words := strings.Fields(name)
		p := Part{Kind: words[0], Name: words[1], Licence: licence, Text: text}
		if len(words) > 2 {
			p.Version = words[2]
		}
		list = append(list, p)
	}
	return list
}

// write is a part as it stands in notices.txt.
func (p Part) write() string {
	head := strings.TrimRight(p.Kind+" "+p.Name+" "+p.Version, " ")
	return head + ": " + p.Licence + "\n\n" + p.Text
}

// Of are the parts of the program that was built so: itself first, then Go, its modules,
// and what is embedded. A module without a known licence has none.
func Of(info *debug.BuildInfo) []Part {
	linked := map[string]string{info.Main.Path: info.Main.Version, std: info.GoVersion}
	for _, m := range info.Deps {
		linked[m.Path] = m.Version
		if m.Replace != nil {
			linked[m.Path] = cmp.Or(m.Replace.Version, m.Version)
		}
	}
	var out []Part
	for _, p := range Known() {
		if p.Kind == Go {
			version, ok := linked[p.Name]
			if !ok {
				continue
			}
			p.Version = version
			delete(linked, p.Name)
		}
		out = append(out, p)
	}
	for name, version := range linked {
		out = append(out, Part{Kind: Go, Name: name, Version: version})
	}
	slices.SortFunc(out, func(a, b Part) int {
		return cmp.Or(a.rank(info)-b.rank(info), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version))
	})
	return out
}

// rank is the part's place in a list: the program, Go, modules, what is embedded.
func (p Part) rank(info *debug.BuildInfo) int {
	switch {
	case p.Name == info.Main.Path:
		return 0
	case p.Name == std:
		return 1
	case p.Kind == Go:
		return 2
	}
	return 3
}

// released tells whether the version is one, and not a word of Go for none.
func (p Part) released() bool { return p.Version != "" && !strings.HasPrefix(p.Version, "(") }

// Find are the parts of that name: all of it, or its last elements.
func Find(parts []Part, name string) (out []Part) {
	for _, p := range parts {
		if p.Name == name || strings.HasSuffix(unversioned(p.Name), "/"+unversioned(name)) {
			out = append(out, p)
		}
	}
	return out
}

// unversioned is the path of a module without the major version at its end.
func unversioned(name string) string {
	before, last, ok := cutLast(name, "/")
	if ok && len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		return before
	}
	return name
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// URL names the part among all software: https://github.com/package-url/purl-spec.
func (p Part) URL() string {
	version := p.Version
	if p.Name == std {
		version = strings.TrimPrefix(version, "go")
	}
	url := fmt.Sprintf("pkg:%s/%s", p.Kind, strings.ReplaceAll(p.Name, "@", "%40"))
	if !p.released() {
		return url
	}
	return url + "@" + strings.ReplaceAll(version, "+", "%2B")
}
