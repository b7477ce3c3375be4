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
	pdfNode   = lazyregexp.New(`\(node\d{8}\)`)
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
		n, err := strconv.Atoi(string(head[1]))
		if err != nil || n >= count {
			return nil, errPDF
		}
		f.objects[n] = bytes.TrimSpace(body[len(head[0]):end])
	}
	trailer := lines[20*count:]
	f.root, f.info = reference(trailer, "/Root"), reference(trailer, "/Info")
	if f.objects[f.root] == nil {
		return nil, errPDF
	}
	f.number()
	return f, nil
}

// number renames the cells of tables to which others refer. Chromium names them after its own count of elements, which
// differs from run to run. Their order stays, for the tree of names.
func (f *pdfFile) number() {
	var names []string
	each := func(replace func(name string) string) {
		for n, object := range f.objects {
			if bytes.Contains(object, []byte("(node")) && !bytes.HasSuffix(object, []byte("endstream")) {
				f.objects[n] = []byte(pdfNode.ReplaceAllStringFunc(string(object), replace))
			}
		}
	}
	each(func(name string) string {
		names = append(names, name)
		return name
	})
	slices.Sort(names)
	names = slices.Compact(names)
	each(func(name string) string {
		at, _ := slices.BinarySearch(names, name)
		return fmt.Sprintf("(node%08d)", at+1)
	})
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
	if !bytes.Contains(root, []byte("/PageMode")) {
		f.objects[f.root] = slices.Concat(bytes.TrimSuffix(root, []byte(">>")), []byte("/PageMode /UseOutlines>>"))
	}
}

// info is what a file says of itself.
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

// perStream is how many objects a stream has.
const perStream = 200

// write returns the file with compressed objects: it is a third as large. The id names what it was made of.
func (f *pdfFile) write(id []byte) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
	size := slices.Max(slices.Collect(maps.Keys(f.objects))) + 1
	table := map[int][]byte{} // entries of three fields, of 1, 4 and 2 bytes
	entry := func(kind byte, where, index int) []byte {
		return binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint32([]byte{kind}, uint32(where)), uint16(index))
	}
	add := func(n int, body string) {
		table[n] = entry(1, b.Len(), 0)
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", n, body)
	}
	stream := func(n int, dict string, data []byte) {
		var packed bytes.Buffer
		w := zlib.NewWriter(&packed)
		_, _ = w.Write(data) // a buffer takes everything
		_ = w.Close()
		add(n, fmt.Sprintf("<<%s/Filter/FlateDecode/Length %d>>stream\n%s\nendstream", dict, packed.Len(), packed.Bytes()))
	}
	var small []int
	for _, n := range slices.Sorted(maps.Keys(f.objects)) {
		if bytes.HasSuffix(f.objects[n], []byte("endstream")) {
			add(n, string(f.objects[n]))
		} else {
			small = append(small, n)
		}
	}
	for part := range slices.Chunk(small, perStream) {
		var head, bodies bytes.Buffer
		for i, n := range part {
			table[n] = entry(2, size, i)
			fmt.Fprintf(&head, "%d %d ", n, bodies.Len())
			fmt.Fprintf(&bodies, "%s\n", f.objects[n])
		}
		stream(size, fmt.Sprintf("/Type/ObjStm/N %d/First %d", len(part), head.Len()), append(head.Bytes(), bodies.Bytes()...))
		size++
	}
	start := b.Len()
	table[size] = entry(1, start, 0)
	var all []byte
	for n := range size + 1 {
		if table[n] == nil {
			table[n] = entry(0, 0, 0)
		}
		all = append(all, table[n]...)
	}
	stream(size, fmt.Sprintf("/Type/XRef/W[1 4 2]/Size %d/Root %d 0 R/Info %d 0 R/ID[<%x><%x>]", size+1, f.root, f.info, id, id), all)
	fmt.Fprintf(&b, "startxref\n%d\n%%%%EOF\n", start)
	return b.Bytes()
}

// isOf reports whether a file was made of what the id names.
func isOf(data, id []byte) bool { return bytes.Contains(data, fmt.Appendf(nil, "/ID[<%x>", id)) }
