package highlight

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// TestColoursOnABusyMachine: highlighting must not depend on how long goroutines wait for a CPU.
// Lexers gave up matches after 250 ms by a clock that itself waits.
func TestColoursOnABusyMachine(t *testing.T) {
	const n = 100
	var want, got [n]string
	code := func(i int) string { return strings.Repeat(fmt.Sprintf("print(len(str(int(abs(%d)))))\n", i), 10) }
	for i := range n {
		want[i] = string(New(nil).HTML("python", code(i)))
	}
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { got[i] = string(New(nil).HTML("python", code(i))) })
	}
	all.Wait()
	if got != want {
		t.Error("the colours of the same code differ on a busy machine")
	}
}
