package search

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// textSize is the approximate size of a file of texts before compression. All texts of a page are in
// one file.
const textSize = 128_000

// textFiles writes a line for each page, with address, title and language, followed by one for each of
// its chunks, with id, heading and blocks, which are lines too; those of code begin with a tab. The
// second line of a file has the lengths of these lines in bytes, so that the browser can request only
// the lines that it shows.
func textFiles(pages []Page, chunks []chunk, h *head) (files []File) {
	var lengths, lines, scratch []byte
	count := 0
	flush := func() {
		data := append(strconv.AppendInt([]byte(call+"texts("), int64(len(files)), 10), ",\n["...)
		data = append(append(data, lengths...), "]\n,[\n"...)
		data = append(append(data, lines...), "\n])\n"...)
		files = append(files, File{fmt.Sprintf("x%d.js", len(files)), data})
		h.Texts = append(h.Texts, count, len(lengths)+2)
		lengths, lines, count = lengths[:0], lines[:0], 0
	}
	line := func(a, b string, c []byte) {
		if len(lines) > 0 {
			lengths, lines = append(lengths, ','), append(lines, "\n,"...)
		}
		begin := len(lines)
		lines = append(appendQuoted(append(lines, '['), a), ',')
		lines = append(appendQuoted(lines, b), ',')
		lines = append(appendQuoted(lines, c), ']')
		lengths = strconv.AppendInt(lengths, int64(len(lines)-begin), 10)
	}
	page := -1
	for _, c := range chunks {
		if c.page != page {
			if len(lines) > textSize {
				flush()
			}
			page = c.page
			count++
			scratch = append(scratch[:0], pages[page].Lang...)
			line(pages[page].URL, pages[page].Title, scratch)
		}
		scratch = appendLines(scratch[:0], c.Blocks)
		line(c.ID, c.Heading, scratch)
	}
	if count > 0 {
		flush()
	}
	return files
}

// appendLines writes blocks: text as one line with single spaces, code by lines.
func appendLines(b []byte, blocks []Block) []byte {
	for _, block := range blocks {
		if !block.Code {
			b = appendWords(b, block.Text)
			continue
		}
		for line := range strings.Lines(block.Text) {
			if line = strings.TrimRight(line, " \t\r\n"); line != "" {
				b = append(nextLine(b), '\t')
				for _, c := range []byte(line) {
					if c == '\t' {
						c = ' '
					}
					b = append(b, c)
				}
			}
		}
	}
	return b
}

func nextLine(b []byte) []byte {
	if len(b) > 0 {
		b = append(b, '\n')
	}
	return b
}

// appendWords writes a text with single spaces, as a line, unless it is empty.
func appendWords(b []byte, text string) []byte {
	any, blank := false, false
	for i := 0; i < len(text); {
		c, size := rune(text[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(text[i:])
		}
		if unicode.IsSpace(c) {
			blank = any
			i += size
			continue
		}
		if !any {
			b, any = nextLine(b), true
		}
		if blank {
			b, blank = append(b, ' '), false
		}
		b = append(b, text[i:i+size]...)
		i += size
	}
	return b
}
