package text

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template/parse"

	"github.com/gpudocs/gpudocs/themes"
)

// A call is a use of a text of the catalog.
type call struct {
	place string
	// key is the key of the text, or a prefix of several keys if the rest is known only at run time.
	key   string
	begin bool
	// args are the names of the arguments; nil if they are not written out.
	args []string
	// counts is set for a call of Count, which fills {n}.
	counts bool
	// hinted is set for a message with another hint than its own.
	hinted bool
	// words are the literals among the values of the arguments that a reader would take for words.
	words []string
}

// bound are the groups that a package's catalog finds without their names.
var bound = map[string][]string{
	"internal/render":         {pageTexts, machineGroup}, // and the packages below it
	"internal/cli":            {"cli", machineGroup},     // and the packages below it
	"internal/machine/bench":  {"bench", machineGroup},
	"internal/report/compare": {machineGroup},
	"internal/report/compat":  {machineGroup},
	"internal/report/reason":  {machineGroup},
	"internal/report/match":   {pageTexts},
	"internal/report/ask":     {machineGroup},
	"internal/serve":          {"serve"},
	"internal/verify/doctor":  {"doctor", machineGroup},
}

// pageTexts stands for the texts of the default theme, which are not a group of the program's.
const pageTexts = "themes/default"

// groupsOf returns the groups that a package uses without their names.
func groupsOf(pkg string) []string {
	for _, of := range []string{"internal/render", "internal/cli"} {
		if strings.HasPrefix(pkg, of+"/") {
			pkg = of
		}
	}
	return bound[pkg]
}

// textsOf returns the texts of a group, or of the default theme.
func textsOf(language, name string) *texts {
	if name != pageTexts {
		return group(language, name)
	}
	f, err := readLayer(themes.Default(), language)
	if err != nil {
		panic(err)
	}
	return f
}

// says are the functions that create a message.
var says = map[string]bool{"text.Say": true, "diag.Say": true}

// gets are the methods of a catalog, and functions that pass their arguments on to one.
var gets = map[string]bool{"Get": true, "Count": true, "Has": true, "get": true, "count": true, "counted": true}

// TestCalls compares all calls with the texts: each key exists, each call passes exactly the
// arguments that the text has, and each text is used.
func TestCalls(t *testing.T) {
	s := source{used: map[string]bool{}, said: map[string]bool{}, hinted: map[ast.Expr]bool{}, parts: map[string][]string{}, sentinels: map[*ast.CallExpr]bool{}}
	for _, root := range []string{"internal", "cmd"} {
		s.read(t, "../../"+root)
	}
	if len(s.calls) < 200 {
		t.Fatalf("only %d calls were found", len(s.calls))
	}
	for _, c := range s.calls {
		s.check(t, c)
	}
	s.readTheme(t)
	for _, name := range append(groupNames(t), pageTexts) {
		if name == "help" { // TestHelpTextsAreUsed of internal/cli compares them with the commands
			continue
		}
		f := textsOf(fallback, name)
		for key := range f.Strings {
			s.checkUsed(t, name, key)
		}
		for key := range f.Plurals {
			s.checkUsed(t, name, key)
		}
	}
}

// A source holds the texts that the program's source code uses.
type source struct {
	calls []call
	// used are the keys that occur in full, with their groups.
	used map[string]bool
	// said are the keys of calls. A hint that is not said is found by the message that it belongs to.
	said map[string]bool
	// parts are the literals of a group's packages, from which keys may be composed.
	parts map[string][]string
	// hinted are the calls of Say for which WithHint is called.
	hinted map[ast.Expr]bool
	// sentinels are the calls that are the values of package variables.
	sentinels map[*ast.CallExpr]bool
	// locals are the words that the variables of a function may have, by their names.
	locals map[string][]string
}

// declOf is the declaration of a package that holds a value, or nil.
func declOf(file *ast.File, v *ast.ValueSpec) *ast.GenDecl {
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && slices.Contains(g.Specs, ast.Spec(v)) {
			return g
		}
	}
	return nil
}

func (s *source) read(t *testing.T, root string) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return filepath.SkipDir
		case filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		pkg := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(name)), "../../")
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				s.readLocals(n)
			case *ast.ValueSpec:
				for _, v := range n.Values {
					if c, ok := v.(*ast.CallExpr); ok && declOf(file, n) != nil {
						s.sentinels[c] = true
					}
				}
			case *ast.CallExpr:
				if with, ok := n.Fun.(*ast.SelectorExpr); ok && with.Sel.Name == "WithHint" {
					s.hinted[with.X] = true
				}
				s.call(set, pkg, n)
			case *ast.BasicLit:
				if text, ok := literal(n); ok {
					if keyForm.MatchString(text) && strings.Contains(text, ".") {
						s.used[text] = true
					}
					for _, g := range groupsOf(pkg) {
						s.parts[g] = append(s.parts[g], text)
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// readTheme collects the quoted strings of the default theme's templates, and the attributes of its
// scripts.
func (s *source) readTheme(t *testing.T) {
	t.Helper()
	quoted := regexp.MustCompile(`"([a-z][A-Za-z0-9_-]*)"`)
	err := fs.WalkDir(themes.Default(), "layouts", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(themes.Default(), name)
		for _, m := range quoted.FindAllStringSubmatch(string(data), -1) {
			for _, g := range bound["internal/render"] {
				s.parts[g] = append(s.parts[g], m[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// call records a call if it uses a text.
func (s *source) call(set *token.FileSet, pkg string, n *ast.CallExpr) {
	name := exprName(n.Fun)
	if name == "Say" && (pkg == "internal/text/diag" || pkg == "internal/text") {
		name = "text.Say"
	}
	makes := says[name]
	receiver, method, isMethod := strings.Cut(name, ".")
	isMethod = isMethod && receiver != "Query" // of a URL
	if !makes && !(isMethod && gets[method] && groupsOf(pkg) != nil) || len(n.Args) == 0 {
		return
	}
	key, begin, ok := keyOf(n.Args[0])
	if !ok {
		return
	}
	c := call{place: set.Position(n.Pos()).String(), key: key, begin: begin, counts: method == "Count", hinted: s.hinted[n]}
	for _, a := range n.Args[1:] {
		c.words = append(c.words, s.wordsIn(a)...)
	}
	if makes || method == "Get" || method == "get" {
		c.args = argNames(n, 1)
	}
	if s.sentinels[n] { // an error to compare others with, by its key
		c.args = nil
	}
	if makes {
		if !strings.Contains(key, ".") {
			return
		}
		s.used[key], s.said[key] = true, true
		s.calls = append(s.calls, c)
		return
	}
	for _, g := range groupsOf(pkg) {
		if f := textsOf(fallback, g); f.Strings[key] != "" || f.Plurals[key] != nil {
			c.key = g + "." + key
			s.used[c.key] = true
		}
	}
	s.calls = append(s.calls, c)
}

// prose matches what only a language has: two words with a space between them. Commands, options and paths of the manual are no
// words of a language.
var prose = regexp.MustCompile(`(^|\s)[a-z']{2,}[,:;]? [a-z']{2,}`)

// wordsIn returns the words of a language that an expression, or a variable that it names, may be as far as they are written out: such words
// belong into the catalog.
func (s *source) wordsIn(e ast.Expr) (found []string) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, ok := literal(e); ok && prose.MatchString(text) && !strings.ContainsAny(text, "=<") && !strings.HasPrefix(text, "gpudocs ") {
			return []string{text}
		}
	case *ast.BinaryExpr:
		return append(s.wordsIn(e.X), s.wordsIn(e.Y)...)
	case *ast.ParenExpr:
		return s.wordsIn(e.X)
	case *ast.Ident:
		return s.locals[e.Name]
	case *ast.CallExpr: // fmt.Sprintf("%d lines of it", n), strings.Join(list, " of ")
		if name := exprName(e.Fun); name == "fmt.Sprintf" || name == "errors.New" || name == "fmt.Errorf" || name == "cmp.Or" {
			for _, a := range e.Args {
				found = append(found, s.wordsIn(a)...)
			}
		}
	}
	return found
}

// readLocals collects the words that the variables of a function may have.
func (s *source) readLocals(f *ast.FuncDecl) {
	s.locals = map[string][]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
			for i, to := range a.Lhs {
				if name, ok := to.(*ast.Ident); ok {
					s.locals[name.Name] = append(s.locals[name.Name], s.wordsIn(a.Rhs[i])...)
				}
			}
		}
		return true
	})
}

// argNames are the names among the pairs from an argument on, or nil if they are not literals.
func argNames(n *ast.CallExpr, from int) []string {
	names := []string{}
	if n.Ellipsis != token.NoPos {
		return nil
	}
	for i := from; i < len(n.Args); i += 2 {
		name, ok := literal(n.Args[i])
		if !ok {
			return nil
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// check compares a call with its text in every language.
func (s *source) check(t *testing.T, c call) {
	t.Helper()
	for _, words := range c.words {
		t.Errorf("%s: the words %q are an argument of the text %q; they belong into the catalog", c.place, words, c.key)
	}
	if c.begin {
		return
	}
	name, key, ok := strings.Cut(c.key, ".")
	if !ok {
		t.Errorf("%s: there is no text %q", c.place, c.key)
		return
	}
	for _, code := range languages {
		f := textsOf(code, name)
		if f == nil {
			t.Errorf("%s: there is no group %q", c.place, name)
			return
		}
		text, ok := f.Strings[key]
		forms := f.Plurals[key]
		switch {
		case !ok && forms == nil:
			t.Errorf("%s: %s/%s.toml has no text %q", c.place, code, name, key)
		case c.counts && forms == nil:
			t.Errorf("%s: %s has no plural forms in %s/%s.toml", c.place, c.key, code, name)
		case c.args != nil:
			if forms != nil {
				text = forms["other"]
			}
			text += f.Strings[key+"_hint"] // which is given the same
			hint := f.Strings[key+hintEnding]
			if c.hinted {
				hint = ""
			}
			for _, a := range c.args {
				if !strings.Contains(text+hint, "{"+a+"}") && !strings.Contains(text+hint, "{"+a+":q}") {
					t.Errorf("%s: %s/%s.toml: %s has no placeholder {%s}", c.place, code, name, key, a)
				}
			}
			if s.said[c.key+hintEnding] { // with arguments of its own
				hint = ""
			}
			for _, m := range unfilled(text+hint, c.args) {
				t.Errorf("%s: %s/%s.toml: nothing fills %s of %s", c.place, code, name, m, key)
			}
		}
	}
}

// unfilled returns the placeholders of a text that no argument fills.
func unfilled(text string, args []string) (list []string) {
	for _, h := range placeholdersOf(text) {
		if !slices.Contains(args, strings.TrimSuffix(strings.Trim(h, "{}"), ":q")) {
			list = append(list, h)
		}
	}
	return list
}

// checkUsed reports an unused text. A key may be composed: then its beginning, up to an underscore or
// a dot, is a literal.
func (s *source) checkUsed(t *testing.T, group, key string) {
	t.Helper()
	if s.used[group+"."+key] || s.said[strings.TrimSuffix(group+"."+key, hintEnding)] {
		return
	}
	for _, part := range s.parts[group] {
		if part == key || slices.Contains(kinds, group+"."+key) || (strings.HasSuffix(part, "_") || strings.HasSuffix(part, ".")) && strings.HasPrefix(key, part) || strings.HasPrefix(part, "_") && strings.HasSuffix(key, part) {
			return
		}
	}
	t.Errorf("the text %s.%s is never used", group, key)
}

// kinds are texts whose keys are codes of another package.
var kinds = []string{"bench.matmul", "bench.bandwidth", "bench.host-to-device", "bench.device-to-host"}

// keyOf returns the key that an expression evaluates to, or its prefix.
func keyOf(e ast.Expr) (key string, begin, ok bool) {
	if sum, is := e.(*ast.BinaryExpr); is {
		key, _, ok = keyOf(sum.X)
		return key, true, ok
	}
	key, ok = literal(e)
	return key, false, ok && keyForm.MatchString(key)
}

var keyForm = regexp.MustCompile(`^[a-z][A-Za-z0-9_.-]*$`)

func literal(e ast.Expr) (string, bool) {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(l.Value)
	return s, err == nil
}

// exprName is a function's name with what stands before it: text.Say, w.Get.
func exprName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return lastName(e.X) + "." + e.Sel.Name
	}
	return ""
}

func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.CallExpr:
		return lastName(e.Fun)
	}
	return "?"
}

// byScript are the texts whose placeholders the theme's scripts fill.
var byScript = []string{"picked", "search_none", "search_many", "filter_found"}

// TestTemplates checks that the default theme's templates use texts that exist, with the arguments
// that the texts have.
func TestTemplates(t *testing.T) {
	en, err := ForTheme(fallback, themes.Default())
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	err = fs.WalkDir(themes.Default(), "layouts", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		source, err := fs.ReadFile(themes.Default(), name)
		if err != nil {
			return err
		}
		trees := map[string]*parse.Tree{}
		tree := parse.New(name)
		tree.Mode = parse.SkipFuncCheck
		if _, err := tree.Parse(string(source), "", "", trees); err != nil {
			return err
		}
		for _, tree := range trees {
			for c := range textCalls(reflect.ValueOf(tree.Root)) {
				found++
				checkTemplate(t, en, name, c)
			}
		}
		return nil
	})
	if err != nil || found < 100 {
		t.Fatal(found, err)
	}
}

// textCalls returns the calls of .T.Get and .T.Count anywhere in a template.
func textCalls(v reflect.Value) iter.Seq[*parse.CommandNode] {
	return func(yield func(*parse.CommandNode) bool) {
		if v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer && v.IsNil() {
			if v.IsNil() {
				return
			}
			v = v.Elem()
		}
		if c, ok := v.Interface().(*parse.CommandNode); ok && len(c.Args) > 1 && textMethod(c) != "" && !yield(c) {
			return
		}
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		switch v.Kind() {
		case reflect.Slice:
			for i := range v.Len() {
				textCalls(v.Index(i))(yield)
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if f := v.Type().Field(i); f.IsExported() && f.Type.Kind() != reflect.String {
					textCalls(v.Field(i))(yield)
				}
			}
		}
	}
}

// textMethod returns "Get" or "Count" if a command calls that method of T.
func textMethod(c *parse.CommandNode) string {
	var names []string
	switch f := c.Args[0].(type) {
	case *parse.FieldNode:
		names = f.Ident
	case *parse.VariableNode:
		names = f.Ident
	}
	n := len(names)
	if n < 2 || names[n-2] != "T" || names[n-1] != "Get" && names[n-1] != "Count" {
		return ""
	}
	return names[n-1]
}

func checkTemplate(t *testing.T, en Catalog, name string, c *parse.CommandNode) {
	t.Helper()
	key, ok := c.Args[1].(*parse.StringNode)
	if !ok {
		return // composed keys are tested by internal/render
	}
	text, forms, ok := en.tables().find(key.Text)
	if !ok || (forms != nil) != (textMethod(c) == "Count") {
		t.Errorf("%s: there is no text %q for %s", path.Base(name), key.Text, textMethod(c))
		return
	}
	if forms != nil || slices.Contains(byScript, key.Text) {
		return
	}
	names, want := []string{}, []string{}
	for i := 2; i < len(c.Args); i += 2 {
		if n, ok := c.Args[i].(*parse.StringNode); ok {
			names = append(names, n.Text)
		}
	}
	for _, h := range placeholdersOf(text) {
		want = append(want, strings.Trim(h, "{}"))
	}
	slices.Sort(names)
	if !slices.Equal(names, want) {
		t.Errorf("%s: %s: got the arguments %v, want %v", path.Base(name), key.Text, names, want)
	}
}
