// Package layout executes html/template's templates, faster.
//
// html/template finds every field and function by its name again, each time that it comes to
// it, and escapes by reflection: half of a build's time for pages. A [Set] reads the
// trees that html/template has made safe, and compiles each template for the type of its
// data, once, into functions that know where the fields are. It escapes nothing
// by rules of its own: what a character becomes is asked of html/template (escape.go).
//
// What it writes is what html/template writes, byte for byte. It understands the part of the
// language that themes are mostly made of; what has anything else in it, or asks for what
// has, and an error, and a value that is not what it seemed, goes to html/template itself. So
// a theme may hold whatever html/template takes.
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

// A Set executes the templates of a html/template. It is safe for use by several goroutines.
type Set struct {
	html     *template.Template
	compiled sync.Map // programKey: func() *program
	// making is held by who compiles: to make one template safe, html/template writes into those
	// that it asks for, which another may be reading.
	making sync.Mutex
}

// A programKey names a template and the type of its data.
type programKey struct {
	name string
	data reflect.Type
}

// New returns the set of a template and all that it is associated with. From now on no
// template may be added.
func New(t *template.Template) *Set {
	return &Set{html: t}
}

// Execute appends what a template makes of data. With an error nothing is appended.
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

// Quick tells whether a template needs nothing of html/template for data of this type.
func (s *Set) Quick(name string, data any) bool {
	return s.program(programKey{name, reflect.TypeOf(data)}) != nil
}

// quickly tells whether it could do it.
func (s *Set) quickly(out *bytes.Buffer, name string, data any) (done bool) {
	p := s.program(programKey{name, reflect.TypeOf(data)})
	if p == nil {
		return false
	}
	root := reflect.ValueOf(data)
	if v := root; v.IsValid() {
		root = reflect.New(v.Type()).Elem() // in a variable its fields have addresses
		root.Set(v)
	}
	// A panic is one of unfit, or of a method, which html/template makes an error of.
	defer func() { done = recover() == nil }()
	p.run(out, root, 0)
	return true
}

// unfit is the panic of a program that meets what only html/template can do, or can
// tell the fault of.
type unfit struct{}

// A program is a template for data of one type.
type program struct {
	body  steps
	slots int // of its variables
}

// A step is what one node of a template does.
type step func(f *frame, dot reflect.Value)

// A frame is one execution of a program: $ and the variables.
type frame struct {
	out   *bytes.Buffer
	root  reflect.Value
	vars  []reflect.Value
	depth int
}

// maxDepth is how deep templates may ask for one another; html/template tells of more.
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

// program returns what a template is compiled to for a type, nil where it cannot be.
func (s *Set) program(key programKey) *program {
	p, ok := s.compiled.Load(key)
	if !ok {
		p, _ = s.compiled.LoadOrStore(key, sync.OnceValue(func() *program { return s.compile(key) }))
	}
	return p.(func() *program)()
}

// compile makes the program of a template, and those of all that it asks for.
func (s *Set) compile(key programKey) *program {
	s.making.Lock()
	defer s.making.Unlock()
	t := s.html.Lookup(key.name)
	if t == nil {
		return nil
	}
	// It is made safe, or found to be not, when it is first executed; without data that does
	// nothing else. Those that it asks for must not be executed: one that begins an element
	// which another ends is safe in its place only.
	var fault texttemplate.ExecError
	if err := t.Execute(io.Discard, nil); err != nil && !errors.As(err, &fault) {
		return nil
	}
	m := &making{set: s, programs: map[programKey]*program{}}
	if p, ok := m.program(key); ok {
		return p
	}
	return nil
}

// A making is the programs of a template and all that it asks for.
type making struct {
	set      *Set
	programs map[programKey]*program
}

func (m *making) program(key programKey) (*program, bool) {
	if p := m.programs[key]; p != nil {
		return p, true // perhaps in the making, for it asks for itself
	}
	t := m.set.html.Lookup(key.name)
	if t == nil || t.Tree == nil || t.Tree.Root == nil {
		return nil, false // made for another place than between tags: only html/template has it
	}
	p := &program{}
	m.programs[key] = p
	c := &compiler{making: m, root: key.data}
	body, ok := c.list(t.Tree.Root, key.data)
	p.body, p.slots = body, c.slots
	return p, ok
}
