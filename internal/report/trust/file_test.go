package trust

import (
	"crypto/ed25519"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/gpudocs/gpudocs/internal/report"
)

// writerVariable makes the test binary a writer of reports, to be killed.
const writerVariable = "GPUDOCS_TEST_WRITER"

func TestMain(m *testing.M) {
	if file := os.Getenv(writerVariable); file != "" {
		writeForever(file)
	}
	os.Exit(m.Run())
}

// fixedKey is the same key in the test and in its subprocess; it signs nothing else.
func fixedKey() ssh.Signer {
	key, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
	if err != nil {
		panic(err)
	}
	return key
}

func writeForever(file string) {
	r := testReport()
	for i := 0; ; i++ {
		r.Checks[0].DurationMS = float64(i)
		if err := Write(file, r, fixedKey()); err != nil {
			panic(err)
		}
	}
}

// TestKilled: whenever a writer is killed, its report is signed or not signed, never beside the
// signature of another one.
func TestKilled(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "lab.json")
	s := signersOf(t, Line("lab", fixedKey().PublicKey()))
	seen := map[Status]int{}
	for range 60 {
		c := exec.Command(self)
		c.Env = append(os.Environ(), writerVariable+"="+name)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for range 60_000 { // until it writes, which takes seconds on a busy machine
			if _, err := os.Stat(name); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(rand.IntN(5000)) * time.Microsecond)
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait()
		data := read(t, dir, "lab.json")
		r, err := report.Parse("lab.json", data)
		if err != nil {
			t.Fatal(err)
		}
		sig, err := ReadSignature(os.DirFS(dir), "lab.json")
		if err != nil {
			t.Fatal(err)
		}
		v := s.Check(report.File{Name: "lab.json", Data: data, Report: r}, sig)
		seen[v.Status]++
		if v.Status != Signed && v.Status != NotSigned {
			t.Fatalf("%+v", v)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(name + report.SignatureExtension)
	}
	t.Logf("signed %d, not signed %d", seen[Signed], seen[NotSigned])
}

// deaf is a key that can no longer sign.
type deaf struct{ ssh.Signer }

var errDeaf = errors.New("no answer")

func (deaf) Sign(io.Reader, []byte) (*ssh.Signature, error) { return nil, errDeaf }

func TestWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "results", "lab.json")
	key := newKey(t)
	s := signersOf(t, Line("lab", key.PublicKey()))
	step := func(what string, key ssh.Signer, wantErr error, want Status) {
		t.Helper()
		r := testReport()
		r.Generator = what
		if err := Write(name, r, key); !errors.Is(err, wantErr) {
			t.Errorf("%s: error %v", what, err)
		}
		data := read(t, dir, "results/lab.json")
		got, err := report.Parse("lab.json", data)
		if err != nil || got.Generator != what {
			t.Fatalf("%s: the report is %q, %v", what, got.Generator, err)
		}
		sig, err := ReadSignature(os.DirFS(dir), "results/lab.json")
		if v := s.Check(report.File{Name: "lab.json", Data: data, Report: got}, sig); err != nil || v.Status != want {
			t.Errorf("%s: %+v, %v", what, v, err)
		}
		if left, _ := os.ReadDir(filepath.Dir(name)); len(left) > 2 {
			t.Errorf("%s: files are left over: %v", what, left)
		}
	}
	step("unsigned", nil, nil, NotSigned)
	step("signed", key, nil, Signed)
	step("signed again", key, nil, Signed)
	step("the signature goes", nil, nil, NotSigned)
	step("signed once more", key, nil, Signed)
	step("the key does not answer", deaf{key}, report.ErrNotSigned, NotSigned)
	step("nor again", deaf{key}, errDeaf, NotSigned)
}

// TestWriteKeepsBoth: if the new report cannot be written, the old one keeps its signature.
func TestWriteKeepsBoth(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "lab.json")
	if err := Write(name, testReport(), newKey(t)); err != nil {
		t.Fatal(err)
	}
	before, sig := read(t, dir, "lab.json"), read(t, dir, "lab.json.sig")
	bad := testReport()
	bad.Machine.Name = "No Name"
	if err := Write(name, bad, newKey(t)); err == nil {
		t.Error("an invalid report was written")
	}
	if string(before) != string(read(t, dir, "lab.json")) || string(sig) != string(read(t, dir, "lab.json.sig")) {
		t.Error("the old report or its signature has changed")
	}
}
