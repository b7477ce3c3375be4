// Package script calls a function of a library in JavaScript, within limits.
//
// Some of what a page needs exists in JavaScript only: Temml reads TeX, Mermaid draws diagrams. goja,
// an interpreter written in Go, runs them in the process of gpudocs. They have no access to files, the
// network or timers, and their clock does not advance, so that each build has the same result.
//
// A [Library] is a source and a function in it. It is compiled at the first call, once for a run. A
// [Pool] holds interpreters in which it has started, each for one call at a time; if none is idle,
// another starts.
//
// # Bounds
//
// A call is limited in depth and in time, and ends with its context. It returns text, or an error: a
// [*Thrown] is the library's own exception; [ErrDeep], [ErrSlow] and [ErrBroken] say which limit was
// exceeded. Any error but a Thrown has stopped the interpreter in the middle of a call, and it is not
// used again. A panic of the interpreter is an error as well.
//
// Memory is not limited, because goja does not count it: callers limit the length of the arguments,
// and the steps of the library if there may be many (see internal/render/tex).
package script

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja"
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
	program *goja.Program
	err     error
}

func (l *Library) compiled() (*goja.Program, error) {
	l.once.Do(func() {
		var source string
		if source, l.err = l.Source(); l.err == nil {
			l.program, l.err = goja.Compile(l.Name+".js", source, false)
		}
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
	if !e.stopped {
		p.mu.Lock()
		p.idle = append(p.idle, e)
		p.mu.Unlock()
	}
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
	vm *goja.Runtime
	fn goja.Callable
	// stopped is set if a call was ended in the middle.
	stopped bool
}

func newEngine(l *Library) (*engine, error) {
	program, err := l.compiled()
	if err != nil {
		return nil, err
	}
	vm := goja.New()
	vm.SetMaxCallStackSize(l.Depth)
	vm.SetTimeSource(func() time.Time { return time.Unix(0, 0).UTC() })
	if _, err := vm.RunProgram(program); err != nil {
		return nil, err
	}
	at := vm.GlobalObject()
	names := strings.Split(l.Function, ".")
	for _, name := range names[:len(names)-1] {
		next, ok := at.Get(name).(*goja.Object)
		if !ok {
			return nil, fmt.Errorf("there is no %s", l.Function)
		}
		at = next
	}
	fn, ok := goja.AssertFunction(at.Get(names[len(names)-1]))
	if !ok {
		return nil, fmt.Errorf("there is no function %s", l.Function)
	}
	return &engine{vm: vm, fn: fn}, nil
}

func (e *engine) call(ctx context.Context, timeout time.Duration, arguments []any) (out string, err error) {
	within, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	watch := context.AfterFunc(within, func() { e.vm.Interrupt(within.Err()) })
	defer func() {
		if recover() != nil {
			e.stopped = true
			out, err = "", ErrBroken
		}
		if !watch() { // an interrupt has happened, or is about to
			e.stopped = true
		}
	}()
	values := make([]goja.Value, len(arguments))
	for i, a := range arguments {
		values[i] = e.vm.ToValue(a)
	}
	v, err := e.fn(goja.Undefined(), values...)
	if err != nil {
		return "", e.fault(ctx, err)
	}
	if o, ok := v.(*goja.Object); ok {
		p, ok := o.Export().(*goja.Promise)
		if !ok || p.State() != goja.PromiseStateFulfilled {
			e.stopped = true
			return "", ErrBroken
		}
		v = p.Result()
	}
	return v.String(), nil
}

// fault returns the error of a call that has failed.
func (e *engine) fault(ctx context.Context, err error) error {
	if thrown, ok := errors.AsType[*goja.Exception](err); ok {
		return newThrown(thrown)
	}
	e.stopped = true
	if _, ok := errors.AsType[*goja.InterruptedError](err); !ok {
		return ErrDeep
	}
	return cmp.Or(ctx.Err(), ErrSlow)
}

func newThrown(e *goja.Exception) *Thrown {
	t := &Thrown{Message: e.Error(), Position: -1}
	object, ok := e.Value().(*goja.Object)
	if !ok {
		return t
	}
	read := func(name string) (goja.Value, bool) {
		v := object.Get(name)
		return v, v != nil && !goja.IsUndefined(v)
	}
	if v, ok := read("name"); ok {
		t.Name = v.String()
	}
	if v, ok := read("message"); ok {
		t.Message = v.String()
	}
	if v, ok := read("position"); ok {
		t.Position = int(v.ToInteger())
	}
	return t
}
