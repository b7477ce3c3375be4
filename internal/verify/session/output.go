package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
)

// Output is what a step wrote to one stream.
type Output struct {
	// Text is the whole output or, if Cut is not 0, its head and its tail.
	Text []byte
	// Cut is the number of bytes left out between head and tail.
	Cut int64
	// Head is the length of the head in Text; 0 if nothing was cut.
	Head int
	// Total and SHA256 are the size and the hash, in hexadecimal, of the whole output
	// if some of it was cut.
	Total  int64
	SHA256 string
}

// A headTailBuffer keeps the head and the tail of a stream of any length.
type headTailBuffer struct {
	head, tail       []byte
	maxHead, maxTail int
	total            int64
	hash             hash.Hash // of everything, from the first byte that is not kept
}

// Write implements [io.Writer]. It never fails.
func (k *headTailBuffer) Write(p []byte) (int, error) {
	size := len(p)
	k.total += int64(len(p))
	if k.hash == nil && k.total > int64(k.maxHead+k.maxTail) {
		k.hash = sha256.New()
		k.hash.Write(k.head) // until now these are the whole stream
		k.hash.Write(k.tail)
	}
	if k.hash != nil {
		k.hash.Write(p)
	}
	n := min(len(p), k.maxHead-len(k.head))
	k.head = append(k.head, p[:n]...)
	p = p[n:]
	p = p[max(0, len(p)-k.maxTail):]
	k.tail = append(k.tail, p...)
	// Copied once per maxTail bytes only, so that many small writes stay cheap.
	if len(k.tail) >= 2*k.maxTail {
		n := copy(k.tail, k.tail[len(k.tail)-k.maxTail:])
		k.tail = k.tail[:n]
	}
	return size, nil
}

// output returns what was kept without any prefix: the folder of the sources, which
// bash writes before the name of the file.
func (k *headTailBuffer) output(prefix string) Output {
	tail := k.tail[max(0, len(k.tail)-k.maxTail):]
	cut := k.total - int64(len(k.head)+len(tail))
	if cut == 0 {
		return Output{Text: strip(append(k.head, tail...), prefix)}
	}
	head := strip(k.head, prefix)
	return Output{Text: append(head, strip(tail, prefix)...), Cut: cut, Head: len(head),
		Total: k.total, SHA256: hex.EncodeToString(k.hash.Sum(nil))}
}

func strip(text []byte, prefix string) []byte {
	return bytes.ReplaceAll(text, []byte(prefix), nil)
}
