package tex

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/dop251/goja"
)

//go:embed temml/temml.min.js
var temml string

// program is Temml, compiled once: that takes longer than a hundred formulas.
var program = sync.OnceValues(func() (*goja.Program, error) { return goja.Compile("temml.min.js", temml, true) })

const (
	// maxLength bounds a formula, in bytes: the longest derivations have half of it.
	maxLength = 4 << 10
	// maxDepth bounds the calls of the interpreter. Temml descends into groups,
	// with about 15 calls for each.
	maxDepth = 3000
	// maxNesting bounds groups in groups.
	maxNesting = 150
	// patience ends a formula that never ends. An ordinary one takes
	// milliseconds, so that no machine is slow enough to see it.
	patience = 20 * time.Second
	// maxKept bounds the formulas that are remembered.
	maxKept = 1 << 14
)

// An Error says why a formula cannot be read.
type Error struct {
	Message string
	// Offset is where in the formula, in bytes; -1 where that is not known.
	Offset int
}

func (e *Error) Error() string { return e.Message }

// A Converter turns formulas into MathML and remembers them: translations
// repeat the same, and so does a site that is rebuilt. The zero Converter is
// ready for use, by many goroutines at once.
type Converter struct {
	mu    sync.Mutex
	known map[formula]result
	idle  []*engine
}

type formula struct {
	tex     string
	display bool
}

type result struct {
	mathML string
	err    error
}

// Convert returns a math element, in display style or in that of a line of
// text. An error is an [*Error], or says that Temml itself does not run.
func (c *Converter) Convert(tex string, display bool) (string, error) {
	f := formula{tex, display}
	c.mu.Lock()
	r, ok := c.known[f]
	c.mu.Unlock()
	if ok {
		return r.mathML, r.err
	}
	r.mathML, r.err = c.convert(f)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) >= maxKept {
		c.known = map[formula]result{}
	}
	c.known[f] = r
	return r.mathML, r.err
}

func (c *Converter) convert(f formula) (string, error) {
	if err := bounds(f.tex); err != nil {
		return "", err
	}
	e, err := c.engine()
	if err != nil {
		return "", err
	}
	markup, err := e.render(f)
	if !e.broken {
		c.mu.Lock()
		c.idle = append(c.idle, e)
		c.mu.Unlock()
	}
	if err != nil {
		return "", err
	}
	return clean(markup, f)
}

// bounds refuses what would take Temml long, and what it would not read here.
func bounds(tex string) error {
	if len(tex) > maxLength {
		return &Error{fmt.Sprintf("it is longer than %d KiB", maxLength>>10), 0}
	}
	depth := 0
	for i, r := range tex {
		switch {
		case r == '{':
			if depth++; depth > maxNesting {
				return &Error{fmt.Sprintf("more than %d groups stand in one another", maxNesting), i}
			}
		case r == '}':
			depth--
		case r > 0xffff: // goja does not match them as Temml asks for them
			return &Error{fmt.Sprintf("it has %q, a character beyond U+FFFF: write the command for it, such as \\mathcal{A}", r), i}
		}
	}
	return nil
}

// engine returns an interpreter that has nothing to do, or a new one.
func (c *Converter) engine() (*engine, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.idle); n > 0 {
		e := c.idle[n-1]
		c.idle = c.idle[:n-1]
		return e, nil
	}
	return newEngine()
}

// engine is one interpreter with Temml in it, for one formula at a time.
type engine struct {
	vm *goja.Runtime
	fn goja.Callable
	// broken engines were stopped in the middle and are not used again.
	broken bool
}

func newEngine() (*engine, error) {
	p, err := program()
	if err != nil {
		return nil, fmt.Errorf("temml: %w", err)
	}
	vm := goja.New()
	vm.SetMaxCallStackSize(maxDepth)
	if _, err := vm.RunProgram(p); err != nil {
		return nil, fmt.Errorf("temml: %w", err)
	}
	fn, ok := goja.AssertFunction(vm.Get("temml").ToObject(vm).Get("renderToString"))
	if !ok {
		return nil, errors.New("temml has no renderToString")
	}
	return &engine{vm: vm, fn: fn}, nil
}

func (e *engine) render(f formula) (markup string, err error) {
	defer func() {
		if p := recover(); p != nil {
			e.broken = true
			markup, err = "", &Error{"this formula is too much for Temml", -1}
		}
	}()
	timer := time.AfterFunc(patience, func() { e.vm.Interrupt("timeout") })
	defer timer.Stop()
	options := map[string]any{"displayMode": f.display, "throwOnError": true, "trust": false}
	v, err := e.fn(goja.Undefined(), e.vm.ToValue(f.tex), e.vm.ToValue(options))
	if err != nil {
		return "", e.fault(f.tex, err)
	}
	return v.String(), nil
}

// fault words what Temml threw. Other errors than its own are faults of Temml
// that this formula has met.
func (e *engine) fault(tex string, err error) error {
	var thrown *goja.Exception
	if !errors.As(err, &thrown) {
		e.broken = true // a call too deep, or the timer
		return &Error{"this formula is nested too deeply, or takes too long", -1}
	}
	object, ok := thrown.Value().(*goja.Object)
	if !ok || object.Get("name") == nil || object.Get("name").String() != "ParseError" {
		return &Error{"this formula is too much for Temml", -1}
	}
	at := -1
	if p := object.Get("position"); p != nil && !goja.IsUndefined(p) {
		at = byteOffset(tex, int(p.ToInteger()))
	}
	return &Error{message(object.Get("message").String()), at}
}

// context is what Temml puts behind its message: the place, and the text there.
var context = regexp.MustCompile(`(?s) at (position \d+: \n|end of input: ).*$`)

func message(s string) string {
	s = strings.TrimSpace(context.ReplaceAllString(s, ""))
	s = strings.ReplaceAll(s, "'EOF'", "the end")
	if r, n := utf8.DecodeRuneInString(s); n > 0 && r < utf8.RuneSelf {
		s = strings.ToLower(s[:n]) + s[n:]
	}
	return s
}

// byteOffset turns an index of JavaScript, which counts characters up to U+FFFF,
// into bytes.
func byteOffset(s string, index int) int {
	for i := range s {
		if index <= 0 {
			return i
		}
		index--
	}
	return len(s)
}
