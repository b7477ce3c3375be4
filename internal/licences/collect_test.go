package licences

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write notices.txt")

// targets are the systems that gpudocs is released for, and the one whose program may be
// built with cgo, which has NVML.
var targets = []string{"linux/amd64/1", "linux/amd64/0", "linux/arm64/0", "darwin/amd64/0", "darwin/arm64/0", "windows/amd64/0", "windows/arm64/0"}

// accepted are the licences under which something may become a part of gpudocs, which is
// itself under Apache-2.0: those that ask for no more than their text. Another one is a
// decision: make it here.
var accepted = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "HPND", "ISC", "MIT"}

// TestNotices: notices.txt is what is linked and bundled now, no more and no less.
func TestNotices(t *testing.T) {
	t.Parallel()
	var sections []string
	for _, p := range collect(t) {
		if strings.Contains(p.Text, separator) {
			t.Errorf("%s: its text holds the line that stands between two", p.Name)
		}
		sections = append(sections, p.write())
	}
	want := strings.Join(sections, separator)
	if *update {
		if err := os.WriteFile("notices.txt", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(strings.Split(notices, "\n"), strings.Split(want, "\n")); d != "" {
		t.Errorf("notices.txt is not of what is linked now; run go test ./internal/licences -update (-is +wanted)\n%s", d)
	}
}

// TestAccepted: what a text says decides, not what a list says of it.
func TestAccepted(t *testing.T) {
	t.Parallel()
	parts := Known()
	if len(parts) < 70 || parts[0].Name != "github.com/gpudocs/gpudocs" {
		t.Fatal(len(parts), parts[0])
	}
	for _, p := range parts {
		if p.Licence == "" || p.Licence != classify(p.Text) {
			t.Errorf("%s: the licence is %q by its text, and notices.txt says %q", p.Name, classify(p.Text), p.Licence)
		}
		for id := range strings.SplitSeq(p.Licence, " AND ") {
			if !slices.Contains(accepted, id) {
				t.Errorf("%s: %s is no licence that may go into gpudocs", p.Name, id)
			}
		}
	}
}

// TestClassify makes sure that a licence that may not would be seen.
func TestClassify(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"Permission is hereby granted, free of charge,\n to any person obtaining a copy of it", "MIT"},
		{"// Apache License\n//   Version 2.0, January 2004", "Apache-2.0"},
		{"GNU LESSER GENERAL PUBLIC LICENSE, or the Apache License, Version 2.0", "Apache-2.0 AND GPL"},
		{"Redistributions of source code must retain it.", "BSD-2-Clause"},
		{"* Redistributions of source code must retain it. * Neither the name of X", "BSD-3-Clause"},
		{"Mozilla Public License Version 2.0", "MPL-2.0"},
		{"All rights reserved.", ""},
	} {
		if got := classify(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// classify says which licences a text gives, by the sentences that they alone have.
func classify(text string) string {
	text = strings.ToLower(regexp.MustCompile(`[\s/*#]+`).ReplaceAllString(text, " "))
	var out []string
	for _, l := range []struct{ id, says string }{
		{"Apache-2.0", `apache license,? version 2\.0`},
		{"BSD-2-Clause", `redistributions of source code must retain`},
		{"GPL", `gnu (lesser |affero )?general public license`},
		{"HPND", `permission to use, copy, modify, and distribute this software and its documentation for any purpose and without fee`},
		{"ISC", `permission to use, copy, modify,( and distribute| and or distribute) this software for any purpose with or without fee`},
		{"MIT", `permission is hereby granted, free of charge, to any person obtaining a copy`},
		{"MPL-2.0", `mozilla public license`},
	} {
		if !regexp.MustCompile(l.says).MatchString(text) {
			continue
		}
		if l.id == "BSD-2-Clause" && regexp.MustCompile(`neither the names? `).MatchString(text) {
			l.id = "BSD-3-Clause"
		}
		out = append(out, l.id)
	}
	return strings.Join(out, " AND ")
}

// collect finds all parts anew, gpudocs itself first.
func collect(t *testing.T) []Part {
	own := Part{Kind: Go, Name: "github.com/gpudocs/gpudocs", Text: read(t, "../../LICENSE")}
	golang := Part{Kind: Go, Name: std, Text: goText(t)}
	parts := slices.Concat(modules(t), bundled(t), []Part{golang})
	slices.SortFunc(parts, func(a, b Part) int { return strings.Compare(a.Name+" "+a.Version, b.Name+" "+b.Version) })
	parts = append([]Part{own}, parts...)
	for i := range parts {
		parts[i].Text = strings.TrimSpace(strings.ReplaceAll(parts[i].Text, "\r\n", "\n")) + "\n"
		parts[i].Licence = classify(parts[i].Text)
	}
	return parts
}

// goText is the licence of Go. A Go of a Linux distribution has it elsewhere: then the
// one that we have is taken.
func goText(t *testing.T) string {
	data, err := os.ReadFile(filepath.Join(runtime.GOROOT(), "LICENSE"))
	if errors.Is(err, fs.ErrNotExist) {
		return Find(Known(), std)[0].Text
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// modules are those that gpudocs is linked with, on any system.
func modules(t *testing.T) (out []Part) {
	type module struct{ Path, Version, Dir string }
	folders := map[module]map[string]bool{} // where a licence of what is linked may lie
	var mu sync.Mutex
	var work sync.WaitGroup
	for _, target := range targets {
		work.Go(func() {
			s := strings.Split(target, "/")
			c := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=Dir,Module,Standard", "../../cmd/gpudocs")
			c.Env = append(os.Environ(), "GOOS="+s[0], "GOARCH="+s[1], "CGO_ENABLED="+s[2])
			c.Stderr = os.Stderr
			list, err := c.Output()
			if err != nil {
				t.Errorf("%s: %v", target, err)
			}
			mu.Lock()
			defer mu.Unlock()
			for d := json.NewDecoder(bytes.NewReader(list)); ; {
				var p struct {
					Dir    string
					Module *struct {
						module
						Main bool
					}
				}
				if err := d.Decode(&p); err == io.EOF {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				if p.Module == nil || p.Module.Main {
					continue
				}
				m := p.Module.module
				if folders[m] == nil {
					folders[m] = map[string]bool{}
				}
				for dir := p.Dir; len(dir) >= len(m.Dir); dir = filepath.Dir(dir) {
					folders[m][dir] = true
				}
				if path.Base(filepath.Dir(p.Dir)) == "gofont" { // whose licence lies beside the fonts
					folders[m][filepath.Join(p.Dir, "../ttfs")] = true
				}
			}
		})
	}
	work.Wait()
	for m, dirs := range folders {
		out = append(out, Part{Kind: Go, Name: m.Path, Version: m.Version, Text: texts(t, m.Dir, slices.Sorted(maps.Keys(dirs)))})
	}
	return out
}

// legal are the files that hold a licence, or what one asks to pass on.
var legal = regexp.MustCompile(`(?i)^(un)?licen[cs]e|^copying|^copyright|^notice`)

// texts are those of all licence files of the folders, the module's own first.
func texts(t *testing.T, module string, dirs []string) string {
	var out []string
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			fonts := filepath.Base(dir) == "ttfs" && e.Name() == "README"
			if e.IsDir() || !legal.MatchString(e.Name()) && !fonts || filepath.Ext(e.Name()) == ".go" {
				continue
			}
			text := strings.TrimSpace(read(t, filepath.Join(dir, e.Name()))) + "\n"
			if classify(text) == "" && !strings.HasPrefix(strings.ToLower(e.Name()), "notice") {
				t.Errorf("%s is of no licence that this test knows", filepath.Join(dir, e.Name()))
			}
			if dir != module {
				rel, err := filepath.Rel(module, filepath.Join(dir, e.Name()))
				if err != nil {
					t.Fatal(err)
				}
				text = filepath.ToSlash(rel) + ":\n\n" + text
			}
			out = append(out, text)
		}
	}
	if len(out) == 0 {
		t.Errorf("%s has no licence file", module)
	}
	return strings.Join(out, "\n")
}

// versionOf is how an engine says which version it runs: "temml 0.13.5, 2".
var versionOf = regexp.MustCompile(`const version = "(\S+) (\S+),`)

// bundled are the packages of npm that are embedded.
func bundled(t *testing.T) (out []Part) {
	temml := versionOf.FindStringSubmatch(read(t, "../tex/tex.go"))
	out = append(out, Part{Kind: NPM, Name: temml[1], Version: temml[2], Text: read(t, "../tex/temml/LICENSE")})
	head := regexp.MustCompile(`^(\S+) (\S+): (\S+)\n\n`)
	mermaid := versionOf.FindStringSubmatch(read(t, "../diagram/engine.go"))
	found := false
	for section := range strings.SplitSeq(read(t, "../diagram/mermaid/LICENSES"), separator) {
		m := head.FindStringSubmatch(section)
		if m == nil {
			t.Fatalf("internal/diagram/mermaid/LICENSES: no head in %.60q", section)
		}
		p := Part{Kind: NPM, Name: m[1], Version: m[2], Text: section[len(m[0]):]}
		if is := classify(p.Text); !slices.Contains(strings.Split(is, " AND "), m[3]) {
			t.Errorf("%s says that its licence is %s, and its text is that of %q", p.Name, m[3], is)
		}
		found = found || p.Name == mermaid[1] && p.Version == mermaid[2]
		out = append(out, p)
	}
	if !found {
		t.Errorf("internal/diagram/mermaid/LICENSES has no %s", mermaid[0])
	}
	return out
}

func read(t *testing.T, name string) string {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
