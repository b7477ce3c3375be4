package report

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

func TestSplitConflict(t *testing.T) {
	for _, tt := range []struct{ name, data, ours, base, theirs, fault string }{
		{name: "merge style", data: "a\n<<<<<<< HEAD\nb\n=======\nc\nd\n>>>>>>> other\ne\n", ours: "a\nb\ne\n", theirs: "a\nc\nd\ne\n"},
		{
			name: "diff3", data: "a\n<<<<<<< HEAD\nb\n||||||| 1843976\nx\n=======\nc\n>>>>>>> other\ne\n",
			ours: "a\nb\ne\n", base: "a\nx\ne\n", theirs: "a\nc\ne\n",
		},
		{
			name: "several, each with its base", data: "<<<<<<< o\n1\n|||||||\n=======\n2\n>>>>>>> t\n-\n<<<<<<< o\n3\n||||||| x\n4\n=======\n>>>>>>> t\n",
			ours: "1\n-\n3\n", base: "-\n4\n", theirs: "2\n-\n",
		},
		{
			name: "one without its base", data: "<<<<<<< o\n1\n||||||| x\n0\n=======\n2\n>>>>>>> t\n<<<<<<< o\n3\n=======\n4\n>>>>>>> t\n",
			ours: "1\n3\n", theirs: "2\n4\n",
		},
		{
			name: "a base with conflicts of its own", data: "<<<<<<< o\n1\n||||||| merged common ancestors\n<<<<<<<<< Temporary merge branch 1\nx\n=========\ny\n>>>>>>>>> Temporary merge branch 2\n=======\n2\n>>>>>>> t\n",
			ours: "1\n", base: "<<<<<<<<< Temporary merge branch 1\nx\n=========\ny\n>>>>>>>>> Temporary merge branch 2\n", theirs: "2\n",
		},
		{name: "longer markers", data: "<<<<<<<<<<< o\n1\n===========\n2\n>>>>>>>>>>> t\n", ours: "1\n", theirs: "2\n"},
		{name: "line ends of Windows", data: "<<<<<<< o\r\n1\r\n=======\r\n2\r\n>>>>>>> t\r\n", ours: "1\r\n", theirs: "2\r\n"},
		{name: "no end of line", data: "<<<<<<< o\n1\n=======\n2\n>>>>>>> t", ours: "1\n", theirs: "2\n"},
		{name: "not closed", data: "a\n<<<<<<< o\n1\n=======\n2\n", fault: "r.json:2:1"},
		{name: "no middle", data: "a\n<<<<<<< o\n1\n>>>>>>> t\n", fault: "r.json:4:1"},
		{name: "one left over", data: "a\n=======\n1\n", fault: "r.json:2:1"},
		{name: "base after theirs", data: "<<<<<<< o\n=======\n||||||| b\n>>>>>>> t\n", fault: "r.json:3:1"},
		{name: "one in another", data: "<<<<<<< o\n<<<<<<< p\n=======\n>>>>>>> t\n", fault: "r.json:2:1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, found, err := SplitConflict("r.json", []byte(tt.data))
			if !found {
				t.Fatal("no conflict found")
			}
			if tt.fault != "" {
				var d diag.Diagnostic
				if !errors.As(err, &d) || !strings.HasPrefix(d.Error(), tt.fault+":") || d.Hint.IsZero() {
					t.Fatalf("got %v, want an error at %s", err, tt.fault)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := []string{string(s.Ours), string(s.Base), string(s.Theirs)}
			if d := cmp.Diff([]string{tt.ours, tt.base, tt.theirs}, got); d != "" || (tt.base == "") != (s.Base == nil) {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
	for _, data := range []string{"", "a\n", "<<<<<< six\n", " <<<<<<< not at the beginning\n", "<<<<<<<x\n", least, `"=======": 1`} {
		if _, found, err := SplitConflict("r.json", []byte(data)); found || err != nil {
			t.Errorf("%q is taken for a conflict: %v", data, err)
		}
	}
	complexitytest.Check(t, "<<<<<<< o\n1\n=======\n2\n>>>>>>> t\n", 1<<20, func(n int) {
		data := bytes.Repeat([]byte("<<<<<<< o\n1\n=======\n2\n>>>>>>> t\n"), n/31)
		if _, _, err := SplitConflict("r.json", data); err != nil {
			t.Error(err)
		}
	})
}

// conflicted writes the sides in the form of Git: lines outside of hunks belong to all three.
func conflicted(hunks [][3]string, style int) (text string, sides [3]string) {
	var b strings.Builder
	for i, h := range hunks {
		if i%2 == 0 {
			b.WriteString(h[0])
			for j := range sides {
				sides[j] += h[0]
			}
			continue
		}
		fmt.Fprintf(&b, "<<<<<<< HEAD\n%s", h[0])
		if style == 1 {
			fmt.Fprintf(&b, "||||||| base\n%s", h[1])
		}
		fmt.Fprintf(&b, "=======\n%s>>>>>>> other\n", h[2])
		for j := range sides {
			sides[j] += h[j]
		}
	}
	return b.String(), sides
}

// FuzzSplitConflict: sides written with conflict markers are read back, and of any other text
// each line that is no marker is in some side, or there is an error.
func FuzzSplitConflict(f *testing.F) {
	f.Add("a\n", "b\n", "c\n", "d\n", "e\n", true)
	f.Add("", "<<<<<<<<< x\n", "", "=\n", "\r\n", false)
	f.Add("<<<<<<< o\n", "|||||||\n", "=======\n", ">>>>>>> t\n", "", true)
	f.Fuzz(func(t *testing.T, before, ours, base, theirs, after string, diff3 bool) {
		raw := []byte(before + ours + base + theirs + after)
		s, found, err := SplitConflict("r.json", raw)
		if d := (diag.Diagnostic{}); err != nil && (!found || !errors.As(err, &d) || d.Line < 1) {
			t.Fatalf("%v, %v", found, err)
		}
		if len(s.Ours)+len(s.Base)+len(s.Theirs) > 3*len(raw) {
			t.Fatal("the sides are longer than the file")
		}
		parts := []string{before, ours, base, theirs, after}
		for i, p := range parts {
			if _, _, has := conflict([]byte(p)); has {
				return // they would be markers
			}
			if p != "" && !strings.HasSuffix(p, "\n") {
				parts[i] += "\n"
			}
		}
		style := 0
		if diff3 {
			style = 1
		}
		text, want := conflicted([][3]string{{parts[0]}, {parts[1], parts[2], parts[3]}, {parts[4]}}, style)
		s, found, err = SplitConflict("r.json", []byte(text))
		if !found || err != nil {
			t.Fatalf("%v, %v in %q", found, err, text)
		}
		if string(s.Ours) != want[0] || string(s.Theirs) != want[2] || diff3 && string(s.Base) != want[1] || !diff3 && s.Base != nil {
			t.Errorf("%q\nours %q\nbase %q\ntheirs %q", text, s.Ours, s.Base, s.Theirs)
		}
		if _, err := Parse("r.json", []byte(text)); err == nil {
			t.Errorf("%q is taken for a report", text)
		}
	})
}
