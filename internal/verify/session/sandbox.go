package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
)

// A Sandbox defines what a session in bubblewrap can access in addition to its scratch
// folder.
type Sandbox struct {
	// Network allows the network of the machine. If false, there is only a loopback.
	Network bool
	// Show are paths that stay visible, for reading, in folders that the sandbox hides,
	// such as /tmp.
	Show []string
}

// maxStarts limits how often bubblewrap is started for one sandbox. It fails if a mount
// or a socket of the machine disappears while it prepares the sandbox, as with containers.
const maxStarts = 5

// secrets are paths below the home folder that no snippet has to read.
var secrets = []string{
	".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config/gcloud", ".config/gh", ".password-store",
	".netrc", ".git-credentials", ".pypirc",
}

// systemSecrets are paths that root can read as their owner, even without capabilities.
var systemSecrets = []string{
	"/etc/shadow*", "/etc/gshadow*", "/etc/sudoers*", "/etc/ssh/ssh_host_*_key", "/etc/ssl/private",
	"/etc/krb5.keytab", "/etc/munge",
}

// CheckSandbox returns why sandboxes do not work on this machine, or nil. show is as in
// [Sandbox].
func CheckSandbox(ctx context.Context, show ...string) *report.Reason {
	failed := func(err error) *report.Reason {
		if errors.Is(err, context.DeadlineExceeded) {
			return noSandbox(report.BwrapSlow, "")
		}
		return noSandbox(report.BwrapFailed, err.Error())
	}
	bwrap, err := exec.LookPath("bwrap")
	if err != nil {
		return noSandbox(report.BwrapMissing, "")
	}
	s := &Sandbox{Show: show}
	if s.check() != nil {
		return noSandbox(report.BwrapTMPDIR, "")
	}
	dir, err := os.MkdirTemp("", "bwrap-")
	if err != nil {
		return failed(err)
	}
	defer os.RemoveAll(dir)
	filter, err := systemCallFilter()
	if err != nil {
		return failed(err)
	}
	for n := 1; ; n++ {
		args := append(s.args(dir), "--seccomp", "0", "--", "sh", "-c", ":")
		// The process that bwrap starts waits for bwrap, and for ever if bwrap is killed
		// first.
		a := subprocess.Run(ctx, subprocess.Command{Program: bwrap, Args: args, Env: os.Environ(), Stdin: filter})
		switch {
		case ctx.Err() != nil:
			return failed(ctx.Err())
		case a.Err == nil:
			return nil
		}
		if n < maxStarts && isBubblewrapError([]byte(a.Stderr)) {
			continue
		}
		if message, _, _ := strings.Cut(strings.TrimSpace(a.Stderr), "\n"); message != "" {
			return noSandbox(report.BwrapFailed, message)
		}
		return failed(fmt.Errorf("bwrap: %w", a.Err))
	}
}

func noSandbox(why, said string) *report.Reason {
	return &report.Reason{Code: report.ReasonNoSandbox, Why: why, Said: said}
}

// check refuses a TMPDIR that must be visible: a snippet could access the FIFOs of
// other sessions there.
func (s *Sandbox) check() error {
	tmp, err := filepath.EvalSymlinks(os.TempDir())
	if err != nil {
		return nil // sessions cannot start either
	}
	hidden := s.hidden()
	seen := !isBelow(tmp+"/", hidden)
	for _, path := range s.Show {
		if real, err := filepath.EvalSymlinks(path); err == nil && isBelow(tmp+"/", []string{real}) {
			seen = seen || real == tmp || isBelow(real, hidden)
		}
	}
	if seen {
		return noSandbox(report.BwrapTMPDIR, "")
	}
	return nil
}

// args returns the options of bubblewrap in mount order: later ones cover earlier ones.
func (s *Sandbox) args(scratch string) []string {
	args := []string{
		"--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
		"--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev",
		// Root needs no capability to write to /proc/sys, which affects the whole
		// machine.
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
	// Read-only mounts do not stop sockets, BPF maps or control files of the kernel's
	// debugger. Name resolution, and the programs and drivers of NixOS, are shown
	// again.
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

// hidden returns the folders that are empty in a sandbox.
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

// needs reports whether a folder contains the home folder or a path of Show.
func (s *Sandbox) needs(dir string) bool {
	home, _ := os.UserHomeDir()
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	return isBelow(home+"/", []string{strings.TrimSuffix(dir, "/")}) || slices.Contains(s.Show, dir)
}

// secretFiles returns files and folders that no snippet has to read, and the sockets of
// the machine.
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

// sockets returns the paths of the Unix sockets in use that the kernel shows to this
// process.
func sockets(table string) (paths []string) {
	data, _ := os.ReadFile(table)
	for line := range strings.Lines(string(data)) {
		at := strings.Index(line, " /")
		if at < 0 {
			continue // without a path
		}
		path := strings.TrimSuffix(line[at+1:], "\n")
		if info, err := os.Lstat(path); err == nil && info.Mode().Type() == os.ModeSocket {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// hide returns options that cover files and folders, except in folders that are already
// hidden and not shown again.
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

// isBubblewrapError reports whether output of a start is an error of bubblewrap itself.
func isBubblewrapError(output []byte) bool { return bytes.HasPrefix(output, []byte("bwrap: ")) }

func isBelow(path string, dirs []string) bool {
	for _, dir := range dirs {
		if strings.HasPrefix(path, dir+"/") {
			return true
		}
	}
	return false
}
