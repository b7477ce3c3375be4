package book

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// A pdfFile is a PDF as Chromium writes it: a table of objects, without object streams.
type pdfFile struct {
	objects    map[int][]byte
	root, info int
}

var errPDF = errors.New("the PDF does not have the form that Chromium gives it")

var (
	pdfStart  = lazyregexp.New(`startxref\s+(\d+)\s+%%EOF\s*$`)
	pdfTable  = lazyregexp.New(`^xref\s+0 (\d+)\s*\n`)
	pdfObject = lazyregexp.New(`^(\d+) 0 obj\s`)
	pdfRef    = lazyregexp.New(`(\d+) 0 R`)
	pdfDest   = lazyregexp.New(`/([^\s/\[\]()<>]+)\s*\[(\d+) 0 R`)
)

// readPDF reads the objects of a file.
func readPDF(data []byte) (*pdfFile, error) {
	start := pdfStart.FindSubmatch(data[max(0, len(data)-100):])
	if start == nil {
		return nil, errPDF
	}
	table, _ := strconv.Atoi(string(start[1]))
	if table >= len(data) {
		return nil, errPDF
	}
	head := pdfTable.FindSubmatch(data[table:])
	if head == nil {
		return nil, errPDF
	}
	count, _ := strconv.Atoi(string(head[1]))
	lines := data[table+len(head[0]):]
	if count > len(lines)/20 {
		return nil, errPDF
	}
	starts := []int{table}
	for i := range count {
		line := lines[20*i : 20*i+20]
		at, err := strconv.Atoi(string(line[:10]))
		if line[17] == 'n' && (err != nil || at >= table) {
			return nil, errPDF
		} else if line[17] == 'n' {
			starts = append(starts, at)
		}
	}
	slices.Sort(starts)
	f := &pdfFile{objects: map[int][]byte{}}
	for i, at := range starts[:len(starts)-1] {
		body := data[at:starts[i+1]]
		head := pdfObject.FindSubmatch(body)
		end := bytes.LastIndex(body, []byte("endobj"))
		if head == nil || end < len(head[0]) {
			return nil, errPDF
		}
		n, _ := strconv.Atoi(string(head[1]))
		f.objects[n] = bytes.TrimSpace(body[len(head[0]):end])
	}
	trailer := lines[20*count:]
	f.root, f.info = reference(trailer, "/Root"), reference(trailer, "/Info")
	if f.objects[f.root] == nil {
		return nil, errPDF
	}
	return f, nil
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
		_, kids, parent := bytes.Cut(f.objects[n], []byte("/Kids ["))
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
	walk(reference(f.objects[f.root], "/Pages"))
	return list
}

// places returns the number of the page, from 1, of each id that a link of the document leads to.
func (f *pdfFile) places() map[string]int {
	numbers := map[int]int{}
	for i, n := range f.pages() {
		numbers[n] = i + 1
	}
	places := map[string]int{}
	for _, m := range pdfDest.FindAllSubmatch(f.objects[reference(f.objects[f.root], "/Dests")], -1) {
		name, err := url.PathUnescape(strings.ReplaceAll(string(m[1]), "#", "%"))
		if err != nil {
			continue
		}
		page, _ := strconv.Atoi(string(m[2]))
		places[name] = numbers[page]
	}
	return places
}

// describe sets what a reader's program shows of the file.
func (f *pdfFile) describe(b info) {
	if f.info == 0 {
		f.info = slices.Max(slices.Collect(maps.Keys(f.objects))) + 1
	}
	_, producer, _ := bytes.Cut(f.objects[f.info], []byte("/Producer ("))
	producer, _, _ = bytes.Cut(producer, []byte(")"))
	dict := fmt.Sprintf("<</Title %s/Creator %s/Producer (%s)", pdfText(b.title), pdfText(b.generator), producer)
	if b.author != "" {
		dict += "/Author " + pdfText(b.author)
	}
	if !b.date.IsZero() {
		date := b.date.UTC().Format("(D:20060102150405Z)")
		dict += "/CreationDate " + date + "/ModDate " + date
	}
	f.objects[f.info] = []byte(dict + ">>")
	root := f.objects[f.root]
	for key, value := range map[string]string{"/PageMode": "/UseOutlines", "/ViewerPreferences": "<</DisplayDocTitle true>>", "/Lang": pdfText(b.language)} {
		if !bytes.Contains(root, []byte(key)) {
			root = slices.Concat(bytes.TrimSuffix(root, []byte(">>")), []byte(key+" "+value+">>"))
		}
	}
	f.objects[f.root] = root
}

// info is what a file says of itself.
type info struct {
	title, author, language, generator string
	date                               time.Time
}

// pdfText returns a text in UTF-16, as a string in hexadecimal.
func pdfText(s string) string {
	var b strings.Builder
	for _, c := range utf16.Encode([]rune("\ufeff" + s)) {
		fmt.Fprintf(&b, "%04X", c)
	}
	return "<" + b.String() + ">"
}

// perStream is how many objects a stream has.
const perStream = 200

// write returns the file with compressed objects, which halves its size. The id names what it was made of.
func (f *pdfFile) write(id []byte) []byte {
	var out, packed bytes.Buffer
	out.WriteString("%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
	numbers := slices.Sorted(maps.Keys(f.objects))
	next := numbers[len(numbers)-1] + 1
	type place struct{ kind, where, index int }
	places := map[int]place{}
	stream := func(n int, dict string, data []byte) {
		places[n] = place{1, out.Len(), 0}
		fmt.Fprintf(&out, "%d 0 obj\n<<%s/Filter/FlateDecode/Length %d>>stream\n%s\nendstream\nendobj\n", n, dict, len(data), data)
	}
	var index []string
	pack := func() {
		if len(index) > 0 {
			head := strings.Join(index, " ") + " "
			stream(next, fmt.Sprintf("/Type/ObjStm/N %d/First %d", len(index), len(head)), deflate([]byte(head+packed.String())))
			next, index = next+1, nil
			packed.Reset()
		}
	}
	for _, n := range numbers {
		body := f.objects[n]
		if bytes.HasSuffix(body, []byte("endstream")) {
			places[n] = place{1, out.Len(), 0}
			fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", n, body)
			continue
		}
		places[n] = place{2, next, len(index)}
		index = append(index, fmt.Sprintf("%d %d", n, packed.Len()))
		packed.Write(body)
		if packed.WriteByte('\n'); len(index) == perStream {
			pack()
		}
	}
	pack()
	table := make([]byte, 0, 7*(next+1))
	start := out.Len()
	places[next] = place{1, start, 0}
	for n := range next + 1 {
		p := places[n]
		table = append(binary.BigEndian.AppendUint32(append(table, byte(p.kind)), uint32(p.where)), byte(p.index>>8), byte(p.index))
	}
	stream(next, fmt.Sprintf("/Type/XRef/W[1 4 2]/Size %d/Root %d 0 R/Info %d 0 R/ID[<%x><%x>]", next+1, f.root, f.info, id, id), deflate(table))
	fmt.Fprintf(&out, "startxref\n%d\n%%%%EOF\n", start)
	return out.Bytes()
}

// isOf reports whether a file was made of what the id names.
func isOf(data, id []byte) bool { return bytes.Contains(data, fmt.Appendf(nil, "/ID[<%x>", id)) }

func deflate(data []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write(data) // a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}
