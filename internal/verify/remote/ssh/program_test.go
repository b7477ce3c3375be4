package ssh

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestProgram: what is sent is a program of this module, whole.
func TestProgram(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p, err := OpenProgram(self)
	if err != nil || p.System != runtime.GOOS+"/"+runtime.GOARCH {
		t.Fatalf("%+v, %v", p, err)
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	packed, err := Pack(text)
	z, err2 := gzip.NewReader(bytes.NewReader(packed))
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(z); string(got) != "#!/bin/sh\n" || err != nil {
		t.Errorf("%q is sent: %v", got, err)
	}
	if _, err := Pack(text + ".gone"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := OpenProgram(text); err == nil {
		t.Error("a script is sent")
	}
	if other, err := exec.LookPath("go"); err == nil {
		if _, err := OpenProgram(other); err == nil || !strings.Contains(err.Error(), "cmd/go") {
			t.Errorf("another program: %v", err)
		}
	}
}
