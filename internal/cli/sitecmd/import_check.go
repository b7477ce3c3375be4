package sitecmd

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/markdown/importer"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// An importSurvey is the document of import --check --json; docs/content/en/import.md
// describes it.
type importSurvey struct {
	Schema    int    `json:"schema"`
	Generator string `json:"generator"`
	// Dialects are what gpudocs.toml needs, so that the pages are read as they are.
	Dialects []string       `json:"dialects"`
	Files    []surveyedFile `json:"files"`
	// Findings name what is not understood, and notebooks that cannot be read.
	Findings diag.List `json:"findings"`
}

type surveyedFile struct {
	File     string             `json:"file"`
	Dialects []string           `json:"dialects"`
	Features []dialects.Feature `json:"features"`
}

// importCheck prints which dialects and features files use.
func importCheck(a *env.Env, f *importFlags, args []string) error {
	if len(args) == 0 {
		args = []string{filepath.Join(a.Site, "content")}
	}
	doc := importSurvey{Schema: 1, Generator: project.Generator(), Files: []surveyedFile{}}
	var all markdown.Dialect
	for _, arg := range args {
		t, err := openTree(arg)
		if err != nil {
			return err
		}
		for _, name := range t.pages {
			data, err := t.read(name)
			if err != nil {
				return err
			}
			s := importer.Survey(name, data)
			t.place(s.Unknown)
			doc.Findings.Add(s.Unknown...)
			all |= s.Dialects()
			doc.Files = append(doc.Files, surveyedFile{
				File:     filepath.ToSlash(filepath.Join(t.root, filepath.FromSlash(name))),
				Dialects: names(s.Dialects()),
				Features: append([]dialects.Feature{}, s.Features...),
			})
		}
	}
	if len(doc.Files) == 0 {
		return noPage(args)
	}
	doc.Dialects, doc.Findings = names(all), append(diag.List{}, doc.Findings.Sorted()...)
	if err := printSurvey(a, f, doc); err != nil {
		return err
	}
	switch {
	case doc.Findings.HasErrors():
		return exit.Code(exit.Usage)
	case f.strict && len(doc.Findings) > 0:
		return exit.Code(exit.Failed)
	}
	return nil
}

// names lists dialects.
func names(d markdown.Dialect) []string {
	list := []string{}
	for _, n := range markdown.DialectNames() {
		if one, _ := markdown.ParseDialect(n); d.Has(one) {
			list = append(list, n)
		}
	}
	return list
}

// printSurvey prints what was found.
func printSurvey(a *env.Env, f *importFlags, doc importSurvey) error {
	if f.json {
		return env.WriteJSON(a.Stdout, doc)
	}
	a.Print(doc.Findings)
	toImport := 0
	for _, file := range doc.Files {
		line, imports := featureLine(a.Text, file.Features)
		if imports {
			toImport++
		}
		if line == "" {
			line = a.Text.Get("import_plain")
		}
		a.Println(file.File + ": " + line)
	}
	fmt.Fprintln(a.Stdout)
	files, places := a.Text.Count("files", len(doc.Files)), a.Text.Count("places", len(doc.Findings))
	a.Println(a.Text.Get("import_looked", "files", files, "n", strconv.Itoa(toImport), "places", places))
	if len(doc.Dialects) > 0 {
		fmt.Fprintf(a.Stdout, "\n%s\n\n[markdown]\ndialects = [\"%s\"]\n", a.Text.Get("import_dialects"), strings.Join(doc.Dialects, `", "`))
	}
	return nil
}

// featureLine lists the features of a file by dialect: "d2l: 4 :label: (line 2), 3 :numref: (line 9)". imports is
// set if the file needs an import.
func featureLine(t text.Catalog, features []dialects.Feature) (line string, imports bool) {
	var parts []string
	for _, dialect := range append([]string{"import", "gpudocs"}, markdown.DialectNames()...) {
		var of []string
		strong := false
		for _, f := range features {
			if f.Dialect != dialect {
				continue
			}
			strong = strong || !f.Weak
			place := diag.Say("diag.at-line", "line", f.Line)
			if f.Cell > 0 {
				place = diag.Say("diag.at-line-of-cell", "line", f.Line, "cell", f.Cell)
			}
			of = append(of, fmt.Sprintf("%d %s (%s)", f.Count, f.Name, t.Say(place)))
		}
		if len(of) == 0 {
			continue
		}
		imports = imports || dialect == "import"
		name := dialect
		if !strong {
			name = t.Get("import_perhaps", "dialect", dialect)
		}
		parts = append(parts, name+": "+strings.Join(of, ", "))
	}
	return strings.Join(parts, "; "), imports
}
