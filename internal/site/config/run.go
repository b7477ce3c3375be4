package config

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/recipe"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// recipeFile is a table [run.NAME] of gpudocs.toml. What it does not set stays as the built-in recipe
// of that name has it.
type recipeFile struct {
	Languages []string `toml:"languages" doc:"Words after a fence that choose the recipe. Default: its name."`
	File      *string  `toml:"file" doc:"Name of the file that the code is written to: {name}.hip."`
	Build     *string  `toml:"build" doc:"Command that builds it."`
	Run       *string  `toml:"run" doc:"Command that runs it."`
	Version   *string  `toml:"version" doc:"Command that prints the version of the tool."`
	Flags     *string  `toml:"flags" doc:"Default of {flags}."`
	Needs     *string  `toml:"needs" doc:"What the recipe needs of a machine."`
}

// reservedLanguages are the words after a fence that recipes cannot have: they mean something else.
var reservedLanguages = []string{"bash", "sh", "shell", "python", "py", "python3", "pycon", "gpu", "mermaid", "text"}

// recipes reads the recipes of the site. One with a faulty command is among them, so that its blocks
// are no faults too, but not one whose name or languages are not its own.
func (c *checker) recipes(files map[string]recipeFile) recipe.Table {
	var table recipe.Table
	for _, name := range slices.Sorted(maps.Keys(files)) {
		r, known := c.recipe(name, files[name])
		before := c.faults
		if !known && (!report.ValidKind(name) || slices.Contains(report.Kinds, name)) {
			c.fault(`run\s*\.`, name, diag.Say("config.recipe-name-invalid", "name", name))
			continue
		}
		for _, language := range r.Languages {
			if slices.Contains(reservedLanguages, language) {
				c.fault(languageKey(name, files[name]), language, diag.Say("config.recipe-language-reserved", "language", language))
			} else if other := recipe.For(table, language); other != nil && other.Name != name {
				c.fault(languageKey(name, files[name]), language, diag.Say("config.recipe-language-taken", "language", language, "name", other.Name))
			}
		}
		if c.faults == before {
			if table == nil {
				table = recipe.Table{}
			}
			table[name] = &r
		}
	}
	return table
}

// languageKey returns what is before a language in the file: if the recipe sets none, its name is
// one.
func languageKey(name string, file recipeFile) string {
	if len(file.Languages) == 0 {
		return `run\s*\.`
	}
	return `run\s*\.\s*["']?` + regexp.QuoteMeta(name) + `\b(?s:.*?)\blanguages\s*=[^\]]*`
}

// recipe reads a recipe, and reports whether it is a built-in one.
func (c *checker) recipe(name string, file recipeFile) (r recipe.Recipe, known bool) {
	if r, known = recipe.Builtin(name); !known {
		r = recipe.Recipe{Name: name, Languages: []string{name}, File: "{name}." + name}
	}
	r.Custom = true
	if len(file.Languages) > 0 {
		r.Languages = nil
		for _, l := range file.Languages {
			r.Languages = append(r.Languages, strings.ToLower(l))
		}
	}
	for _, field := range []struct {
		key   string
		value *string
		to    *string
	}{{"file", file.File, &r.File}, {"build", file.Build, &r.Build}, {"run", file.Run, &r.Run}, {"version", file.Version, &r.Version},
		{"flags", file.Flags, &r.Flags}} {
		if field.value == nil {
			continue
		}
		*field.to = *field.value
		if mark := recipe.Unknown(*field.value); mark != "" {
			c.fault(field.key+`\s*=`, *field.value, diag.Say("config.recipe-placeholder-unknown", "mark", mark,
				"known", strings.Join(recipe.Placeholders, ", ")))
		}
	}
	base := strings.ReplaceAll(r.File, "{name}", recipe.Main)
	if base == "" || base == "." || base == ".." || strings.ContainsAny(base, `/\{}`) || strings.ContainsFunc(base, unicode.IsControl) {
		c.fault(`file\s*=`, r.File, diag.Say("config.recipe-file-invalid", "file", r.File, "example", `file = "{name}.cu"`))
	}
	if strings.TrimSpace(r.Build) == "" && strings.TrimSpace(r.Run) == "" {
		c.fault(`run\s*\.`, name, diag.Say("config.recipe-empty", "name", name, "build", `build = "cc -o {name} {file} {flags}"`,
			"run", `run = "./{name}"`))
	}
	if file.Needs != nil {
		var d site.Defaults
		if message := d.Set("needs", *file.Needs); !message.IsZero() {
			c.fault(`needs\s*=`, *file.Needs, message)
		}
		r.Needs = d.Needs
	}
	return r, known
}
