package site

import (
	"bytes"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// maxAway is how far after the beginning of a node its address is searched: a block of raw HTML can
// be long.
const maxAway = 64 << 10

// Locate returns the offsets of an address, or of another text, in the node that begins at pos. If
// it is not found there, they are those of the node's first byte.
func Locate(f *diag.File, text string, pos int) (start, end int) {
	pos = min(max(pos, 0), len(f.Data))
	if i := indexAddress(f.Data[pos:min(len(f.Data), pos+len(text)+maxAway)], []byte(text)); i >= 0 && text != "" {
		return pos + i, pos + i + len(text)
	}
	return pos, pos + 1
}

// maxTries bounds how many occurrences within longer addresses are skipped.
const maxTries = 1000

// indexAddress finds an address that is not the end of a longer one.
func indexAddress(text, address []byte) int {
	for from, tries := 0, 0; ; tries++ {
		i := bytes.Index(text[from:], address)
		if i < 0 || tries == maxTries {
			return -1
		}
		at := from + i
		if at == 0 || strings.IndexByte("(<[\"'= \t\n|#{", text[at-1]) >= 0 {
			return at
		}
		from = at + 1
	}
}
