package archtest

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

const module = "github.com/gpudocs/gpudocs/"

// sources parses the Go files of the module, without tests. Folders with a go.mod of their own
// are other modules.
func sources(t *testing.T, fsys fs.FS, use func(name string, source []byte) error) {
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			base := d.Name()
			_, noModule := fs.Stat(fsys, path.Join(name, "go.mod"))
			if name != "." && (base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || noModule == nil) {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		source, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		return use(name, source)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// packages lists what the Go files of each package import.
func packages(t *testing.T, fsys fs.FS) map[string][]string {
	found := map[string][]string{}
	sources(t, fsys, func(name string, source []byte) error {
		file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := path.Dir(name)
		if found[pkg] == nil {
			found[pkg] = []string{}
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			found[pkg] = append(found[pkg], imported)
		}
		return nil
	})
	return found
}

// sizes counts the lines of code of packages, and the methods of types.
func sizes(t *testing.T, fsys fs.FS) (lines, methods map[string]int) {
	lines, methods = map[string]int{}, map[string]int{}
	sources(t, fsys, func(name string, source []byte) error {
		if strings.HasPrefix(name, "test/") {
			return nil
		}
		return countFile(name, source, lines, methods)
	})
	return lines, methods
}

// countFile adds the sizes of a file.
func countFile(name string, source []byte, lines, methods map[string]int) error {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	pkg := path.Dir(name)
	var s scanner.Scanner
	of := fset.AddFile(name, -1, len(source))
	s.Init(of, source, nil, 0)
	code := map[int]bool{}
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue
		}
		for n, line := range strings.Split(text, "\n") { // a raw string spans several
			if n == 0 || strings.TrimSpace(line) != "" {
				code[of.Line(pos)+n] = true
			}
		}
	}
	lines[pkg] += len(code)
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
			methods[pkg+"."+receiver(f.Recv.List[0].Type)]++
		}
	}
	return nil
}

// longLines returns the lines of a source that are longer than a limit, in characters. Raw strings, tags of structs among them, cannot be
// broken.
func longLines(name string, source []byte, limit int) (long []int) {
	var s scanner.Scanner
	of := token.NewFileSet().AddFile(name, -1, len(source))
	s.Init(of, source, nil, scanner.ScanComments)
	raw := map[int]bool{}
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.STRING && text[0] == '`' || tok == token.COMMENT && strings.Contains(text, "://") {
			for n := range strings.Split(text, "\n") {
				raw[of.Line(pos)+n] = true
			}
		}
	}
	for i, line := range strings.Split(string(source), "\n") {
		if utf8.RuneCountInString(line) > limit && !raw[i+1] {
			long = append(long, i+1)
		}
	}
	return long
}

// typesNamed counts the types of each name.
func typesNamed(t *testing.T, fsys fs.FS) map[string][]string {
	found := map[string][]string{}
	sources(t, fsys, func(name string, source []byte) error {
		file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				for _, spec := range g.Specs {
					of := spec.(*ast.TypeSpec).Name.Name
					found[of] = append(found[of], path.Dir(name))
				}
			}
		}
		return nil
	})
	return found
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}
