package content

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/notebook"
)

// Markdown that a page includes becomes a part of its text before it is parsed:
//
//	:::include parts/notice.md {region=short}
//	:::
//
// and, in MkDocs' dialect, --8<-- "parts/notice.md:short". The composed text knows
// which file each of its lines comes from, so whatever is said of one names that.
// The first form is no directive in a code block, and links in what it includes are
// those of the included file; the second is a matter of text alone, as it is in
// MkDocs: https://facelessuser.github.io/pymdown-extensions/extensions/snippets/.

// maxChain bounds how deep files include files, maxIncludes how often a page does,
// and maxRead what these files have together, in bytes.
const (
	maxChain    = 16
	maxIncludes = 1000
	maxRead     = 64 << 20
)

var (
	includeLine = lazyregexp.New(`^([ \t>]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?)(:{3,})include(?:[ \t]+(.*?))?[ \t\r]*$`)
	snippetLine = lazyregexp.New(`^([ \t]*)(;*)(-+8<-+)(?:[ \t]+(?:"((?:\\"|[^"])+)"|'((?:\\'|[^'])+)'))?\r?$`)
	// snippetPart is what stands behind the path: a section, or lines. Newer versions
	// take several ranges.
	snippetPart = lazyregexp.New(`^(.*?)(?::([a-zA-Z][-_0-9a-zA-Z]*)|:([0-9]*(?::[0-9]*)?(?:,[0-9]*:[0-9]*)*))?$`)
	openFence   = lazyregexp.New("^[ \t>]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)*(`{3,}|~{3,})([^\r]*)")
)

// includes puts together the text of a page.
type includes struct {
	*pageParser
	library *library
	out     bytes.Buffer
	pieces  []diag.Piece
	line    int // the next one of the composed text
	chain   []step
	// folders are the places where links begin in another folder than the page's.
	folders []linkFolder
	count   int
	ended   bool // there is no end to it, and that was said
}

// A step is a file that is being included, and the place that asks for it.
type step struct {
	file  *diag.File
	where string
}

// A linkFolder is the part of a page whose links begin in a folder of their own.
type linkFolder struct {
	start, stop int
	dir         string
}

// compose replaces what the page includes by its text. A page that includes nothing
// stays as it is.
func (p *pageParser) compose(l *library) {
	p.page.File = p.file
	mkdocs := p.page.Dialects.Has(markdown.MkDocs)
	if !bytes.Contains(p.file.Data, []byte(":::include")) && !(mkdocs && bytes.Contains(p.file.Data, []byte("8<"))) {
		return
	}
	in := &includes{pageParser: p, library: l, line: 1}
	in.chain = []step{{file: p.file}}
	in.add(p.file, 1, p.file.Line(len(p.file.Data)), "")
	if len(p.page.Includes) == 0 && bytes.Equal(in.out.Bytes(), p.file.Data) {
		return
	}
	p.page.folders = in.folders
	p.file = diag.Compose(p.file.Name, slices.Clip(in.out.Bytes()), in.pieces)
	p.page.Source = p.file
}

// add writes lines of a file, each behind a prefix, and what they include.
func (in *includes) add(f *diag.File, from, to int, prefix string) {
	fence := "" // the mark of the code block that is open
	snippets := in.page.Dialects.Has(markdown.MkDocs)
	for line := from; line <= to && !in.ended; line++ {
		text := f.Text(line)
		if in.page.Notebook != nil && text == string(notebook.Mark) {
			fence = "" // what a cell leaves open ends with it
		}
		if snippets && strings.Contains(text, "8<") {
			if m := snippetLine.FindStringSubmatch(text); m != nil {
				line = in.snippet(f, line, to, prefix, m)
				continue
			}
		}
		if m := openFence.FindStringSubmatch(text); m != nil {
			switch {
			case fence == "" && m[1][0] == '`' && strings.Contains(m[2], "`"): // code in a line
			case fence == "":
				fence = m[1]
			case m[1][0] == fence[0] && len(m[1]) >= len(fence) && strings.Trim(m[2], " \t") == "":
				fence = ""
			}
		}
		if fence == "" && strings.Contains(text, ":::include") {
			if m := includeLine.FindStringSubmatch(text); m != nil {
				line = in.directive(f, line, to, prefix, m)
				continue
			}
		}
		in.copyLine(f, line, prefix, line == f.Line(len(f.Data)) && f == in.chain[0].file)
	}
}

// copyLine writes a line as it is. The last one of the page has no end.
func (in *includes) copyLine(f *diag.File, line int, prefix string, last bool) {
	text := f.Text(line)
	if text != "" {
		text = prefix + text
	}
	if in.page.Notebook != nil && f != in.chain[0].file { // the marks of cells are the notebook's
		text = strings.ReplaceAll(text, string(notebook.Mark), "\x1a")
	}
	in.write(text, diag.Piece{File: f, Line: line, Shift: len(prefix)}, last)
}

// write writes a line and notes where it comes from. Line ends are those of Unix,
// so that files with others can meet.
func (in *includes) write(text string, from diag.Piece, last bool) {
	if in.out.Len()+len(text) > maxPage {
		in.ended = true
		in.diags.Add(in.chain[0].file.Error(0, 0, diag.Say("a page of more than %d MiB, with all that it includes", maxPage>>20), diag.Say("part it")))
		return
	}
	from.First = in.line
	if n := len(in.pieces) - 1; n < 0 || !follows(in.pieces[n], from) {
		in.pieces = append(in.pieces, from)
	}
	in.out.WriteString(text)
	if !last {
		in.out.WriteByte('\n')
	}
	in.line++
}

// follows tells whether a line goes on with the piece before it.
func follows(p, next diag.Piece) bool {
	return p.File == next.File && p.Shift == next.Shift && p.Stands == next.Stands &&
		!p.Stands && next.Line-p.Line == next.First-p.First
}

// directive reads :::include, which goes up to the line returned.
func (in *includes) directive(f *diag.File, line, to int, prefix string, m []string) int {
	start := f.Offset(line, 1)
	end := start + len(f.Text(line))
	start += len(m[1])
	fail := func(from, stop int, message, hint diag.Text) {
		in.diags.Add(f.Error(from, stop, message, hint))
	}
	last := line
	for last < to && strings.Trim(f.Text(last+1), " \t>") == "" {
		last++
	}
	if last < to && strings.Trim(f.Text(last+1), " \t>") == m[2] {
		last++
	} else {
		fail(start, end, diag.Say("the :::include is not closed"), diag.Say("write a line %s directly behind it; there is nothing between the two", m[2]))
		in.write("", diag.Piece{File: f, Line: line, Stands: true}, false)
		return line
	}
	words, braces := m[3], ""
	if i := strings.IndexByte(words, '{'); i >= 0 {
		words, braces = strings.TrimSpace(words[:i]), words[i:]
	}
	name := strings.Trim(words, `"'`)
	if name == "" {
		fail(start, end, diag.Say(":::include names no file"), diag.Say("write :::include parts/notice.md"))
		return last
	}
	given := map[string]string{}
	attributes := parseInfo("x " + braces)
	for _, a := range attributes.attributes {
		if a.name != "region" && a.name != "lines" || !a.hasValue {
			fail(start, end, diag.Say("unknown attribute %q", a.name), diag.Say(`:::include knows region=name and lines="2-5"`))
			return last
		}
		given[a.name] = a.value
	}
	for _, e := range attributes.errs {
		fail(start, end, e.message, e.hint)
		return last
	}
	at := start + max(0, strings.Index(f.Text(line)[len(m[1]):], name))
	found, fault := in.library.find(name, in.folder(f), ".")
	var lines []int
	if fault == nil {
		fault = in.page.include(found)
	}
	if fault == nil {
		lines, fault = cut(found, given["region"], given["lines"])
	}
	if fault != nil {
		fail(at, at+len(name), fault.message, fault.hint)
		return last
	}
	// What follows a list's mark stands where the mark's text does.
	behind := strings.Map(func(r rune) rune {
		if r == '>' || r == '\t' {
			return r
		}
		return ' '
	}, m[1])
	stand := diag.Piece{File: f, Line: line, Stands: true}
	blank := strings.TrimRight(prefix+behind, " \t")
	if strings.Trim(m[1], " \t>") != "" {
		in.write(strings.TrimRight(prefix+m[1], " \t"), stand, false)
	} else {
		in.write(blank, stand, false)
	}
	begin := in.out.Len()
	in.enter(f, line, at, at+len(name), found, lines, prefix+behind)
	if dir := path.Dir(found.Name); strings.HasPrefix(dir+"/", root+"/") {
		in.folders = append(in.folders, linkFolder{begin, in.out.Len(), strings.TrimPrefix(strings.TrimPrefix(dir, root), "/")})
	}
	in.write(blank, stand, false)
	return last
}

// snippet reads --8<--: on one line with a path, or a block of paths, a line each.
func (in *includes) snippet(f *diag.File, line, to int, prefix string, m []string) int {
	begin := f.Offset(line, 1) + len(m[1])
	name := cmp.Or(m[4], m[5])
	switch {
	case m[2] != "": // ;--8<-- is the text itself
		text := f.Text(line)
		in.write(prefix+m[1]+strings.TrimPrefix(text[len(m[1]):], ";"), diag.Piece{File: f, Line: line, Shift: len(prefix) - 1}, false)
		return line
	case name != "":
		in.snippetFile(f, line, begin, name, prefix+m[1])
		return line
	}
	for line++; line <= to; line++ {
		text := strings.TrimRight(f.Text(line), "\r")
		if closing := snippetLine.FindStringSubmatch(text); closing != nil && closing[2] == "" && closing[4]+closing[5] == "" {
			return line
		}
		name := strings.TrimSpace(text)
		indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
		switch {
		case name == "":
			in.write("", diag.Piece{File: f, Line: line, Stands: true}, false)
		case name[0] != ';':
			in.snippetFile(f, line, f.Offset(line, 1)+len(indent), name, prefix+indent)
		}
	}
	in.diags.Add(f.Warning(begin, begin+len(m[3]), diag.Say("the block of snippets is not closed"), diag.Say("end it with a line %s", m[3])))
	return line
}

// snippetFile includes what a snippet names. One that is not there is a warning,
// and its line stays: MkDocs itself says nothing, and leaves the line out.
func (in *includes) snippetFile(f *diag.File, line, at int, name, prefix string) {
	part := snippetPart.FindStringSubmatch(strings.TrimSpace(name))
	found, fault := (*diag.File)(nil), (*cutError)(nil)
	if strings.Contains(part[1], "://") {
		fault = &cutError{diag.Say("a snippet of another server is not read"), diag.Say("copy it into the site")}
	} else {
		language := path.Join(root, in.page.Language.Code)
		found, fault = in.library.find(part[1], ".", language, root, path.Join(language, path.Dir(in.page.Path)))
	}
	var lines []int
	if fault == nil {
		fault = in.page.include(found)
	}
	if fault == nil {
		lines, fault = cut(found, part[2], "")
	}
	if fault == nil && part[3] != "" {
		lines, fault = snippetLines(part[3], lines)
	}
	if fault != nil {
		end := f.Offset(line, 1) + len(f.Text(line))
		in.diags.Add(f.Warning(at, end, fault.message, fault.hint))
		in.copyLine(f, line, strings.TrimSuffix(prefix, f.Text(line)[:len(f.Text(line))-len(strings.TrimLeft(f.Text(line), " \t"))]), false)
		return
	}
	in.enter(f, line, at, f.Offset(line, 1)+len(f.Text(line)), found, lines, prefix)
}

// snippetLines picks from lines those of "2:5", ":5", "2:" or "1:3,5:6". Lines that
// are not there are left out, as they are in MkDocs. They are no more than a page can
// hold, however often a range is asked for.
func snippetLines(ranges string, lines []int) (out []int, _ *cutError) {
	for r := range strings.SplitSeq(ranges, ",") {
		from, to, _ := strings.Cut(r, ":")
		first, _ := strconv.Atoi(from)
		i, _ := slices.BinarySearch(lines, first)
		end := len(lines)
		if last, err := strconv.Atoi(to); err == nil {
			end, _ = slices.BinarySearch(lines, last+1)
		}
		out = append(out, lines[i:max(i, end)]...)
		if len(out) > maxPage {
			return nil, &cutError{diag.Say("these ranges have more than %d lines", maxPage), diag.Say("take fewer of them")}
		}
	}
	return out, nil
}

// enter writes lines of a file that f asks for, unless the file is being written
// already.
func (in *includes) enter(f *diag.File, line, start, stop int, found *diag.File, lines []int, prefix string) {
	where := fmt.Sprintf("%s:%d", f.Name, line)
	loop := slices.ContainsFunc(in.chain, func(s step) bool { return s.file.Name == found.Name })
	if loop || len(in.chain) > maxChain {
		chain := []string{}
		for _, s := range in.chain[1:] {
			chain = append(chain, s.where)
		}
		chain = append(chain, where, found.Name)
		message := "files include each other in a circle: "
		if !loop {
			message = fmt.Sprintf("files include files more than %d deep: ", maxChain)
		}
		in.ended = true
		in.diags.Add(f.Error(start, stop, diag.Say("%s%s", message, strings.Join(chain, " > ")), diag.Say("take one of these includes out")))
		return
	}
	if in.count++; in.count > maxIncludes {
		in.ended = true
		in.diags.Add(f.Error(start, stop, diag.Say("a page includes files more than %d times", maxIncludes), diag.Say("part it")))
		return
	}
	in.chain = append(in.chain, step{found, where})
	front := 0 // the front matter is that of the file as a page
	if _, _, end, ok, open := splitFrontMatter(found.Data); ok && !open && isMarkdown(found.Name) {
		front = found.Line(end) - 1
	}
	for len(lines) > 0 && lines[0] <= front {
		lines = lines[1:]
	}
	for len(lines) > 0 { // runs of lines, for a directive takes two
		n := 1
		for n < len(lines) && lines[n] == lines[n-1]+1 {
			n++
		}
		in.add(found, lines[0], lines[n-1], prefix)
		lines = lines[n:]
	}
	in.chain = in.chain[:len(in.chain)-1]
}

// folder is where paths in a file begin.
func (in *includes) folder(f *diag.File) string {
	return path.Dir(f.Name)
}

// include notes a file that the page includes. There is a fault where the page has
// gone through too much by now: a large file, again and again.
func (p *Page) include(f *diag.File) *cutError {
	if !slices.Contains(p.Includes, f.Name) {
		p.Includes = append(p.Includes, f.Name)
	}
	if p.read += len(f.Data); p.read > maxRead {
		return &cutError{diag.Say("the files that this page includes have more than %d MiB, each counted as often as it is included", maxRead>>20), diag.Say("part the page, or the files")}
	}
	return nil
}

// folderAt is the folder below content/ in which the links at an offset begin:
// that of the page, or of the file that it includes there.
func (p *Page) folderAt(pos int) string {
	// The innermost part is the one that ends first of those that hold the offset.
	i := sort.Search(len(p.folders), func(i int) bool { return p.folders[i].stop > pos })
	for ; i < len(p.folders); i++ {
		if p.folders[i].start <= pos {
			return p.folders[i].dir
		}
	}
	return path.Join(p.Language.Code, path.Dir(p.Path))
}
