package search

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Page is the searchable content of a page.
type Page struct {
	// URL is its address below that of the language: "gpu/".
	URL, Title string
	// Number is that of a lesson, "5.", which its title begins with.
	Number string
	// Lang is the code of the language of its text if it is not that of the index.
	Lang     string
	Sections []Section
}

// A Section is the text below a heading. The first of a page is the text before all headings; it has
// no ID and no heading.
type Section struct {
	// ID is that of the heading, for links.
	ID, Heading string
	Blocks      []Block
	// Also is found as its text is, but not shown.
	Also string
}

// A Block is a paragraph, an item of a list, a row of a table, or code.
type Block struct {
	Text string
	Code bool
}

// A chunk is the unit of counting: a section of a page, or a part of a long one.
type chunk struct {
	page int
	Section
}

// chunkSize is the maximum size of a chunk in bytes. A result in a longer section leads to the part
// whose text is shown.
const chunkSize = 3500

// cut appends the chunks of a page. The first is the text before all headings, even if it is empty,
// because the title counts there.
func cut(chunks []chunk, page int, p Page) []chunk {
	if len(p.Sections) == 0 {
		p.Sections = []Section{{}}
	}
	for _, s := range p.Sections {
		part, size := chunk{page, Section{ID: s.ID, Heading: s.Heading, Also: s.Also}}, 0
		for _, b := range s.Blocks {
			for _, text := range pieces(b.Text) {
				if size > 0 && size+len(text) > chunkSize {
					chunks = append(chunks, part)
					part.Blocks, part.Also, size = nil, "", 0
				}
				part.Blocks = append(part.Blocks, Block{text, b.Code})
				size += len(text)
			}
		}
		chunks = append(chunks, part)
	}
	return chunks
}

// pieces splits a block that is longer than a chunk, between words if possible.
func pieces(text string) (list []string) {
	for len(text) > chunkSize {
		at := strings.LastIndexAny(text[:chunkSize], " \n") + 1
		if at == 0 {
			at = chunkSize
			for at > 0 && !utf8.RuneStart(text[at]) {
				at--
			}
			at = max(at, 1)
		}
		list = append(list, text[:at])
		text = text[at:]
	}
	return append(list, text)
}

// A posting is a chunk that contains a term, and the weight of the term there.
type posting struct {
	chunk  int32
	weight uint8
}

// Weights of hits, from 1 to 26, which is a letter in the index. A title tells what a page is about, a
// heading what a section is about: no amount of text counts as much, and they count more if they have
// fewer other words, so that "Memory" comes before "Memory of other machines". Text counts by BM25: a
// word counts more in a short text than in a long one, and its tenth occurrence adds little. Code
// counts for a third.
const (
	inTitle, titleShared     = 10, 6
	inHeading, headingShared = 5, 4
	inText, mostWeight       = 8, 26
	codeShare                = 1. / 3
	saturation, lengthShare  = 1.5, 0.6
)

// A hit is the occurrences of a term in a chunk: the weights of those in title and heading, and the
// number of those in the text.
type hit struct {
	term           int32
	title, heading float64
	count          float64
}

// An inverted index is built by reading the chunks in order. Terms are numbered, and each name is
// split into terms only once.
type inverted struct {
	*stemmer
	terms []string
	// counts has the number of chunks with each term, position its index, plus 1, among the hits of
	// the chunk that is being read.
	counts, position []int32
	numbers          map[string]int32
	// names has the range in nameTerms with the terms of a name.
	names     map[string]span
	nameTerms []int32
	// hits are those of all chunks in order. ends has the end of those of each chunk, lengths the
	// chunks' lengths.
	hits    []hit
	ends    []int
	lengths []float64
	// postings are those of all terms; upTo has the end of those of a term.
	postings []posting
	upTo     []int
}

type span struct{ from, to int32 }

func invert(language string, pages []Page, chunks []chunk) *inverted {
	x := &inverted{stemmer: newStemmer(language), numbers: map[string]int32{}, names: map[string]span{}}
	page := -1
	for _, c := range chunks {
		begin, length := len(x.hits), 0.
		if c.page != page {
			page = c.page
			weight := x.weight(pages[page].Title, inTitle, titleShared)
			names(pages[page].Title, func(name string) {
				for _, term := range x.termsOf(name) {
					x.at(begin, term).title = weight
				}
			})
			if n := pages[page].Number; n != "" {
				x.at(begin, x.number(lesson+strings.ReplaceAll(n, ".", "x"))).title = mostWeight
			}
		}
		weight := x.weight(c.Heading, inHeading, headingShared)
		names(c.Heading, func(name string) {
			for _, term := range x.termsOf(name) {
				x.at(begin, term).heading = weight
			}
		})
		share := 1.
		count := func(name string) {
			for _, term := range x.termsOf(name) {
				x.at(begin, term).count += share
				length += share
			}
		}
		names(c.Also, count)
		for _, b := range c.Blocks {
			share = 1
			if b.Code {
				share = codeShare
			}
			names(b.Text, count)
		}
		for _, f := range x.hits[begin:] {
			x.position[f.term] = 0
			x.counts[f.term]++
		}
		x.ends, x.lengths = append(x.ends, len(x.hits)), append(x.lengths, length)
	}
	x.weigh()
	return x
}

// at returns the hit of a term in the chunk that is being read, whose hits begin at begin.
func (x *inverted) at(begin int, term int32) *hit {
	if x.position[term] == 0 {
		x.hits = append(x.hits, hit{term: term})
		x.position[term] = int32(len(x.hits) - begin) //nolint:gosec // a chunk has fewer terms than letters
	}
	return &x.hits[begin+int(x.position[term])-1]
}

// weight returns the weight of each word of a title or heading: a fixed one, plus an equal part of a shared
// one.
func (x *inverted) weight(text string, fixed, shared float64) float64 {
	words := 0.
	names(text, func(name string) {
		if len(x.termsOf(name)) > 0 {
			words++
		}
	})
	return fixed + shared/max(1, words)
}

// termsOf returns the terms of a name.
func (x *inverted) termsOf(name string) []int32 {
	at, ok := x.names[name]
	if !ok {
		at.from = int32(len(x.nameTerms)) //nolint:gosec // memory ends before
		x.name(name, func(term string) {
			x.nameTerms = append(x.nameTerms, x.number(term))
		})
		at.to = int32(len(x.nameTerms)) //nolint:gosec // memory ends before
		x.names[name] = at
	}
	return x.nameTerms[at.from:at.to]
}

// number returns the number of a term.
func (x *inverted) number(term string) int32 {
	n, ok := x.numbers[term]
	if !ok {
		n = int32(len(x.terms)) //nolint:gosec // memory ends before
		x.numbers[term] = n
		x.terms, x.position, x.counts = append(x.terms, term), append(x.position, 0), append(x.counts, 0)
	}
	return n
}

// weigh turns the hits into postings, once the mean length is known.
func (x *inverted) weigh() {
	total := 0.
	for _, l := range x.lengths {
		total += l
	}
	mean := max(1, total/max(1, float64(len(x.lengths))))
	x.upTo, x.postings = make([]int, len(x.terms)), make([]posting, len(x.hits))
	sum := 0
	for i, n := range x.counts { // upTo is where the next posting of a term goes, and finally their end
		x.upTo[i] = sum
		sum += int(n)
	}
	begin := 0
	for i, end := range x.ends {
		long := 1 - lengthShare + lengthShare*x.lengths[i]/mean
		for _, f := range x.hits[begin:end] {
			text := math.Ceil(inText * f.count / (f.count + saturation*long))
			weight := math.Round(text + f.heading + f.title)
			x.postings[x.upTo[f.term]] = posting{int32(i), uint8(min(max(1, weight), mostWeight))} //nolint:gosec // memory ends before
			x.upTo[f.term]++
		}
		begin = end
	}
}

// of returns the postings of a term, by chunk.
func (x *inverted) of(term int) []posting {
	return x.postings[x.upTo[term]-int(x.counts[term]) : x.upTo[term]]
}

// sorted returns the numbers of the terms in the order in which the browser compares them: by bytes,
// which is the same as by UTF-16 for all letters of isLetter.
func (x *inverted) sorted() []int {
	list := make([]int, len(x.terms))
	for i := range list {
		list[i] = i
	}
	slices.SortFunc(list, func(a, b int) int { return strings.Compare(x.terms[a], x.terms[b]) })
	return list
}
