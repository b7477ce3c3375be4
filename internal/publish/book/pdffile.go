package book

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// A pdfFile is a PDF as Chromium writes it: objects, and a table of where they begin at the end.
type pdfFile struct {
	data       []byte
	starts     []int // by the number of the object
	table      int
	root, info int
}

var errPDF = errors.New("the PDF does not have the form that Chromium gives it")

var (
	pdfStart = lazyregexp.New(`startxref\s+(\d+)\s+%%EOF\s*$`)
	pdfEntry = lazyregexp.New(`(\d{10}) \d{5} [fn]`)
	pdfRef   = lazyregexp.New(`(\d+) 0 R`)
	pdfDest  = lazyregexp.New(`/([^\s/\[\]()<>]+)\s*\[(\d+) 0 R`)
	pdfNode  = lazyregexp.New(`\(node\d{8}\)`)
)

// readPDF finds the objects of a file.
func readPDF(data []byte) (*pdfFile, error) {
	start := pdfStart.FindSubmatch(data[max(0, len(data)-100):])
	if start == nil {
		return nil, errPDF
	}
	f := &pdfFile{data: data}
	f.table, _ = strconv.Atoi(string(start[1]))
	if f.table >= len(data) {
		return nil, errPDF
	}
	for _, m := range pdfEntry.FindAllSubmatch(data[f.table:], -1) {
		at, _ := strconv.Atoi(string(m[1]))
		f.starts = append(f.starts, at)
	}
	f.root, f.info = reference(data[f.table:], "/Root"), reference(data[f.table:], "/Info")
	if f.object(f.root) == nil || f.object(f.info) == nil {
		return nil, errPDF
	}
	f.number()
	return f, nil
}

// object returns an object that is no stream, or nil.
func (f *pdfFile) object(n int) []byte {
	if n <= 0 || n >= len(f.starts) || f.starts[n] >= f.table {
		return nil
	}
	_, body, _ := bytes.Cut(f.data[f.starts[n]:f.table], []byte(" obj\n"))
	body, _, _ = bytes.Cut(body, []byte("\nendobj"))
	return body
}

// number renames the cells of tables to which others refer. Chromium names them after its own count of elements, which
// differs from run to run. Their order stays, for the tree of names.
func (f *pdfFile) number() {
	names := pdfNode.FindAllString(string(f.data), -1)
	slices.Sort(names)
	names = slices.Compact(names)
	f.data = []byte(pdfNode.ReplaceAllStringFunc(string(f.data), func(name string) string {
		at, _ := slices.BinarySearch(names, name)
		return fmt.Sprintf("(node%08d)", at+1)
	}))
}

// reference returns the number of the object that a key of a dictionary refers to, or 0.
func reference(dict []byte, key string) int {
	_, after, found := bytes.Cut(dict, []byte(key+" "))
	if at := pdfRef.FindSubmatchIndex(after); found && at != nil && at[0] == 0 {
		n, _ := strconv.Atoi(string(after[at[2]:at[3]]))
		return n
	}
	return 0
}

// pages returns the objects of the pages, in order.
func (f *pdfFile) pages() (list []int) {
	seen := map[int]bool{}
	var walk func(n int)
	walk = func(n int) {
		_, kids, parent := bytes.Cut(f.object(n), []byte("/Kids ["))
		if seen[n] {
			return
		}
		if seen[n] = true; !parent {
			list = append(list, n)
			return
		}
		kids, _, _ = bytes.Cut(kids, []byte("]"))
		for _, kid := range pdfRef.FindAllSubmatch(kids, -1) {
			n, _ := strconv.Atoi(string(kid[1]))
			walk(n)
		}
	}
	walk(reference(f.object(f.root), "/Pages"))
	return list
}

// places returns the number of the page, from 1, of each id that a link of the document leads to.
func (f *pdfFile) places() map[string]int {
	pages, places := f.pages(), map[string]int{}
	for _, m := range pdfDest.FindAllSubmatch(f.object(reference(f.object(f.root), "/Dests")), -1) {
		page, _ := strconv.Atoi(string(m[2]))
		places[string(m[1])] = slices.Index(pages, page) + 1
	}
	return places
}

// info is what a reader's program shows of a file.
type info struct {
	title, author, generator string
	date                     time.Time
}

// pdfText returns a text in UTF-16, as a string in hexadecimal.
func pdfText(s string) string {
	var b strings.Builder
	for _, c := range utf16.Encode([]rune("\ufeff" + s)) {
		fmt.Fprintf(&b, "%04X", c)
	}
	return "<" + b.String() + ">"
}

// write returns the file with other information, as an update at its end. The id names what it was made of.
func (f *pdfFile) write(about info, id []byte) []byte {
	dict := fmt.Sprintf("<</Title %s/Creator %s", pdfText(about.title), pdfText(about.generator))
	if about.author != "" {
		dict += "/Author " + pdfText(about.author)
	}
	if !about.date.IsZero() {
		date := about.date.UTC().Format("(D:20060102150405Z)")
		dict += "/CreationDate " + date + "/ModDate " + date
	}
	for i, old := 0, f.object(f.info); i < len(old); i++ { // it has the time of printing
		old[i] = ' '
	}
	b := bytes.NewBuffer(append(f.data, '\n'))
	root := b.Len()
	fmt.Fprintf(b, "%d 0 obj\n%s/PageMode /UseOutlines>>\nendobj\n", f.root, bytes.TrimSuffix(f.object(f.root), []byte(">>")))
	described := b.Len()
	fmt.Fprintf(b, "%d 0 obj\n%s>>\nendobj\n", f.info, dict)
	fmt.Fprintf(b, "xref\n%d 1\n%010d 00000 n \n%d 1\n%010d 00000 n \n"+
		"trailer\n<</Size %d/Root %d 0 R/Info %d 0 R/Prev %d/ID[<%x><%x>]>>\nstartxref\n%d\n%%%%EOF\n",
		f.root, root, f.info, described, len(f.starts), f.root, f.info, f.table, id, id, b.Len())
	return b.Bytes()
}

// isOf reports whether a file was made of what the id names.
func isOf(data, id []byte) bool { return bytes.Contains(data, fmt.Appendf(nil, "/ID[<%x>", id)) }
