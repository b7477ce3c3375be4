package page_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDiagram(t *testing.T) {
	page, messages := faultyPage(t, "# D\n\n```mermaid {title=\"Um & dois\"}\ngraph LR\n  A[\"<b>x</b>\"] --> B\n```\n\n``` {.mermaid}\ngraph LR\n  A --> B\n```\n")
	if messages != "" {
		t.Error(messages)
	}
	for _, want := range []string{
		`<figcaption>Um &amp; dois</figcaption>`, `<svg id="diagram-1" viewBox="`, `<title id="diagram-1-title">Um &amp; dois</title>`, `<svg id="diagram-2" viewBox="`,
		`class="diagram-fill-box diagram-stroke-edge"`, `url(#diagram-1-0)`, `url(#diagram-2-0)`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not in\n%s", want, page)
		}
	}
	if strings.Contains(page, "<b>") || strings.Contains(page, " style=") || strings.Contains(page, "<style") {
		t.Error(page)
	}
}

func TestDiagramFaults(t *testing.T) {
	page, messages := faultyPage(t, "# D\n\n- x\n\n  > ```mermaid\n  > graph LR\n  >   A --> [\n  > ```\n")
	want := `content/pt/p.md:7:7: warning: this diagram cannot be drawn: SQS cannot stand here; expected AMP, COLON, PIPE, TESTSTR, DOWN, DEFAULT, ...
    7 |   >   A --> [
      |       ^~~~~~~
  hint: the page shows its source; https://mermaid.js.org has the syntax
`
	if diff := cmp.Diff(want, messages); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if !strings.Contains(page, "A --&gt; [") || strings.Contains(page, "<svg") {
		t.Error(page)
	}
}

// An empty diagram has no line of its own: its fault stands at the fence's.
func TestDiagramEmpty(t *testing.T) {
	_, messages := faultyPage(t, "# D\n\n> ```mermaid\n> ```\n")
	if !strings.HasPrefix(messages, "content/pt/p.md:3:6: warning: this diagram cannot be drawn: it is empty") {
		t.Error(messages)
	}
}
