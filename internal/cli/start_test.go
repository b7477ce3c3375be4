package cli

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// maxStart bounds what a package of ours may ask for in memory when gpudocs starts,
// in bytes. It stands for time, which no test can hold: a table of expressions that
// are compiled at the start asks for a megabyte and costs 5 ms, on every run.
const maxStart = 100 << 10

func TestStartIsCheap(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// By this name it is gpudocs itself, see TestMain.
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
			t.Errorf("%s asks for %d bytes at each start; lazyregexp, or sync.OnceValue, waits until they are needed", m[1], n)
		}
	}
	if ours < 10 {
		t.Errorf("%d packages of ours in %s", ours, trace.String())
	}
}
