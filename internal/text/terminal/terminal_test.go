package terminal

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestColumns(t *testing.T) {
	for in, want := range map[string]int{"": 0, "abc": 3, "ação": 4, "a\u0301": 1, "日本": 4, "✓ x": 3} {
		if got := Columns(in); got != want {
			t.Errorf("%q: %d, want %d", in, got, want)
		}
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		in   string
		most int
		want string
	}{
		{"ação", 5, "ação"}, {"ações", 5, "ações"}, {"açõesX", 5, "aç..."}, {"日本語日本語", 7, "日本..."},
		{"abcdef", 0, "abcdef"}, {"abcdef", 2, ".."}, {"a\u0301bcdef", 5, "a\u0301b..."},
	} {
		if got := Clip(c.in, c.most); got != c.want || c.most > 0 && Columns(got) > c.most {
			t.Errorf("%q in %d: %q, want %q", c.in, c.most, got, c.want)
		}
	}
}

func TestHang(t *testing.T) {
	for _, c := range []struct {
		in           string
		most, indent int
		want         string
	}{
		{"short", 20, 2, "short"},
		{"never broken in a pipe, however long", 0, 2, "never broken in a pipe, however long"},
		{"one two three four five six", 12, 2, "one two\n  three four\n  five six"},
		{"  hint: one two three four", 16, 4, "  hint: one two\n      three four"},
		{"falhou   content/a.md  um nome  0.01s", 26, 2, "falhou   content/a.md  um\n  nome  0.01s"},
		{"fits\nconteúdo da página", 12, 2, "fits\nconteúdo da\n  página"},
		{"lab: 12 passaram, 0 falharam, 3 pulados", 20, 2, "lab: 12 passaram,\n  0 falharam,\n  3 pulados"},
		{"content/pt/uso/de/gpu.md: bad", 14, 2, "content/pt/\n  uso/de/\n  gpu.md: bad"},
	} {
		got := Hang(c.in, c.most, c.indent)
		if got != c.want {
			t.Errorf("%q in %d:\n%s\nwant\n%s", c.in, c.most, got, c.want)
		}
		for l := range strings.SplitSeq(got, "\n") {
			if c.most > 0 && Columns(l) > c.most {
				t.Errorf("%q is wider than %d", l, c.most)
			}
		}
	}
}

func TestTable(t *testing.T) {
	table := Table{
		Head: []string{"OUTCOME", "PÁGINA", "TIME", "REASON"},
		Rows: [][]string{{"passed", "ação", "1.00s", ""}, {"skipped", "日本", "", "it needs two GPUs and this machine has one"}},
		Drop: []int{2},
	}
	for _, c := range []struct {
		most int
		want string
	}{
		{0, `
OUTCOME  PÁGINA  TIME   REASON
passed   ação    1.00s
skipped  日本           it needs two GPUs and this machine has one`},
		{48, `
OUTCOME  PÁGINA  TIME   REASON
passed   ação    1.00s
skipped  日本           it needs two GPUs and
                        this machine has one`},
		{44, `
OUTCOME  PÁGINA  REASON
passed   ação
skipped  日本    it needs two GPUs and this
                 machine has one`},
		{30, `
OUTCOME  PÁGINA
passed   ação
skipped  日本
    it needs two GPUs and this
    machine has one`},
	} {
		if d := cmp.Diff(strings.TrimPrefix(c.want, "\n"), strings.Join(table.Lines(c.most), "\n")); d != "" {
			t.Errorf("%d: (-want +got)\n%s", c.most, d)
		}
	}
	for _, l := range table.Lines(12) { // not even two columns
		if Columns(l) > 12 {
			t.Errorf("%q is wider than 12", l)
		}
	}
	table.Paint = func(row int, cell string) string {
		if row == 1 {
			return "<" + cell + ">"
		}
		return cell
	}
	if got := table.Lines(0)[2]; !strings.HasPrefix(got, "<skipped>  日本 ") {
		t.Errorf("painted: %q", got)
	}
}

// TestLine checks that a status line is redrawn in place, at most ten times a second, is always
// narrower than the terminal, and is removed at the end.
func TestLine(t *testing.T) {
	var b strings.Builder
	l := NewLine(&b, func() int { return 8 })
	l.Set("one two three")
	l.Set("too soon")
	l.at = time.Time{}
	l.Set("two")
	l.Set("two")
	l.Around(func() { b.WriteString("other\n") })
	l.Set("new")
	l.End()
	l.Set("never")
	if want := "one ...\rtwo\x1b[K\r\x1b[Kother\nnew\r\x1b[K"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
	var none *Line
	none.Set("x")
	none.Around(func() { b.Reset() })
	none.End()
	if b.Len() > 0 {
		t.Error("no line, and no other output either")
	}
}

// FuzzWrap checks that no line exceeds the width, and that no word is lost.
func FuzzWrap(f *testing.F) {
	f.Add("one two three", 12, 2)
	f.Add("日本 ação content/pt/very/long/path.md", 10, 4)
	f.Add("  \xff\u0301", 1, 0)
	f.Fuzz(func(t *testing.T, text string, most, indent int) {
		most, indent = 20+max(0, most)%100, max(0, indent)%8
		for _, got := range []string{strings.Join(Wrap(text, most), "\n"), Hang(text, most, indent)} {
			for l := range strings.SplitSeq(got, "\n") {
				if strings.TrimSpace(l) != "" && Columns(strings.TrimLeft(l, " ")) > most {
					t.Fatalf("%q is wider than %d", l, most)
				}
			}
			if a, b := strings.Join(strings.Fields(got), ""), strings.Join(strings.Fields(text), ""); a != b {
				t.Fatalf("%q became %q", b, a)
			}
		}
	})
}
