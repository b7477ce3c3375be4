package diagram

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMain collects garbage less often, which takes a quarter of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

var update = flag.Bool("update", false, "write testdata/*.svg anew")

// shared is used by most tests, because starting an interpreter takes a second.
var shared = New(nil)

// empty returns a Drawer without drawings, with the interpreters of shared.
func empty() *Drawer {
	d := New(nil)
	d.mermaid = shared.mermaid
	return d
}

// rare are the diagrams of TestGolden that only .ci/long draws, and -update: half of the types
// show as much of the code that draws for Mermaid.
var rare = []string{"c4", "journey", "kanban", "packet", "quad", "radar", "req", "sankey", "timeline", "treemap", "xy"}

// single skips a test that uses one interpreter, which takes long, if only concurrency is tested.
func single(tb testing.TB) {
	tb.Helper()
	if testing.Short() {
		tb.Skip("one interpreter draws, and takes long; other tests use several")
	}
}

// TestGolden draws testdata/*.mmd. If a drawing changes, look at it in a browser.
func TestGolden(t *testing.T) {
	t.Parallel()
	single(t)
	files, err := filepath.Glob("testdata/*.mmd")
	if err != nil || len(files) < 15 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if os.Getenv("GPUDOCS_LONG") == "" && !*update && slices.Contains(rare, strings.TrimSuffix(filepath.Base(file), ".mmd")) {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			d, err := shared.Draw(t.Context(), string(source))
			if err != nil {
				t.Fatal(err)
			}
			svg := strings.ReplaceAll(d.SVG("d", "Diagram"), "><", ">\n<") + "\n"
			checkSVG(t, svg)
			golden := strings.TrimSuffix(file, ".mmd") + ".svg"
			if *update {
				if err := os.WriteFile(golden, []byte(svg), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if string(want) != svg {
				t.Errorf("%s differs from the drawing; go test -update writes it", golden)
			}
		})
	}
}

// checkSVG: a drawing is well-formed, has only what is allowed, and contains all that it refers to.
func checkSVG(t *testing.T, svg string) {
	t.Helper()
	var ids, refs []string
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if name := e.Name.Local; !slices.Contains(elements, name) && name != "svg" && name != "title" && name != "desc" {
			t.Fatalf("<%s> in %s", name, svg)
		}
		for _, a := range e.Attr {
			switch name := a.Name.Local; {
			case name == "id":
				ids = append(ids, a.Value)
			case name == "href":
				refs = append(refs, strings.TrimPrefix(a.Value, "#"))
			case strings.HasPrefix(a.Value, "url("):
				refs = append(refs, strings.TrimSuffix(strings.TrimPrefix(a.Value, "url(#"), ")"))
			case name != "class" && name != "role" && !strings.HasPrefix(name, "aria-") && !slices.Contains(attributes, name):
				t.Fatalf("%s=%q in %s", name, a.Value, svg)
			case strings.Contains(a.Value, "NaN"):
				t.Errorf("%s=%q", name, a.Value)
			}
		}
	}
	slices.Sort(ids)
	if len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Errorf("duplicate ids: %v", ids)
	}
	for _, r := range refs {
		if !slices.Contains(ids, r) {
			t.Errorf("no element has the id %s", r)
		}
	}
}

func TestText(t *testing.T) {
	single(t)
	d, err := shared.Draw(t.Context(), "flowchart LR\n accTitle: Two <things>\n accDescr: One leads to the other\n a[\"x <b>y</b><br/>vector&lt;int&gt;\"] -->|é| b\n style a fill:#fdd\n classDef dark fill:#012\n class b dark\n")
	if err != nil {
		t.Fatal(err)
	}
	svg := d.SVG("d-1", "name")
	for _, want := range []string{
		`<title id="d-1-title">Two &lt;things&gt;</title><desc id="d-1-description">One leads to the other</desc>`, `aria-labelledby="d-1-title" aria-describedby="d-1-description"`,
		`> y<`, `vector&lt;int&gt;`, `>é<`, `fill="#fdd"`, `fill="#012"`, `fill="#fff"`, `class="diagram-fill-paper"`, `url(#d-1-`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("%s is not in %s", want, svg)
		}
	}
	for _, no := range []string{"&lt;b&gt;", "style=", "<style", "fa00"} {
		if strings.Contains(svg, no) {
			t.Errorf("%s is in %s", no, svg)
		}
	}
}

// A diagram with links is drawn without them.
func TestLinks(t *testing.T) {
	d, err := shared.Draw(t.Context(), "graph LR\n a --> b\n click a href \"https://example.org/x\" _blank\n click b \"javascript:alert(1)\"\n")
	if err != nil {
		t.Fatal(err)
	}
	svg := d.SVG("d", "name")
	checkSVG(t, svg)
	if strings.Contains(svg, "example.org") || strings.Contains(svg, "javascript") || !strings.Contains(svg, ">a<") {
		t.Error(svg)
	}
}

func TestFaults(t *testing.T) {
	single(t)
	for _, tt := range []struct {
		source, message string
		line            int
	}{
		{"", "it is empty", 0},
		{" \n", "it is empty", 0},
		{"nothing\n", "Mermaid knows no diagram of this type", 0},
		{"graph LR\n a --> b\n b --> [\n", "SQS cannot stand here; expected AMP, COLON, PIPE, TESTSTR, DOWN, DEFAULT, ...", 3},
		{"---\ntitle: x\n---\n%% comment\n\ngraph LR\n a --> b\n%% more\n b --> [\n", "SQS cannot stand here; expected AMP, COLON, PIPE, TESTSTR, DOWN, DEFAULT, ...", 9},
		{"sequenceDiagram\n a->>b: x\n foo\n", "NEWLINE cannot stand here; expected (), SOLID_OPEN_ARROW, DOTTED_OPEN_ARROW, SOLID_ARROW, SOLID_ARROW_TOP, SOLID_ARROW_BOTTOM, ...", 3},
		{"pie\n \"a\" : 3\n b : 4\n", "Expecting token of type 'EOF' but found `:`", 3},
		{"architecture-beta\n group a(cloud)[A]\n", "diagrams of this type are not drawn here", 0},
		{strings.Repeat("x", maxLength+1), "it is longer than 32 KiB", 0},
	} {
		for range 2 { // drawn, and from the cache
			_, err := shared.Draw(t.Context(), tt.source)
			var fault *Error
			if !errors.As(err, &fault) || fault.Message != tt.message || fault.Line != tt.line {
				t.Errorf("%.60q: %#v", tt.source, err)
			}
		}
	}
}

// TestSame: a drawing does not depend on what was drawn before it.
func TestSame(t *testing.T) {
	t.Parallel()
	source := "gitGraph\n commit\n commit\n branch b\n commit\n"
	one, err := shared.Draw(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	other := New(nil)
	two, err := other.Draw(t.Context(), source)
	if err != nil || one.SVG("d", "") != two.SVG("d", "") {
		t.Errorf("%v\n%s\n%s", err, one.SVG("d", ""), two.SVG("d", ""))
	}
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if d, err := other.Draw(t.Context(), "graph LR\n a --> b"); err != nil || !strings.Contains(d.SVG("d", ""), ">a<") {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func TestStore(t *testing.T) {
	const good, bad = "graph LR\n a --> b", "graph LR\n a --> ["
	first := empty()
	drawing, err := first.Draw(t.Context(), good)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.Draw(t.Context(), bad); err == nil || !first.Fresh() {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := first.Store(&file); err != nil || first.Fresh() {
		t.Fatal(err)
	}
	second := New(func() ([]byte, error) { return file.Bytes(), nil })
	if !second.Known(good) || !second.Known(bad) || second.Known("pie") {
		t.Error("a stored drawing is not found")
	}
	again, err := second.Draw(t.Context(), good)
	if err != nil || again.SVG("d", "") != drawing.SVG("d", "") || second.mermaid.Idle() > 0 || second.Fresh() {
		t.Errorf("%v: it is drawn again", err)
	}
	if _, err := second.Draw(t.Context(), bad); err == nil || !strings.Contains(err.Error(), "SQS") {
		t.Error(err)
	}
	// A stored drawing is not trusted.
	out, _ := first.stored.Get(key(good))
	hostile := New(nil)
	hostile.stored.Put(key(good), []byte(strings.Replace(string(out), `"body":"`, `"body":"<script>alert(1)</script><g onclick=\"a()\" style=\"x\"/>`, 1)))
	d, err := hostile.Draw(t.Context(), good)
	if err != nil {
		t.Fatal(err)
	}
	checkSVG(t, d.SVG("d", ""))
	for _, text := range []string{"", "{", "[]", "{}"} {
		damaged, fault := New(nil), new(Error)
		damaged.stored.Put(key(good), []byte(text))
		if _, err := damaged.Draw(t.Context(), good); !errors.As(err, &fault) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestClean(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`<g class="diagram-fill-box"><rect x="1" width="2.5" fill="#fff"/></g>`, `<g class="diagram-fill-box"><rect x="1" width="2.5" fill="#fff"></rect></g>`},
		{`<text>a &lt; b<tspan x="1">c</tspan></text>`, `<text>a &lt; b<tspan x="1">c</tspan></text>`},
		{`<script>alert(1)</script><g/>`, `<g></g>`},
		{`<a href="javascript:x"><text>t</text></a>`, ``},
		{`<g onload="x" style="x" class="site-nav" fill="url(http://x)" id="top" href="#x"/>`, `<g></g>`},
		{`<foreignObject><p>x</p></foreignObject>`, ``},
		{`<use href="#ID-1"/><use href="x.svg#a"/>`, `<use href="#` + idMark + `1"></use><use></use>`},
		{`<path d="M0 0" marker-end="url(#ID-3)" fill='"'/>`, `<path d="M0 0" marker-end="url(#` + idMark + `3)"></path>`},
		{`<g x="1" x="2"/>`, `<g x="1"></g>`},
		{`out<g>side</g>`, `<g></g>`},
	} {
		if got, err := clean(tt.in); err != nil || got != tt.want {
			t.Errorf("%s: %v\n got %s\nwant %s", tt.in, err, got, tt.want)
		}
	}
	for _, bad := range []string{`<g>`, `</g>`, `<g></text>`, "<text>\x01</text>", `&x;`} {
		if got, err := clean(bad); err == nil {
			t.Errorf("%q: %s", bad, got)
		}
	}
}

// Hostile sources end in time and do not affect the next diagram.
func TestTooMuch(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	d := empty()
	for _, source := range []string{
		"mindmap\n " + strings.Repeat("a\n  ", 10) + "a",
		"graph LR\n" + strings.Repeat("subgraph a\n", 200),
		"graph LR\n" + strings.Repeat("a & ", 32) + "a --> " + strings.Repeat("b & ", 32) + "b\n", // 1,089 edges
		"%%{init: {\"securityLevel\": \"loose\", \"theme\": \"dark\", \"htmlLabels\": true, \"flowchart\": {\"htmlLabels\": true}}}%%\ngraph LR\n a[\"<img src=x onerror=a()>\"] --> b\n click a \"javascript:a()\"",
	} {
		if g, err := d.Draw(t.Context(), source); err == nil {
			checkSVG(t, g.SVG("d", ""))
		}
	}
	if _, err := d.Draw(t.Context(), "graph LR\n a --> b"); err != nil {
		t.Error(err)
	}
}

// TestInterrupted: Ctrl-C ends a drawing, and it is drawn when it is requested again.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	var deep strings.Builder
	deep.WriteString("mindmap\n")
	for i := range 60 {
		deep.WriteString(strings.Repeat(" ", i+1) + "a\n")
	}
	d := empty()
	if _, err := d.Draw(t.Context(), "graph LR\n a --> b"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := d.Draw(ctx, deep.String()); !errors.Is(err, context.DeadlineExceeded) || d.Known(deep.String()) {
		t.Errorf("drawing is not interrupted, or the interruption is taken for a fault of the diagram: %v", err)
	}
	if _, err := d.Draw(t.Context(), "graph LR\n a --> c"); err != nil {
		t.Error(err)
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{`<g class="diagram-fill-box" id="ID-1"><text x="1">a</text></g>`, `<script>`, `<use href="#ID-1"/>`, `<![CDATA[x]]>`, `<?x?>`, `<!--x-->`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := clean(s)
		if err != nil {
			return
		}
		again, err := clean(strings.ReplaceAll(got, idMark, "ID-"))
		if err != nil || again != got {
			t.Errorf("%q: %q, then %q %v", s, got, again, err)
		}
	})
}

func FuzzDraw(f *testing.F) {
	single(f)
	for _, s := range []string{"graph LR\n a --> b", "sequenceDiagram\n a->>b: x", "pie\n \"a\": 1", "stateDiagram-v2\n [*] --> a", "classDiagram\n a <|-- b", "erDiagram\n A ||--o{ B : c", "---\ntitle: x\n---\nmindmap\n a\n  b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := shared.Draw(t.Context(), s)
		var fault *Error
		switch {
		case err == nil:
			checkSVG(t, d.SVG("d", "x"))
		case !errors.As(err, &fault):
			t.Error(err)
		}
	})
}

func BenchmarkDraw(b *testing.B) {
	for _, name := range []string{"flow", "sequence", "class", "state", "pie"} {
		source, err := os.ReadFile("testdata/" + name + ".mmd")
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			d := New(nil)
			for b.Loop() {
				out, err := d.draw(b.Context(), string(source))
				if err == nil {
					_, err = finish(out)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkStart measures the start of an interpreter and a small diagram.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		if _, err := New(nil).Draw(b.Context(), "graph LR\n a --> b"); err != nil {
			b.Fatal(err)
		}
	}
}
