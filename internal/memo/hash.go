package memo

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math"
	"reflect"
	"slices"
	"sync"
	"time"
)

// A Hash turns the inputs of a step into its [Key]. Values are hashed with all that they hold,
// unexported fields too, so that an input cannot be left out by mistake: pointers are followed, and
// maps are hashed without regard to their order. The zero value is not usable; see [NewHash].
//
// It panics if a value holds a function or a channel, whose results are not known, or leads to
// itself. A type whose values are known by less than all that they hold implements [Hasher].
type Hash struct {
	sum hash.Hash
	buf []byte
	// depth bounds the depth of values.
	depth int
}

// A Hasher adds what identifies a value to a hash.
type Hasher interface{ HashTo(h *Hash) }

// NewHash returns the hash of the inputs of a kind of step.
func NewHash(kind string) *Hash {
	h := &Hash{sum: sha256.New(), buf: make([]byte, 0, 4096)}
	h.string(kind)
	return h
}

// KeyOf returns the key of a kind of step with these inputs.
func KeyOf(kind string, inputs ...any) Key {
	h := NewHash(kind)
	h.Add(inputs...)
	return h.Key()
}

// Add adds values.
func (h *Hash) Add(values ...any) {
	for _, v := range values {
		h.dynamic(reflect.ValueOf(v))
	}
}

// Key returns the key of all that was added.
func (h *Hash) Key() (k Key) {
	h.flush()
	copy(k[:], h.sum.Sum(nil))
	return k
}

func (h *Hash) flush() {
	h.sum.Write(h.buf)
	h.buf = h.buf[:0]
}

func (h *Hash) uint(n uint64) {
	if len(h.buf) > 4000 {
		h.flush()
	}
	h.buf = binary.AppendUvarint(h.buf, n)
}

func (h *Hash) string(s string) {
	h.uint(uint64(len(s)))
	if len(s) > 64 {
		h.flush()
		h.buf = append(h.buf, s...)
		h.flush()
		return
	}
	h.buf = append(h.buf, s...)
}

var (
	hasherType = reflect.TypeFor[Hasher]()
	timeType   = reflect.TypeFor[time.Time]()
)

// maxDepth bounds the depth of values: one that is deeper leads to itself.
const maxDepth = 200

// dynamic adds a value whose type is part of it.
func (h *Hash) dynamic(v reflect.Value) {
	if !v.IsValid() {
		h.uint(0)
		return
	}
	h.string(v.Type().String())
	h.value(v)
}

func (h *Hash) value(v reflect.Value) {
	if h.depth++; h.depth > maxDepth {
		panic(fmt.Sprintf("memo: %v leads to itself", v.Type()))
	}
	defer func() { h.depth-- }()
	t := v.Type()
	if k := t.Kind(); (k == reflect.Struct || k == reflect.Pointer) && h.identified(v, t) {
		return
	}
	switch t.Kind() {
	case reflect.Bool:
		if v.Bool() {
			h.uint(1)
		} else {
			h.uint(0)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		h.uint(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		h.uint(v.Uint())
	case reflect.Float32, reflect.Float64:
		h.uint(math.Float64bits(v.Float()))
	case reflect.String:
		h.string(v.String())
	case reflect.Slice, reflect.Array:
		h.list(v)
	case reflect.Map:
		h.table(v)
	case reflect.Struct:
		for i := range v.NumField() {
			h.value(v.Field(i))
		}
	case reflect.Pointer:
		if v.IsNil() {
			h.uint(0)
			return
		}
		h.uint(1)
		h.value(v.Elem())
	case reflect.Interface:
		h.dynamic(v.Elem())
	case reflect.Func:
		if !v.IsNil() {
			panic(fmt.Sprintf("memo: a %v cannot be hashed", t))
		}
		h.uint(0)
	default:
		panic(fmt.Sprintf("memo: a %v cannot be hashed", t))
	}
}

// identified adds a value that is not hashed by its fields: a time, or one that implements [Hasher].
// It reports whether the value is one.
func (h *Hash) identified(v reflect.Value, t reflect.Type) bool {
	kind, ok := identities.Load(t)
	if !ok {
		kind = wholly
		if t == timeType {
			kind = asTime
		} else if t.Implements(hasherType) {
			kind = asHasher
		}
		identities.Store(t, kind)
	}
	switch {
	case kind == wholly, t.Kind() == reflect.Pointer && v.IsNil():
		return false
	case !v.CanInterface():
		panic(fmt.Sprintf("memo: a %v in an unexported field", t))
	case kind == asTime:
		h.string(v.Interface().(time.Time).Format(time.RFC3339Nano))
	default:
		h.uint(1)
		v.Interface().(Hasher).HashTo(h)
	}
	return true
}

// identities caches by type how values are hashed.
var identities sync.Map

type identity int

const (
	wholly identity = iota
	asTime
	asHasher
)

func (h *Hash) list(v reflect.Value) {
	h.uint(uint64(v.Len()))
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		h.flush()
		h.sum.Write(v.Bytes())
		return
	}
	for i := range v.Len() {
		h.value(v.Index(i))
	}
}

// table adds the entries of a map in the order of their keys' hashes.
func (h *Hash) table(v reflect.Value) {
	entries := make([][2]Key, 0, v.Len())
	for i := v.MapRange(); i.Next(); {
		entries = append(entries, [2]Key{keyOf(i.Key()), keyOf(i.Value())})
	}
	slices.SortFunc(entries, func(a, b [2]Key) int { return bytes.Compare(a[0][:], b[0][:]) })
	h.uint(uint64(len(entries)))
	for _, e := range entries {
		h.buf = append(append(h.buf, e[0][:]...), e[1][:]...)
		h.flush()
	}
}

func keyOf(v reflect.Value) Key {
	h := NewHash("")
	h.value(v)
	return h.Key()
}
