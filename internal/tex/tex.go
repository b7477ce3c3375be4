package tex

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/dop251/goja"
)

//go:embed temml/temml.min.js
var temml string

// program is Temml, compiled once and not before the first formula: that takes
// longer than a hundred of them.
var program = sync.OnceValues(func() (*goja.Program, error) {
	source, err := counting(temml)
	if err != nil {
		return nil, err
	}
	return goja.Compile("temml.min.js", source, true)
})

// counting has Temml count the tokens that it reads and those that macros put in
// their place, and end where they are too many. Its own limit is one of
// expansions, of which a thousand make millions of tokens. A clock instead would
// tell formulas apart by the machine's load.
func counting(source string) (string, error) {
	for _, change := range [][2]string{
		{`this.expansionCount=0`, `this.expansionCount=0,this.steps=0`},
		{`popToken(){`, `popToken(){if(++this.steps>` + strconv.Itoa(maxSteps) + `)throw new e("` + tooLong + `");`},
		{`pushTokens(e){`, `pushTokens(e){this.steps+=e.length;`},
	} {
		if strings.Count(source, change[0]) != 1 {
			return "", fmt.Errorf("%q does not stand once in it", change[0])
		}
		source = strings.Replace(source, change[0], change[1], 1)
	}
	return source, nil
}

const (
	// maxDepth bounds the calls of the interpreter. Temml descends into groups,
	// with about 15 calls for each.
	maxDepth = 3000
	// maxSteps bounds the tokens that are read, see [counting]. The longest formula
	// without macros takes half of it.
	maxSteps = 30_000
	// patience ends what no other limit has ended. The longest formula takes a
	// second, so that no machine is slow enough to see it.
	patience = time.Minute
	// maxKept bounds the formulas that are remembered.
	maxKept = 1 << 14
)

const (
	// tooLong is what Temml says of a formula that ends maxSteps.
	tooLong = "Its macros make too much of it"
	// tooSlow is what is said of one that ends patience.
	tooSlow = "this formula takes too long"
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
	// Open opens what [Converter.Store] has written in an earlier run. It is called
	// before the first formula is converted, and may be nil.
	Open func() (io.ReadCloser, error)

	opened sync.Once
	mu     sync.Mutex
	known  map[formula]result
	stored store
	idle   []*engine
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
	c.opened.Do(c.open)
	f := formula{tex, display}
	c.mu.Lock()
	r, ok := c.known[f]
	markup, made := c.stored.take(f)
	c.mu.Unlock()
	if ok {
		return r.mathML, r.err
	}
	if !made {
		markup, r.err = c.convert(f)
	}
	if r.err == nil {
		r.mathML, r.err = clean(markup, f)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) >= maxKept {
		c.known = map[formula]result{}
	}
	c.known[f] = r
	if !made && r.err == nil {
		c.stored.put(f, markup)
	}
	return r.mathML, r.err
}

// Known tells whether Convert need not run Temml for the formula.
func (c *Converter) Known(tex string, display bool) bool {
	c.opened.Do(c.open)
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.known[formula{tex, display}]
	return ok || c.stored.all[formula{tex, display}.key()] != ""
}

// convert returns Temml's markup.
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
	return markup, err
}

// engine returns an interpreter that has nothing to do, or a new one.
func (c *Converter) engine() (*engine, error) {
	c.mu.Lock()
	if n := len(c.idle); n > 0 {
		e := c.idle[n-1]
		c.idle = c.idle[:n-1]
		c.mu.Unlock()
		return e, nil
	}
	c.mu.Unlock()
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
		e.broken = true
		var stopped *goja.InterruptedError
		if errors.As(err, &stopped) {
			return &Error{tooSlow, -1}
		}
		return &Error{"this formula is nested too deeply", -1}
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
