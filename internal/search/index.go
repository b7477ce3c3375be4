package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Page is what can be found of one page.
type Page struct {
	// URL is its address below that of the language: "gpu/".
	URL, Title string
	// Lang is the code of its text's language where that is another than the index's.
	Lang     string
	Sections []Section
}

// A Section is the text below a heading. The first of a page stands before all
// headings, and has neither.
type Section struct {
	// ID is the heading's, for links.
	ID, Heading string
	Blocks      []Block
}

// A Block is a paragraph, an item of a list, a row of a table; or code.
type Block struct {
	Text string
	Code bool
}

// A chunk is what the index counts: a section of a page, or a part of a long one.
type chunk struct {
	page int
	Section
	size int
}

// chunkSize is how long a chunk is at most, in bytes. What is found in a longer section is found in that
// part of it whose text will be shown.
const chunkSize = 3500

// cut makes chunks of a page. The first is what stands before all headings, be it nothing: it is where the title counts.
func cut(page int, p Page) (chunks []chunk) {
	for _, s := range p.Sections {
		part := chunk{page: page, Section: Section{ID: s.ID, Heading: s.Heading}}
		for _, b := range s.Blocks {
			for _, text := range pieces(b.Text) {
				if part.size > 0 && part.size+len(text) > chunkSize {
					chunks = append(chunks, part)
					part = chunk{page: page, Section: Section{ID: s.ID, Heading: s.Heading}}
				}
				part.Blocks = append(part.Blocks, Block{text, b.Code})
				part.size += len(text)
			}
		}
		chunks = append(chunks, part)
	}
	return chunks
}

// pieces parts a block that is longer than a chunk, between words where there are any.
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

// A posting is one chunk in which a term stands, and how much that says of it.
type posting struct{ chunk, weight int }

// What a hit weighs, from 1 to 26, a letter in the index. A title says what a page is about, a heading
// what a section is: no amount of text weighs as much, and the fewer other words there are the more, so that "Memory" comes
// before "Memory of other machines". Text counts by BM25: often in a short text is
// more than once in a long one, and the tenth time adds little. Code counts for a third.
const (
	inTitle, titleShared     = 10, 6
	inHeading, headingShared = 5, 4
	inText, mostWeight       = 8, 26
	codeShare                = 1. / 3
	saturation, lengthShare  = 1.5, 0.6
)

// found counts a term in one chunk. title and heading are what it weighs there.
type found struct {
	term           int
	title, heading float64
	count          float64
}

// An inverted index is built by reading the chunks in order. Terms have numbers, and each name is taken
// apart once only.
type inverted struct {
	*stemmer
	terms    []string
	postings [][]posting // by term
	numbers  map[string]int
	names    map[string][]int
	// chunks are what was found in each, lengths how long they are.
	chunks  [][]found
	lengths []float64
	// place is where each term is in the chunk that is being read, plus 1.
	place []int
}

func invert(language string, pages []Page, chunks []chunk) *inverted {
	x := &inverted{stemmer: newStemmer(language), numbers: map[string]int{}, names: map[string][]int{}}
	page := -1
	for _, c := range chunks {
		var list []found
		each := func(text string, f func(*found)) {
			names(text, func(name string) {
				for _, term := range x.taken(name) {
					if x.place[term] == 0 {
						list = append(list, found{term: term})
						x.place[term] = len(list)
					}
					f(&list[x.place[term]-1])
				}
			})
		}
		if c.page != page {
			page = c.page
			weight := x.weight(pages[page].Title, inTitle, titleShared)
			each(pages[page].Title, func(f *found) { f.title = weight })
		}
		length := 0.
		weight := x.weight(c.Heading, inHeading, headingShared)
		each(c.Heading, func(f *found) { f.heading = weight })
		for _, b := range c.Blocks {
			share := 1.
			if b.Code {
				share = codeShare
			}
			each(b.Text, func(f *found) { f.count += share; length += share })
		}
		for _, f := range list {
			x.place[f.term] = 0
		}
		x.chunks, x.lengths = append(x.chunks, list), append(x.lengths, length)
	}
	x.weigh()
	return x
}

// weight is what each word of a title or heading weighs: all of them share a part of it.
func (x *inverted) weight(text string, own, shared float64) float64 {
	words := 0.
	names(text, func(name string) {
		if len(x.taken(name)) > 0 {
			words++
		}
	})
	return own + shared/max(1, words)
}

// taken returns the terms of a name.
func (x *inverted) taken(name string) []int {
	list, ok := x.names[name]
	if ok {
		return list
	}
	x.name(name, func(term string) {
		n, ok := x.numbers[term]
		if !ok {
			n = len(x.terms)
			x.numbers[term] = n
			x.terms, x.place = append(x.terms, term), append(x.place, 0)
		}
		list = append(list, n)
	})
	x.names[name] = list
	return list
}

// weigh makes postings of the counts, once the mean length is known.
func (x *inverted) weigh() {
	total := 0.
	for _, l := range x.lengths {
		total += l
	}
	mean := max(1, total/max(1, float64(len(x.lengths))))
	x.postings = make([][]posting, len(x.terms))
	for i, list := range x.chunks {
		long := 1 - lengthShare + lengthShare*x.lengths[i]/mean
		for _, f := range list {
			text := math.Ceil(inText * f.count / (f.count + saturation*long))
			weight := int(math.Round(text + f.heading + f.title))
			x.postings[f.term] = append(x.postings[f.term], posting{i, min(max(1, weight), mostWeight)})
		}
	}
}

// sorted lists the numbers of the terms as the browser compares these: by bytes, which is by UTF-16 for all
// letters that isLetter knows.
func (x *inverted) sorted() []int {
	list := make([]int, len(x.terms))
	for i := range list {
		list[i] = i
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Compare(x.terms[a], x.terms[b]) })
	return list
}
