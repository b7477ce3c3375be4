// Package recipe knows how blocks of a language are built and run: the name of the file for their
// source, and the commands of a shell.
//
// [For] finds the recipe of a language among the recipes of a site and the built-in ones
// (builtin.go). A recipe only describes; package verify runs its commands.
package recipe

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report/ask"
)

// A Recipe determines how blocks of a language run. Build, Run and Version are commands of bash, in
// which [Placeholders] are replaced.
type Recipe struct {
	// Name is the kind of the blocks in reports.
	Name string
	// Languages are the words after a fence that select the recipe, in lower case.
	Languages []string
	// File is the name of the file that the source is written to: "{name}.cu".
	File string
	// Build makes the program, and Run runs it. One of them may be empty.
	Build, Run string
	// Version prints the version of the compiler or interpreter.
	Version string
	// Flags replace {flags} unless a block has its own.
	Flags string
	// Needs are the requirements of Run. Without them, a block is only built.
	Needs ask.Expr
	// Custom is set if the site defines the recipe or changes it.
	Custom bool
}

// A Table holds the recipes of a site by name.
type Table map[string]*Recipe

// For returns the recipe for a language, or nil. The recipes of a site come before the built-in
// ones.
func For(site Table, language string) *Recipe {
	language = strings.ToLower(language)
	for name, r := range builtin {
		r = cmp.Or(site[name], r)
		if slices.Contains(r.Languages, language) {
			return r
		}
	}
	for _, r := range site { // no two have the same language
		if slices.Contains(r.Languages, language) {
			return r
		}
	}
	return nil
}

// Builtin returns a copy of a built-in recipe.
func Builtin(name string) (Recipe, bool) {
	r, ok := builtin[name]
	if !ok {
		return Recipe{}, false
	}
	return *r, true
}

// Names returns the names of all recipes, sorted.
func Names(site Table) []string {
	list := slices.AppendSeq(slices.Collect(maps.Keys(builtin)), maps.Keys(site))
	slices.Sort(list)
	return slices.Compact(list)
}

// Placeholders are what commands and file names may contain.
var Placeholders = []string{"{file}", "{name}", "{flags}"}

// braces matches placeholders, and the shell's variables, which are none.
var braces = regexp.MustCompile(`\$?\{[A-Za-z_]+\}`)

// Unknown returns the first placeholder of a command that is not in [Placeholders], or "".
func Unknown(command string) string {
	for _, word := range braces.FindAllString(command, -1) {
		if word[0] != '$' && !slices.Contains(Placeholders, word) {
			return word
		}
	}
	return ""
}

// Source returns the name of the file for the source of a program.
func (r *Recipe) Source(program string) string { return expand(r.File, "", program, "") }

// Expand returns a command for a program, with flags for its placeholder.
func (r *Recipe) Expand(command, program, flags string) string {
	return expand(command, r.Source(program), program, flags)
}

func expand(text, file, name, flags string) string {
	return strings.NewReplacer("${", "${", "{file}", file, "{name}", name, "{flags}", flags).Replace(text)
}

// word matches the first word of a command, in which blanks may stand in braces.
var word = regexp.MustCompile(`^(?:\{[^}]*\}|[^ \t\n{])*`)

// Program returns the word of a command that names its program, which the shell may still expand:
// "${NVCC:-nvcc}".
func Program(command string) string { return word.FindString(command) }

// VersionCommand returns Version, or the usual command if it is empty.
func (r *Recipe) VersionCommand() string {
	return cmp.Or(r.Version, Program(cmp.Or(r.Build, r.Run))+" --version")
}

// Traits are what the outcome of a block depends on besides its code: its program's name and its
// flags, if it has its own, and the commands, if they are those of the site.
func (r *Recipe) Traits(program string, flags *string) (list []string) {
	if program != Main {
		list = append(list, "name "+program)
	}
	if flags != nil {
		list = append(list, "flags "+*flags)
	}
	if r.Custom {
		list = append(list, "file "+r.File, "build "+r.Build, "run "+r.Run, "default flags "+r.Flags)
	}
	return list
}

// Main is the name of the program of a block without a name.
const Main = "main"
