package config

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Limits of synonyms, which every reader who searches loads.
const maxSynonyms, maxPhrase = 1000, 60

// synonyms reads the table [search.synonyms].
func (c *checker) synonyms(tables map[string][][]string, config *site.Config) {
	config.Synonyms = tables
	count := 0
	for _, code := range slices.Sorted(maps.Keys(tables)) {
		if _, known := config.Languages[code]; !known && (len(config.Languages) > 0 || !site.LanguageCode.MatchString(code)) {
			hint := diag.Suggest(code, slices.Sorted(maps.Keys(config.Languages)), diag.Say("config.synonyms-hint"))
			c.fault(`synonyms(?s:.*?)[\n\].{]`, code, diag.Say("config.synonyms-language", "code", code).WithHint(hint))
		}
		for _, group := range tables[code] {
			for _, phrase := range group {
				fault := diag.Text{}
				switch count++; {
				case !strings.ContainsFunc(phrase, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
					fault = diag.Say("config.synonym-empty", "phrase", phrase)
				case len(phrase) > maxPhrase:
					fault = diag.Say("config.synonym-too-long", "most", maxPhrase)
				case len(group) == 1:
					fault = diag.Say("config.synonym-alone", "phrase", phrase)
				case count == maxSynonyms+1:
					fault = diag.Say("config.synonyms-too-many", "most", maxSynonyms)
				}
				if !fault.IsZero() {
					c.fault(`synonyms(?s:.*?)[\[,]\s*["']`, phrase, fault.WithHint(diag.Say("config.synonyms-hint")))
				}
			}
		}
	}
}
