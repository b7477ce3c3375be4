package trust

import (
	"crypto/rand"
	"encoding/base64"
	"math/big"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/crypto/ssh"
)

// TestUnusableLines: a line that could list more than was intended, or a key that cannot sign
// reports, lists nobody.
func TestUnusableLines(t *testing.T) {
	t.Parallel()
	signer := newKey(t)
	key := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(signer.PublicKey())))
	certificate := &ssh.Certificate{Key: signer.PublicKey(), CertType: ssh.UserCert, ValidBefore: ssh.CertTimeInfinity}
	if err := certificate.SignCert(rand.Reader, newKey(t)); err != nil {
		t.Fatal(err)
	}
	bits := func(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n-1) }
	dsa := "ssh-dss " + base64.StdEncoding.EncodeToString(ssh.Marshal(struct {
		Type       string
		P, Q, G, Y *big.Int
	}{"ssh-dss", bits(1024), bits(160), bits(2), bits(2)}))
	for _, c := range []struct{ name, line, want string }{
		{"no namespace", `lab namespaces="" ` + key, "namespaces must stand once, and name some"},
		{"no quote before a value", `lab namespaces=git" ` + key, "no key that could be read"},
		{"no quotes around a time", "lab valid-before=20200101 " + key, `unknown option "valid-before=20200101"`},
		{"two ends", `lab valid-before="20200101",valid-before="20300101" ` + key, "this option must stand once"},
		{"two beginnings", `lab valid-after="20300101",valid-after="20200101" ` + key, "this option must stand once"},
		{"a time with a digit more", `lab valid-before="202001011" ` + key, `"202001011" is not a time`},
		{"no principal", `"" ` + key, "a signer without a key"},
		{"a certificate", "lab " + strings.TrimSpace(string(ssh.MarshalAuthorizedKey(certificate))), "a certificate, not a key"},
		{"DSA", "lab " + dsa, "a DSA key"},
	} {
		s, diags := ParseSigners("allowed", []byte(c.line+"\n"))
		if len(s.entries) != 0 || len(diags) != 1 || !strings.Contains(diags[0].Message.String(), c.want) {
			t.Errorf("%s: %d signers, %v; want %s", c.name, len(s.entries), diags, c.want)
		}
	}
}

// TestRefuses: signing is refused with the reason for which the signature would be invalid.
func TestRefuses(t *testing.T) {
	t.Parallel()
	listed, other := newKey(t).PublicKey(), newKey(t).PublicKey()
	s := signersOf(t, `lab valid-before="20260101" `+string(ssh.MarshalAuthorizedKey(listed)))
	at := time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC)
	if why := s.Refuses(listed, "lab", at); !why.IsZero() {
		t.Errorf("a listed key is refused: %s", why)
	}
	if why := s.Refuses(listed, "lab", at.AddDate(1, 0, 0)); !strings.Contains(why.String(), "was valid until 2026-01-01") {
		t.Errorf("an expired key: %q", why)
	}
	if why := s.Refuses(other, "lab", at); !strings.Contains(why.String(), ssh.FingerprintSHA256(other)) {
		t.Errorf("an unlisted key: %q", why)
	}
}

// TestReadSigners: an unreadable list lists nobody.
func TestReadSigners(t *testing.T) {
	t.Parallel()
	line := Line("lab", newKey(t).PublicKey()) + "\n"
	pad := func(size int) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(line + strings.Repeat("#", size-len(line)))}
	}
	fsys := fstest.MapFS{"good": pad(maxSigners), "large": pad(maxSigners + 1), "folder/x": {}}
	for name, want := range map[string]string{
		"good": "", "large": "the file is larger than 1 MiB", "none": "there is no such file", "folder": "not a regular file",
	} {
		s, diags := ReadSigners(fsys, name)
		if want == "" {
			if len(diags) > 0 || len(s.entries) != 1 {
				t.Errorf("%s: %d signers, %v", name, len(s.entries), diags)
			}
		} else if len(s.entries) != 0 || len(diags) != 1 || !strings.Contains(diags[0].Error(), want) || diags[0].Hint.IsZero() {
			t.Errorf("%s: %d signers, %v; want %s", name, len(s.entries), diags, want)
		}
	}
}
