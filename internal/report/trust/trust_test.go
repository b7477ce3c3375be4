package trust

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/test/programtest"
)

// ran is the time of the only check of the reports of these tests.
var ran = time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)

func testReport() *report.Report {
	return &report.Report{
		Schema: report.Schema, Generator: "made up for this test",
		Machine: report.Machine{Name: "lab", OS: "Debian", Arch: "amd64", GPU: report.GPU{Status: report.GPUNone}},
		Checks: []report.Check{{
			ID: "aaaaaaaaaaaaaaaaaaaaaaaaaa", Kind: report.KindBash, Page: "a", Name: "b",
			Places: []report.Place{{File: "a.md", Line: 1}}, Outcome: report.Passed, Ran: ran,
		}},
	}
}

func file(t testing.TB) report.File {
	data, err := report.Encode(testReport())
	if err != nil {
		t.Fatal(err)
	}
	return report.File{Name: "results/lab.json", Data: data, Report: testReport()}
}

func newKey(t testing.TB) ssh.Signer {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func sign(t testing.TB, data []byte, key ssh.Signer) []byte {
	sig, err := Sign(data, key)
	if err != nil {
		t.Fatal(err)
	}
	return sig
}

func signersOf(t testing.TB, lines ...string) *Signers {
	s, diags := ParseSigners("allowed_signers", []byte(strings.Join(lines, "\n")))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return s
}

// keygen runs the real ssh-keygen in a folder.
func keygen(t testing.TB, dir string, stdin []byte, args ...string) (string, error) {
	t.Helper()
	programtest.Need(t, "ssh-keygen")
	c := exec.Command("ssh-keygen", args...)
	c.Dir, c.Stdin = dir, bytes.NewReader(stdin)
	c.Env = append(os.Environ(), "TZ=UTC")
	out, err := c.CombinedOutput()
	return string(out), err
}

func must(t testing.TB, out string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func read(t testing.TB, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t testing.TB, dir, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestOpenSSH: the real ssh-keygen accepts signatures of this package, and its own are accepted
// here.
func TestOpenSSH(t *testing.T) {
	for _, kind := range []string{"ed25519", "ecdsa 256", "ecdsa 384", "ecdsa 521", "rsa 2048", "rsa 3072"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			args := []string{"-q", "-N", "", "-C", "x", "-f", "key"}
			name, bits, ok := strings.Cut(kind, " ")
			if args = append(args, "-t", name); ok {
				args = append(args, "-b", bits)
			}
			out, err := keygen(t, dir, nil, args...)
			must(t, out, err)
			line := `lab namespaces="gpudocs-report" ` + string(read(t, dir, "key.pub"))
			write(t, dir, "allowed", []byte(line))

			key, err := Open(filepath.Join(dir, "key"), nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := Write(filepath.Join(dir, "lab.json"), testReport(), key); err != nil {
				t.Fatal(err)
			}
			f := file(t)
			out, err = keygen(t, dir, f.Data, "-Y", "verify", "-n", Namespace, "-f", "allowed", "-I", "lab", "-s", "lab.json.sig")
			must(t, out, err)
			out, err = keygen(t, dir, append(f.Data, ' '), "-Y", "verify", "-n", Namespace, "-f", "allowed", "-I", "lab", "-s", "lab.json.sig")
			if err == nil {
				t.Errorf("ssh-keygen accepts another report: %s", out)
			}

			for _, hash := range []string{"sha256", "sha512"} {
				if err := os.Remove(filepath.Join(dir, "lab.json.sig")); err != nil {
					t.Fatal(err)
				}
				out, err = keygen(t, dir, nil, "-Y", "sign", "-O", "hashalg="+hash, "-n", Namespace, "-f", "key", "lab.json")
				must(t, out, err)
				v := signersOf(t, line).Check(f, read(t, dir, "lab.json.sig"))
				if v.Status != Signed || v.By != "lab" {
					t.Errorf("%s: %+v", hash, v)
				}
			}
		})
	}
}

// TestChangedByte: a change of any bit of the report or the signature invalidates it.
func TestChangedByte(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	s := signersOf(t, Line("lab", key.PublicKey()))
	f := file(t)
	sig := sign(t, f.Data, key)
	if v := s.Check(f, sig); v.Status != Signed {
		t.Fatalf("%+v", v)
	}
	for i := range f.Data {
		other := f
		other.Data = bytes.Clone(f.Data)
		other.Data[i] ^= 1 << (i % 8)
		if v := s.Check(other, sig); v.Status != Mismatch || v.Reason.IsZero() || v.Hint.IsZero() {
			t.Fatalf("byte %d of the report: %+v", i, v)
		}
	}
	// Inside the armour's base64 every byte counts; lines may be wrapped elsewhere.
	raw, err := sshsig.Unarmor(sig)
	if err != nil {
		t.Fatal(err)
	}
	wire := raw.Marshal()
	for i := range wire {
		changed := bytes.Clone(wire)
		changed[i] ^= 1 << (i % 8)
		if v := s.Check(f, armour(changed)); v.Status == Signed {
			t.Fatalf("byte %d of the signature: %+v", i, v)
		}
	}
	for i := range len(sig) - 1 { // the final newline may be missing
		if v := s.Check(f, sig[:i]); v.Status != Mismatch {
			t.Fatalf("a signature cut at %d: %+v", i, v)
		}
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	key, other := newKey(t), newKey(t)
	f := file(t)
	line := Line("lab", key.PublicKey())
	elsewhere, err := sshsig.Sign(bytes.NewReader(f.Data), key, sshsig.HashSHA512, "git")
	if err != nil {
		t.Fatal(err)
	}
	crlf := f
	crlf.Data = bytes.ReplaceAll(f.Data, []byte("\n"), []byte("\r\n"))
	for _, c := range []struct {
		name    string
		signers *Signers
		file    report.File
		sig     []byte
		status  Status
		reason  string
		hint    string
	}{
		{"no signature", signersOf(t, line), f, nil, NotSigned, "", ""},
		{"an empty one", signersOf(t, line), f, []byte{}, Mismatch, "no SSH signature", "--machine lab --sign KEY"},
		{"not one at all", signersOf(t, line), f, []byte("ok\n"), Mismatch, "no SSH signature", ""},
		{"too large", signersOf(t, line), f, make([]byte, MaxSignature+1), Mismatch, "larger than 64 KiB", ""},
		{"signed", signersOf(t, line), f, sign(t, f.Data, key), Signed, "", ""},
		{"an empty list", nil, f, sign(t, f.Data, key), Unknown, "does not list the key " + ssh.FingerprintSHA256(key.PublicKey()), "allowed_signers"},
		{"by another key", signersOf(t, line), f, sign(t, f.Data, other), Unknown, ssh.FingerprintSHA256(other.PublicKey()), ""},
		{"of another machine", signersOf(t, Line("lab2,head@ufabc", key.PublicKey())), f, sign(t, f.Data, key), OtherMachine, "the key of lab2,head@ufabc may not sign for the machine lab", "begin its line in the file that [trust] allowed_signers of gpudocs.toml names with lab2,head@ufabc,lab;"},
		{"another report", signersOf(t, line), f, sign(t, []byte("x"), key), Mismatch, "changed since it was signed", ""},
		{"another namespace", signersOf(t, line), f, sshsig.Armor(elsewhere), Mismatch, `made for "git"`, ""},
		{"line ends", signersOf(t, line), crlf, sign(t, f.Data, key), Mismatch, "line ends", `"results/* -text"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := c.signers.Check(c.file, c.sig)
			if v.Status != c.status || !strings.Contains(v.Reason.String(), c.reason) || !strings.Contains(v.Hint.String(), c.hint) {
				t.Errorf("%+v", v)
			}
			if by := v.Status == Signed || v.Status == OtherMachine; (v.By != "") != by {
				t.Errorf("signed %v by %q", by, v.By)
			}
		})
	}
}

// sha1Key signs like old clients.
type sha1Key struct{ ssh.AlgorithmSigner }

func (k sha1Key) SignWithAlgorithm(rand io.Reader, data []byte, _ string) (*ssh.Signature, error) {
	return k.AlgorithmSigner.SignWithAlgorithm(rand, data, ssh.KeyAlgoRSA)
}

// TestSHA1: RSA with SHA-1 can be forged, and is not accepted.
func TestSHA1(t *testing.T) {
	t.Parallel()
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	f := file(t)
	s := signersOf(t, Line("lab", key.PublicKey()))
	if v := s.Check(f, sign(t, f.Data, key)); v.Status != Signed {
		t.Errorf("SHA-512: %+v", v)
	}
	old, err := sshsig.Sign(bytes.NewReader(f.Data), sha1Key{key.(ssh.AlgorithmSigner)}, sshsig.HashSHA512, Namespace)
	if err != nil {
		t.Fatal(err)
	}
	if v := s.Check(f, sshsig.Armor(old)); v.Status != Mismatch {
		t.Errorf("SHA-1: %+v", v)
	}
}

// A securityKey signs like a FIDO key: the signed data states whether somebody touched it.
type securityKey struct {
	public  ssh.PublicKey
	private ed25519.PrivateKey
	touched bool
}

const application = "ssh:"

func newSecurityKey(t *testing.T, touched bool) securityKey {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.ParsePublicKey(ssh.Marshal(struct{ Type, Key, Application string }{ssh.KeyAlgoSKED25519, string(public), application}))
	if err != nil {
		t.Fatal(err)
	}
	return securityKey{key, private, touched}
}

func (k securityKey) PublicKey() ssh.PublicKey { return k.public }

func (k securityKey) Sign(_ io.Reader, data []byte) (*ssh.Signature, error) {
	app, message := sha256.Sum256([]byte(application)), sha256.Sum256(data)
	rest := []byte{0}
	if k.touched {
		rest[0] = 1
	}
	rest = binary.BigEndian.AppendUint32(rest, 7) // its counter
	signed := append(append(append([]byte{}, app[:]...), rest...), message[:]...)
	return &ssh.Signature{Format: ssh.KeyAlgoSKED25519, Blob: ed25519.Sign(k.private, signed), Rest: rest}, nil
}

func TestSecurityKey(t *testing.T) {
	t.Parallel()
	key := newSecurityKey(t, true)
	f := file(t)
	sig := sign(t, f.Data, key)
	line := Line("lab", key.public)
	if v := signersOf(t, line).Check(f, sig); v.Status != Signed {
		t.Errorf("%+v", v)
	}
	if _, err := Sign(f.Data, newSecurityKey(t, false)); err == nil {
		t.Error("a signature without a touch is accepted")
	}
	dir := t.TempDir()
	write(t, dir, "allowed", []byte(line))
	write(t, dir, "sig", sig)
	out, err := keygen(t, dir, f.Data, "-Y", "verify", "-n", Namespace, "-f", "allowed", "-I", "lab", "-s", "sig")
	must(t, out, err)
}

// TestCertificate: a signature of ssh-keygen by a certificate is reported as unsupported.
func TestCertificate(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{
		{"-q", "-t", "ed25519", "-N", "", "-f", "ca"},
		{"-q", "-t", "ed25519", "-N", "", "-f", "key"},
		{"-q", "-s", "ca", "-I", "id", "-n", "lab", "key.pub"},
	} {
		out, err := keygen(t, dir, nil, args...)
		must(t, out, err)
	}
	f := file(t)
	write(t, dir, "lab.json", f.Data)
	startAgent(t, dir)
	addKey(t, filepath.Join(dir, "key"))
	out, err := keygen(t, dir, nil, "-Y", "sign", "-n", Namespace, "-f", "key-cert.pub", "lab.json")
	must(t, out, err)
	v := signersOf(t, "lab "+string(read(t, dir, "key.pub"))).Check(f, read(t, dir, "lab.json.sig"))
	if v.Status != Unknown || !strings.Contains(v.Reason.String(), "certificate") {
		t.Errorf("%+v", v)
	}
	if _, err := Open(filepath.Join(dir, "key-cert.pub"), nil); err == nil || !strings.Contains(err.Error(), "a certificate, not a key") {
		t.Errorf("%v", err)
	}
}

func TestReadSignature(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{
		"a.json.sig": {Data: []byte("x")}, "empty.json.sig": {}, "big.json.sig": {Data: make([]byte, 10*MaxSignature)}, "dir.json.sig/x": {},
	}
	for name, want := range map[string]int{"a.json": 1, "empty.json": 0, "big.json": MaxSignature + 1} {
		got, err := ReadSignature(fsys, name)
		if err != nil || got == nil || len(got) != want {
			t.Errorf("%s: %d bytes (nil: %v), %v; want %d", name, len(got), got == nil, err, want)
		}
	}
	if got, err := ReadSignature(fsys, "none.json"); got != nil || err != nil {
		t.Errorf("no file: %v, %v", got, err)
	}
	if _, err := ReadSignature(fsys, "dir.json"); err == nil {
		t.Error("a folder is accepted as a signature")
	}
}

// FuzzCheck: no input panics, and only the report that was signed is Signed.
func FuzzCheck(f *testing.F) {
	key := newKey(f)
	s := signersOf(f, Line("lab", key.PublicKey()))
	good := file(f)
	sig := sign(f, good.Data, key)
	f.Add(good.Data, sig)
	f.Add([]byte("{}"), sig)
	f.Add(good.Data, []byte("-----BEGIN SSH SIGNATURE-----\n\n-----END SSH SIGNATURE-----\n"))
	for _, cut := range []int{40, 100, len(sig) - 5} {
		f.Add(good.Data, sig[:cut])
	}
	f.Fuzz(func(t *testing.T, data, sig []byte) {
		v := s.Check(report.File{Name: "results/lab.json", Data: data, Report: testReport()}, sig)
		if v.Status == Signed && !bytes.Equal(data, good.Data) {
			t.Fatal("an unsigned report is Signed")
		}
		if (v.Status == Mismatch || v.Status == Unknown || v.Status == OtherMachine) && (v.Reason.IsZero() || v.Hint.IsZero()) {
			t.Fatalf("no reason or hint: %+v", v)
		}
	})
}

// startAgent starts a real ssh-agent for the test.
func startAgent(t *testing.T, dir string) (stop func()) {
	t.Helper()
	programtest.Need(t, "ssh-agent") // ssh-add comes with it
	socket := filepath.Join(dir, "agent")
	c := exec.Command("ssh-agent", "-D", "-a", socket)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	stop = func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	}
	t.Cleanup(stop)
	for range 6000 {
		if conn, err := net.Dial("unix", socket); err == nil {
			conn.Close()
			t.Setenv(agentVariable, socket)
			return stop
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("ssh-agent does not listen")
	return nil
}

func addKey(t *testing.T, file string) {
	t.Helper()
	out, err := exec.Command("ssh-add", "-q", file).CombinedOutput()
	must(t, string(out), err)
}

func armour(wire []byte) []byte {
	return fmt.Appendf(nil, "-----BEGIN SSH SIGNATURE-----\n%s\n-----END SSH SIGNATURE-----\n", base64Of(wire))
}
