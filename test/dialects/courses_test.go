package dialects

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/themes"
)

// A course is a row of courses.tsv.
type course struct{ name, repository, commit, pages, kind string }

func courses(t *testing.T) (list []course) {
	data, err := os.ReadFile("courses.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(data)) {
		if f := strings.Split(strings.TrimSpace(l), "\t"); len(f) == 5 {
			list = append(list, course{f[0], f[1], f[2], f[3], f[4]})
		}
	}
	if len(list) == 0 {
		t.Fatal("courses.tsv has no course")
	}
	return list
}

// rawMarks match syntax of a kind of course that a reader must not see outside of code.
var rawMarks = map[string]*regexp.Regexp{
	"myst":        regexp.MustCompile("\\{[a-z][a-z:-]*\\}`|(?m)^:{3,}|^\\([a-z0-9:_-]+\\)=\\s*$|^\\+\\+\\+\\s*$"),
	"quarto":      regexp.MustCompile(`(?m)^:{3,}|^#\| |\{\{<[^>]*>\}\}|[^\w@.]@(?:fig|tbl|sec|eq|lst)-\w`),
	"carpentries": regexp.MustCompile(`(?m)^:{3,}|\{% |\{: ?\.|\{alt=`),
	"mkdocs":      regexp.MustCompile(`(?m)^(?:!!!|\?\?\?|===) |:(?:material|octicons|fontawesome)-[\w-]+:|\{ ?[.:][\w -]+\}|\{[{%] `),
	"obsidian":    regexp.MustCompile(`\[\[[^\]]*\]\]|%%`),
	"notebooks":   regexp.MustCompile(`\$\$|\\begin\{`),
}

// known is what was looked at in a course.
type known struct {
	// lost is the number of lines of which some words are not on the page, marks that of marks of the
	// dialect that readers see, and errors that of errors.
	lost, marks, errors int
}

// knownInCourses were looked at one by one. The lines are alternative texts, attributes of HTML, addresses,
// abbreviations, code that a tag removes, and code that looks like syntax to withoutSyntax. The marks stand in
// raw HTML or in text about syntax. The errors are mistakes of the courses: fences that are not closed, an
// address that cannot be one.
var knownInCourses = map[string]known{
	"lecture-python-intro":               {lost: 1, marks: 0, errors: 0},
	"numpy-tutorials":                    {lost: 13, marks: 0, errors: 0},
	"introduction-to-datascience-python": {lost: 18, marks: 0, errors: 0},
	"mystmd":                             {lost: 32, marks: 2, errors: 1},
	"jupyter-book":                       {lost: 6, marks: 0, errors: 0},
	"r4ds":                               {lost: 5, marks: 0, errors: 0},
	"quarto-web":                         {lost: 95, marks: 3, errors: 0},
	"lesson-gpu-programming":             {lost: 3, marks: 0, errors: 0},
	"python-novice-inflammation":         {lost: 4, marks: 0, errors: 0},
	"r-novice-gapminder":                 {lost: 3, marks: 0, errors: 0},
	"hpc-intro":                          {lost: 2, marks: 0, errors: 0},
	"mkdocs-material":                    {lost: 128, marks: 1, errors: 2},
	"obsidian-help":                      {lost: 24, marks: 3, errors: 0},
	"accelerated-computing-hub":          {lost: 1, marks: 0, errors: 1},
}

// TestCourses reads whole public courses without any setting: they must build, and must
// not lose a line or show a mark of their dialect.
func TestCourses(t *testing.T) {
	root := os.Getenv("GPUDOCS_COURSES")
	if root == "" {
		t.Skip("there are no courses: GPUDOCS_COURSES names their folder, and test/dialects/fetch.sh fetches them")
	}
	for _, c := range courses(t) {
		t.Run(c.name, func(t *testing.T) {
			c.check(t, filepath.Join(root, c.name, c.pages))
		})
	}
}

func (c course) check(t *testing.T, dir string) {
	files := fstest.MapFS{site.ConfigFile: {}}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if info, err := d.Info(); err != nil || !info.Mode().IsRegular() || info.Size() > 16<<20 {
			return err
		}
		data, err := os.ReadFile(file)
		name, _ := filepath.Rel(dir, file)
		files[path.Join("content/en", filepath.ToSlash(name))] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var found known
	s, diags := load.Load(files, load.Options{})
	for _, d := range diags {
		if d.Severity == diag.Error {
			found.errors++
			t.Logf("%v", d)
		}
	}
	if s == nil || len(s.Pages) == 0 {
		t.Fatal("no page was read")
	}
	out, _, err := render.New(t.Context(), s, nil, themes.Default(), render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	for _, p := range s.Pages {
		html, ok, err := out.File(p.URL + "index.html")
		if !ok || err != nil {
			t.Errorf("%s: %v", p.URL, err)
			continue
		}
		blocks += len(p.Blocks)
		name := p.Source.Name
		for _, m := range rawMarks[c.kind].FindAllString(prose(string(html)), -1) {
			found.marks++
			t.Logf("%s: %q is shown as text", name, m)
		}
		for _, l := range lost(withoutSyntax(string(p.Source.Data)), footnoteMark.ReplaceAllString(string(html), "")) {
			found.lost++
			t.Logf("%s:%d: %q is not on the page", name, l.number, strings.Join(l.words, " "))
		}
	}
	if want := knownInCourses[c.name]; found != want {
		t.Errorf("%+v; want %+v", found, want)
	}
	t.Logf("%d pages, %d blocks", len(s.Pages), blocks)
}

var (
	// directiveForm matches the first line of a directive of MyST, divForm that of a div of Pandoc.
	directiveForm = regexp.MustCompile("^[ \t>-]*(`{3,}|~{3,}|:{3,})[ \t]*\\{([A-Za-z:-]+)\\}(.*)$")
	divForm       = regexp.MustCompile(`^[ \t>]*:{3,}`)
	optionForm    = regexp.MustCompile(`^[ \t>]*:[\w-]+:( .*)?$`)
	cellOption    = regexp.MustCompile(`^[ \t]*(#|//|%%)\| `)
	// hiddenBody are directives whose text is not shown as it is written.
	hiddenBody = regexp.MustCompile(`^(math|raw|toctree|tableofcontents|bibliography|mermaid|only|embed|include|literalinclude|iframe|comment|glue.*|index|contents|eval-rst|anywidget)$`)
	// codeBody are those whose text is code.
	codeBody = regexp.MustCompile(`^(code|code-block|code-cell|sourcecode|ipython|parsed-literal|myst|mystmd|python|r|bash|julia|ojs|yaml)$`)
	// footnoteMark matches the number of a footnote in a page.
	footnoteMark = regexp.MustCompile(`<sup[^>]*><a [^>]*class="?footnote-ref.*?</sup>`)
	// courseParts are what no page shows of a line outside of code, besides hiddenParts.
	courseParts = []*regexp.Regexp{
		regexp.MustCompile(`!\[\[[^\]]*\]\]|\[\[[^\]|]*\]\]|\[\[[^\]|]*\||\]\]`), // of a vault
		regexp.MustCompile(`\[\]\([^()]*\)|\[\](<[^<>]*>)?`),
		regexp.MustCompile(`^[\s>]*([-*+]|[0-9]+\.) \[[ xX]\]`),
		regexp.MustCompile(`&#x[0-9a-f]+;`),
		regexp.MustCompile(`\]\[[^\]]*\]`),                                    // a reference
		regexp.MustCompile(`<(https?|mailto):[^<>\s]*>`),                      // a link that is its own text
		regexp.MustCompile("\\{[a-z][\\w:+.-]*\\}(`[^`<]*<[^`]*`|`[^` ]*`)?"), // a role
		regexp.MustCompile(`^\s*\([^()]+\)=\s*$|^%.*$`),                       // a target, a comment
		regexp.MustCompile(`\{\{.*?\}\}|\{%.*?%\}`),                           // a shortcode, a template
		regexp.MustCompile(`\{[^{}]*\}`),
		regexp.MustCompile(`\[[^\[\]]*@[^\[\]]*\]|@[\w:.-]+`), // a citation, a reference
		regexp.MustCompile(`^\s*:[\w-]+:.*$`),
		regexp.MustCompile(`^[\s>]*\[![\w-]+\][+-]?`), // the kind of a callout
	}
)

// withoutSyntax replaces the syntax of courses in a source, so that lost finds only the words
// that a reader must see. The number of lines stays.
func withoutSyntax(source string) string {
	lines := strings.Split(body(source), "\n")
	var ends string   // the marks that end a fence of code or a hidden directive
	var open []string // the marks of the directives around the line
	var code, options, yaml, formula bool
	for i, l := range lines {
		trimmed := strings.TrimSpace(strings.TrimLeft(l, " \t>"))
		if options {
			if trimmed == "---" {
				yaml = !yaml
				lines[i] = ""
				options = yaml
				continue
			}
			if yaml || optionForm.MatchString(l) {
				lines[i] = ""
				continue
			}
			options = false
		}
		if ends != "" {
			if strings.HasPrefix(trimmed, ends) && strings.Trim(trimmed, ends[:1]) == "" {
				ends = ""
				if !code {
					lines[i] = ""
				}
				continue
			}
			if !code || cellOption.MatchString(l) {
				lines[i] = ""
			}
			continue
		}
		if m := directiveForm.FindStringSubmatch(l); m != nil {
			options, yaml = true, false
			switch {
			case codeBody.MatchString(m[2]):
				ends, code = m[1], true
				lines[i] = "```"
				if m[1][0] != '`' {
					lines[i], code = "", false
				}
				if m[2] == "myst" || m[2] == "mystmd" { // shown and read
					lines[i], code = "", false
				}
			case hiddenBody.MatchString(m[2]):
				ends, code = m[1], false
				lines[i] = ""
			default:
				lines[i] = ""
				open = append(open, m[1])
			}
			continue
		}
		if n := len(open); n > 0 && strings.HasPrefix(trimmed, open[n-1]) && strings.Trim(trimmed, open[n-1][:1]) == "" {
			lines[i], open = "", open[:n-1]
			continue
		}
		if m := fenceForm.FindStringSubmatch(l); m != nil && !strings.Contains(m[4], "`") {
			if strings.HasPrefix(strings.TrimSpace(m[4]), "{=") { // of another format, or HTML
				ends, code, lines[i] = m[1], false, ""
				continue
			}
			ends, code = m[1], true
			continue
		}
		if divForm.MatchString(l) {
			lines[i] = ""
			continue
		}
		if at := strings.IndexByte(l, '$'); formula && at >= 0 {
			l = l[at+1:]
		}
		if formula = strings.Count(l, "$")%2 == 1 && !strings.Contains(l, "$$"); formula { // it ends on the next line
			l = l[:strings.LastIndexByte(l, '$')]
		}
		for _, r := range courseParts {
			l = r.ReplaceAllString(l, "\x01")
		}
		lines[i] = l
	}
	return strings.Join(lines, "\n")
}
