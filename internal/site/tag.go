package site

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxTag bounds the name of a tag in an address, in bytes.
const maxTag = 120

// TagName returns the name of a tag in addresses, or "" if it has none. Tags that differ only in case, in accents or in spaces
// have the same name: "Memória" and "memoria" are one tag.
func TagName(tag string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(tag)) {
		switch {
		case r >= 0x300 && r <= 0x36f: // accents
		case unicode.IsSpace(r) || r == '/' || r == '\\':
			b.WriteByte('-')
		case unicode.IsControl(r) || strings.ContainsRune(`<>:"|?*`, r): // not in the names of files on every system
		default:
			b.WriteRune(r)
		}
	}
	if name := strings.Trim(norm.NFC.String(b.String()), "-._"); len(name) <= maxTag {
		return name
	}
	return ""
}
