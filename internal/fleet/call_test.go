//go:build unix

package fleet

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestReasonThatComesLate: what a machine writes to standard error may arrive
// behind the fault that it explains.
func TestReasonThatComesLate(t *testing.T) {
	t.Parallel()
	ssh := filepath.Join(t.TempDir(), "ssh")
	script := "#!/bin/sh\nread -r first\nprintf '\\n%s fault it could not be written\\n' \"${first#mark=}\"\nsleep 0.3\necho 'No space left on device' >&2\n"
	if err := os.WriteFile(ssh, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	c := call{o: &Options{Patience: time.Minute}, ssh: ssh, host: Host{Label: "full", Destination: "full"}}
	var f *Fault
	if err := c.run(context.Background()); !errors.As(err, &f) || !strings.Contains(f.Message, "could not be written") {
		t.Fatalf("%v", err)
	}
	if f.Said != "No space left on device" {
		t.Errorf("the machine said %q", f.Said)
	}
}
