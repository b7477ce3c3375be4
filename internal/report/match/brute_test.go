package match

import (
	"math"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// bruteForce reports whether lines match by trying everything, without the package's own code:
// line by line with regular expressions.
func bruteForce(want, got []string) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	text, least, most := want[0], 1, 1
	quantifiers := map[string][2]int{"?": {0, 1}, "*": {0, len(got)}, "+": {1, len(got)}}
	kind := ""
	if text == "[...]" {
		text, kind, least, most = ".* (re)", "re", 0, len(got)
	}
	for _, k := range []string{"re", "glob", ""} {
		for _, q := range []string{"", "?", "*", "+"} {
			s, ok := strings.CutSuffix(text, " ("+k+q+")")
			if !ok || k+q == "" {
				continue
			}
			text, kind = s, k
			if n, ok := quantifiers[q]; ok {
				least, most = n[0], n[1]
			}
			break
		}
	}
	re := regexp.MustCompile("^(?s:" + asRegexp(text, kind) + ")$")
	for n := 0; n <= min(most, len(got)); n++ {
		if n > 0 {
			seen := strings.TrimRight(got[n-1], " \t")
			if seen != want[0] && !re.MatchString(seen) && !re.MatchString(got[n-1]) {
				return false
			}
		}
		if n >= least && bruteForce(want[1:], got[n:]) {
			return true
		}
	}
	return false
}

var special = regexp.MustCompile(`<[\pL_][\pL\pN_-]*:(int|word|text)>|\.\.\.|\\[*?\\]|[*?]|.`)

func asRegexp(text, kind string) string {
	kinds := map[string]string{"int": `([-+]?[0-9]+)`, "word": `(\S+)`, "text": `(.+)`}
	return special.ReplaceAllStringFunc(text, func(s string) string {
		switch k := special.FindStringSubmatch(s)[1]; {
		case k != "":
			return kinds[k]
		case kind == "re":
			return s
		case s == "...", kind == "glob" && s == "*":
			return ".*"
		case kind == "glob" && s == "?":
			return "."
		case kind == "glob" && len(s) > 1 && s[0] == '\\':
			return regexp.QuoteMeta(s[1:])
		}
		return regexp.QuoteMeta(s)
	})
}

// small reports whether brute force can judge a case: few lines, and only syntax that it knows.
func small(want, got string) bool {
	return utf8.ValidString(want) && utf8.ValidString(got) && len(expectedLines(want)) <= 6 && len(expectedLines(got)) <= 7 &&
		!strings.ContainsAny(want+got, "\x00\v\f\r\u0085\u00a0\u2028") && !strings.Contains(want, ":number") && !strings.Contains(want, ":int")
}

func FuzzCompare(f *testing.F) {
	f.Add("a\n[...]\nb...c", "a\nx\nbyc")
	f.Add("[...]\n[...]\n", "")
	f.Add(".[<x:word>]k. (re)", "[ok]")
	f.Add("a (*)\n<x:word>: ... (?)\n*? (glob+)\n\\d (re*)", "a\nb: c\nb\n5")
	f.Fuzz(func(t *testing.T, want, got string) {
		if small(want, got) {
			check(t, want, got)
		}
	})
}

// FuzzParse: any text is an expectation that can be compared, the places of its errors are in
// it, and output that matches without a tolerance matches with one.
func FuzzParse(f *testing.F) {
	f.Add("a\n[...]\nb...c (re)\n<x:number GB>", "a\nb\n", 0.1, true)
	f.Add("\\Q<x:word>\\E (re)", "<x:word>", 0.0, false)
	f.Add("<x:number GB/s >= 700> <y:int [-5%, +20%]>", "712 GB/s 5", 0.0, false)
	f.Add("<x:number>5. nan -inf 1e5. ...(glob)\n (+)", "5.5. NaN -Inf 1e6. x", 0.0, true)
	f.Fuzz(func(t *testing.T, want, got string, rtol float64, number bool) {
		if rtol < 0 || math.IsNaN(rtol) || math.IsInf(rtol, 0) || len(want)+len(got) > 2000 {
			return
		}
		o := Tolerance{RTol: rtol, Number: number}
		e, faults := Parse(want, o)
		all := expectedLines(want)
		for _, fault := range faults {
			if fault.Line >= len(all) || fault.From < 0 || fault.To <= fault.From || fault.To > len(all[fault.Line]) || fault.Message.IsZero() || fault.Message.Hint().IsZero() {
				t.Errorf("%q: %+v", want, fault)
			}
		}
		if !e.Compare(want).Same {
			t.Errorf("%q does not match itself", want)
		}
		exact, _ := Parse(want, Tolerance{})
		for _, got := range []string{got, strings.ReplaceAll(want, "...", "x")} {
			if exact.Compare(got).Same && !e.Compare(got).Same {
				t.Errorf("%q and %q: match only without a tolerance", want, got)
			}
		}
	})
}
