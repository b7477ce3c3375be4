package trust

import (
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

func base64Of(data []byte) string { return base64.StdEncoding.EncodeToString(data) }

// keyFile creates a key pair with the real ssh-keygen.
func keyFile(t *testing.T, dir, name, passphrase string, more ...string) string {
	t.Helper()
	out, err := keygen(t, dir, nil, append([]string{"-q", "-t", "ed25519", "-N", passphrase, "-f", name}, more...)...)
	must(t, out, err)
	return filepath.Join(dir, name)
}

func TestPassphrase(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(agentVariable, "")
	for _, c := range []struct {
		name string
		file string
	}{
		{"OpenSSH", keyFile(t, dir, "new", "secret")},
		{"PEM", keyFile(t, dir, "pem", "secret", "-t", "rsa", "-m", "PEM")},
	} {
		t.Run(c.name, func(t *testing.T) {
			prompt := ""
			answer := func(s string) func(diag.Text) ([]byte, error) {
				return func(q diag.Text) ([]byte, error) { prompt = q.String(); return []byte(s), nil }
			}
			key, err := Open(c.file, answer("secret"))
			if err != nil || !strings.Contains(prompt, c.file) {
				t.Fatalf("prompt %q: %v", prompt, err)
			}
			f := file(t)
			if v := signersOf(t, Line("lab", key.PublicKey())).Check(f, sign(t, f.Data, key)); v.Status != Signed {
				t.Errorf("%+v", v)
			}
			wantFault(t, c.file, answer("wrong"), "does not open it")
			wantFault(t, c.file, nil, "no terminal to ask")
			gone := errors.New("gone")
			if _, err := Open(c.file, func(diag.Text) ([]byte, error) { return nil, gone }); !errors.Is(err, gone) {
				t.Errorf("error %v, want %v", err, gone)
			}
		})
	}
}

func wantFault(t *testing.T, file string, ask func(diag.Text) ([]byte, error), message string) {
	t.Helper()
	_, err := Open(file, ask)
	var fault *KeyError
	if !errors.As(err, &fault) || !strings.Contains(fault.Message.String(), message) {
		t.Errorf("%s: error %v, want %q", file, err, message)
	}
}

func TestAgent(t *testing.T) {
	dir := t.TempDir()
	private := keyFile(t, dir, "key", "")
	other := keyFile(t, dir, "other", "")
	big := keyFile(t, dir, "rsa", "", "-t", "rsa")
	stop := startAgent(t, dir)
	addKey(t, private)
	addKey(t, big)
	wantFault(t, other+".pub", nil, "does not have this key")

	f := file(t)
	for _, name := range []string{private, big} {
		key, err := Open(name+".pub", nil)
		if err != nil {
			t.Fatal(err)
		}
		if v := signersOf(t, Line("lab", key.PublicKey())).Check(f, sign(t, f.Data, key)); v.Status != Signed {
			t.Errorf("%s: %+v", name, v)
		}
	}

	// The passphrase of a key that the agent has open is not asked for.
	out, err := keygen(t, dir, nil, "-q", "-p", "-P", "", "-N", "secret", "-f", "key")
	must(t, out, err)
	key, err := Open(private, nil)
	if err != nil {
		t.Fatal(err)
	}

	// An agent that is gone when it should sign gives an error, and no signature.
	stop()
	if _, err := Sign(f.Data, key); err == nil || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("error %v", err)
	}
	wantFault(t, private+".pub", nil, "cannot be reached")
	t.Setenv(agentVariable, "")
	wantFault(t, private+".pub", nil, "no ssh-agent")
}

func TestKeyFaults(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(agentVariable, "")
	wantFault(t, filepath.Join(dir, "none"), nil, "no such file")
	wantFault(t, dir, nil, "not a regular file")
	for name, c := range map[string]struct{ data, message string }{
		"empty":  {"", "no key that can be read"},
		"prose":  {"my key\n", "no key that can be read"},
		"cut":    {"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----\n", "no key that can be read"},
		"binary": {strings.Repeat("\x00", maxKey+1), "larger than 64 KiB"},
	} {
		write(t, dir, name, []byte(c.data))
		wantFault(t, filepath.Join(dir, name), nil, c.message)
	}
	if out, err := keygen(t, dir, nil, "-q", "-t", "dsa", "-N", "", "-f", "dsa"); err != nil {
		t.Logf("no DSA: this ssh-keygen makes none: %s", out)
	} else {
		wantFault(t, filepath.Join(dir, "dsa"), nil, "no key that can be read")
		wantFault(t, filepath.Join(dir, "dsa.pub"), nil, "DSA")
	}
}

// TestNothingSecret: no error of a key contains anything of its file.
func TestNothingSecret(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(agentVariable, "")
	data, err := os.ReadFile(keyFile(t, dir, "key", ""))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	for i := 1; i < len(lines)-2; i++ {
		broken := append(append([]string{}, lines[:i]...), lines[i+1:]...)
		write(t, dir, "broken", []byte(strings.Join(broken, "\n")))
		_, err := Open(filepath.Join(dir, "broken"), nil)
		if err == nil {
			t.Fatalf("a key without its line %d is accepted", i+1)
		}
		for _, l := range lines[1 : len(lines)-2] {
			if strings.Contains(err.Error(), l[:20]) {
				t.Errorf("the error shows the key: %v", err)
			}
		}
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	s := signersOf(t, Line("lab", key.PublicKey()))
	if why := s.Refuses(key.PublicKey(), "lab", ran); !why.IsZero() {
		t.Error(why)
	}
	if why := s.Refuses(newKey(t).PublicKey(), "lab", ran); !strings.Contains(why.String(), "does not list") {
		t.Error(why)
	}
	if why := s.Refuses(key.PublicKey(), "lab2", ran); !strings.Contains(why.String(), "may not sign for the machine lab2") {
		t.Error(why)
	}
	if !strings.HasSuffix(Line("x", key.PublicKey()), base64Of(key.PublicKey().Marshal())) || ssh.FingerprintSHA256(key.PublicKey()) == "" {
		t.Error("the line does not end with the key")
	}
}
