package card

import (
	"bytes"
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
	"math/bits"
	"strings"
)

// A card is mostly background, and letters whose rows resemble the row above. So the encoder looks
// for repetitions at two distances only, one byte and one row, and its Huffman codes are constant.
// The files are as large as those of image/png, which searches at all distances and counts symbols.

// rowSize is the size of a row in a PNG's stream: the byte of its filter, which is 0, and its pixels.
const rowSize = 1 + Width

// encode returns the PNG of rows, each with a zero before its pixels.
func encode(rows []uint8) []byte {
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, Width), Height)
	header = append(header, 8, 3, 0, 0, 0) // 8 bits for each pixel, with a palette
	var colours []byte
	for _, c := range palette {
		r, g, b, _ := c.RGBA()
		colours = append(colours, uint8(r), uint8(g), uint8(b))
	}
	out := append(make([]byte, 0, 24<<10), "\x89PNG\r\n\x1a\n"...)
	out = chunk(out, "IHDR", header)
	out = chunk(out, "PLTE", colours)
	out = chunk(out, "IDAT", compress(rows))
	return chunk(out, "IEND", nil)
}

// chunk appends a chunk.
func chunk(out []byte, name string, body []byte) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(body)))
	start := len(out)
	out = append(append(out, name...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[start:]))
}

// compress returns the rows as a zlib stream (RFC 1950).
func compress(rows []uint8) []byte {
	d := deflater{out: append(make([]byte, 0, 24<<10), 0x78, 0x01)}
	d.begin()
	d.code(codes[rows[0]])
	for i := 1; i < len(rows); {
		if n, distance := again(rows, i); n > 0 {
			i += d.again(n, distance)
		} else {
			d.code(codes[rows[i]])
			i++
		}
	}
	d.code(codes[endOfBlock])
	d.write(0, 7) // fills the last byte
	return binary.BigEndian.AppendUint32(d.bytes(), adler32.Checksum(rows))
}

// again returns the number of bytes from i on that repeat those at a distance of one byte or one row.
// Repetitions of fewer than four bytes are not worth a code.
func again(rows []uint8, i int) (n, distance int) {
	if len(rows)-i < 4 {
		return 0, 0
	}
	next := binary.LittleEndian.Uint32(rows[i:])
	if next == binary.LittleEndian.Uint32(rows[i-1:]) {
		n, distance = same(rows[i:], rows[i-1:]), 1
	}
	if i >= rowSize && n < 64 && next == binary.LittleEndian.Uint32(rows[i-rowSize:]) {
		if above := same(rows[i:], rows[i-rowSize:]); above > n+1 { // its code is longer
			return above, rowSize
		}
	}
	return n, distance
}

// same returns the length of the common prefix of two slices, of which a is the shorter.
func same(a, b []uint8) (n int) {
	for len(a)-n >= rowSize && bytes.Equal(a[n:n+rowSize], b[n:n+rowSize]) {
		n += rowSize
	}
	for len(a)-n >= 8 {
		if x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
		n += 8
	}
	for n < len(a) && a[n] == b[n] {
		n++
	}
	return n
}

// A deflater writes codes, beginning with the lowest bit.
type deflater struct {
	out  []byte
	bits uint64 // not in out yet
	n    uint   // the number of bits
}

func (d *deflater) write(bits uint64, n uint) {
	d.bits |= bits << d.n
	if d.n += n; d.n >= 32 {
		d.out = binary.LittleEndian.AppendUint32(d.out, uint32(d.bits))
		d.bits >>= 32
		d.n -= 32
	}
}

// bytes returns what was written, without the bits that do not fill a byte.
func (d *deflater) bytes() []byte {
	for ; d.n >= 8; d.n -= 8 {
		d.out = append(d.out, uint8(d.bits))
		d.bits >>= 8
	}
	return d.out
}

func (d *deflater) code(c code) { d.write(uint64(c.bits), c.n) }

// begin writes the header of the only block, which has the lengths of the codes (RFC 1951, 3.2.7),
// in four bits each.
func (d *deflater) begin() {
	d.write(0b101, 3) // the last block, with its own codes
	d.write(uint64(len(codes)-257), 5)
	d.write(farDistance, 5)
	d.write(19-4, 4)
	for i := range 19 {
		if i < 3 { // the symbols that repeat a length
			d.write(0, 3)
		} else {
			d.write(4, 3)
		}
	}
	for _, c := range codes {
		d.write(uint64(reversed(uint32(c.n), 4)), 4)
	}
	for i := range farDistance + 1 {
		if i == 0 || i == farDistance {
			d.write(uint64(reversed(1, 4)), 4)
		} else {
			d.write(0, 4)
		}
	}
}

// again writes that n bytes repeat those at a distance of 1 or rowSize, and returns how many it
// wrote: a rest of fewer than 3 cannot be written so.
func (d *deflater) again(n, distance int) (written int) {
	from := code{0, 1}
	if distance == rowSize {
		from = code{1 | (rowSize-1025)<<1, 1 + 9}
	}
	for left := n; left >= 3; left = n - written {
		d.code(lengths[min(left, maxLength)])
		d.code(from)
		written += min(left, maxLength)
	}
	return written
}

// A code is the n lowest of some bits.
type code struct {
	bits uint32
	n    uint
}

const (
	endOfBlock = 256
	// maxLength is the longest repetition of one code.
	maxLength = 258
	// farDistance is the symbol of distances from 1025 to 1536, that of a row.
	farDistance = 20
)

// The lengths of the codes in bits, as hexadecimal digits: of the palette's colours, and of the end of
// the block and repetitions. They are Huffman codes for typical cards, and valid for any.
const (
	coloursBits = "4556666666656655" + "c778777888888875" + "cbbbbbbbbbbbbbb6" + "b888899999999896" + "baaaaaaabaabbaa8" + "b89999a9a99aa997"
	lengthsBits = "b777777655667667" + "77788788989893"
)

// codes are the codes of bytes, of the end of the block and of lengths.
var codes = func() (out [286]code) {
	for i, digit := range coloursBits {
		out[i].n = hexValue(digit)
	}
	for i, digit := range lengthsBits {
		out[endOfBlock+i].n = hexValue(digit)
	}
	next := uint32(0)
	for n := uint(1); n < 16; n++ {
		for i := range out {
			if out[i].n == n {
				out[i].bits = reversed(next, n)
				next++
			}
		}
		next <<= 1
	}
	return out
}()

func hexValue(digit rune) uint { return uint(strings.IndexRune("0123456789abcdef", digit)) }

// lengths are the codes of all lengths, with the extra bits that follow the symbol.
var lengths = func() (out [maxLength + 1]code) {
	length := 3
	for i := range 28 {
		extra := uint(max(0, i-4) / 4)
		c := codes[endOfBlock+1+i]
		for bits := range 1 << extra {
			out[length] = code{c.bits | uint32(bits)<<c.n, c.n + extra}
			length++
		}
	}
	out[maxLength] = codes[285]
	return out
}()

// reversed returns n bits in reverse order, as deflate has codes.
func reversed(bits uint32, n uint) (out uint32) {
	for range n {
		out = out<<1 | bits&1
		bits >>= 1
	}
	return out
}
