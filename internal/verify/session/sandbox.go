package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// systemSecrets are what root reads by being its owner, also without a capability.
var systemSecrets = []string{
	"/etc/shadow*", "/etc/gshadow*", "/etc/sudoers*", "/etc/ssh/ssh_host_*_key", "/etc/ssl/private",
	"/etc/krb5.keytab", "/etc/munge",
}

// CheckSandbox says why no session can be shut in on this machine, or nil. What to show
// is as in [Sandbox].
func CheckSandbox(ctx context.Context, show ...string) error {
	bwrap, err := exec.LookPath("bwrap")
	if err != nil {
		return errors.New("bwrap (bubblewrap) is not installed")
	}
	s := &Sandbox{Show: show}
	if err := s.check(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bwrap-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	filter, err := systemCallFilter()
	if err != nil {
		return err
	}
	args := append(s.args(dir), "--seccomp", "0", "--", "sh", "-c", ":")
	// The process that bwrap starts waits for a word from it, and for ever if bwrap is killed before.
	a := child.Run(ctx, child.Command{Program: bwrap, Args: args, Env: os.Environ(), Stdin: filter})
	if a.Err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	if said, _, _ := strings.Cut(strings.TrimSpace(a.Words), "\n"); said != "" {
		return errors.New(said)
	}
	return fmt.Errorf("bwrap: %w", a.Err)
}

// check refuses a TMPDIR that has to be seen: there a snippet would reach the FIFOs of
// other sessions.
func (s *Sandbox) check() error {
	tmp, err := filepath.EvalSymlinks(os.TempDir())
	if err != nil {
		return nil // there will be no session either
	}
	hidden := s.hidden()
	seen := !isBelow(tmp+"/", hidden)
	for _, path := range s.Show {
		if real, err := filepath.EvalSymlinks(path); err == nil && isBelow(tmp+"/", []string{real}) {
			seen = seen || real == tmp || isBelow(real, hidden)
		}
	}
	if seen {
		return errors.New("TMPDIR cannot be hidden, for the home folder or the site is in the way: set it to another folder")
	}
	return nil
}

// args are bubblewrap's options, in the order in which it mounts: what comes later
// covers what came before.
func (s *Sandbox) args(scratch string) []string {
	args := []string{
		"--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
		"--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev",
		// Root needs no capability to write /proc/sys, which acts on the whole machine.
		"--remount-ro", "/proc",
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
	// Read-only is no bar to a socket, a BPF map or a control file of the kernel's debugger. What
	// is shown again is where names are looked up, and where NixOS has its programs and drivers.
	hidden := s.hidden()
	show := append([]string{"/run/systemd/resolve", "/run/current-system", "/run/opengl-driver"}, s.Show...)
	for _, dir := range hidden {
		args = append(args, "--tmpfs", dir)
	}
	var shown []string
	for _, path := range show {
		real, err := filepath.EvalSymlinks(path)
		if err == nil && (isBelow(path, hidden) || isBelow(real, hidden)) {
			args = append(args, "--ro-bind", real, path)
			shown = append(shown, real)
		}
	}
	return append(append(args, hide(secretFiles(), hidden, shown)...), "--bind", scratch, scratch)
}

// hidden are the folders that a sandbox has empty.
func (s *Sandbox) hidden() (dirs []string) {
	folders := []string{"/tmp", "/run", "/sys/kernel/debug", "/sys/kernel/tracing", "/sys/fs/bpf"}
	if tmp, err := filepath.EvalSymlinks(os.TempDir()); err == nil && !s.needs(tmp) {
		folders = append(folders, tmp)
	}
	for _, dir := range folders {
		real, err := filepath.EvalSymlinks(dir)
		if info, err2 := os.Stat(real); err == nil && err2 == nil && info.IsDir() && !isBelow(real+"/", dirs) {
			dirs = append(dirs, real)
		}
	}
	return dirs
}

// needs reports whether a folder holds the home folder or is one to show.
func (s *Sandbox) needs(dir string) bool {
	home, _ := os.UserHomeDir()
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	return isBelow(home+"/", []string{strings.TrimSuffix(dir, "/")}) || slices.Contains(s.Show, dir)
}

// secretFiles are files and folders that no snippet has to read, and the sockets of the machine.
func secretFiles() (names []string) {
	if home, err := os.UserHomeDir(); err == nil {
		for _, name := range secrets {
			names = append(names, filepath.Join(home, name))
		}
	}
	if os.Geteuid() == 0 {
		for _, pattern := range systemSecrets {
			found, _ := filepath.Glob(pattern)
			names = append(names, found...)
		}
	}
	return append(names, sockets("/proc/net/unix")...)
}

// sockets are the Unix sockets with a path that somebody listens on or talks through now,
// of those that the kernel shows to this process.
func sockets(table string) (paths []string) {
	data, _ := os.ReadFile(table)
	for line := range strings.Lines(string(data)) {
		at := strings.Index(line, " /")
		if at < 0 {
			continue // it has no path
		}
		path := strings.TrimSuffix(line[at+1:], "\n")
		if info, err := os.Lstat(path); err == nil && info.Mode().Type() == os.ModeSocket {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// hide covers files and folders, but for those in folders that are hidden already and not
// shown again.
func hide(names, hidden, shown []string) (args []string) {
	for _, name := range names {
		path, err := filepath.EvalSymlinks(name)
		if err != nil {
			continue
		}
		if info, err := os.Stat(path); err != nil || isBelow(path, hidden) && !isBelow(path, shown) {
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
