package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"github.com/gpudocs/gpudocs/internal/phrases"
)

func readMessages(t *testing.T, language string) (texts map[string]string) {
	t.Helper()
	data, err := messageFiles.ReadFile("messages/" + language + ".toml")
	if err == nil {
		err = toml.Unmarshal(data, &texts)
	}
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

var holes = regexp.MustCompile(`\{[a-z]+\}`)

// TestMessagesInAllLanguages: each language has the very messages of the other, with
// the holes of the English ones.
func TestMessagesInAllLanguages(t *testing.T) {
	es, pt := readMessages(t, "es"), readMessages(t, "pt")
	if d := cmp.Diff(slices.Sorted(maps.Keys(es)), slices.Sorted(maps.Keys(pt))); d != "" {
		t.Errorf("(-es +pt)\n%s", d)
	}
	for language, texts := range map[string]map[string]string{"es": es, "pt": pt} {
		for english, own := range texts {
			want, got := holes.FindAllString(english, -1), holes.FindAllString(own, -1)
			slices.Sort(want)
			slices.Sort(got)
			if strings.HasPrefix(english, "strconv.") || strings.HasPrefix(english, "time: ") { // what was given is said around it
				want = nil
			}
			if !slices.Equal(want, got) || own == "" {
				t.Errorf("%s: %q has %v, and not %v", language, own, got, want)
			}
		}
	}
}

// TestOwn: the message that says the most is taken, and what fills its holes is said
// too.
func TestOwn(t *testing.T) {
	c := newCatalogue(map[string]string{"a {x}": "general {x}", "a {x} of {y}": "{y}: {x}", "b": "B", "{x}!": "¡{x}!"})
	for english, want := range map[string]string{
		"a b": "general B", "a 1 of b": "B: 1", "a b of b of c": "b of c: B", "b": "B", "other": "other", "": "", "a b!": "general ¡B!", "a {y} of b": "B: {y}",
	} {
		if got := c.say(english); got != want {
			t.Errorf("%q: %q, want %q", english, got, want)
		}
	}
}

// TestMessagesAreTranslated: what the source ends commands with is said in every
// language, the hints too.
func TestMessagesAreTranslated(t *testing.T) {
	packages, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	es, pt := newCatalogue(readMessages(t, "es")), newCatalogue(readMessages(t, "pt"))
	said := phrases.Of("es") // that it says the same as that of pt is held there
	found := 0
	for _, f := range packages {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range messagesIn(tree) {
			found++
			text := verb.ReplaceAllString(format, "7")
			if _, ok := said[format]; ok {
				continue
			}
			if !knows(es, text) || !knows(pt, text) {
				t.Errorf("%s: %q is not in messages/", f.Name(), text)
			}
		}
	}
	if found < 150 {
		t.Errorf("only %d messages found", found)
	}
}

// knows tells whether a message has words of its own.
func knows(c catalogue, text string) bool {
	return slices.ContainsFunc(c, func(m message) bool {
		_, ok := m.match(text)
		return ok && strings.Join(m.parts, "") != ": "
	})
}

// messagesIn are the texts that a file ends commands with, or warns of.
func messagesIn(tree *ast.File) (list []string) {
	take := func(e ast.Expr) {
		text := textOf(e)
		if strings.ContainsFunc(flagName.ReplaceAllString(verb.ReplaceAllString(text, ""), ""), unicode.IsLetter) {
			list = append(list, text)
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch name := nameOf(call.Fun); {
		case name == "usage":
			take(call.Args[0])
			take(call.Args[1])
		case name == "endWith":
			take(call.Args[2])
		case name == "warn", name == "fmt.Errorf", name == "errors.New":
			take(call.Args[0])
		}
		return true
	})
	return list
}

var flagName = regexp.MustCompile(`--[a-z-]+`)

// verb is one of package fmt.
var verb = regexp.MustCompile(`%(\[[0-9]\])?[.0-9]*[a-z]`)

func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		if of, ok := e.X.(*ast.Ident); ok && (of.Name == "fmt" || of.Name == "errors" || of.Name == "diag") {
			return of.Name + "." + e.Sel.Name
		}
		return e.Sel.Name
	}
	return ""
}

// textOf is what an expression says, with "7" for what is known only when it runs.
func textOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, _ := strconv.Unquote(e.Value)
		return s
	case *ast.BinaryExpr:
		return textOf(e.X) + textOf(e.Y)
	case *ast.CallExpr:
		switch nameOf(e.Fun) {
		case "fmt.Sprintf":
			return textOf(e.Args[0])
		}
	}
	return "7"
}

// TestOwnOfMuch: something long with many colons is not taken apart again and again.
func TestOwnOfMuch(t *testing.T) {
	began, much := time.Now(), strings.Repeat("a: ", 300_000)
	if got := wordsOf("es").own(much); got != much || time.Since(began) > 5*time.Second {
		t.Errorf("%d bytes after %v", len(got), time.Since(began))
	}
}

// foreign begin the messages of the system and of libraries.
var foreign = regexp.MustCompile(`^(no such file|not a directory|is a directory|permission denied|file exists|no space left|read-only file|address already|missing port|open |l?stat |read |mkdir |listen tcp|unknown (shorthand )?(flag|command)|bad flag|flag needs|invalid argument|accepts |requires at least|strconv\.|time: )`)

// TestMessagesAreSaid: what nobody says any more is not translated.
func TestMessagesAreSaid(t *testing.T) {
	var source strings.Builder
	for _, root := range []string{".", "../../internal"} {
		err := filepath.WalkDir(root, func(name string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return err
			}
			data, err := os.ReadFile(name)
			source.WriteString(strings.ReplaceAll(string(data), `\"`, `"`))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for english := range readMessages(t, "es") {
		parts := holes.Split(english, -1)
		longest := strings.Trim(slices.MaxFunc(parts, func(a, b string) int { return len(a) - len(b) }), " :;,")
		if !foreign.MatchString(english) && !strings.Contains(source.String(), longest[:min(len(longest), 16)]) { // some are put together
			t.Errorf("nobody says %q", english)
		}
	}
}
