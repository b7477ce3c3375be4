package trust

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// TestSignersAsOpenSSH judges one signature by many lists, and asks the real
// ssh-keygen what it says of each at the time of the report's result.
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
		by         string // empty: not signed by anybody listed
	}{
		{"plain", "lab " + key, "lab"},
		{"without a comment", "lab " + bare, "lab"},
		{"blanks, comments, Windows line ends", "# signers\r\n\r\n \t# more\r\n  lab \t " + key + "\r\n", "lab"},
		{"no end of line", "x " + other + "\nlab " + bare, "lab"},
		{"several principals", "lab,head@lab " + key, "lab,head@lab"},
		{"quoted principal", `"lab" ` + key, "lab"},
		{"first of two lines", "lab " + key + "\nlab2 " + key, "lab"},
		{"second line, as the first does not count", "lab valid-before=\"20200101\" " + key + "\nlab " + key, "lab"},
		{"somebody else", "lab " + other, ""},
		{"empty", "", ""},

		{"namespace", `lab namespaces="gpudocs-report" ` + key, "lab"},
		{"namespaces", `lab namespaces="git,gpudocs-*" ` + key, "lab"},
		{"upper case option", `lab NameSpaces="gpudocs-report" ` + key, "lab"},
		{"one sign", `lab namespaces="gpudocs?report" ` + key, "lab"},
		{"dots are dots", `lab namespaces="gpudocs.report" ` + key, ""},
		{"another namespace", `lab namespaces="git" ` + key, ""},
		{"all but this", `lab namespaces="*,!gpudocs-report" ` + key, ""},
		{"a part of it", `lab namespaces="gpudocs" ` + key, ""},

		{"after", `lab valid-after="20260314" ` + key, "lab"},
		{"after, to the second", `lab valid-after="20260314150926" ` + key, "lab"},
		{"not yet", `lab valid-after="20260314150927" ` + key, ""},
		{"not yet, to the minute", `lab valid-after="202603141510" ` + key, ""},
		{"before", `lab valid-before="20260315" ` + key, "lab"},
		{"before, to the second", `lab valid-before="20260314150926" ` + key, "lab"},
		{"expired", `lab valid-before="20260314150925" ` + key, ""},
		{"between", `lab valid-after="20260101",valid-before="20270101" ` + key, "lab"},
		{"all options", `lab namespaces="gpudocs-report",valid-after="20260101",valid-before="20270101" ` + key, "lab"},
		{"UTC", `lab valid-before="20260314150926Z" ` + key, "lab"},
		{"UTC, expired", `lab valid-before="20260314150925Z" ` + key, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			write(t, dir, "allowed", []byte(c.list))
			_, err := keygen(t, dir, f.Data, "-Y", "verify", "-O", "verify-time=20260314150926", "-n", Namespace, "-f", "allowed", "-I", "lab", "-s", "lab.json.sig")
			if oracle := err == nil; oracle != (c.by != "") {
				t.Errorf("ssh-keygen accepts it: %v", oracle)
			}
			s, diags := ParseSigners("allowed", []byte(c.list))
			v := s.Check(f, read(t, dir, "lab.json.sig"))
			if len(diags) > 0 || v.By != c.by || (v.Status == Signed) != (c.by != "") {
				t.Errorf("%+v, %v", v, diags)
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

// TestNamespaceBytes: a list of namespaces may hold any bytes.
func TestNamespaceBytes(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]bool{"\xff": false, "\xff,gpudocs-*": true, "!\xff,gpudocs-report": true, "!gpudocs-*,*": false, "gpudocs?report": true, "": false} {
		if got := matchList(list, Namespace); got != want {
			t.Errorf("matchList(%q) = %v", list, got)
		}
	}
}

// FuzzSigners holds that no bytes make it panic, and that each diagnostic lies
// in the file.
func FuzzSigners(f *testing.F) {
	key := newKey(f)
	line := Line("lab@ufabc", key.PublicKey())
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
		diag.Print(&out, diags, diag.Look{})
		v := s.Check(report, sig)
		if v.Status == Signed && !strings.Contains(string(data), base64Of(key.PublicKey().Marshal())[:40]) {
			t.Fatalf("a key that is not listed counts: %+v", v)
		}
	})
}
