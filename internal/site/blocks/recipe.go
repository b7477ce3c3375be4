package blocks

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/recipe"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// readRecipe reads the attributes of a block that a recipe builds and runs.
func (r *Reader) readRecipe(b *site.Block, a fenceAttributes, by *recipe.Recipe) {
	b.Recipe, b.Flags = by, by.Flags
	if flags, ok := a.by["flags"]; ok {
		b.Flags = flags.Value
		if r.flags == nil {
			r.flags = map[*site.Block]*string{}
		}
		r.flags[b] = &b.Flags
	}
	build, ok := a.by["build"]
	switch {
	case !ok:
	case build.Value != "fails":
		a.fault(build, diag.Say("blocks.build-value", "value", build.Value))
	case by.Build == "":
		a.fault(build, diag.Say("blocks.build-none", "name", by.Name))
	default:
		b.NoBuild = true
		return // it is never run, so it needs nothing of what the recipe needs to run
	}
	b.Needs = ask.And(by.Needs, b.Needs)
}

// requirements returns the text of what a block needs that is part of its ID.
func requirements(b *site.Block) string {
	if b.NoBuild { // as IDs always were
		return ask.And(b.Recipe.Needs, b.Needs).String()
	}
	return b.Needs.String()
}

// addTraits adds to the ids of a session what a block with a recipe depends on besides its code.
func (r *Reader) addTraits(chain *report.Chain, b *site.Block) {
	if b.Recipe == nil {
		return
	}
	for _, trait := range b.Recipe.Traits(b.Program(), r.flags[b]) {
		chain.With(trait)
	}
	if b.NoBuild {
		chain.With("build fails")
	}
}

// unknownLanguage reports a block with run whose language has no recipe.
func (r *Reader) unknownLanguage(f *Fence, a fenceAttributes) {
	if r.Config.Unreadable { // it may have one
		return
	}
	if f.Language == "" {
		a.fault(a.by["run"], diag.Say("blocks.run-without-language").WithHint(diag.Say("blocks.runnable-form-hint", "language", "bash")))
		return
	}
	known := append([]string{"bash", "python", "pycon"}, recipe.Names(r.Config.Recipes)...)
	hint := diag.Say("blocks.run-language-unsupported-hint", "known", strings.Join(known, ", "))
	if len(f.Language) > 4 { // ruby is no misspelt rust
		hint = diag.Suggest(f.Language, known, hint)
	}
	a.fault(a.by["run"], diag.Say("blocks.run-language-unsupported", "language", f.Language).WithHint(hint))
}
