// Package layout executes the templates of html/template, faster.
//
// html/template looks up every field and function by its name at each execution, and escapes by
// reflection. That is a quarter of the CPU time of a build with everything, and more of one without cards and search
// (docs/content/en/performance.md); without this package everything works as well. It is used through an interface of one method,
// theme's executor, which (*template.Template).ExecuteTemplate can implement in three lines.
//
// A [Set] takes the parse trees to which html/template has added its escapers, and compiles each template once
// for the type of its data, into functions with the positions of the fields (layout.go, compile.go, expr.go). It has no
// rules of escaping: html/template is asked what a character becomes (escape.go).
//
// The output is that of html/template, byte for byte. The package understands the part of the language
// that themes mostly use. html/template itself executes templates with anything else, directly or in templates
// that they call, and those that end in an error or meet a value of an unexpected type. So a
// theme may use all of html/template.
package layout

import (
	"bytes"
	"errors"
	"html/template"
	"io"
	"reflect"
	"sync"
	texttemplate "text/template"
)

// A Set executes a set of associated templates. It is safe for use by several goroutines.
type Set struct {
	html     *template.Template
	compiled sync.Map // programKey: func() *program
	// compiling is held during a compilation: when html/template adds escapers to a template, it also
	// changes those that it calls, which another compilation may be reading.
	compiling sync.Mutex
}

// A programKey names a template and the type of its data.
type programKey struct {
	name string
	data reflect.Type
}

// New returns the set of a template and those that are associated with it. No template may be added
// afterwards.
func New(t *template.Template) *Set {
	return &Set{html: t}
}

// Execute appends the output of a template for data. If there is an error, nothing is appended.
func (s *Set) Execute(out *bytes.Buffer, name string, data any) error {
	size := out.Len()
	if s.quickly(out, name, data) {
		return nil
	}
	out.Truncate(size)
	err := s.html.ExecuteTemplate(out, name, data)
	if err != nil {
		out.Truncate(size)
	}
	return err
}

// Quick reports whether a template can be compiled for data of this type.
func (s *Set) Quick(name string, data any) bool {
	return s.program(programKey{name, reflect.TypeOf(data)}) != nil
}

// quickly executes a compiled template. If it reports false, the output is not complete.
func (s *Set) quickly(out *bytes.Buffer, name string, data any) (done bool) {
	p := s.program(programKey{name, reflect.TypeOf(data)})
	if p == nil {
		return false
	}
	// It may panic with unfit, or in a method of the data, for which html/template returns an error.
	defer func() { done = recover() == nil }()
	p.run(out, reflect.ValueOf(data), 0)
	return true
}

// unfit is the panic of a program that meets a case which is left to html/template, which may return an
// error for it.
type unfit struct{}

// A program is a template that is compiled for data of one type.
type program struct {
	body  steps
	slots int // number of its variables
}

// A step executes one node of a template.
type step func(f *frame, dot reflect.Value)

// A frame is one execution of a program: its $ and its variables.
type frame struct {
	out   *bytes.Buffer
	root  reflect.Value
	vars  []reflect.Value
	depth int
}

// maxDepth limits the depth of template calls; html/template returns an error for more.
const maxDepth = 1000

func (p *program) run(out *bytes.Buffer, dot reflect.Value, depth int) {
	if depth > maxDepth {
		panic(unfit{})
	}
	f := &frame{out: out, root: dot, depth: depth}
	if p.slots > 0 {
		f.vars = make([]reflect.Value, p.slots)
	}
	p.body.run(f, dot)
}

type steps []step

func (list steps) run(f *frame, dot reflect.Value) {
	for _, s := range list {
		s(f, dot)
	}
}

// program returns the program of a template for a type, or nil if it cannot be compiled.
func (s *Set) program(key programKey) *program {
	p, ok := s.compiled.Load(key)
	if !ok {
		p, _ = s.compiled.LoadOrStore(key, sync.OnceValue(func() *program { return s.compile(key) }))
	}
	return p.(func() *program)()
}

// compile compiles a template and those that it calls.
func (s *Set) compile(key programKey) *program {
	s.compiling.Lock()
	defer s.compiling.Unlock()
	t := s.html.Lookup(key.name)
	if t == nil {
		return nil
	}
	// The first execution adds the escapers, or fails; without data it does little else. The templates that
	// it calls must not be executed on their own: one may begin an element that another ends.
	var fault texttemplate.ExecError
	if err := t.Execute(io.Discard, nil); err != nil && !errors.As(err, &fault) {
		return nil
	}
	l := &linker{set: s, programs: map[programKey]*program{}}
	if p, ok := l.program(key); ok {
		return p
	}
	return nil
}

// A linker compiles a template and those that it calls, each once for each type.
type linker struct {
	set      *Set
	programs map[programKey]*program
}

func (l *linker) program(key programKey) (*program, bool) {
	if p := l.programs[key]; p != nil {
		return p, true // perhaps not complete yet, if it calls itself
	}
	t := l.set.html.Lookup(key.name)
	if t == nil || t.Tree == nil || t.Tree.Root == nil {
		return nil, false // html/template has made a copy of it for a context other than between tags
	}
	p := &program{}
	l.programs[key] = p
	c := &compiler{linker: l, root: key.data}
	body, ok := c.list(t.Tree.Root, key.data)
	p.body, p.slots = body, c.slots
	return p, ok
}
