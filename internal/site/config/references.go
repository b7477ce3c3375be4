package config

import (
	"maps"
	"path"
	"regexp"
	"slices"

	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// maxReferences limits the references of a site, since the file is searched for each.
const maxReferences = 500

// references reads the tables [references.VALUE], in the order of their names.
func (c *checker) references(tables map[string]map[string]string) (list site.References) {
	for _, capture := range slices.Sorted(maps.Keys(tables)) {
		for _, of := range slices.Sorted(maps.Keys(tables[capture])) {
			key := `references(?s:.*?)[\s."']` + regexp.QuoteMeta(capture) + `(?s:["'\s=\]].*?|)[\n.{,]`
			if len(list) == maxReferences {
				c.fault(key, of, diag.Say("config.references-too-many", "most", maxReferences))
				return list
			}
			text := tables[capture][of]
			value, unit, ok := ask.ParseAmount(text)
			_, err := path.Match(of, "")
			switch {
			case !ok:
				c.fault(key+`\s*["']*`+regexp.QuoteMeta(of)+`["']?\s*=`, text, diag.Say("config.reference-invalid", "text", text))
			case err != nil || of == "":
				c.fault(key, of, diag.Say("config.reference-pattern-invalid", "of", of))
			default:
				list = append(list, site.Reference{Capture: capture, Of: of, Value: value, Unit: unit, At: c.place(key, of)})
			}
		}
	}
	return list
}
