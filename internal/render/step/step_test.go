package step

import (
	"testing"

	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	found "github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/site"
)

// answers are those of a site without pages.
func answers(base memo.Key) *Answers {
	content := &site.Site{Config: &site.Config{}, Names: &site.NameIndex{}, Bibliography: &site.Bibliography{}}
	return Of(&nav.Map{Content: content}, found.New(content, nil, nil, nil), base)
}

// TestSame holds what makes a file another.
func TestSame(t *testing.T) {
	base := memo.KeyOf("base")
	first := New(answers(base), memo.Trace{})
	if first.Same("input") {
		t.Error("a file that nobody has made is the same")
	}
	first.Shown("key", "pt")
	trace := first.Trace()
	if trace.Key == (memo.Key{}) || len(trace.Questions) != 1 {
		t.Fatalf("trace %v", trace)
	}
	again := New(answers(base), trace)
	if !again.Same("input") || !again.Reused() || again.Trace().Key != trace.Key {
		t.Error("the same file is another")
	}
	if New(answers(base), trace).Same("another input") {
		t.Error("another input makes the same file")
	}
	if New(answers(memo.KeyOf("another")), trace).Same("input") {
		t.Error("another site makes the same file")
	}
	if New(answers(memo.Key{}), trace).Same("input") {
		t.Error("a site that is not known makes the same file")
	}
	asked := trace
	asked.Questions = []string{"a question of another version"}
	if New(answers(base), asked).Same("input") {
		t.Error("other questions make the same file")
	}
	failed := New(answers(base), memo.Trace{})
	failed.Same("input")
	failed.Failed()
	if failed.Trace().Key != (memo.Key{}) {
		t.Error("a file that could not be made as a whole has a key")
	}
	if New(answers(base), memo.Trace{}).Trace().Key != (memo.Key{}) {
		t.Error("a file whose inputs are not known has a key")
	}
}
