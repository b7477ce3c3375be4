package search

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// termSize is how long a file of terms is before compression, about, and leastTermSize on a small site, which has no more than about
// fewTermFiles: a query loads one for each word.
const termSize, leastTermSize, fewTermFiles = 6500, 4300, 110

// tries is how many files of terms are read for a word that is nowhere.
const tries = 9

// A list of more than longList chunks is cut: of the best, as many as kept, it says what they are, of the others but the pages they are on. So
// what a word costs does not grow with the site. The others weigh what they do in the mean, which is
// little: titles and headings come first.
const longList, kept = 900, 600

// termFiles writes the terms in their order: "|", how many letters are those of the term before, the
// others, a blank, and the postings.
func termFiles(x *inverted, chunks []chunk, h *head) (files []File) {
	h.Tries = tries
	size := min(max(leastTermSize, x.size()/fewTermFiles), termSize)
	var b []byte
	before := ""
	flush := func() {
		if len(b) > 0 {
			data := append(strconv.AppendInt([]byte(call+"terms("), int64(len(files)), 10), ',')
			data = append(appendQuoted(data, b), ")\n"...)
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
		if len(b) == 0 { // as much of the term as no other file has
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

// size is about how long all terms are: a posting is two letters, what a term adds to the one before some more.
func (x *inverted) size() int { return 2*len(x.postings) + 7*len(x.terms) }

// sharedLetters counts what two terms begin with, in bytes and letters, 35 at most.
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

// appendList writes the chunks of a term. Behind the best of a long list stands "!", a letter for what the
// others weigh, how many they are, "!", and the pages they are on.
func appendList(b []byte, list []posting, chunks []chunk) []byte {
	if len(list) <= longList {
		return appendPostings(b, list)
	}
	least, atLeast := floor(list)
	best := make([]posting, 0, kept)
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

// floor is the least weight among the best of a list, and how many of that weight are among them.
func floor(list []posting) (least uint8, number int) {
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, func(a, b posting) int { return cmp.Compare(b.weight, a.weight) })
	least = sorted[kept-1].weight
	for _, p := range sorted[:kept] {
		if p.weight == least {
			number++
		}
	}
	return least, number
}

// appendPostings writes for each how many chunks lie between it and the one before, to the base of 36 and nothing for
// none, and a capital letter for its weight.
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
