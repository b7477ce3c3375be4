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

// TestSame checks which changes make a file different.
func TestSame(t *testing.T) {
	base := memo.KeyOf("base")
	first := New(emptySite(base), memo.Trace{})
	if first.Same("input") {
		t.Error("a file that was never generated counts as unchanged")
	}
	first.Shown("key", "pt")
	trace := first.Trace()
	if trace.Key == (memo.Key{}) || len(trace.Facts) != 1 {
		t.Fatalf("trace %v", trace)
	}
	again := New(emptySite(base), trace)
	if !again.Same("input") || !again.Reused() || again.Trace().Key != trace.Key {
		t.Error("an unchanged file counts as changed")
	}
	if New(emptySite(base), trace).Same("another input") {
		t.Error("a file with another input counts as unchanged")
	}
	if New(emptySite(memo.KeyOf("another")), trace).Same("input") {
		t.Error("a file of another site counts as unchanged")
	}
	if New(emptySite(memo.Key{}), trace).Same("input") {
		t.Error("a file of an unknown site counts as unchanged")
	}
	other := trace
	other.Facts = []string{"a fact of another version"}
	if New(emptySite(base), other).Same("input") {
		t.Error("a file with other facts counts as unchanged")
	}
	failed := New(emptySite(base), memo.Trace{})
	failed.Same("input")
	failed.Failed()
	if failed.Trace().Key != (memo.Key{}) {
		t.Error("an incomplete file has a key")
	}
	if New(emptySite(base), memo.Trace{}).Trace().Key != (memo.Key{}) {
		t.Error("a file with unknown inputs has a key")
	}
}
