package bibtex

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
)

func TestParse(t *testing.T) {
	entries, faults := Parse([]byte(`% a comment with ana@example.org
@string{jml = "Journal of " # {Lab Notes}}
@comment{@article{no, title={x}}}
@Article{silva2020,
  author = {Silva, Ana and {N{\'u}cleo de C{\^a}lculo} and others},
  title  = "A {GPU} in {\"o}ur lab",
  journal = jml, year = 2020, month = mar,
  title = {the second does not count},
}
@book(lee, title = {Braces (and) brackets},)
@misc{only}
`))
	if len(faults) > 0 {
		t.Errorf("%+v", faults)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Type+" "+e.Key+": "+e.Text("title")+", "+e.Text("journal")+" "+e.Text("year")+" "+e.Text("month"))
	}
	want := []string{"article silva2020: A GPU in öur lab, Journal of Lab Notes 2020 3", "book lee: Braces (and) brackets,   ", "misc only: ,   "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestFaults(t *testing.T) {
	for _, tt := range []struct{ source, at, message string }{
		{"@book{, title={x}}", "@book{", "the entry has no key"},
		{"@book{a title={x}}", "a ", `a comma is missing after the key "a"`},
		{"@book{a, title={x", "title=", `the value of "title" is not closed, or missing`},
		{"@book{a, title x}", "title ", "a field is expected here: name = {value},"},
		{"@book{a, journal=jml}", "jml", `there is no @string "jml"`},
	} {
		source := tt.source + "\n@misc{after, year=1}"
		entries, faults := Parse([]byte(source))
		if len(faults) != 1 || faults[0].Message.String() != tt.message || !strings.HasPrefix(source[faults[0].Start:], tt.at[:1]) {
			t.Errorf("%s: %+v", tt.source, faults)
		}
		if len(entries) == 0 || entries[len(entries)-1].Key != "after" {
			t.Errorf("%s: the next entry is lost", tt.source)
		}
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		`Jo{\~a}o`: "João", `Jo\~{a}o`: "João", `\c{c}`: "ç", `G\"odel`: "Gödel", `\'{\i}`: "í", `{\o}re \& co`: "øre & co", `\ss x`: "ßx",
		`1--2`: "1–2", `a~b`: "a\u00a0b", `\textit{It}`: "It", `{A}BC`: "ABC", `50\%`: "50%", `\`: "", `\unknown`: "", "a\n  b": "a b", `<b>`: "<b>",
	} {
		if got := Plain(in); got != want {
			t.Errorf("%s: %q, not %q", in, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	names, others := Names(`Ana Maria da Silva and Souza, Rui and {Lab and Co} AND Lee and others`)
	want := []Name{{"Ana Maria", "da Silva"}, {"Rui", "Souza"}, {"", "Lab and Co"}, {"", "Lee"}}
	if diff := cmp.Diff(want, names); diff != "" || !others {
		t.Errorf("%v (-want +got)\n%s", others, diff)
	}
}

// TestHostile checks that a megabyte of one mark is read in time in proportion to it.
func TestHostile(t *testing.T) {
	for _, mark := range []string{"@", "{", "@a{", "@a{b,c=", "@a{b,c={", "@string{a=a#", `"`, "@a{b,c=\"", `\'`, "@comment{", "%"} {
		complexitytest.Check(t, mark, 1<<20, func(n int) {
			entries, _ := Parse([]byte(strings.Repeat(mark, n/len(mark))))
			for _, e := range entries {
				for _, f := range e.Fields {
					Names(f)
				}
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`@article{a, author={A and B}, title="x" # y, year=2020}`))
	f.Add([]byte(`@string(a="b") @book(c, t={\'{a}})`))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, faults := Parse(data)
		for _, e := range entries {
			if string(data[e.Start:e.End]) != e.Key {
				t.Fatalf("the key %q is not at its offset", e.Key)
			}
			for name := range e.Fields {
				Names(e.Fields[name])
				_ = e.Text(name)
			}
		}
		for _, fault := range faults {
			if fault.Start < 0 || fault.End > len(data)+1 {
				t.Fatalf("%+v of %d", fault, len(data))
			}
		}
	})
}
