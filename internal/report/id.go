package report

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"hash"
	"strings"
)

// An ID identifies a check by what it does: 26 characters that encode 128 bits of a
// SHA-256. Whatever can change the outcome of a check is part of it: the kind of its
// session, its environment and the environment's location, the code and requirements of
// the session's blocks up to and including its own, and the expectations. Prose, file
// names and time limits are not, so that the same code in two translations is one check,
// and a moved page keeps its results.
type ID string

var encoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// A Chain computes the IDs of the blocks of one session, in order.
type Chain struct{ h hash.Hash }

// NewChain begins a session of the given interpreter ("bash", "python") and
// environment.
func NewChain(interpreter, environment string) *Chain {
	c := &Chain{h: sha256.New()}
	write(c.h, "gpudocs check 1", interpreter, environment)
	return c
}

// With adds a trait of the session. Default traits are not added, so that IDs from before
// the trait existed remain valid.
func (c *Chain) With(trait string) { write(c.h, trait) }

// Next adds a block and returns its ID. Expectations are pairs of a condition (when=,
// and options in braces, if there are any) and a text. They do not affect the IDs of the
// following blocks.
func (c *Chain) Next(kind, code, needs string, expectations ...[2]string) ID {
	write(c.h, kind, normalEnds(code), needs)
	tail := sha256.New()
	tail.Write(c.h.Sum(nil))
	for _, e := range expectations {
		write(tail, e[0], normalEnds(e[1]))
	}
	return encode(tail)
}

// GPULine returns the ID of a line of a gpu block.
func GPULine(requirement string) ID {
	h := sha256.New()
	write(h, "gpudocs gpu line 1", requirement)
	return encode(h)
}

func encode(h hash.Hash) ID { return ID(encoding.EncodeToString(h.Sum(nil)[:16])) }

// write writes each text after its length, so that different lists never give the same
// bytes.
func write(h hash.Hash, texts ...string) {
	for _, t := range texts {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(t)))
		h.Write(n[:])
		h.Write([]byte(t))
	}
}

// normalEnds converts Windows line ends, so that they do not change the ID.
func normalEnds(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

func (id ID) valid() bool {
	if len(id) != 26 {
		return false
	}
	for _, c := range id {
		if (c < 'a' || c > 'z') && (c < '2' || c > '7') {
			return false
		}
	}
	return true
}
