package page

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/gpudocs/gpudocs/internal/site"
)

// wordsPerMinute are the speeds at which people read a language, by Trauzettel-Klosinski and Dietz, "Standardized
// Assessment of Reading Performance" (2012). meanWords is their mean.
var wordsPerMinute = map[string]int{"en": 228, "es": 218, "fr": 195, "de": 179, "it": 188, "nl": 202, "pl": 166, "pt": 181,
	"ru": 184, "sv": 199, "tr": 166}

const (
	meanWords = 184
	// ideographsPerMinute is the speed for Chinese and Japanese, which have no blanks between words.
	ideographsPerMinute = 255
	firstIdeograph      = 0x2e80 // and of all kana
	linesPerMinute      = 15     // of code
)

// minutes estimates the time that reading a page takes. Beyond ten minutes it is a multiple of five.
func (all *pageLines) minutes(p *site.Page) int {
	words, ideographs, code := 0, 0, 0
	for i := 1; i <= p.Source.Lines(); i++ {
		line := p.Source.Text(i)
		switch all.of[i].kind {
		case commentLine:
		case codeLine:
			if strings.TrimSpace(line) != "" {
				code++
			}
		default:
			counted := false // the word
			for _, r := range line {
				switch {
				case unicode.IsSpace(r):
					counted = false
				case r >= firstIdeograph && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
					ideographs++
				case !counted && (unicode.IsLetter(r) || unicode.IsDigit(r)):
					words++
					counted = true
				}
			}
		}
	}
	speed := cmp.Or(wordsPerMinute[p.Language.Code[:2]], meanWords)
	time := float64(words)/float64(speed) + float64(ideographs)/ideographsPerMinute + float64(code)/linesPerMinute
	if time > 10 {
		return int(time/5+.5) * 5
	}
	return max(1, int(time+.5))
}
