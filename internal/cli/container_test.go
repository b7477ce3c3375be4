package cli

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gpudocs/gpudocs/internal/machine/container"
	"github.com/gpudocs/gpudocs/internal/machine/container/containertest"
)

// TestContainer runs the scripts in testdata/container with a Podman that has a storage of its
// own. $ROOTFS is the root file system of an image.
func TestContainer(t *testing.T) {
	if testing.Short() {
		t.Skip("runtimes take seconds, and none of their code is ours")
	}
	t.Parallel()
	h := containertest.Host(t, container.Podman)
	rootfs := containertest.Rootfs(t)
	testscript.Run(t, params(t, "testdata/container", func(e *testscript.Env) error {
		for _, kv := range h.Env {
			if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "CONTAINERS_") {
				e.Setenv(name, value)
			}
		}
		e.Setenv(container.Variable, container.Podman)
		e.Setenv("ROOTFS", rootfs)
		return setup(e, "")
	}))
}
