package feeds

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// fullText returns the text of the first language of a site in one file.
func fullText(t *testing.T, files map[string]string) string {
	t.Helper()
	s := newFeeds(t, files)
	return string(s.llmsFull(s.Content.Languages[0], "pt/"))
}

func TestFullTextIsBounded(t *testing.T) {
	files := map[string]string{"content/pt/index.md": "# A\n"}
	for i := range 5 {
		files[fmt.Sprintf("content/pt/p%d.md", i)] = "# Page\n\n" + strings.Repeat("palavra ", maxFull/20)
	}
	full := fullText(t, files)
	if len(full) > maxFull+maxFull/10 || !strings.Contains(full, "(p4/index.html.md)") || strings.Count(full, "# Page") == 5 {
		t.Errorf("%d bytes", len(full))
	}
}

// Of many omitted pages the first ones are listed, and then the address of the full list.
func TestFullTextNamesSomeOfTheLeft(t *testing.T) {
	files := map[string]string{"content/pt/index.md": "# A\n\n" + strings.Repeat("palavra ", (maxFull-400)/8) + "\n"}
	for i := range maxOmitted + 5 {
		files[fmt.Sprintf("content/pt/p%03d.md", i)] = "# Página\n\n" + strings.Repeat("palavra ", 60)
	}
	list := func() (named int, last string) {
		_, left, _ := strings.Cut(fullText(t, files), "\n---\n\nAs outras páginas, ")
		lines := strings.Split(strings.TrimSpace(left), "\n- ")
		return strings.Count(left, "/index.html.md)"), lines[len(lines)-1]
	}
	if named, last := list(); named != maxOmitted || last != "[llms.txt](llms.txt): todas as páginas neste idioma" {
		t.Errorf("%d are named, and then %q", named, last)
	}
	for i := range 5 {
		delete(files, fmt.Sprintf("content/pt/p%03d.md", i))
	}
	if named, last := list(); named != maxOmitted || last != fmt.Sprintf("[Página](p%d/index.html.md)", maxOmitted+4) {
		t.Errorf("%d are named, the last %q", named, last)
	}
}

// TestLists checks the lists of llms.txt with the expression of llmstxt.org's own parser,
// https://github.com/AnswerDotAI/llms-txt/blob/main/llms_txt/core.py.
func TestLists(t *testing.T) {
	files := planned(t, newFeeds(t, map[string]string{
		"content/pt/index.md":       "---\ndescription: \"Sobre: [x]\"\n---\n# Início\n",
		"content/pt/a+b (1).md":     "# Nome estranho\n",
		"content/pt/gpu/fundo/c.md": "# C\n",
		"content/es/index.md":       "# Inicio\n",
		"content/es/só.md":          "---\ntitle: \"[x] (y): *z*\"\ndescription: Uma *descrição*\n---\n",
	}))
	link := regexp.MustCompile(`^- \[(?:[^\]\\]|\\.)+\]\([^)]+\)(?:: .+)?$`)
	for _, name := range []string{"llms.txt", "pt/llms.txt", "es/llms.txt"} {
		if strings.Count(files[name], "\n- ") < 4 {
			t.Errorf("%s: %s", name, files[name])
		}
		for line := range strings.Lines(files[name]) {
			if line = strings.TrimSuffix(line, "\n"); strings.HasPrefix(line, "-") && !link.MatchString(line) {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
	if want := `\[x\] (y): \*z\*](../es/s%C3%B3/index.html.md): (es) Uma \*descrição\*`; !strings.Contains(files["pt/llms.txt"], want) {
		t.Errorf("%s", files["pt/llms.txt"])
	}
}

// TestWithoutFirstPage lists the pages of a language without a first page, and without any.
func TestWithoutFirstPage(t *testing.T) {
	files := planned(t, newFeeds(t, map[string]string{"content/es/a.md": "# A\n", "content/es/b/c.md": "# C\n"}))
	const want = "- [A](a/index.html.md)\n\n## B\n\n- [C](b/c/index.html.md)\n"
	if got := files["es/llms.txt"]; !strings.Contains(got, want) || strings.Count(got, "index.html.md") != 2 {
		t.Errorf("%s", got)
	}
	if got := files["llms.txt"]; strings.Count(got, "[A]") != 2 || strings.Count(got, "\n- ") != 8 {
		t.Errorf("%s", got)
	}
}
