package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gpudocs/gpudocs/internal/child"
)

// A Sandbox says what a session in bubblewrap sees beside its scratch folder.
type Sandbox struct {
	// Network: that of the machine, else none but its own loopback.
	Network bool
	// Show are paths that stay visible, for reading, where the sandbox hides the
	// folder that they are in: /tmp, for one.
	Show []string
}

// secrets are places below the home folder that no snippet has to read.
var secrets = []string{
	".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config/gcloud", ".config/gh", ".password-store",
	".netrc", ".git-credentials", ".pypirc",
}

// CheckSandbox says why no session can be shut in on this machine, or nil.
func CheckSandbox(ctx context.Context) error {
	bwrap, err := exec.LookPath("bwrap")
	if err != nil {
		return errors.New("bwrap (bubblewrap) is not installed")
	}
	dir, err := os.MkdirTemp("", "bwrap-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	args := append((&Sandbox{}).args(dir), "--", "sh", "-c", ":")
	// The process that bwrap starts waits for a word from it, and for ever if bwrap is killed before.
	a := child.Run(ctx, child.Command{Program: bwrap, Args: args, Env: os.Environ()})
	if a.Err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	if said, _, _ := strings.Cut(strings.TrimSpace(a.Words), "\n"); said != "" {
		return errors.New(said)
	}
	return fmt.Errorf("bwrap: %w", a.Err)
}

// args are bubblewrap's options, in the order in which it mounts: what is behind
// covers what is before.
func (s *Sandbox) args(scratch string) []string {
	args := []string{
		"--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
		"--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev",
	}
	if !s.Network {
		args = append(args, "--unshare-net")
	}
	for _, pattern := range []string{"/dev/nvidia*", "/dev/dri", "/dev/kfd"} {
		devices, _ := filepath.Glob(pattern)
		for _, d := range devices {
			args = append(args, "--dev-bind", d, d)
		}
	}
	// A socket can be spoken to on a read-only file system too: the system's bus
	// and a container engine would start programs outside. What is shown again is
	// where names are looked up, and where NixOS has its programs and drivers.
	hidden := []string{"/tmp", "/run"}
	show := append([]string{"/run/systemd/resolve", "/run/current-system", "/run/opengl-driver"}, s.Show...)
	for _, dir := range hidden {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			args = append(args, "--tmpfs", real)
		}
	}
	for _, path := range show {
		real, err := filepath.EvalSymlinks(path)
		if err == nil && (isBelow(path, hidden) || isBelow(real, hidden)) {
			args = append(args, "--ro-bind", real, path)
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		args = append(args, hide(home)...)
	}
	return append(args, "--bind", scratch, scratch)
}

// hide covers the secrets of a home folder.
func hide(home string) (args []string) {
	for _, name := range secrets {
		path, err := filepath.EvalSymlinks(filepath.Join(home, name))
		if err != nil {
			continue
		}
		if info, err := os.Stat(path); err != nil || isBelow(path, []string{"/tmp", "/run"}) {
			continue
		} else if info.IsDir() {
			args = append(args, "--tmpfs", path)
		} else {
			args = append(args, "--ro-bind", os.DevNull, path)
		}
	}
	return args
}

func isBelow(path string, dirs []string) bool {
	for _, dir := range dirs {
		if strings.HasPrefix(path, dir+"/") {
			return true
		}
	}
	return false
}
