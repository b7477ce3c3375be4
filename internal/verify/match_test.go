package verify

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
)

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name, want, got string
		diff            string // empty: the same
	}{
		{"same", "a\nb\n", "a\nb\n", ""},
		{"blanks at line ends and empty lines at the end", "a  \nb", "a\nb\t\n\n\n", ""},
		{"blanks at the beginning count", "a", " a", "-a|+ a"},
		{"windows line ends", "a\r\nb\r\n", "a\nb\n", ""},
		{"empty and empty", "", "\n", ""},
		{"nothing came", "a", "", "-a"},
		{"nothing was expected", "", "a", "+a"},
		{"any text in a line", "GPU 0: ... (UUID: ...)", "GPU 0: NVIDIA L4 (UUID: GPU-1)", ""},
		{"any text may be none", "a...b", "ab", ""},
		{"ends must not overlap", "ab...ba", "aba", "-ab...ba|+aba"},
		{"several", "a...b...c", "a1b2b3c", ""},
		{"order counts", "a...b...c...d", "acbd", "-a...b...c...d|+acbd"},
		{"literal dots", "a...b", "a...b", ""},
		{"any text does not cross lines", "a...b", "a\nb", "-a...b|+a|+b"},
		{"any lines", "a\n[...]\nz", "a\nb\nc\nz", ""},
		{"any lines may be none", "a\n[...]\nz", "a\nz", ""},
		{"any lines first and last", "[...]\nm\n[...]", "a\nm\nz", ""},
		{"any lines twice", "a\n[...]\nm\n[...]\nz", "a\nm\nb\nm\nz", ""},
		{"after any lines", "a\n[...]\nz", "a\nb\nc", " a| b| c|-z"},
		{"one line differs", "a\nb\nc", "a\nx\nc", " a|-b|+x| c"},
		{"a line too much", "a\nc", "a\nb\nc", " a|+b| c"},
	} {
		diff, same := compare(c.want, c.got)
		if same != (c.diff == "") {
			t.Errorf("%s: same is %v", c.name, same)
		}
		if got := show(diff); !same && got != c.diff {
			t.Errorf("%s: the difference is %s, want %s", c.name, got, c.diff)
		}
	}
}

func show(diff []report.DiffLine) string {
	var parts []string
	for _, d := range diff {
		parts = append(parts, d.Op+d.Text)
	}
	return strings.Join(parts, "|")
}

// TestPatternAgainstRegexp compares with the same pattern as a regular expression.
func TestPatternAgainstRegexp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func(letters string) string {
		var b strings.Builder
		for range r.IntN(9) {
			b.WriteByte(letters[r.IntN(len(letters))])
		}
		return b.String()
	}
	matched := 0
	for range 200_000 {
		want, got := strings.ReplaceAll(text("ab_"), "_", "..."), text("ab.")
		pieces := strings.Split(want, "...")
		for i := range pieces {
			pieces[i] = regexp.QuoteMeta(pieces[i])
		}
		expected := regexp.MustCompile("^" + strings.Join(pieces, ".*") + "$").MatchString(got)
		if expected {
			matched++
		}
		if newPattern(want).matches(got) != expected {
			t.Fatalf("%q matches %q: %v", want, got, !expected)
		}
	}
	if matched < 1000 {
		t.Fatalf("only %d of the cases match: they show little", matched)
	}
}

func FuzzCompare(f *testing.F) {
	f.Add("a\n[...]\nb...c", "a\nx\nbyc")
	f.Add("[...]\n[...]\n", "")
	f.Fuzz(func(t *testing.T, want, got string) {
		diff, same := compare(want, got)
		kept, left := 0, 0
		for _, d := range diff {
			if d.Op != "-" {
				kept++
			} else {
				left++
			}
		}
		if len(lines(want))*len(lines(got)) < maxCells/2 && kept != len(lines(got)) {
			t.Errorf("the difference shows %d of %d lines", kept, len(lines(got)))
		}
		if same && left > 0 {
			t.Error("the same, and yet lines are missing")
		}
		if _, again := compare(got, got); !again && !strings.Contains(got, anyLines) {
			t.Errorf("%q is not the same as itself", got)
		}
	})
}

func TestCompareLong(t *testing.T) {
	long := strings.Repeat("line\n", 5000)
	if _, same := compare(long, long); !same {
		t.Error("two long texts are the same")
	}
	if _, same := compare("[...]\n"+strings.Repeat("line\n", 300), long); !same {
		t.Error("any lines, and then 300 lines that are there")
	}
	diff, same := compare(long+"a\n", long+"b\n")
	if same || show(diff) != "-a|+b" {
		t.Errorf("same %v, difference %s", same, show(diff))
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"a\x1b[1;31mb\x1b[0mc":                   "abc",
		"\x1b]0;title\x07a":                      "a",
		"\x1b]8;;https://x\x1b\\a\x1b]8;;\x1b\\": "a",
		"10%\r50%\r100%\nend\n":                  "100%\nend\n",
		"10%\r50%\r\nend":                        "50%\nend",
		"a\r\nb\r\n":                             "a\nb\n",
		"\x1b(Ba":                                "a",
		"a\x1b\x00":                              "a\ufffd\ufffd",
	} {
		if got := plain(in); got != want {
			t.Errorf("plain(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestScrub(t *testing.T) {
	p := newPrivate("") // this machine's own names, and then those of the cases
	p.path("/srv/site", "$SITE")
	p.path("/home/ana", "~")
	p.host("gpuhost1.example.org")
	p.word("ana", "<user>")
	p.word("ab", "<no>")
	for in, want := range map[string]string{
		"GPU 0: X (UUID: GPU-12345678-90ab-cdef-1234-567890abcdef)": "GPU 0: X (UUID: GPU-<uuid>)",
		"| 00000000:65:00.0 Off |":                                  "| <pci> Off |",
		"/srv/site/content/pt/a.md, /home/ana/x":                    "$SITE/content/pt/a.md, ~/x",
		"ana@gpuhost1, gpuhost1.example.org":                        "<user>@<host>, <host>",
		"/home/anabel/x":                                            "/home/anabel/x",
		"banana gpuhost10":                                          "banana gpuhost10",
		"ab":                                                        "ab",
		"12:34:56.7 and 01:23.4 s":                                  "12:34:56.7 and 01:23.4 s",
		"01:00.0 VGA compatible controller":                         "<pci> VGA compatible controller",
		"Serial Number : 0324018012345":                             "Serial Number : <serial>",
	} {
		if got := p.scrub(in); got != want {
			t.Errorf("scrub(%q) = %q, want %q", in, got, want)
		}
	}
}

func BenchmarkCompare(b *testing.B) {
	want := strings.Repeat("step ...: loss=...\n", 200)
	got := strings.Repeat("step 12: loss=0.25\n", 200)
	for b.Loop() {
		if _, same := compare(want, got); !same {
			b.Fatal("not the same")
		}
	}
}
