package check

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"path"
	"slices"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// ruleContent is the rule of diagnostics without a rule.
const ruleContent = "content"

// rules describes each rule.
var rules = map[string]string{
	site.RuleLink:      "A link leads to an existing file or address.",
	site.RuleAnchor:    "The heading or id that a link names exists.",
	site.RuleImage:     "An image exists and can be shown.",
	site.RuleAlt:       "An image has an alternative text.",
	site.RuleFootnote:  "A footnote that a page refers to is defined.",
	site.RuleReference: "The reference that a link names is defined.",
	site.RuleUnused:    "A definition is used and occurs once.",
	site.RuleHTML:      "HTML in a page uses only elements and attributes that are published.",
	site.RuleRunnable:  "A block that looks as if it runs does run.",
	site.RuleDrawing:   "Nothing in an SVG runs or loads anything.",
	site.RuleHidden:    "A text has no control characters, invisible characters or characters that change the text direction.",
	site.RuleID:        "An id occurs once on a page.",
	site.RuleFirstPage: "Each language has a first page.",
	site.RuleCitation:  "A cited work is in the bibliography.",
	"directive":        "A directive of D2L exists and has an effect in its place.",
	"math":             "A formula can be read.",
	"diagram":          "A diagram can be drawn.",
	RuleTranslation:    "A page exists in every language.",
	RuleExternal:       "An address of another server works.",
	RuleMoved:          "An address of another server is the current one.",
	ruleContent:        "Pages, configuration and reports are as described in docs/content/en/reference.md and docs/content/en/configuration.md.",
}

// sarifLevels are the levels of SARIF, 3.27.10.
var sarifLevels = map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Notice: "note"}

// SARIF returns findings as a SARIF 2.1.0 log,
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. below is the site's folder
// relative to the repository's root, to which paths are relative.
func SARIF(l diag.List, below, version string) ([]byte, error) {
	type object map[string]any
	ids := slices.Sorted(maps.Keys(rules))
	described := []object{}
	for _, id := range ids {
		described = append(described, object{"id": id, "shortDescription": object{"text": rules[id]}})
	}
	results := []object{}
	for _, d := range l {
		id, text := cmp.Or(d.Rule, ruleContent), d.Message.String()
		if !d.Hint.IsZero() {
			text += "\nhint: " + d.Hint.String()
		}
		r := object{"ruleId": id, "ruleIndex": slices.Index(ids, id), "level": sarifLevels[d.Severity], "message": object{"text": text}}
		if d.File != "" {
			place := object{"artifactLocation": object{"uri": (&url.URL{Path: path.Join(below, d.File)}).String()}}
			if d.Line > 0 {
				region := object{"startLine": d.Line, "startColumn": d.Column}
				if d.Width > 0 {
					region["endColumn"] = d.Column + d.Width
				}
				place["region"] = region
			}
			r["locations"] = []object{{"physicalLocation": place}}
		}
		results = append(results, r)
	}
	driver := object{"name": "gpudocs", "rules": described}
	if version != "" {
		driver["version"] = version
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(object{
		"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"version": "2.1.0",
		"runs":    []object{{"tool": object{"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}},
	})
	return out.Bytes(), err
}
