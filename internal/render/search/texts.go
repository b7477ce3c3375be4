package search

import (
	"fmt"
	"strings"
)

// textSize is the approximate size of a file of texts before compression. All texts of a page are in
// one file.
const textSize = 128_000

// textFiles writes a line for each page, with address, title and language, followed by one for each of
// its chunks, with id, heading and blocks, which are lines too; those of code begin with a tab. The
// second line of a file has the lengths of these lines in bytes, so that the browser can request only
// the lines that it shows.
func textFiles(pages []Page, chunks []chunk, h *head) (files []File) {
	var lines []byte
	var lengths []int
	count := 0
	flush := func() {
		positions := appendJSON(nil, lengths)
		data := fmt.Appendf(nil, "%stexts(%d,\n%s\n,[\n%s\n])\n", call, len(files), positions, lines)
		files = append(files, File{fmt.Sprintf("x%d.js", len(files)), data})
		h.Texts = append(h.Texts, count, len(positions))
		lengths, lines, count = lengths[:0], lines[:0], 0
	}
	add := func(fields ...string) {
		if len(lines) > 0 {
			lines = append(lines, "\n,"...)
		}
		begin := len(lines)
		lines = appendJSON(lines, fields)
		lengths = append(lengths, len(lines)-begin)
	}
	page := -1
	for _, c := range chunks {
		if c.page != page {
			if len(lines) > textSize {
				flush()
			}
			page = c.page
			count++
			add(pages[page].URL, strings.TrimSpace(pages[page].Number+" "+pages[page].Title), pages[page].Lang)
		}
		add(c.ID, c.Heading, linesOf(c.Blocks))
	}
	if count > 0 {
		flush()
	}
	return files
}

// linesOf returns blocks as lines: text as one line with single spaces, code by lines, which begin with a tab.
func linesOf(blocks []Block) string {
	var lines []string
	for _, block := range blocks {
		if !block.Code {
			if words := strings.Fields(block.Text); len(words) > 0 {
				lines = append(lines, strings.Join(words, " "))
			}
			continue
		}
		for line := range strings.Lines(block.Text) {
			if line = strings.TrimRight(line, " \t\r\n"); line != "" {
				lines = append(lines, "\t"+strings.ReplaceAll(line, "\t", " "))
			}
		}
	}
	return strings.Join(lines, "\n")
}
