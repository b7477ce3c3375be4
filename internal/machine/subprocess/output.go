package subprocess

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"sync"
)

// A Tail keeps the last Limit bytes of what is written to it, from any goroutine.
type Tail struct {
	Limit int

	mu   sync.Mutex
	data []byte
}

func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if excess := len(t.data) - t.Limit; excess > 0 {
		t.data = append(t.data[:0], t.data[excess:]...)
	}
	return len(p), nil
}

// String returns what is kept.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.data)
}

// Output is what was written to a stream or a file.
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

// A HeadTail keeps the head and the tail of a stream of any length. It must not be used
// concurrently.
type HeadTail struct {
	// MaxHead and MaxTail are how many bytes are kept of each.
	MaxHead, MaxTail int

	head, tail []byte
	total      int64
	hash       hash.Hash // of everything, from the first byte that is not kept
}

// Write implements [io.Writer]. It never fails.
func (k *HeadTail) Write(p []byte) (int, error) {
	size := len(p)
	k.total += int64(len(p))
	if k.hash == nil && k.total > int64(k.MaxHead+k.MaxTail) {
		k.hash = sha256.New()
		k.hash.Write(k.head) // until now these are the whole stream
		k.hash.Write(k.tail)
	}
	if k.hash != nil {
		k.hash.Write(p)
	}
	n := min(len(p), k.MaxHead-len(k.head))
	k.head = append(k.head, p[:n]...)
	p = p[n:]
	p = p[max(0, len(p)-k.MaxTail):]
	k.tail = append(k.tail, p...)
	// Copied once per MaxTail bytes only, so that many small writes stay cheap.
	if len(k.tail) >= 2*k.MaxTail {
		n := copy(k.tail, k.tail[len(k.tail)-k.MaxTail:])
		k.tail = k.tail[:n]
	}
	return size, nil
}

// Output returns what was kept.
func (k *HeadTail) Output() Output {
	tail := k.tail[max(0, len(k.tail)-k.MaxTail):]
	out := Output{Text: append(k.head[:len(k.head):len(k.head)], tail...), Cut: k.total - int64(len(k.head)+len(tail))}
	if out.Cut > 0 {
		out.Head, out.Total, out.SHA256 = len(k.head), k.total, hex.EncodeToString(k.hash.Sum(nil))
	}
	return out
}
