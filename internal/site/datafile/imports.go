package datafile

import (
	"strings"
	"unicode"
)

// An Import is a module that a line of Python imports.
type Import struct {
	// Name is its whole name: "package.sub". For "from package import sub" it is that of what may be a
	// module in the package.
	Name string
	// Line counts from 0, and From and To are the bytes of the line with the name as it is written.
	Line, From, To int
}

// Imports finds the imports in Python code, also indented ones and those behind the prompt. It looks at
// lines, not at their meaning, so it may find one in a string: then a file is there that nothing reads.
func Imports(code string) (list []Import) {
	lines := strings.Split(code, "\n")
	for i := 0; i < len(lines); i++ {
		if !strings.Contains(lines[i], "import") {
			continue
		}
		number := i
		line := withoutComment(lines[i])
		for i+1 < len(lines) && continues(line) && i < number+maxContinued {
			i++
			line = strings.TrimSuffix(line, `\`) + " " + withoutComment(lines[i])
		}
		for at := 0; at < len(line); {
			end := len(line)
			if n := strings.IndexAny(line[at:], ";:"); n >= 0 {
				end = at + n
			}
			list = append(list, statement(line[at:end], number, at, len(lines[number]))...)
			at = end + 1
		}
	}
	return list
}

// maxContinued bounds the lines of one import.
const maxContinued = 100

// continues reports whether an import goes on in the next line.
func continues(line string) bool {
	return strings.HasSuffix(line, `\`) || strings.Count(line, "(") > strings.Count(line, ")") && strings.Contains(line, "from")
}

func withoutComment(line string) string {
	line, _, _ = strings.Cut(line, "#")
	return strings.TrimRight(line, " \t\r")
}

// statement finds the imports of one statement, which begins at a byte of a line. Only what is written
// within the first bytes of it is on that line.
func statement(s string, line, at, width int) (list []Import) {
	w := words{text: s}
	first := w.next()
	for first == ">>>" || first == "..." {
		first = w.next()
	}
	switch first {
	case "import":
		for {
			name := w.name()
			if name == "" {
				return list
			}
			list = append(list, Import{name, line, min(at+w.from, width), min(at+w.at, width)})
			next := w.next()
			if next == "as" {
				w.next()
				next = w.next()
			}
			if next != "," {
				return list
			}
		}
	case "from":
		from := w.name()
		place := Import{from, line, min(at+w.from, width), min(at+w.at, width)}
		if from == "" || w.next() != "import" {
			return nil
		}
		list = append(list, place)
		for {
			name := w.next()
			for name == "(" || name == "," {
				name = w.next()
			}
			if !isName(name) {
				return list
			}
			place.Name = from + "." + name
			list = append(list, place)
			if w.peek() == "as" {
				w.next()
				w.next()
			}
		}
	}
	return nil
}

// words reads the words of a statement: names with their dots, and other characters one by one.
type words struct {
	text     string
	from, at int // of the last word
}

func (w *words) next() string {
	rest := strings.TrimLeft(w.text[w.at:], " \t")
	w.from = len(w.text) - len(rest)
	n := strings.IndexFunc(rest, func(r rune) bool { return !isLetter(r) && r != '.' && r != '>' })
	if n < 0 {
		n = len(rest)
	}
	w.at = w.from + min(max(n, 1), len(rest))
	return w.text[w.from:w.at]
}

func (w words) peek() string { return w.next() }

// name reads the name of a module that is not relative.
func (w *words) name() string {
	name := w.next()
	for part := range strings.SplitSeq(name, ".") {
		if !isName(part) {
			return ""
		}
	}
	return name
}

func isName(s string) bool {
	return s != "" && !unicode.IsDigit(rune(s[0])) && !strings.ContainsFunc(s, func(r rune) bool { return !isLetter(r) })
}

func isLetter(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}
