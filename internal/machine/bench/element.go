package bench

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/gpudocs/gpudocs/internal/machine/cuda"
	"github.com/gpudocs/gpudocs/internal/report/ask"
)

// Elements of a matrix are random numbers of both signs between 2^-10 and 1. All bits of
// their type are random, as in real data, because zeros and small integers draw less
// power and run faster. Each is exactly a number of the type, so that the CPU sums the
// same input. They are so small that sums of 65,536 terms stay far below the maximum of
// FP16.

// seed makes all runs use the same input.
const seed = 4096

// size returns the size of an element in bytes.
func size(dtype string) int { return cuda.Type(dtype).Size() }

// significand is the number of bits of a type's significand, including the hidden one.
var significand = map[string]int{ask.FP32: 24, ask.TF32: 11, ask.FP16: 11, ask.BF16: 8}

// random returns n elements.
func random(r *rand.Rand, dtype string, n int) []float32 {
	mask := ^uint32(0) << (24 - significand[dtype])
	out := make([]float32, n)
	for i := range out {
		x := r.Float32()
		for x < 1.0/1024 {
			x = r.Float32()
		}
		bits := math.Float32bits(x)&mask | uint32(r.Uint64())&(1<<31)
		out[i] = math.Float32frombits(bits)
	}
	return out
}

// encode returns elements in their type, as they are stored in memory.
func encode(dtype string, elements []float32) []byte {
	var out []byte
	for _, x := range elements {
		bits := math.Float32bits(x)
		switch dtype {
		case ask.BF16:
			out = binary.LittleEndian.AppendUint16(out, uint16(bits>>16))
		case ask.FP16: // of a normal number
			exponent := bits>>23&0xff - 127 + 15
			out = binary.LittleEndian.AppendUint16(out, uint16(bits>>31<<15|exponent<<10|bits>>13&0x3ff))
		default:
			out = binary.LittleEndian.AppendUint32(out, bits)
		}
	}
	return out
}

// decode returns the value of one element.
func decode(dtype string, b []byte) float64 {
	switch dtype {
	case ask.BF16:
		return float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16))
	case ask.FP16:
		return half(binary.LittleEndian.Uint16(b))
	}
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
}

// half returns the value of an FP16 (IEEE 754 binary16).
func half(bits uint16) float64 {
	sign := 1 - 2*float64(bits>>15)
	exponent, fraction := int(bits>>10&0x1f), float64(bits&0x3ff)
	switch {
	case exponent == 0x1f && fraction == 0:
		return sign * math.Inf(1)
	case exponent == 0x1f:
		return math.NaN()
	case exponent == 0:
		return sign * math.Ldexp(fraction, -24)
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}
