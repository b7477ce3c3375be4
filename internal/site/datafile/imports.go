package datafile

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/site"
)

// An Import is a module that a line of Python imports.
type Import struct {
	// Name is its whole name: "package.sub". For "from package import sub" it is that of what may be a
	// module in the package.
	Name string
	// Line counts from 0, and From and To are the bytes of the line with the name as it is written.
	Line, From, To int
}

// statement matches an import: the name after from, or else what follows import. Names may go on in the next
// line behind a backslash, or within parentheses.
var statement = lazyregexp.New(`(?m)(?:^|[;:])[ \t]*(?:(?:>>>|\.\.\.)[ \t]*)*(?:from[ \t]+([^\s.;#][^\s;#]*)[ \t]+import\b[ \t]*(\([^)]*\)?|(?:\\\r?\n|[^\n#;])*)|import[ \t]((?:\\\r?\n|[^\n#;])*))`)

// comment matches a comment, or another end of a line.
var comment = lazyregexp.New(`#[^\n]*|[()\\\r\n]`)

// Imports finds the imports in Python code, also indented ones and those behind the prompt. It looks at
// lines, not at their meaning, so it may find one in a string: then a file is there that nothing reads.
func Imports(code string) (list []Import) {
	line, counted := 0, 0
	for _, m := range statement.FindAllStringSubmatchIndex(code, -1) {
		names, at, from := 6, m[6], ""
		if m[2] >= 0 {
			names, at, from = 4, m[2], code[m[2]:m[3]]
		}
		line, counted = line+strings.Count(code[counted:at], "\n"), at
		begin := strings.LastIndexByte(code[:at], '\n') + 1
		width := len(code) - begin
		if n := strings.IndexByte(code[at:], '\n'); n >= 0 {
			width = at + n - begin
		}
		add := func(name string, from, length int) {
			if from = min(from-begin, width); isModule(name) {
				list = append(list, Import{name, line, from, min(from+length, width)})
			}
		}
		if from == "" {
			for part := range strings.SplitSeq(code[m[names]:m[names+1]], ",") {
				if words := strings.Fields(comment.ReplaceAllString(part, " ")); len(words) > 0 {
					add(words[0], at+strings.Index(part, words[0]), len(words[0]))
				}
				at += len(part) + 1
			}
			continue
		}
		add(from, at, len(from))
		for part := range strings.SplitSeq(comment.ReplaceAllString(code[m[names]:m[names+1]], " "), ",") {
			if words := strings.Fields(part); len(words) > 0 {
				add(from+"."+words[0], at, len(from))
			}
		}
	}
	return list
}

// isModule reports whether a text is the name of a module that is not relative.
func isModule(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if part == "" || unicode.IsDigit(rune(part[0])) || strings.ContainsFunc(part, func(r rune) bool {
			return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
		}) {
			return false
		}
	}
	return true
}

// maxModule bounds a module whose own imports are followed, in bytes, and maxImports what is followed.
const maxModule, maxImports = 4 << 20, 10_000

// findModules answers a query for a module.
func (c *Cache) findModules(q Query) (a answer) {
	names, taken := []string{q.module}, map[string]bool{}
	a.folder = q.folder
	for i := 0; i < len(names) && i < maxImports; i++ {
		top, _, _ := strings.Cut(names[i], ".")
		p, is := c.moduleFiles(q.folder, names[i])
		if taken[top] || !is {
			continue
		}
		taken[top] = true
		files, err := c.find(p)
		if err != nil {
			return answer{folder: q.folder, fault: err}
		}
		a.files = append(a.files, files...)
		for _, f := range files {
			for _, more := range c.importsOf(f) {
				if !slices.Contains(names, more.Name) {
					names = append(names, more.Name)
				}
			}
		}
	}
	return a
}

// moduleFiles returns the pattern of the files of a module or package, if a folder has it.
func (c *Cache) moduleFiles(folder, name string) (p pattern, is bool) {
	top, rest, _ := strings.Cut(name, ".")
	sub, _, _ := strings.Cut(rest, ".")
	dir := path.Join(folder, top)
	has := func(file string) bool {
		info, err := fs.Stat(c.fsys, file)
		return err == nil && !info.IsDir()
	}
	switch {
	case has(dir + "/__init__.py"):
	case has(dir + ".py"):
		return pattern{text: top + ".py", base: folder, names: []string{top + ".py"}, literal: 1}, true
	// A folder without __init__.py is a package only if no other of its name is installed, so that the
	// name of a module in it must be written too.
	case sub == "" || !has(path.Join(dir, sub+".py")) && !has(path.Join(dir, sub, "__init__.py")):
		return p, false
	}
	return pattern{text: top + "/**/*.py", base: folder, names: []string{top, "**", "*.py"}, literal: 1}, true
}

// importsOf returns what a module imports.
func (c *Cache) importsOf(f site.DataFile) []Import {
	return c.imports.get(f.Path, func() []Import {
		if f.Size > maxModule {
			return nil
		}
		data, _ := fs.ReadFile(c.fsys, f.Path) // what cannot be read was reported when it was hashed
		return Imports(string(data))
	})
}
