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
	site.RuleLink:      "A link leads to a file or an address that is there.",
	site.RuleAnchor:    "The heading or id that a link names is there.",
	site.RuleImage:     "An image is there and can be shown.",
	site.RuleAlt:       "An image has a text for those who cannot see it.",
	site.RuleFootnote:  "A footnote that is referred to is defined.",
	site.RuleReference: "A reference that a link names is defined.",
	site.RuleUnused:    "A definition is used, and stands once.",
	site.RuleHTML:      "HTML in a page is of elements and attributes that are shown.",
	site.RuleDrawing:   "An SVG holds drawing alone: nothing in it runs or loads anything.",
	site.RuleHidden:    "A text has no character that acts, turns what is around it or hides.",
	site.RuleID:        "An id stands once on a page.",
	site.RuleCitation:  "A work that is cited stands in the bibliography.",
	"directive":        "A directive of D2L is one, and stands where it means something.",
	"math":             "A formula can be read.",
	"diagram":          "A diagram can be drawn.",
	RuleTranslation:    "A page is there in every language.",
	RuleExternal:       "An address of another server leads somewhere.",
	RuleMoved:          "An address of another server is the present one.",
	ruleContent:        "Pages, configuration and reports are as docs/reference.md and docs/configuration.md say.",
}

// The parts of SARIF 2.1.0 that gpudocs writes:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifLocation struct {
		PhysicalLocation sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
)

// sarifLevels are the levels of SARIF, 3.27.10.
var sarifLevels = map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Notice: "note"}

// SARIF returns findings as a SARIF 2.1.0 log. below is the site's folder relative to the
// repository's root, to which paths are relative.
func SARIF(l diag.List, below, version string) ([]byte, error) {
	ids := slices.Sorted(maps.Keys(rules))
	driver := sarifDriver{Name: "gpudocs", Version: version}
	for _, id := range ids {
		driver.Rules = append(driver.Rules, sarifRule{id, sarifText{rules[id]}})
	}
	results := []sarifResult{}
	for _, d := range l {
		id := cmp.Or(d.Rule, ruleContent)
		r := sarifResult{RuleID: id, RuleIndex: slices.Index(ids, id), Level: sarifLevels[d.Severity], Message: sarifText{d.Message.String()}}
		if !d.Hint.IsZero() {
			r.Message.Text += "\nhint: " + d.Hint.String()
		}
		if d.File != "" {
			r.Locations = []sarifLocation{{sarifPhysical{sarifArtifact{(&url.URL{Path: path.Join(below, d.File)}).String()}, region(d)}}}
		}
		results = append(results, r)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(sarifLog{
		Schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json", Version: "2.1.0",
		Runs: []sarifRun{{Tool: sarifTool{driver}, ColumnKind: "unicodeCodePoints", Results: results}},
	})
	return out.Bytes(), err
}

func region(d diag.Diagnostic) *sarifRegion {
	if d.Line == 0 {
		return nil
	}
	r := &sarifRegion{StartLine: d.Line, StartColumn: d.Column}
	if d.Width > 0 {
		r.EndColumn = d.Column + d.Width
	}
	return r
}
