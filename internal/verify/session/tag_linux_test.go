package session

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
)

// If gpudocs itself is killed the interpreter ends too, in the middle of a step. The test runs
// itself again as that gpudocs.
func TestParentDeath(t *testing.T) {
	t.Parallel()
	const parent = "GPUDOCS_TEST_PARENT"
	if os.Getenv(parent) != "" {
		s := start(t, options(t, Bash))
		fmt.Println(s.proc.pid)
		run(t, s, Step{Code: "trap '' TERM; while :; do sleep 1; done"})
		return
	}
	executable(t, Bash) // skips without one
	cmd := exec.Command(os.Args[0], "-test.run=^TestParentDeath$")
	cmd.Env = append(os.Environ(), parent+"=yes", "TMPDIR="+t.TempDir())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid := pidIn(t, subprocess.Output{Text: line})
	cmd.Process.Kill()
	cmd.Wait()
	mustDie(t, pid)
}
