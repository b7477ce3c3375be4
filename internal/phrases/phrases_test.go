package phrases

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// said finds the formats of the whole program, each with a place where it is said.
func said(t *testing.T) map[string]string {
	t.Helper()
	formats := map[string]string{}
	for _, root := range []string{"../../internal", "../../cmd"} {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return filepath.SkipDir
			case filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
				return nil
			}
			return saidIn(name, formats)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return formats
}

func saidIn(name string, formats map[string]string) (fault error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !says(call.Fun, file.Name.Name) {
			return true
		}
		place := set.Position(call.Pos()).String()
		literal, ok := call.Args[0].(*ast.BasicLit)
		if !ok {
			if call.Ellipsis == token.NoPos { // diag.Join has none of its own
				fault = fmt.Errorf("%s: the format is no literal, and no catalog can have it", place)
			}
			return true
		}
		format, err := strconv.Unquote(literal.Value)
		if err != nil {
			fault = err
		}
		formats[format] = place
		return true
	})
	return fault
}

func says(fun ast.Expr, pkg string) bool {
	switch f := fun.(type) {
	case *ast.Ident:
		return pkg == "diag" && f.Name == "Say"
	case *ast.SelectorExpr:
		x, ok := f.X.(*ast.Ident)
		return ok && x.Name == "diag" && f.Sel.Name == "Say"
	}
	return false
}

var (
	verb   = regexp.MustCompile(`%(\[\d+\])?[+#]?[a-zA-Z%]`)
	letter = regexp.MustCompile(`\p{L}`)
)

// wordless tells whether a format says the same in all languages.
func wordless(format string) bool { return !letter.MatchString(verb.ReplaceAllString(format, "")) }

// verbs are those of a format by the argument that each of them prints.
func verbs(format string) (list []string) {
	at := 0
	for _, m := range verb.FindAllStringSubmatch(format, -1) {
		if m[0] == "%%" {
			continue
		}
		at++
		if m[1] != "" {
			at, _ = strconv.Atoi(m[1][1 : len(m[1])-1])
		}
		list = append(list, fmt.Sprint(at, strings.Replace(m[0], m[1], "", 1)))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func TestEveryFormatIsTranslated(t *testing.T) {
	formats := said(t)
	if len(formats) < 300 {
		t.Fatalf("only %d formats were found", len(formats))
	}
	for _, code := range []string{"pt", "es"} {
		catalog := Of(code)
		for format, place := range formats {
			text, ok := catalog[format]
			switch {
			case wordless(format):
			case !ok:
				t.Errorf("%s: %s.toml lacks %q", place, code, format)
			case !slices.Equal(verbs(text), verbs(format)):
				t.Errorf("%s: %q has the verbs %v, and %q of %s.toml has %v", place, format, verbs(format), text, code, verbs(text))
			case strings.HasPrefix(text, " ") != strings.HasPrefix(format, " "), strings.HasSuffix(text, " ") != strings.HasSuffix(format, " "):
				t.Errorf("%s: %q of %s.toml begins or ends with a blank where %q does not, or the other way", place, text, code, format)
			}
		}
		for format := range catalog {
			if _, ok := formats[format]; !ok {
				t.Errorf("%s.toml: nobody says %q any more", code, format)
			}
		}
	}
}

func TestOf(t *testing.T) {
	for code, want := range map[string]bool{"pt": true, "pt-BR": true, "es-MX": true, "en": false, "": false, "../pt": false, "de": false} {
		if got := len(Of(code)) > 0; got != want {
			t.Errorf("%q has a catalog: %v", code, got)
		}
	}
}
