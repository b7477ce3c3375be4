package blocks

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/attribute"
	"github.com/gpudocs/gpudocs/internal/site/recipe"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A block that looks runnable and is not would be taken for one that passes. Other tools write
// ```{python} and ```python run, and people mix the forms up.

// runs reports whether blocks of a language can run.
func (r *Reader) runs(language string) bool {
	kind := kindByLanguage[strings.ToLower(language)]
	return kind != "" && kind != site.GPU || kind == "" && recipe.For(r.Config.Recipes, language) != nil
}

// misplaced warns of a block whose language or whose run is where it has no effect. The info string
// begins at base in the page. A language within the braces is taken for that of a block that is only shown.
func (r *Reader) misplaced(in *attribute.Info, base int) {
	warn := func(at attribute.Attribute, message diag.Text, language string) {
		r.Diags.Add(r.File.Warning(base+at.Start, base+at.End,
			message.WithHint(diag.Say("blocks.runnable-form-hint", "language", language))).WithRule(site.RuleRunnable))
	}
	is := func(a attribute.Attribute) bool { return strings.EqualFold(a.Name, "run") }
	if in.Language == "" {
		if len(in.Attributes) > 0 && !in.Attributes[0].HasValue && r.runs(in.Attributes[0].Name) {
			in.Language = in.Attributes[0].Name
			warn(in.Attributes[0], diag.Say("blocks.language-in-braces", "language", in.Language), in.Language)
			in.Attributes = nil
		}
		return
	}
	if slices.ContainsFunc(in.Attributes, func(a attribute.Attribute) bool { return is(a) || a.Name == "expect" }) {
		return
	}
	class := func(a attribute.Attribute) bool { return a.Name == "." && strings.EqualFold(a.Value, "run") }
	i, j := slices.IndexFunc(in.Outside, is), slices.IndexFunc(in.Attributes, class)
	switch {
	case strings.EqualFold(in.Language, "run") && len(in.Outside) > 0 && r.runs(in.Outside[0].Name): // ```run python
		warn(in.Outside[0], diag.Say("blocks.run-outside-braces"), in.Outside[0].Name)
	case i < 0 && j < 0, !r.runs(in.Language):
	case i >= 0:
		warn(in.Outside[i], diag.Say("blocks.run-outside-braces"), in.Language)
	default:
		warn(in.Attributes[j], diag.Say("blocks.run-is-class"), in.Language)
	}
}
