package trust

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// TestSignersAsOpenSSH judges one signature by many lists, and compares each verdict with that
// of the real ssh-keygen for the time of the report's result.
func TestSignersAsOpenSSH(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	keyFile(t, dir, "key", "")
	keyFile(t, dir, "other", "")
	f := file(t)
	write(t, dir, "lab.json", f.Data)
	out, err := keygen(t, dir, nil, "-Y", "sign", "-n", Namespace, "-f", "key", "lab.json")
	must(t, out, err)
	key, other := strings.TrimSpace(string(read(t, dir, "key.pub"))), strings.TrimSpace(string(read(t, dir, "other.pub")))
	bare := strings.Join(strings.Fields(key)[:2], " ")
	for _, c := range []struct {
		name, list string
		by         string // empty: not signed by a listed key
		diagnostic string // a part of the list's only diagnostic; empty if it has none
	}{
		{"plain", "lab " + key, "lab", ""},
		{"without a comment", "lab " + bare, "lab", ""},
		{"blanks, comments, Windows line ends", "# signers\r\n\r\n \t# more\r\n  lab \t " + key + "\r\n", "lab", ""},
		{"no end of line", "x " + other + "\nlab " + bare, "lab", ""},
		{"several principals", "lab,head@lab " + key, "lab,head@lab", ""},
		{"quoted principal", `"lab" ` + key, "lab", ""},
		{"quoted in part", `la"b" ` + key, "lab", ""},
		{"no blank behind the quote", `"lab"` + key, "lab", ""},
		{"a list that ends in the quote", `!lab",",* ` + key, "", "unknown option"},
		{"first of two lines", "lab " + key + "\nlab2 " + key, "lab", ""},
		{"second of two lines", "lab2 " + key + "\nlab " + key, "lab", ""},

		{"another machine", "lab2 " + key, "", ""},
		{"a part of the name", "la " + key, "", ""},
		{"upper case", "LAB " + key, "", "matches no machine"},
		{"a person", "head@lab " + key, "", "matches no machine"},
		{"every machine", "* " + key, "lab", ""},
		{"every machine, and a name", "*,head@lab " + key, "head@lab", ""},
		{"a pattern", "l?b " + key, "lab", ""},
		{"a pattern for more signs", "l??b " + key, "", ""},
		{"all but this machine", "*,!lab " + key, "", ""},
		{"all but this machine, negation first", "!lab,* " + key, "", ""},
		{"all but these", "l*,!*b " + key, "", ""},
		{"all but another", "!lab2,lab* " + key, "lab", ""},
		{"nothing but a negation", "!lab2 " + key, "", "matches no machine"},
		{"a twofold negation", "!!lab,x " + key, "", ""},
		{"one line takes it out, another has it", "*,!lab " + key + "\nlab " + key, "lab", ""},
		{"for this machine expired, for another not", "lab valid-before=\"20200101\" " + key + "\nlab2 " + key, "", ""},
		{"second line, as the first does not count", "lab valid-before=\"20200101\" " + key + "\nlab " + key, "lab", ""},
		{"another key", "lab " + other, "", ""},
		{"empty", "", "", ""},

		{"namespace", `lab namespaces="gpudocs-report" ` + key, "lab", ""},
		{"namespaces", `lab namespaces="git,gpudocs-*" ` + key, "lab", ""},
		{"upper case option", `lab NameSpaces="gpudocs-report" ` + key, "lab", ""},
		{"one sign", `lab namespaces="gpudocs?report" ` + key, "lab", ""},
		{"dots are dots", `lab namespaces="gpudocs.report" ` + key, "", ""},
		{"another namespace", `lab namespaces="git" ` + key, "", ""},
		{"all but this", `lab namespaces="*,!gpudocs-report" ` + key, "", ""},
		{"a part of it", `lab namespaces="gpudocs" ` + key, "", ""},

		{"behind the quote", `lab namespaces="*,!gpudocs-report"namespaces="gpudocs-report" ` + key, "", "unknown option"},
		{"a quote in the namespace", `lab namespaces="\"x\",gpudocs-report" ` + key, "lab", ""},

		{"valid before there was time", `lab valid-before="00010101" ` + key, "", "is not a time"},
		{"after the epoch's first second", `lab valid-after="19700101Z" ` + key, "", "is not a time"},
		{"after", `lab valid-after="20260314" ` + key, "lab", ""},
		{"after, to the second", `lab valid-after="20260314150926" ` + key, "lab", ""},
		{"not yet", `lab valid-after="20260314150927" ` + key, "", ""},
		{"not yet, to the minute", `lab valid-after="202603141510" ` + key, "", ""},
		{"before", `lab valid-before="20260315" ` + key, "lab", ""},
		{"before, to the second", `lab valid-before="20260314150926" ` + key, "lab", ""},
		{"expired", `lab valid-before="20260314150925" ` + key, "", ""},
		{"between", `lab valid-after="20260101",valid-before="20270101" ` + key, "lab", ""},
		{"all options", `lab namespaces="gpudocs-report",valid-after="20260101",valid-before="20270101" ` + key, "lab", ""},
		{"UTC", `lab valid-before="20260314150926Z" ` + key, "lab", ""},
		{"UTC, expired", `lab valid-before="20260314150925Z" ` + key, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			write(t, dir, "allowed", []byte(c.list))
			_, err := keygen(t, dir, f.Data, "-Y", "verify", "-O", "verify-time=20260314150926", "-n", Namespace, "-f", "allowed", "-I", "lab", "-s", "lab.json.sig")
			if oracle := err == nil; oracle != (c.by != "") {
				t.Errorf("ssh-keygen accepts it: %v", oracle)
			}
			s, diags := ParseSigners("allowed", []byte(c.list))
			v := s.Check(f, read(t, dir, "lab.json.sig"))
			if (v.Status == Signed) != (c.by != "") || c.by != "" && v.By != c.by {
				t.Errorf("%+v", v)
			}
			if got := fmt.Sprint(diags); c.diagnostic == "" && len(diags) > 0 || !strings.Contains(got, c.diagnostic) {
				t.Errorf("got %q, want %q", got, c.diagnostic)
			}
		})
	}
}

func TestSignersFaults(t *testing.T) {
	t.Parallel()
	key := strings.TrimPrefix(Line("", newKey(t).PublicKey()), ` namespaces="gpudocs-report" `)
	for _, c := range []struct{ name, list, want string }{
		{"no key", "\nlab\n", "allowed:2:1: error: a signer without a key"},
		{"an open quote", `"lab ` + key, "allowed:1:1: error: a signer without a key"},
		{"a key without its signer", key, "allowed:1:13: error: no key that could be read"},
		{"a broken key", "lab ssh-ed25519 AAAA", "allowed:1:5: error: no key that could be read"},
		{"of a type that does not fit", "lab ssh-rsa " + strings.Fields(key)[1], "allowed:1:5: error: no key that could be read"},
		{"unknown option", "lab namespace=\"x\" " + key, `allowed:1:5: error: unknown option "namespace"`},
		{"unknown flag", "lab  restrict " + key, `allowed:1:6: error: unknown option "restrict"`},
		{"without quotes", "lab namespaces=x " + key, `allowed:1:5: error: unknown option "namespaces=x"`},
		{"twice", `lab namespaces="x",namespaces="y" ` + key, "error: namespaces must stand once"},
		{"no time", `lab valid-after="today" ` + key, `allowed:1:5: error: "today" is not a time`},
		{"no day", `lab valid-before="20260231" ` + key, `allowed:1:5: error: "20260231" is not a time`},
		{"never", `lab valid-after="20260102",valid-before="20260101" ` + key, "error: this key is valid at no time"},
		{"authority", "lab cert-authority " + key, "allowed:1:5: warning: certificate authorities are not supported"},
		{"large", strings.Repeat("#\n", maxSigners), "allowed: error: the file is larger than 1 MiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, diags := ParseSigners("allowed", []byte(c.list))
			if len(diags) != 1 || !strings.Contains(diags[0].Error(), c.want) || diags[0].Hint.IsZero() || len(s.entries) != 0 {
				t.Errorf("%v\nwant %s", diags, c.want)
			}
		})
	}
}

// TestPatternsAsOpenSSH compares lists of principals with the matches of ssh-keygen for the
// same machines, all lists in one file.
func TestPatternsAsOpenSSH(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	keyFile(t, dir, "key", "")
	fields := strings.Fields(string(read(t, dir, "key.pub")))
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	signs := strings.Split("a b - . * ** ? ! , ,! lab deep9", " ")
	lists := map[string]bool{
		strings.Repeat("x", 1022) + ",lab": true, strings.Repeat("x", 1023) + ",lab": true, "lab," + strings.Repeat("*", 1022): true,
		"!" + strings.Repeat("x", 1022) + ",lab": true, "!" + strings.Repeat("x", 1023) + ",lab": true,
	}
	for len(lists) < 2000 {
		list := ""
		for range 1 + random.IntN(6) {
			list += signs[random.IntN(len(signs))]
		}
		lists[list] = true
	}
	var file strings.Builder
	for list := range lists {
		fmt.Fprintf(&file, "%s %s %s\n", list, fields[0], fields[1])
	}
	write(t, dir, "allowed", []byte(file.String()))
	for _, machine := range []string{"a", "b", "lab", "ab", "aab", "a.b", "a-b", "deep9", "lab-deep9", "deep9.lab"} {
		// If no list matches a machine, the exit code is 255.
		out, err := keygen(t, dir, nil, "-Y", "match-principals", "-f", "allowed", "-I", machine)
		if strings.Contains(out, "unsupported") || strings.Contains(out, "usage:") {
			t.Skipf("this ssh-keygen has no match-principals (OpenSSH 8.9): %s", out)
		}
		must(t, out, err)
		oracle := map[string]bool{}
		for list := range strings.Lines(out) {
			oracle[strings.TrimSuffix(list, "\n")] = true
		}
		for list := range lists {
			if got := matchList(list, machine); got != oracle[list] {
				t.Errorf("seed %d: matchList(%.80q, %q) = %v, and OpenSSH differs", seed, list, machine, got)
			}
		}
	}
}

// TestPatternTime: the time for a pattern does not grow exponentially with its asterisks.
func TestPatternTime(t *testing.T) {
	name := strings.Repeat("a", 63)
	complexitytest.Check(t, "stars", 100_000, func(n int) { _ = matchPattern(strings.Repeat("*a", n)+"b", name) })
	complexitytest.Check(t, "parts", 100_000, func(n int) { _ = matchList(strings.Repeat("*a*a*a*a*a*a*a*a*b,", n/10), name) })
}

// TestPrincipalsThatMatchNothing: lists in the old format, in which principals were not
// machines, get a diagnostic with a hint, unless they sign no reports.
func TestPrincipalsThatMatchNothing(t *testing.T) {
	t.Parallel()
	key := strings.TrimPrefix(Line("", newKey(t).PublicKey()), ` namespaces="gpudocs-report" `)
	s, diags := ParseSigners("allowed", []byte("lab "+key+"\n  lab@ufabc \t"+key+"\nana@ufabc namespaces=\"git\" "+key))
	if len(diags) != 1 || len(s.entries) != 3 {
		t.Fatalf("%v", diags)
	}
	d := diags[0]
	if d.Severity != diag.Warning || d.Line != 2 || d.Column != 3 || d.Width != len("lab@ufabc") ||
		!strings.Contains(d.Message.String(), `"lab@ufabc" matches no machine`) || !strings.Contains(d.Hint.String(), "*,lab@ufabc lets it sign for all") {
		t.Errorf("%+v", d)
	}
}

// TestWhoRefuses: of several lines with a key, the one that is nearest to being valid gives the
// reason.
func TestWhoRefuses(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	f := file(t)
	sig := sign(t, f.Data, key)
	public := strings.TrimPrefix(Line("", key.PublicKey()), ` namespaces="gpudocs-report" `)
	git, other, old := `ana namespaces="git" `+public, "lab2 "+public, `lab valid-before="20200101Z" `+public
	for _, c := range []struct {
		lines  []string
		status Status
		reason string
	}{
		{[]string{git}, Unknown, `may sign "git" alone`},
		{[]string{git, other}, OtherMachine, "the key of lab2 may not sign for the machine lab"},
		{[]string{other, git}, OtherMachine, "the key of lab2 may not sign for the machine lab"},
		{[]string{other, old, git}, Unknown, "was valid until"},
		{[]string{old, other}, Unknown, "was valid until"},
	} {
		v := signersOf(t, c.lines...).Check(f, sig)
		if v.Status != c.status || !strings.Contains(v.Reason.String(), c.reason) || v.Hint.IsZero() || v.Key == "" {
			t.Errorf("%q: %+v", c.lines, v)
		}
	}
}

// TestNamespaceBytes: a list of namespaces may hold any bytes.
func TestNamespaceBytes(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]bool{"\xff": false, "\xff,gpudocs-*": true, "!\xff,gpudocs-report": true, "!gpudocs-*,*": false, "gpudocs?report": true, "": false} {
		if got := matchList(list, Namespace); got != want {
			t.Errorf("matchList(%q) = %v", list, got)
		}
	}
}

// FuzzSigners: no input panics, and the place of each diagnostic is in the file.
func FuzzSigners(f *testing.F) {
	key := newKey(f)
	line := Line("lab", key.PublicKey())
	for _, s := range []string{
		"", "#\n\nlab\n", line, line + "\r\n" + line, `"a b" ` + line, `lab cert-authority,namespaces="*,!x?",valid-after="20260101Z" ssh-ed25519 AAAA`,
		strings.Replace(line, "namespaces", "valid-before", 1), "lab \x00 ç\xff\n",
	} {
		f.Add([]byte(s))
	}
	report := file(f)
	sig := sign(f, report.Data, key)
	f.Fuzz(func(t *testing.T, data []byte) {
		s, diags := ParseSigners("allowed", data)
		lines := strings.Count(string(data), "\n") + 1
		for _, d := range diags {
			if d.Line < 0 || d.Line > lines || d.Message.IsZero() || d.Hint.IsZero() {
				t.Fatalf("%+v", d)
			}
		}
		var out strings.Builder
		diag.Print(&out, diags, diag.Style{})
		v := s.Check(report, sig)
		for _, e := range s.entries {
			if cut, _ := cutPrincipals(e.principals + " x"); cut != e.principals && !strings.ContainsAny(e.principals, blanks) {
				t.Fatalf("the principals %q are cut to %q", e.principals, cut)
			}
		}
		if v.Status == Signed && !strings.Contains(string(data), base64Of(key.PublicKey().Marshal())[:40]) {
			t.Fatalf("an unlisted key is valid: %+v", v)
		}
	})
}
