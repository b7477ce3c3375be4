// Package script calls a function of a library in JavaScript, within bounds.
//
// Some of what a page needs exists in JavaScript alone: Temml reads TeX, Mermaid draws
// diagrams. It is run by goja, an interpreter written in Go, in the process of gpudocs.
// A library reaches nothing there: no file, no network, no timer, and a clock that stands
// still, so that each build makes the same.
//
// A [Library] is a source and the function of it that is called. It is compiled at the
// first call and not before, once for a whole run. A [Pool] holds interpreters in which it
// has started, each for one call at a time; where none is idle another starts.
//
// # Bounds
//
// A call is bounded in depth and in time, and ends with its context. What it returns is
// text, or an error: a [*Thrown] is the library's own word, [ErrDeep], [ErrSlow] and
// [ErrBroken] say which bound it met, and the context's error says that nobody waits any
// more. Whatever but a Thrown ends a call has stopped its interpreter in the middle, and
// that one is not used again. A panic of the interpreter is an error as well.
//
// Memory is not bounded, for goja counts none: callers bound the length of what they
// give, and the steps of the library where these may be many (see internal/render/tex).
package script

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja"
)

// What ends a call that is too much.
var (
	ErrDeep   = errors.New("its calls are nested too deeply")
	ErrSlow   = errors.New("it takes too long")
	ErrBroken = errors.New("the interpreter fails on it")
)

// A Thrown is what the library threw. What an exception lacks is empty, its position -1.
type Thrown struct {
	Name, Message string
	Position      int
}

func (t *Thrown) Error() string { return t.Message }

// A Library is a program in JavaScript with a function that is called.
type Library struct {
	// Name begins errors that are no fault of what the function is called with.
	Name string
	// Source returns the program. It is called once.
	Source func() (string, error)
	// Function is where the program leaves the function: "temml.renderToString". It
	// returns text, or a promise of it that is kept when it returns.
	Function string
	// Depth bounds the calls in calls, and Patience the time of one call from here.
	Depth    int
	Patience time.Duration

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

// A Pool calls the function of one library, for many goroutines at once.
type Pool struct {
	library *Library
	mu      sync.Mutex
	idle    []*engine
}

// NewPool returns a pool in which nothing has started yet.
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
	out, err := e.call(ctx, p.library.Patience, arguments)
	if !e.stopped {
		p.mu.Lock()
		p.idle = append(p.idle, e)
		p.mu.Unlock()
	}
	return out, err
}

// Idle is the number of interpreters that have started and do nothing.
func (p *Pool) Idle() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.idle)
}

// engine returns an interpreter that has nothing to do, or a new one.
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

// An engine is one interpreter with the library in it.
type engine struct {
	vm *goja.Runtime
	fn goja.Callable
	// stopped engines were ended in the middle of a call.
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

func (e *engine) call(ctx context.Context, patience time.Duration, arguments []any) (out string, err error) {
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	watch := context.AfterFunc(within, func() { e.vm.Interrupt(within.Err()) })
	defer func() {
		if recover() != nil {
			e.stopped = true
			out, err = "", ErrBroken
		}
		if !watch() { // an interrupt has come, or comes yet
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

// fault tells what has ended a call.
func (e *engine) fault(ctx context.Context, err error) error {
	var thrown *goja.Exception
	if errors.As(err, &thrown) {
		return newThrown(thrown)
	}
	e.stopped = true
	var interrupted *goja.InterruptedError
	switch {
	case !errors.As(err, &interrupted):
		return ErrDeep
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return ErrSlow
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
