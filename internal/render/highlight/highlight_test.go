package highlight

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestColoursOnABusyMachine: highlighting must not depend on how long goroutines wait for a CPU.
// Lexers gave up matches after 250 ms by a clock that itself waits.
func TestColoursOnABusyMachine(t *testing.T) {
	n := 100
	if testing.Short() {
		n = 10 // with the race detector one match may take longer than any limit
	}
	want, got := make([]string, n), make([]string, n)
	code := func(i int) string { return strings.Repeat(fmt.Sprintf("print(len(str(int(abs(%d)))))\n", i), 10) }
	for i := range n {
		want[i] = string(new(Highlighter).HTML("python", code(i)))
	}
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { got[i] = string(new(Highlighter).HTML("python", code(i))) })
	}
	all.Wait()
	if !slices.Equal(got, want) {
		t.Error("the colours of the same code differ on a busy machine")
	}
}
