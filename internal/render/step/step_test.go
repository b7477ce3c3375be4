package step

import (
	"testing"

	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/site"
)

// emptySite is a site without pages.
func emptySite(base memo.Key) *Site {
	content := &site.Site{Config: &site.Config{}, Names: &site.NameIndex{}, Bibliography: &site.Bibliography{}}
	return NewSite(&nav.Map{Content: content}, results.NewIndex(content, nil, nil, &results.Cache{}), base)
}

// TestSame holds what makes a file another.
func TestSame(t *testing.T) {
	base := memo.KeyOf("base")
	first := New(emptySite(base), memo.Trace{})
	if first.Same("input") {
		t.Error("a file that nobody has made is the same")
	}
	first.Shown("key", "pt")
	trace := first.Trace()
	if trace.Key == (memo.Key{}) || len(trace.Facts) != 1 {
		t.Fatalf("trace %v", trace)
	}
	again := New(emptySite(base), trace)
	if !again.Same("input") || !again.Reused() || again.Trace().Key != trace.Key {
		t.Error("the same file is another")
	}
	if New(emptySite(base), trace).Same("another input") {
		t.Error("another input makes the same file")
	}
	if New(emptySite(memo.KeyOf("another")), trace).Same("input") {
		t.Error("another site makes the same file")
	}
	if New(emptySite(memo.Key{}), trace).Same("input") {
		t.Error("a site that is not known makes the same file")
	}
	other := trace
	other.Facts = []string{"a fact of another version"}
	if New(emptySite(base), other).Same("input") {
		t.Error("other facts make the same file")
	}
	failed := New(emptySite(base), memo.Trace{})
	failed.Same("input")
	failed.Failed()
	if failed.Trace().Key != (memo.Key{}) {
		t.Error("a file that could not be made as a whole has a key")
	}
	if New(emptySite(base), memo.Trace{}).Trace().Key != (memo.Key{}) {
		t.Error("a file whose inputs are not known has a key")
	}
}
