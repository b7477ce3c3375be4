package cli

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// maxStart limits the memory, in bytes, that each of our packages may allocate when gpudocs
// starts. It stands in for time, which cannot be tested reliably: a table of regular
// expressions that are compiled at the start allocates a megabyte and costs 5 ms, in every run.
const maxStart = 100 << 10

func TestStartIsCheap(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// Under this name the test binary is gpudocs, see TestMain.
	c := exec.CommandContext(t.Context(), self)
	c.Args = []string{"gpudocs", "version"}
	c.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace strings.Builder
	c.Stderr = &trace
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	ours := 0
	for _, m := range regexp.MustCompile(`(?m)^init (github.com/gpudocs/\S+|main) .* ms clock, (\d+) bytes`).FindAllStringSubmatch(trace.String(), -1) {
		ours++
		if n, _ := strconv.Atoi(m[2]); n > maxStart {
			t.Errorf("%s allocates %d bytes at each start; use lazyregexp or sync.OnceValue", m[1], n)
		}
	}
	if ours < 10 {
		t.Errorf("%d packages of ours in %s", ours, trace.String())
	}
}
