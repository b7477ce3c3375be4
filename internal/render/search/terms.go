package search

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// termSize is the approximate size of a file of terms before compression. On a small site it is
// leastTermSize, and more if there would be more than about fewTermFiles files: a query loads one for
// each word.
const termSize, leastTermSize, fewTermFiles = 6500, 4300, 110

// tries is the maximum number of files of terms that are read for a word that is not found.
const tries = 9

// A list of more than longList chunks is cut: it has the bestChunks with the largest weights, and of
// the others only the pages. So the cost of a word does not grow with the site. The others get their
// mean weight, which is small: titles and headings are among the best.
const longList, bestChunks = 900, 600

// termFiles writes the terms in order: "|", the number of letters that are shared with the term
// before, the other letters, a space, and the postings.
func termFiles(x *inverted, chunks []chunk, h *head) (files []File) {
	h.Tries = tries
	size := min(max(leastTermSize, x.size()/fewTermFiles), termSize)
	var b []byte
	before := ""
	flush := func() {
		if len(b) > 0 {
			data := fmt.Appendf(nil, "%sterms(%d,%s)\n", call, len(files), appendJSON(nil, string(b)))
			files = append(files, File{fmt.Sprintf("t%d.js", len(files)), data})
			b = b[:0]
		}
	}
	for _, number := range x.sorted() {
		term := x.terms[number]
		if len(b) > size {
			flush()
		}
		shared, letters := sharedLetters(before, term)
		if len(b) == 0 { // the shortest prefix that no other file has
			_, size := utf8.DecodeRuneInString(term[shared:])
			h.Terms = append(h.Terms, term[:shared+size])
			shared, letters = 0, 0
		}
		b = append(b, '|', "0123456789abcdefghijklmnopqrstuvwxyz"[letters])
		b = append(b, term[shared:]...)
		b = append(b, ' ')
		b = appendList(b, x.of(number), chunks)
		before = term
	}
	flush()
	return files
}

// size estimates the size of all terms: two letters for a posting, some more for what a term adds to
// the one before.
func (x *inverted) size() int { return 2*len(x.postings) + 7*len(x.terms) }

// sharedLetters returns the length of the common prefix of two terms, in bytes and in letters, of
// which there are at most 35.
func sharedLetters(a, b string) (size, letters int) {
	for size < len(a) && size < len(b) && letters < 35 {
		r, n := utf8.DecodeRuneInString(a[size:])
		if s, _ := utf8.DecodeRuneInString(b[size:]); s != r {
			break
		}
		size, letters = size+n, letters+1
	}
	return size, letters
}

// appendList writes the chunks of a term. The best of a long list are followed by "!", a letter for
// the mean weight of the others, their number, "!", and their pages.
func appendList(b []byte, list []posting, chunks []chunk) []byte {
	if len(list) <= longList {
		return appendPostings(b, list)
	}
	least, atLeast := floor(list)
	best := make([]posting, 0, bestChunks)
	var pages []byte
	others, sum := 0, 0
	for _, p := range list {
		if p.weight > least || p.weight == least && atLeast > 0 {
			if p.weight == least {
				atLeast--
			}
			best = append(best, p)
			continue
		}
		others, sum = others+1, sum+int(p.weight)
		page := chunks[p.chunk].page
		for len(pages) <= page/6 {
			pages = append(pages, 0)
		}
		pages[page/6] |= 1 << (page % 6)
	}
	for i, bits := range pages {
		pages[i] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[bits]
	}
	b = append(appendPostings(b, best), '!', byte('@'+(sum+others/2)/others))
	b = append(strconv.AppendInt(b, int64(others), 36), '!')
	return append(b, pages...)
}

// floor returns the smallest weight among the best of a list, and the number of the best that have it.
func floor(list []posting) (least uint8, number int) {
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, func(a, b posting) int { return cmp.Compare(b.weight, a.weight) })
	least = sorted[bestChunks-1].weight
	for _, p := range sorted[:bestChunks] {
		if p.weight == least {
			number++
		}
	}
	return least, number
}

// appendPostings writes for each chunk the number of chunks between it and the one before, in base 36
// and nothing for 0, and a capital letter for its weight.
func appendPostings(b []byte, list []posting) []byte {
	next := int32(0)
	for _, p := range list {
		if p.chunk > next {
			b = strconv.AppendInt(b, int64(p.chunk-next), 36)
		}
		b = append(b, '@'+p.weight)
		next = p.chunk + 1
	}
	return b
}
