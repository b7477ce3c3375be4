package memo

import (
	"crypto/sha256"
	"encoding/binary"
)

// A Key is a hash.
type Key [16]byte

// KeyOf returns the key of a list of texts.
func KeyOf(texts ...string) (k Key) {
	var all []byte
	for _, t := range texts {
		all = binary.AppendUvarint(all, uint64(len(t))) // so that no two lists are hashed as the same bytes
		all = append(all, t...)
	}
	sum := sha256.Sum256(all)
	copy(k[:], sum[:])
	return k
}
