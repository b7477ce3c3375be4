// Package search makes the index of a language's pages that readers search in their
// browser, without a server. It is pure: the same pages give the same bytes.
//
// The other half is the theme's search.js, which is loaded when a reader opens search. What both
// must do alike, cutting texts into words and words into stems, is written twice and
// fed with the same rules; a fuzz test runs the script in an interpreter and compares.
//
// # What is found
//
// A text is found by its words without accents, in lower case, by their stems (stem.go), but for
// the stop words of the language. ñ is a letter of its own: "año" is never found by "ano". Words of one
// letter, numbers of more than 6 digits and words of more than 40 letters are not found. Names
// are found whole and by their parts: torch.cuda.device_count by itself, by device_count, and by torch, cuda,
// device and count; cudaMalloc by cuda and malloc; --gpus and C++ with their signs.
//
// The rules of all pages of an index are those of its language, for its readers ask in
// that; a page that lacks a translation is read by them too.
//
// # The files
//
// All are scripts that call one function, because a page opened from file:// may load nothing else:
//
//	index.js           gpudocs.search.head: where all else is, and the language's rules
//	HASH/t0.js ...     gpudocs.search.terms: the terms in their order
//	HASH/x0.js ...     gpudocs.search.texts: addresses, titles, headings and texts of pages
//
// HASH is made of everything in the index, so caches may keep these files for ever. index.js alone has a fixed
// name, which pages need to know before the index is made. Files of terms are 2 KB compressed on a small site and
// 4 KB on a large one, for a query loads one for each word. Those of texts are large,
// for small ones would be two for each page: the browser asks for the lines that it shows alone (HTTP's Range), whose places the file's
// second line tells. Where a server sends no parts of files, and from file://, it loads the file whole.
//
// What is counted is the chunk: a section of a page, or 3.5 KB of a longer one. A term says in which
// chunks it stands, so the best sections of a page are known before any text is loaded, and whoever shows a result
// loads the lines with these. index.js has how many chunks each page has, and how many pages each file of texts. A term is written as
//
//	|3uda 2C1AB
//
// three letters of the term before, the others, and for each chunk how many are passed over (to the base of 36,
// nothing for none) and what the hit weighs, A to Z. A list of more than 900 chunks is cut: behind the 600 that weigh most stands
//
//	!B5k!AgQ
//
// what the others weigh in the mean, how many they are, and a bit for each page that has one of them, six in a letter. So
// a word costs no more on a site of 10,000 pages than on one of 1,000, and which pages have all words of a query is
// known all the same. Of such a page only the section is not, and it stands behind all that were listed.
//
// # Ranking
//
// The weight of a hit adds 10 to 16 for a page's title and 5 to 9 for a heading, more for a short one, and up to 8 for text, by
// BM25 with the chunk's length; code counts for a third. So a title says more than any amount of text. The browser
// multiplies by how rare a word is (BM25's idf) and adds up: a page must have all words, in whichever of its chunks. Where few pages
// have, others that lack one word count half; where none has, those with most of them are shown and said to be partly what was asked.
// What is typed so far also finds what begins with it, for less. A name that is there whole comes before its parts.
//
// Of a page three sections are shown at most, those that weigh most, if they weigh a fifth of the first at least.
//
// A word that is nowhere is forgiven one typing error from four letters on, two from eight if its stem has six;
// never in a word with digits, for cu121 is not cu124. At most 9 further files of terms are read for that.
package search
