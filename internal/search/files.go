package search

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// A File is one of the index, a script. Its name is below the index's folder.
type File struct {
	Name string
	Data []byte
}

// Head is the name of the file that is loaded first; it says where the others are.
const Head = "index.js"

// head is what Head holds. Everything else is below the folder Dir, whose name is made of all that
// is in the index, so that caches may keep it and no part meets one of another build.
type head struct {
	Version int    `json:"v"`
	Dir     string `json:"dir"`
	// Pages says how many chunks each page has, Texts how many each file of texts.
	Pages []int `json:"pages"`
	Texts []int `json:"texts"`
	// Tries is how many files of terms are read at most for a word that is nowhere.
	Tries int `json:"tries"`
	// Terms are the first terms of the files of terms.
	Terms []string `json:"terms"`
	// Steps, Stop and Alts are the rules of the language.
	Steps string     `json:"steps"`
	Stop  string     `json:"stop"`
	Alts  [][]string `json:"alts"`
}

// Build makes the index of a language. The same pages give the same bytes.
func Build(language string, pages []Page) []File {
	h := head{Version: 1, Pages: make([]int, len(pages))}
	var chunks []chunk
	for i, p := range pages {
		own := cut(i, p)
		h.Pages[i] = len(own)
		chunks = append(chunks, own...)
	}
	x := invert(language, pages, chunks)
	h.Steps, h.Stop, h.Alts = x.form(), strings.Join(x.words, " "), x.alts
	files := append(termFiles(x, &h), textFiles(pages, chunks, &h)...)
	sum := sha256.New()
	for _, f := range files {
		fmt.Fprintf(sum, "%s %d\n", f.Name, len(f.Data))
		sum.Write(f.Data)
	}
	h.Dir = hex.EncodeToString(sum.Sum(nil))[:8]
	for i := range files {
		files[i].Name = h.Dir + "/" + files[i].Name
	}
	return append([]File{{Head, script("head", h)}}, files...)
}

// script calls a function of the browser's part: file:// allows nothing else than
// scripts to be loaded, and the content security policy no other script than a file.
func script(function string, arguments ...any) []byte {
	var b bytes.Buffer
	b.WriteString("gpudocs.search." + function + "(")
	for i, a := range arguments {
		if i > 0 {
			b.WriteByte(',')
		}
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		_ = e.Encode(a) // strings, numbers and lists of them
		b.Truncate(b.Len() - 1)
	}
	b.WriteString(")\n")
	return b.Bytes()
}

// How large files are before compression, for small sites and for large ones: what a reader loads should be little,
// and a site of 10,000 pages should not be 30,000 files. Between the two a site has as many files as is said here.
var (
	termSizes = sizes{least: 5000, most: 14000, files: 250}
	textSizes = sizes{least: 5000, most: 16000, files: 1000}
)

// tries is how many files of terms are read for a word that is nowhere; of larger ones fewer.
const tries = 12

type sizes struct{ least, most, files int }

func (s sizes) of(total int) int { return min(max(s.least, total/s.files), s.most) }

// termFiles writes the terms in their order: "|", how many letters are those of the term before, the
// others, a blank, and the postings.
func termFiles(x *inverted, h *head) (files []File) {
	total := 0
	for i, list := range x.postings {
		total += 4 + len(x.terms[i])/2 + 2*len(list) // about
	}
	size := termSizes.of(total)
	h.Tries = tries * termSizes.least / size
	var b strings.Builder
	before := ""
	flush := func() {
		if b.Len() > 0 {
			files = append(files, File{fmt.Sprintf("t%d.js", len(files)), script("terms", len(files), b.String())})
			b.Reset()
		}
		before = ""
	}
	for _, number := range x.sorted() {
		term := x.terms[number]
		if b.Len() > size {
			flush()
		}
		if b.Len() == 0 {
			h.Terms = append(h.Terms, term)
		}
		shared, letters := sharedLetters(before, term)
		b.WriteByte('|')
		b.WriteByte("0123456789abcdefghijklmnopqrstuvwxyz"[letters])
		b.WriteString(term[shared:])
		b.WriteByte(' ')
		writePostings(&b, x.postings[number])
		before = term
	}
	flush()
	return files
}

// sharedLetters counts what two terms begin with, in bytes and letters, 35 at most.
func sharedLetters(a, b string) (size, letters int) {
	for i, r := range a {
		n := len(string(r))
		if letters == 35 || !strings.HasPrefix(b[i:], a[i:i+n]) {
			break
		}
		size, letters = i+n, letters+1
	}
	return size, letters
}

// writePostings writes for each how many chunks lie between it and the one before, to the base of 36 and nothing for
// none, and a capital letter for its weight.
func writePostings(b *strings.Builder, list []posting) {
	next := 0
	for _, p := range list {
		if p.chunk > next {
			b.WriteString(strconv.FormatInt(int64(p.chunk-next), 36))
		}
		b.WriteByte(byte('@' + p.weight))
		next = p.chunk + 1
	}
}

// textFiles writes the chunks by pages: the page's address, title and language, and its sections, each with id, heading
// and blocks, a line each; those of code begin with a tab. A page begins another file where it would not fit whole into this one, so that all of most pages is
// loaded at once.
func textFiles(pages []Page, chunks []chunk, h *head) (files []File) {
	var now []any
	var sections *[][3]string
	total, size, count := 0, 0, 0
	whole := make([]int, len(pages)) // how long each page is
	for _, c := range chunks {
		whole[c.page] += c.size
		total += c.size
	}
	most := textSizes.of(total)
	flush := func() {
		if count > 0 {
			files = append(files, File{fmt.Sprintf("x%d.js", len(files)), script("texts", len(files), now)})
			h.Texts = append(h.Texts, count)
			now, size, count = nil, 0, 0
		}
	}
	page := -1
	for _, c := range chunks {
		if c.page != page && size > 0 && size+min(whole[c.page], most) > most || size > 0 && size+c.size > most {
			flush()
		}
		if c.page != page || count == 0 {
			p := pages[c.page]
			sections = new([][3]string)
			now = append(now, []any{p.URL, p.Title, p.Lang, sections})
			page = c.page
		}
		*sections = append(*sections, [3]string{c.ID, c.Heading, lines(c.Blocks)})
		size += c.size
		count++
	}
	flush()
	return files
}

var oneLine = strings.NewReplacer("\n", " ", "\t", " ")

func lines(blocks []Block) string {
	var list []string
	for _, b := range blocks {
		if !b.Code {
			if text := strings.Join(strings.Fields(b.Text), " "); text != "" {
				list = append(list, text)
			}
			continue
		}
		for line := range strings.Lines(b.Text) {
			if line = strings.TrimRight(line, " \t\r\n"); line != "" {
				list = append(list, "\t"+oneLine.Replace(line))
			}
		}
	}
	return strings.Join(list, "\n")
}
