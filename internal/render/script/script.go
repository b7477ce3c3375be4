// Package script calls a function of a library in JavaScript, within limits.
//
// Some of what a page needs exists in JavaScript only: Temml reads TeX, Mermaid draws diagrams. QuickJS, translated from C to
// Go by modernc.org/quickjs, runs them in the process of gpudocs. They have no access to files, the network or timers,
// and their clock does not advance, so that each build has the same result.
//
// A [Library] is a source and a function in it. It is compiled at the first call, once for a run. A
// [Pool] holds interpreters in which it has started, each for one call at a time; if none is idle,
// another starts.
//
// # Bounds
//
// A call is limited in depth, memory and time, and ends with its context. It returns text, or an error: a
// [*Thrown] is the library's own exception; [ErrDeep], [ErrSlow] and [ErrBroken] say which limit was
// exceeded. Any error but a Thrown has stopped the interpreter in the middle of a call, and it is not
// used again. A panic of the interpreter is an error as well.
package script

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"modernc.org/quickjs"
)

// Errors of calls that exceed a limit.
var (
	ErrDeep   = errors.New("its calls are nested too deeply")
	ErrSlow   = errors.New("it takes too long")
	ErrBroken = errors.New("the interpreter fails on it")
)

// A Thrown is an exception of the library. Fields that it lacks are empty, the position is -1.
type Thrown struct {
	Name, Message string
	Position      int
}

func (t *Thrown) Error() string { return t.Message }

// A Library is a program in JavaScript with a function to call.
type Library struct {
	// Name is the prefix of errors that do not depend on the arguments.
	Name string
	// Source returns the program. It is called once.
	Source func() (string, error)
	// Function is the path of the function in the program: "temml.renderToString". It returns text, or
	// a promise of text that is fulfilled when it returns.
	Function string
	// Depth limits nested calls, and Timeout the time of one call.
	Depth   int
	Timeout time.Duration

	once    sync.Once
	program []byte // bytecode
	err     error
}

func (l *Library) compiled() ([]byte, error) {
	l.once.Do(func() {
		var source string
		if source, l.err = l.Source(); l.err != nil {
			return
		}
		vm, err := newVM()
		if err != nil {
			l.err = err
			return
		}
		defer vm.Close()
		l.program, l.err = vm.Compile(source, quickjs.EvalGlobal)
	})
	return l.program, l.err
}

// A Pool calls the function of one library. It is safe for use by several goroutines.
type Pool struct {
	library *Library
	mu      sync.Mutex
	idle    []*engine
}

// NewPool returns a pool without interpreters.
func NewPool(l *Library) *Pool { return &Pool{library: l} }

// Call calls the function.
func (p *Pool) Call(ctx context.Context, arguments ...any) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	e, err := p.engine()
	if err != nil {
		return "", fmt.Errorf("%s: %w", p.library.Name, err)
	}
	out, err := e.call(ctx, p.library.Timeout, arguments)
	if e.stopped {
		return out, cmp.Or(err, e.vm.Close())
	}
	p.mu.Lock()
	p.idle = append(p.idle, e)
	p.mu.Unlock()
	return out, err
}

// Idle returns the number of idle interpreters.
func (p *Pool) Idle() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.idle)
}

// engine returns an idle interpreter, or a new one.
func (p *Pool) engine() (*engine, error) {
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		e := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return e, nil
	}
	p.mu.Unlock()
	return newEngine(p.library)
}

// An engine is an interpreter with the library.
type engine struct {
	vm *quickjs.VM
	// stopped is set if a call was ended in the middle.
	stopped bool
}

// maxMemory limits what an interpreter has allocated, in bytes. It is a last resort, like a timeout: callers limit the input.
const maxMemory = 2 << 30

func newVM() (*quickjs.VM, error) {
	vm, err := quickjs.NewVM()
	if err == nil {
		vm.SetMemoryLimit(maxMemory)
	}
	return vm, err
}

// around is run before and after a library: it stops the clock, and has a function that calls the library's.
//
//go:embed around.js
var around string

func newEngine(l *Library) (*engine, error) {
	program, err := l.compiled()
	if err != nil {
		return nil, err
	}
	vm, err := newVM()
	if err != nil {
		return nil, err
	}
	e := &engine{vm: vm}
	if err := e.start(l, program); err != nil {
		return nil, errors.Join(err, vm.Close())
	}
	return e, nil
}

func (e *engine) start(l *Library, program []byte) error {
	e.vm.SetMaxStackSize(uintptr(l.Depth))
	if _, err := e.vm.Eval(around, quickjs.EvalGlobal); err != nil {
		return err
	}
	if _, err := e.vm.EvalBytecode(program); err != nil {
		return err
	}
	found, err := e.vm.Call("$script.find", l.Function)
	if err == nil && found != true {
		err = fmt.Errorf("there is no function %s", l.Function)
	}
	return err
}

// An outcome is what a call came to, as $script.outcome has it.
type outcome struct {
	// State is "done", "thrown", or "deep".
	State string
	Text  string
	Thrown
}

func (e *engine) call(ctx context.Context, timeout time.Duration, arguments []any) (text string, err error) {
	within, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	watch := context.AfterFunc(within, e.vm.Interrupt)
	defer func() {
		if recover() != nil {
			text, err = "", ErrBroken
		}
		if !watch() { // an interrupt has happened, or is about to
			text, err = "", cmp.Or(ctx.Err(), ErrSlow)
		}
		_, thrown := errors.AsType[*Thrown](err)
		e.stopped = err != nil && !thrown
	}()
	values, err := json.Marshal(arguments)
	if err != nil {
		return "", err
	}
	if _, err := e.vm.Call("$script.call", string(values)); err != nil {
		return "", ErrBroken
	}
	for n := 1; n > 0; {
		if n, err = e.vm.ExecutePendingJobs(); err != nil {
			return "", ErrBroken
		}
	}
	found, err := e.vm.Call("$script.outcome")
	if err != nil {
		return "", ErrBroken
	}
	var o outcome
	if found, _ := found.(string); json.Unmarshal([]byte(found), &o) != nil {
		return "", ErrBroken
	}
	switch o.State {
	case "done":
		return o.Text, nil
	case "thrown":
		return "", &o.Thrown
	case "deep":
		return "", ErrDeep
	}
	return "", ErrBroken
}
