// Package programtest tells tests which programs of this machine work. One that is in PATH may be a stub, lack what it
// needs, or belong to a manager of versions that has no version of it.
package programtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// questions are the arguments with which programs do next to nothing, and what they read. Others are asked for their
// --version. A compiler compiles a program, because it may lack headers or a linker.
var questions = map[string]struct{ args, stdin string }{
	"busybox":    {"true", ""},
	"bwrap":      {"--unshare-pid --unshare-ipc --unshare-net --ro-bind / / --proc /proc --dev /dev --tmpfs /tmp true", ""},
	"cc":         {"-x c -o program -", cProgram},
	"dash":       {"-c true", ""},
	"g++":        {"-x c++ -o program -", "#include <iostream>\nint main() { std::cout << 1; }\n"},
	"gcc":        {"-x c -o program -", cProgram},
	"gfortran":   {"-x f95 -o program -", "print *, 1\nend\n"},
	"go":         {"version", ""},
	"hunspell":   {"-v", ""},
	"mandoc":     {"-T ascii", ".Dd today\n"},
	"mksquashfs": {"-version", ""},
	"pdfinfo":    {"-v", ""}, // some versions exit with 1, see below
	"pdftotext":  {"-v", ""},
	"python3":    {"-c True", ""},
	"rustc":      {"-o program -", "fn main() {}\n"},
	"sh":         {"-c true", ""},
	"ssh":        {"-V", ""},
	"ssh-agent":  {"true", ""},
	"ssh-keygen": {"-q -t ed25519 -f program -N x12345", ""},
	"sshd":       {"-?", ""}, // its usage
}

// usage are the programs that exit with 1 although all is well.
var usage = map[string]bool{"pdfinfo": true, "pdftotext": true, "sshd": true}

const cProgram = "#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n"

// patience is how long a program may take to answer on a busy machine.
const patience = 2 * time.Minute

var asked sync.Map // func() error by program

// Fault returns why a program does not work on this machine, in its own words, or nil. It is asked once.
func Fault(program string) error {
	answer, _ := asked.LoadOrStore(program, sync.OnceValue(func() error { return ask(program) }))
	return answer.(func() error)()
}

// Need skips a test if a program does not work on this machine.
func Need(t testing.TB, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if err := Fault(program); err != nil {
			t.Skip(err)
		}
	}
}

// NeedSandbox skips a test if bubblewrap does not work on this machine: it may be refused namespaces, as in containers
// and by the AppArmor of Ubuntu 24.04. Otherwise it gives the test a TMPDIR that a sandbox can hide, which the home
// folder, for example, is not.
func NeedSandbox(t testing.TB) {
	t.Helper()
	Need(t, "bwrap")
	t.Setenv("TMPDIR", t.TempDir())
}

func ask(program string) error {
	path, err := exec.LookPath(program)
	if err != nil {
		return fmt.Errorf("%s is not installed", program)
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "program-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	name := filepath.Base(program)
	q, ok := questions[name]
	if !ok {
		q.args = "--version"
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, strings.Fields(q.args)...)
	cmd.Dir, cmd.Stdin, cmd.WaitDelay = dir, strings.NewReader(q.stdin), time.Second
	out, err := cmd.CombinedOutput()
	if err == nil || usage[name] && cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == 1 {
		return nil
	}
	first, _, _ := bytes.Cut(bytes.TrimSpace(out), []byte("\n"))
	return errors.New(strings.TrimSuffix(fmt.Sprintf("%s does not work: %v: %s", program, err, first), ": "))
}
