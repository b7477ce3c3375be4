package page_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

func TestAnnotateInMkDocs(t *testing.T) {
	files := func(text string) map[string]string {
		return map[string]string{"content/pt/p.md": "---\ndialects: [mkdocs]\n---\n" + text}
	}
	for text, want := range map[string][]int{
		"```python\nx # (1)!\ny # (3)!\n```\n\n1. One.\n2. Two.\n": {1}, // no item 3, but annotations are not requested
		"``` { .python .annotate }\nx # (2)!\n```\n\n2. Two.\n":    {2},
		"```python\nx # (1)!\n```\n\n- One.\n":                     nil,
		"```python\nx # (1)!\n```\n\ntext\n\n1. One.\n":            nil,
	} {
		var got []int
		for _, n := range sitetest.Fences(sitetest.LoadValid(t, files(text)).Pages[0])[0].Annotations {
			got = append(got, n.Number)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got)\n%s", text, diff)
		}
	}
}

// TestAnnotationsBehindExpected checks that the list of annotations may follow the expected output.
func TestAnnotationsBehindExpected(t *testing.T) {
	p := sitetest.Page(t, "```python {run annotate}\nprint(1)  # (1)!\n```\n```text {expect}\n1\n```\n\n1. One.\n")
	if f := sitetest.Fences(p)[0]; len(f.Annotations) != 1 || !strings.Contains(p.Blocks[0].Code, "# (1)!") {
		t.Errorf("notes %v, code %q", f.Annotations, p.Blocks[0].Code)
	}
	if !slices.ContainsFunc(sitetest.Fences(p), func(f *site.Fence) bool { return f.Expect != nil }) {
		t.Error("the block has lost its expected output")
	}
}
