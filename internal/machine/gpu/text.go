package gpu

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// Limits of texts in the result, in bytes. NVML's own buffers have 96 bytes for a name
// and 80 for a version.
const (
	maxName    = 96
	maxVersion = 80
	maxDetail  = 400
)

// clean makes text of the driver fit for a report: valid, printable, on one line, and no
// longer than limit.
func clean(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case r == utf8.RuneError || !unicode.IsGraphic(r):
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > limit {
		for !utf8.RuneStart(s[limit]) {
			limit--
		}
		s = strings.TrimSpace(s[:limit])
	}
	return s
}

// version cleans a version number. For other text, such as "N/A", it returns "".
func version(s string) string {
	s = clean(s, maxVersion)
	if s == "" || s[0] < '0' || s[0] > '9' {
		return ""
	}
	return s
}

// What messages of the driver and the linker may contain and a report must not.
var (
	pciAddress = lazyregexp.New(`([0-9A-Fa-f]{4,8}:)?[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]`)
	uuid       = lazyregexp.New(`(GPU-|MIG-)+[0-9A-Fa-f]{8}[-/0-9A-Fa-f]*`)
	folder     = lazyregexp.New(`(^|[\s"'(=:])/([^/\s"':]+/)*`)
)

// Redact makes a message of a driver or of the dynamic linker fit for a report: it has
// no PCI addresses, UUIDs and folders, is one printable line, and not too long.
func Redact(message string) string { return clean(anonymous(message), maxDetail) }

// anonymous removes PCI addresses, UUIDs and folders from a message.
func anonymous(s string) string {
	s = pciAddress.ReplaceAllString(s, "")
	s = uuid.ReplaceAllString(s, "")
	return folder.ReplaceAllString(s, "$1")
}
