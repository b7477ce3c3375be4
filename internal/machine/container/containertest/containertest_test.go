package containertest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/gpudocs/gpudocs/internal/machine/container"
)

// TestHost: each runtime that this machine has starts a container, or the test is skipped with the reason.
func TestHost(t *testing.T) {
	if testing.Short() {
		t.Skip("runtimes take seconds, and none of their code is ours")
	}
	for _, name := range []string{container.Podman, container.Docker, container.Apptainer, container.Singularity} {
		t.Run(name, func(t *testing.T) {
			h := Host(t, name)
			if err := container.Starts(t.Context(), name, h); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestBrokenHost: a runtime that starts no container skips the tests that need it, with its own words.
func TestBrokenHost(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("containers run on Linux only")
	}
	dir := t.TempDir()
	script := "#!/bin/sh\n[ $1 = run ] || exit 0\necho 'Error: cgroups in hybrid mode not supported' >&2\nexit 126\n"
	if err := os.WriteFile(filepath.Join(dir, "podman"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	skipped := make(chan string)
	go func() {
		defer close(skipped)
		Host(&recorder{t, skipped}, container.Podman)
	}()
	if why, ok := <-skipped; !ok || why != "podman starts no container here: exit status 126: Error: cgroups in hybrid mode not supported" {
		t.Errorf("%q", why)
	}
}

// A recorder is a test whose goroutine ends where a test is skipped.
type recorder struct {
	testing.TB
	skipped chan<- string
}

func (r *recorder) Skipf(format string, args ...any) {
	r.skipped <- fmt.Sprintf(format, args...)
	runtime.Goexit()
}
