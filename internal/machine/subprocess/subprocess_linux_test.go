package subprocess

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A program that hangs does not survive a gpudocs that is killed.
func TestOrphan(t *testing.T) {
	if os.Getenv("GPUDOCS_TEST_PARENT") != "" {
		c := shell(t, "echo $$; exec sleep 1000")
		c.Line = func(pid []byte) { fmt.Printf("%s\n", pid) }
		Run(context.Background(), c)
		return
	}
	shell(t, "") // skips without a shell
	parent := exec.Command(os.Args[0], "-test.run=^TestOrphan$")
	parent.Env = append(os.Environ(), "GPUDOCS_TEST_PARENT=1")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, 64)
	n, _ := out.Read(buffer)
	pid, err := strconv.Atoi(strings.TrimSpace(string(buffer[:n])))
	_ = parent.Process.Kill()
	_ = parent.Wait()
	if err != nil {
		t.Fatalf("%q: %v", buffer[:n], err)
	}
	for range 500 {
		if !lives(pid) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("the program still runs")
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}

// lives reports whether a process runs; one that only waits to be reaped does not.
func lives(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	_, state, _ := bytes.Cut(stat, []byte(") "))
	return err == nil && !bytes.HasPrefix(state, []byte("Z"))
}
