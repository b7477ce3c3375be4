// Package search makes the index of a language's pages, which readers search in their browser, without
// a server. The same pages give the same bytes.
//
// [Build] cuts pages into chunks and inverts them (index.go, words.go, stem.go), and writes the index
// as files (files.go, terms.go, texts.go), with synonyms (synonyms.go). The other half is the theme's search.js, which is loaded
// when a reader opens search. What both must do alike, splitting texts into words and reducing words
// to stems, is written twice with the same rules; a fuzz test runs the script in an interpreter and
// compares the results.
//
// # What is found
//
// A text is found by its words without accents, in lower case, by their stems (stem.go), except for
// the stop words of the language. ñ is a letter of its own: "año" is never found by "ano". Words of
// one letter, numbers of more than 6 digits and words of more than 40 letters are not found. Names are
// found as a whole and by their parts: torch.cuda.device_count as it is, by device_count, and by
// torch, cuda, device and count; cudaMalloc by cuda and malloc; --gpus and C++ with their signs.
//
// All pages of an index follow the rules of its language, because its readers search in it; they also
// read the pages that lack a translation.
//
// # The files
//
// All files are scripts that call one function, because a page that is opened from file:// can load
// nothing else:
//
//	index.js           gpudocs.search.head: where all else is, and the language's rules
//	HASH/t0.js ...     gpudocs.search.terms: the terms in their order
//	HASH/x0.js ...     gpudocs.search.texts: addresses, titles, headings and texts of pages
//
// HASH depends on the whole index, so these files may be cached for ever. Only index.js has a fixed
// name, which pages need to know before the index is made. Files of terms have 2 KB compressed on a
// small site and 4 KB on a large one, because a query loads one for each word. Those of texts are
// large, because small ones would be two for each page: the browser requests only the lines that it
// shows (HTTP's Range), whose positions are in the file's second line. If the server does not support
// ranges, and from file://, it loads the whole file.
//
// The unit of counting is the chunk: a section of a page, or 3.5 KB of a longer one. A term lists its
// chunks, so the best sections of a page are known before any text is loaded, and only the lines with
// results that are shown are loaded. index.js has the number of chunks of each page, and the number of
// pages of each file of texts. A term is written as
//
//	|3uda 2C1AB
//
// three letters of the term before, the other letters, and for each chunk the number of chunks that
// are skipped (in base 36, nothing for 0) and the weight of the hit, A to Z. A list of more than 900
// chunks is cut: the 600 with the largest weight are followed by
//
//	!B5k!AgQ
//
// the mean weight of the others, their number, and a bit for each page that has one of them, six in a
// letter. So a word costs no more on a site of 10,000 pages than on one of 1,000, and the pages that
// have all words of a query are still known. Only the section of such a page is not known, so it comes
// after all pages that are listed.
//
// # Ranking
//
// The weight of a hit is 10 to 16 for a page's title and 5 to 9 for a heading, more for a short one,
// plus up to 8 for text, by BM25 with the chunk's length; code counts for a third. So a title counts
// more than any amount of text. The browser multiplies by the rarity of the word (BM25's idf) and adds
// up. A page must have all words, in any of its chunks. If few pages do, others that lack one word
// count half; if none does, those with most of the words are shown as partial matches. The word that
// is being typed also finds words that begin with it, with less weight. A name as a whole counts more
// than its parts.
//
// Up to three sections of a page are shown: those with the largest weights, if these are at least a
// fifth of the first.
//
// A section with a part of the words counts by that part. A heading all of whose words are asked counts
// twice within its page. Enter leads to the first section, unless the title has the words.
//
// index.js has synonyms (synonyms.go), in lists of words or phrases. A query that has one is asked again
// with each other phrase of its list that a chunk has; all words of it must be in one chunk, and it counts
// 0.8. A page that is found in several ways counts more.
//
// A page with the number 5 has the term lesson5x, which replaces "lição 5", "aula 5" and the like in a query. The number in
// its title is no word: "CUDA 12" asks for no lesson. The query "my GPU" is replaced by the term of the field of :::my-gpu.
//
// If no page has all words, those that no page has may have one typing error from four letters on, two
// from eight if their stem has six; never if they have digits, because cu121 is not cu124. At most 9 more
// files of terms are read for that. Stems that are alike do not make words that are, so the texts of the
// first 8 pages are looked at.
package search
