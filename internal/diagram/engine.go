package diagram

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja"
)

//go:embed mermaid/mermaid.js.gz
var mermaid []byte

// program is Mermaid, compiled once and not before the first diagram: that takes
// longer than drawing it.
var program = sync.OnceValues(func() (*goja.Program, error) {
	z, err := gzip.NewReader(bytes.NewReader(mermaid))
	if err != nil {
		return nil, err
	}
	source, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	return goja.Compile("mermaid.js", string(source), false)
})

const (
	// maxDepth bounds the calls of the interpreter: trees in trees are drawn by them.
	maxDepth = 5000
	// patience ends what no other limit has ended. The deepest mind maps take half a
	// minute alone, and a loaded machine takes several times that. What it ends is not
	// stored: the next run tries again.
	patience = 5 * time.Minute
)

// engine is one interpreter with Mermaid in it, for one diagram at a time.
type engine struct {
	vm *goja.Runtime
	fn goja.Callable
	// broken engines were stopped in the middle and are not used again.
	broken bool
}

func newEngine() (*engine, error) {
	p, err := program()
	if err != nil {
		return nil, fmt.Errorf("mermaid: %w", err)
	}
	vm := goja.New()
	vm.SetMaxCallStackSize(maxDepth)
	vm.SetTimeSource(func() time.Time { return time.Unix(0, 0).UTC() }) // each build draws the same
	if _, err := vm.RunProgram(p); err != nil {
		return nil, fmt.Errorf("mermaid: %w", err)
	}
	fn, ok := goja.AssertFunction(vm.Get("draw"))
	if !ok {
		return nil, errors.New("mermaid has no draw")
	}
	return &engine{vm: vm, fn: fn}, nil
}

var (
	errTooMuch = &Error{"it is too much to be drawn", 0}
	errTooSlow = &Error{fmt.Sprintf("it is not drawn within %g minutes", patience.Minutes()), 0}
)

func (e *engine) draw(source string) (made drawn, err error) {
	defer func() {
		if p := recover(); p != nil {
			e.broken = true
			made, err = drawn{}, errTooMuch
		}
	}()
	timer := time.AfterFunc(patience, func() { e.vm.Interrupt("timeout") })
	defer timer.Stop()
	v, err := e.fn(goja.Undefined(), e.vm.ToValue(source))
	if err != nil {
		e.broken = true // a call too deep, or the timer
		var stopped *goja.InterruptedError
		if errors.As(err, &stopped) {
			return drawn{}, errTooSlow
		}
		return drawn{}, errTooMuch
	}
	promise, ok := v.Export().(*goja.Promise)
	if !ok || promise.State() != goja.PromiseStateFulfilled {
		e.broken = true
		return drawn{}, errTooMuch
	}
	if err := json.Unmarshal([]byte(promise.Result().String()), &made); err != nil {
		return drawn{}, fmt.Errorf("mermaid: %w", err)
	}
	return made, nil
}

var (
	place     = regexp.MustCompile(`^(?:Parse|Lexical) error on line \d+[:.] ?`)
	expecting = regexp.MustCompile(`(?s)Expecting (.*), got '([^']*)'`)
	noType    = regexp.MustCompile(`(?s)No diagram type detected.*`)
)

// message words what Mermaid threw in one line.
func message(s string) string {
	switch {
	case noType.MatchString(s):
		return "Mermaid knows no diagram of this type"
	case strings.Contains(s, "Not a function"), strings.HasPrefix(s, "Cannot read propert"):
		return "Mermaid fails on it"
	}
	if m := expecting.FindStringSubmatch(s); m != nil {
		names := strings.Split(m[1], ", ")
		if len(names) > 6 {
			names = append(names[:6], "...")
		}
		return fmt.Sprintf("%s cannot stand here; expected %s", m[2], strings.ReplaceAll(strings.Join(names, ", "), "'", ""))
	}
	s = place.ReplaceAllString(s, "")
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSuffix(s, ".")
}
