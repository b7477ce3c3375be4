package blocks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/native"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// outline shows a page's own nodes, nested, with goldmark's quotes and lists
// around them: Tabs(Fence:bash Expect:text).
func outline(p *site.Page) string {
	var b strings.Builder
	var walk func(ast.Node)
	walk = func(n ast.Node) {
		name := ""
		switch n := n.(type) {
		case *site.Fence:
			name = "Fence:" + n.Language
			if n.Block != nil {
				name = "Block:" + n.Language
			}
			if n.Expect != nil {
				name = "Expect:" + n.Language
			}
			if n.Tab != "" {
				name += "=" + n.Tab
			}
		case *markdown.Tabs:
			name = "Tabs"
		case *markdown.Container:
			name = "Container:" + n.Name
		case *native.Live:
			name = "Live:" + n.Machine + "." + n.Fact
		case *markdown.Embed:
			name = fmt.Sprintf("Embed:%s:%d", n.File, n.Width)
		case *ast.Paragraph, *ast.TextBlock:
			name = "p"
		case *ast.Blockquote:
			name = "quote"
		case *ast.ListItem:
			name = "item"
		case *ast.Heading:
			name = "h"
		}
		if name != "" {
			if b.Len() > 0 && !strings.HasSuffix(b.String(), "(") {
				b.WriteByte(' ')
			}
			b.WriteString(name)
		}
		if name != "" && n.HasChildren() {
			b.WriteByte('(')
		}
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			walk(c)
		}
		if name != "" && n.HasChildren() {
			b.WriteByte(')')
		}
	}
	walk(p.Doc())
	return strings.ReplaceAll(b.String(), "()", "")
}

func TestBlocks(t *testing.T) {
	p := sitetest.Page(t, "# Título\n"+
		"\n```bash {run name=gpus timeout=5s needs=\"gpus>=1\" title=\"Título\" hl_lines=\"1,3-4\"}\none\ntwo\n```\n"+ // line 3
		"```text {expect when=\"cuda>=12\"}\nA\n```\n\n```text {expect}\nB\n```\n"+
		"```sh\nnot run\n```\n"+
		"\n- item\n\n  ```python {run}\n  if x:\n      y\n  ```\n"+ // line 19
		"\n```pycon {run session=s}\n>>> 1\n1\n```\n"+
		"\n```gpu {name=lab}\n gpus>=1 # one\n\ndriver >= 550.54.14\n```\n"+
		"\n~~~GPU\ncuda >= 12\n~~~\n"+
		"\n```python3 {run session=s}\n```\n")
	type expect struct {
		when, text string
		line       int
	}
	type block struct {
		Kind              site.Kind
		Name, Anchor      string
		Line, CodeLine    int
		Code, Needs       string
		Session, Env, Run string
		Timeout           string
		Expects           []expect
		GPU               []string
	}
	var got []block
	for _, b := range p.Blocks {
		v := block{Kind: b.Kind, Name: b.Name, Anchor: b.Anchor(), Line: b.Line, CodeLine: b.CodeLine, Code: b.Code, Needs: b.Needs.String()}
		if b.Page.Source != p.Source {
			t.Errorf("the block %s belongs to another page", b.Name)
		}
		if b.Session != nil {
			v.Session, v.Env, v.Run, v.Timeout = b.Session.Name, b.Session.Env, b.Session.Interpreter, b.Timeout.String()
		}
		if (b.Session == nil) != (b.Kind == site.GPU) || (b.ID == "") != (b.Kind == site.GPU) {
			t.Errorf("%s: session %v, ID %q", b.Name, b.Session, b.ID)
		}
		for _, e := range b.Expects {
			v.Expects = append(v.Expects, expect{e.When.String(), e.Text, e.Line})
		}
		for _, l := range b.GPULines {
			if l.ID != report.GPULine(l.String()) {
				t.Errorf("%v has the ID %q", l.Line, l.ID)
			}
			v.GPU = append(v.GPU, fmt.Sprintf("%d %s: %s", l.At, l.Fact(), l.Line))
		}
		got = append(got, v)
	}
	want := []block{
		{
			Kind: site.Bash, Name: "gpus", Anchor: "code-gpus", Line: 3, CodeLine: 4, Code: "one\ntwo\n", Needs: "gpus >= 1", Run: "bash", Timeout: "5s",
			Expects: []expect{{"cuda >= 12", "A\n", 8}, {"", "B\n", 12}},
		},
		{Kind: site.Python, Name: "#2", Anchor: "block-2", Line: 20, CodeLine: 21, Code: "if x:\n    y\n", Run: "python", Timeout: "1m0s"},
		{Kind: site.Pycon, Name: "#3", Anchor: "block-3", Line: 25, CodeLine: 26, Code: ">>> 1\n1\n", Session: "s", Run: "python", Timeout: "1m0s"},
		{
			Kind: site.GPU, Name: "lab", Anchor: "code-lab", Line: 30, CodeLine: 31, Code: " gpus>=1 # one\n\ndriver >= 550.54.14\n",
			GPU: []string{"31 gpus: gpus >= 1", "33 driver: driver >= 550.54.14"},
		},
		{Kind: site.GPU, Name: "#5", Anchor: "block-5", Line: 36, CodeLine: 37, Code: "cuda >= 12\n", GPU: []string{"37 cuda: cuda >= 12"}},
		{Kind: site.Python, Name: "#6", Anchor: "block-6", Line: 40, CodeLine: 41, Session: "s", Run: "python", Timeout: "1m0s"},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(expect{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestFenceAttributes(t *testing.T) {
	p := sitetest.Page(t, "```Python {title=\"Título\" hl_lines=\"2 4-6,9\" tab=A .class #id}\nx\n```\n```\ny\r\n```\n")
	tabs := p.Doc().FirstChild()
	f := tabs.FirstChild().FirstChild().(*site.Fence)
	if f.Language != "Python" || f.Title != "Título" || f.Tab != "A" || f.Code != "x\n" || f.Block != nil || f.Expect != nil {
		t.Errorf("%+v", f)
	}
	if diff := cmp.Diff([][2]int{{2, 2}, {4, 6}, {9, 9}}, f.Marked); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if f := tabs.NextSibling().(*site.Fence); f.Language != "" || f.Code != "y\n" {
		t.Errorf("%+v", f)
	}
}

func TestSessions(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"each on its own", "bash\nbash\npython", "bash: #1; bash: #2; python: #3"},
		{"shared, in order", "bash session=a\nbash\nbash session=b\nbash session=a", "bash a: #1 #4; bash: #2; bash b: #3"},
		{"pycon and python share an interpreter, bash has another", "pycon session=a\npython session=a\nbash session=a", "python a: #1 #2; bash a: #3"},
		{"an environment is that of the first block", "python session=a env=torch\npython session=a\npython session=a env=torch", "python a torch: #1 #2 #3"},
		{"an empty name is none", "python session=\npython session=\"\"", "python: #1; python: #2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var text strings.Builder
			for line := range strings.Lines(tt.text) {
				language, attributes, _ := strings.Cut(strings.TrimSpace(line), " ")
				fmt.Fprintf(&text, "```%s {run %s}\n>>> 1\n```\n\n", language, attributes)
			}
			var got []string
			seen := map[*site.Session]bool{}
			for _, b := range sitetest.Page(t, text.String()).Blocks {
				if s := b.Session; !seen[s] {
					seen[s] = true
					var names []string
					for _, b := range s.Blocks {
						names = append(names, b.Name)
					}
					got = append(got, strings.TrimSpace(s.Interpreter+" "+strings.TrimSpace(s.Name+" "+s.Env))+": "+strings.Join(names, " "))
				}
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "; ")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestIDs checks what an ID depends on: each row is a page, whose blocks are compared with those of the
// first page.
func TestIDs(t *testing.T) {
	const base = "# T\n\n```bash {run name=a session=s needs=\"gpus >= 1\"}\none\n```\n```text {expect}\n1\n```\n\n" +
		"```bash {run session=s}\ntwo\n```\n\n```python {run}\nthree\n```\n"
	ids := func(file, text string) (ids []report.ID) {
		s := sitetest.LoadValid(t, map[string]string{site.ConfigFile: "[env.torch]\npython = 'x'\n", file: text})
		for _, b := range s.Pages[0].Blocks {
			ids = append(ids, b.ID)
		}
		return ids
	}
	before := ids("content/pt/p.md", base)
	tests := []struct {
		name, file, old, new string
		same                 [3]bool
	}{
		{"another language's file", "content/es/x/y.md", "", "", [3]bool{true, true, true}},
		{"prose, title, name, time limit, marks", "", "# T\n\n```bash {run name=a", "---\ntitle: x\n---\n# U\n\ntext\n\n```bash {run name=b timeout=3s title=x hl_lines=1", [3]bool{true, true, true}},
		{"another spelling of the language", "", "```bash {run name", "```sh {run name", [3]bool{true, true, true}},
		{"blanks in a requirement", "", "gpus >= 1", "gpus>=1", [3]bool{true, true, true}},
		{"Windows line ends", "", "\n", "\r\n", [3]bool{true, true, true}},
		{"another session's name", "", "session=s", "session=t", [3]bool{true, true, true}},
		{"code", "", "one", "uno", [3]bool{false, false, true}},
		{"code of a later block", "", "two", "dos", [3]bool{true, false, true}},
		{"code of another session", "", "three", "tres", [3]bool{true, true, false}},
		{"requirement", "", "gpus >= 1", "gpus >= 2", [3]bool{false, false, true}},
		{"expectation", "", "\n1\n", "\n2\n", [3]bool{false, true, true}},
		{"condition of the expectation", "", "{expect}", "{expect when=\"gpus >= 1\"}", [3]bool{false, true, true}},
		{"tolerance of the expectation", "", "{expect}", "{expect rtol=0.1}", [3]bool{false, true, true}},
		{"precision of the expectation", "", "{expect}", "{expect number}", [3]bool{false, true, true}},
		{"exit code of the expectation", "", "{expect}", "{expect exit=1}", [3]bool{false, true, true}},
		{"stream of the expectation", "", "{expect}", "{expect stream=stderr}", [3]bool{false, true, true}},
		{"the stream that it is for anyway", "", "{expect}", "{expect stream=stdout rtol=0}", [3]bool{true, true, true}},
		{"exit code", "", "{run name=a", "{run exit=1 name=a", [3]bool{false, true, true}},
		{"the exit code that it is anyway", "", "{run name=a", "{run exit=0 name=a", [3]bool{true, true, true}},
		{"environment", "", "```python {run}", "```python {run env=torch}", [3]bool{true, true, false}},
		{"kernel", "", "```python {run}", "```python {run kernel=python3}", [3]bool{true, true, false}},
		{"no kernel", "", "```python {run}", "```python {run kernel=\"\"}", [3]bool{true, true, true}},
		{"kind", "", "```python {run}\n", "```pycon {run}\n>>> ", [3]bool{true, true, false}},
		{"no longer in a session", "", "```bash {run session=s}", "```bash {run}", [3]bool{true, false, true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file, text := "content/pt/p.md", base
			if tt.file != "" {
				file = tt.file
			} else if text = strings.ReplaceAll(base, tt.old, tt.new); text == base {
				t.Fatal("the row does not change the page")
			}
			after := ids(file, text)
			if len(after) != len(before) {
				t.Fatalf("%d blocks", len(after))
			}
			for i := range before {
				if (after[i] == before[i]) != tt.same[i] {
					t.Errorf("block %d: same ID %v, want %v", i+1, after[i] == before[i], tt.same[i])
				}
			}
		})
	}
}

// TestKnownID checks that IDs do not change with new versions: a block that uses no new feature keeps its
// ID, and with it the results of every site.
func TestKnownID(t *testing.T) {
	p := sitetest.Page(t, "```bash {run needs=\"gpus >= 1\"}\nnvidia-smi -L\n```\n```text {expect}\nGPU 0: ...\n```\n```text {expect when=\"gpus == 0\"}\n```\n")
	if id := p.Blocks[0].ID; id != "yf75pdga6redw42vhdymh4dkiu" {
		t.Errorf("the ID is %s", id)
	}
}

func TestTabs(t *testing.T) {
	fence := func(attributes string) string { return "```" + attributes + "\nx\n```\n" }
	tests := []struct{ name, text, want string }{
		{"neighbours", fence("bash {tab=A}") + fence("python {tab=B}"), "Tabs(Fence:bash=A Fence:python=B)"},
		{"blank lines between", fence("bash {tab=A}") + "\n\n" + fence("python {tab=B}"), "Tabs(Fence:bash=A Fence:python=B)"},
		{"one alone", fence("bash {tab=A}"), "Tabs(Fence:bash=A)"},
		{"prose between", fence("a {tab=A}") + "text\n\n" + fence("b {tab=B}"), "Tabs(Fence:a=A) p Tabs(Fence:b=B)"},
		{"a fence without a tab ends the group", fence("a {tab=A}") + fence("b") + fence("c {tab=C}"), "Tabs(Fence:a=A) Fence:b Tabs(Fence:c=C)"},
		{
			"an expected output stays with its tab",
			fence("bash {run tab=A}") + fence("text {expect}") + fence("text {expect when=\"gpus == 0\"}") + fence("bash {run tab=B}") + fence("text {expect}"),
			"Tabs(Block:bash=A Expect:text Expect:text Block:bash=B Expect:text)",
		},
		{
			"an expected output without a tab before it",
			fence("bash {run}") + fence("text {expect}") + fence("bash {tab=B}"),
			"Block:bash Expect:text Tabs(Fence:bash=B)",
		},
		{"in a list", "- " + strings.ReplaceAll(fence("a {tab=A}")+fence("b {tab=B}"), "\n", "\n  "), "item(Tabs(Fence:a=A Fence:b=B))"},
		{"in a quote and behind it", "> " + strings.ReplaceAll(strings.TrimSpace(fence("a {tab=A}")), "\n", "\n> ") + "\n\n" + fence("b {tab=B}"), "quote(Tabs(Fence:a=A)) Tabs(Fence:b=B)"},
		{"a gpu block", "```gpu {tab=A}\ngpus >= 1\n```\n" + fence("bash {run tab=B}"), "Tabs(Block:gpu=A Block:bash=B)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, outline(sitetest.Page(t, tt.text))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestContainers(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", ":::machines\n:::\n", "Container:machines"},
		{"with a blank", "::: machines \ntext\n:::  \n", "Container:machines(p)"},
		{"right behind a paragraph", "before\n:::machines\n:::\nafter\n", "p Container:machines p"},
		{"Markdown in it", ":::machines\n# H\n\n- a\n- b\n:::\n", "Container:machines(h item(p) item(p))"},
		{"nested", "::::machines\n:::machines\na\n:::\nb\n::::\nc\n", "Container:machines(Container:machines(p) p) p"},
		{"nested, as many colons", ":::machines\n:::machines\na\n:::\nb\n:::\nc\n", "Container:machines(Container:machines(p) p) p"},
		{"in a list", "- a\n\n  :::machines\n  b\n  :::\n\n  c\n", "item(p Container:machines(p) p)"},
		{"in a quote", "> :::machines\n> a\n> :::\n> b\n", "quote(Container:machines(p) p)"},
		{"a fence that holds colons", ":::machines\n```text\n:::\n:::machines\n```\n:::\n", "Container:machines(Fence:text)"},
		{"too few colons", "::machines\n", "p"},
		{"a name with a colon", ":::a:::\n", "p"},
		{"in the midst of a line", "text :::machines\n", "p"},
		{"Windows line ends", ":::machines\r\na\r\n:::\r\nb\r\n", "Container:machines(p) p"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, outline(sitetest.Page(t, tt.text))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestInline(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"live", "a {live}`m.gpus` b", "p(Live:m.gpus)"},
		{"a machine's name may hold dots", "{live}`deep.nine.driver`", "p(Live:deep.nine.driver)"},
		{"every value", "{live}`m." + strings.Join(site.LiveFacts(), "` {live}`m.") + "`", "p(Live:m." + strings.Join(site.LiveFacts(), " Live:m.") + ")"},
		{"in other markup", "## **{live}`m.gpu`**\n\n| a |\n|---|\n| {live}`m.os` |\n", "h(Live:m.gpu) Live:m.os"},
		{"not in code", "`{live}` ``{live}`m.gpus` ``", "p"},
		{"not without its text", "{live} {live}m {live}`a\nb` \\{live}`x`", "p"},
		{"embed", "![[a b.png]] ![[x/y.png|300]] ![[z.png| 40 ]]", "p(Embed:a b.png:0 Embed:x/y.png:300 Embed:z.png:40)"},
		{"a width that is none", "![[a b.png|wide]]", "p(Embed:a b.png:0)"},
		{"no embed", "![[]] ![[a", "p"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := sitetest.LoadValid(t, map[string]string{
				"content/pt/p.md": tt.text, "content/pt/a b.png": "", "content/pt/x/y.png": "", "content/z.png": "",
			})
			if diff := cmp.Diff(tt.want, outline(s.Pages[0])); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestLiveValuesAreListed(t *testing.T) {
	text := "ção {live}`m.gpus`\n\n> {live}`n.os`\n"
	p := sitetest.Page(t, text)
	var got []string
	for _, l := range p.LiveValues {
		got = append(got, l.Machine+" "+l.Fact+" "+text[l.Start:l.Stop])
	}
	if diff := cmp.Diff([]string{"m gpus {live}`m.gpus`", "n os {live}`n.os`"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestLinesOfEnvironments checks that only a requirement that depends on the environment has a different
// ID there.
func TestLinesOfEnvironments(t *testing.T) {
	s := sitetest.LoadValid(t, map[string]string{site.ConfigFile: "[env.lab]\npython = 'x'\n", "content/pt/p.md": "```gpu {name=own}\ntorch >= 2\n```\n" +
		"```gpu {name=lab env=lab}\ntorch >= 2\npython\nruns torch\nslurm >= 21.08\ngpus >= 1\nruns cu124\n```\n"})
	ids := map[report.ID]bool{}
	for _, want := range []string{"torch >= 2", "torch >= 2 in lab", "python in lab", "runs torch in lab", "slurm >= 21.08", "gpus >= 1", "runs cu124 in lab"} {
		ids[report.GPULine(want)] = true
	}
	for _, b := range s.Pages[0].Blocks {
		for _, l := range b.GPULines {
			if !ids[l.ID] || l.Name != b.Name+"."+string(l.Fact()) && l.Fact() != ask.Runs {
				t.Errorf("%s, %s has the ID %q", l.Name, l.Line, l.ID)
			}
			delete(ids, l.ID)
		}
	}
	if len(ids) > 0 {
		t.Errorf("lines without a check: %v", ids)
	}
}

// TestUnknownLine checks that a mistyped word of a gpu line gets a hint among facts, readings and measurements.
func TestUnknownLine(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"memry >= 8 GiB":   `did you mean "memory"?`,
		"temperatur < 80":  `did you mean "temperature"?`,
		"persistance on":   `did you mean "persistence"?`,
		"frequency >= 100": "and of a GPU temperature, power draw, ",
	} {
		_, out := sitetest.Load(t, map[string]string{"content/pt/p.md": "# P\n\n```gpu {name=a}\n" + line + "\n```\n"})
		if !strings.Contains(out, want) || strings.Count(out, " python,")+strings.Count(out, " python;") > 1 {
			t.Errorf("%s: %s", line, out)
		}
	}
}
