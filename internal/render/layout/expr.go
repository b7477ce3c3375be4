package layout

import (
	"html/template"
	"reflect"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/gpudocs/gpudocs/internal/text"
)

// An expr is the value of a command. It can be evaluated as a value of a type, as a text, or as a
// condition; the functions that do not apply are nil.
type expr struct {
	typ   reflect.Type
	value func(f *frame, dot reflect.Value) reflect.Value
	text  func(f *frame, dot reflect.Value) string
	truth func(f *frame, dot reflect.Value) bool
}

var stringType, boolType, intType = reflect.TypeFor[string](), reflect.TypeFor[bool](), reflect.TypeFor[int]()

func constant(v any) expr {
	r := reflect.ValueOf(v)
	e := expr{typ: r.Type(), value: func(*frame, reflect.Value) reflect.Value { return r }}
	if s, ok := v.(string); ok {
		e.text = func(*frame, reflect.Value) string { return s }
	}
	return e
}

func textExpr(text func(f *frame, dot reflect.Value) string) expr {
	return expr{typ: stringType, text: text, value: func(f *frame, dot reflect.Value) reflect.Value { return reflect.ValueOf(text(f, dot)) }}
}

func intExpr(n func(f *frame, dot reflect.Value) int) expr {
	return expr{typ: intType, value: func(f *frame, dot reflect.Value) reflect.Value { return reflect.ValueOf(n(f, dot)) }}
}

func boolExpr(truth func(f *frame, dot reflect.Value) bool) expr {
	return expr{typ: boolType, truth: truth, value: func(f *frame, dot reflect.Value) reflect.Value { return reflect.ValueOf(truth(f, dot)) }}
}

// valueExpr returns the expression of a value of type t.
func valueExpr(t reflect.Type, value func(f *frame, dot reflect.Value) reflect.Value) expr {
	e := expr{typ: t, value: value}
	if t != nil && t.Kind() == reflect.Interface {
		return anyExpr(t, value)
	}
	if t == stringType {
		e.text = func(f *frame, dot reflect.Value) string { return value(f, dot).String() }
	}
	return e
}

// anyExpr returns the expression of a value whose type is not known before: a parameter of the
// theme. It can be written if it is a text.
func anyExpr(t reflect.Type, value func(f *frame, dot reflect.Value) reflect.Value) expr {
	return expr{typ: t, value: value, truth: func(f *frame, dot reflect.Value) bool {
		truth, _ := template.IsTrue(value(f, dot).Interface())
		return truth
	}, text: func(f *frame, dot reflect.Value) string {
		s, ok := value(f, dot).Interface().(string)
		if !ok {
			panic(unfit{})
		}
		return s
	}}
}

// condition returns the function that evaluates an expression as a condition, as if does, or nil.
func (e expr) condition() func(f *frame, dot reflect.Value) bool {
	if e.truth != nil {
		return e.truth
	}
	if e.text != nil {
		return func(f *frame, dot reflect.Value) bool { return e.text(f, dot) != "" }
	}
	truth := truthOf(e.typ)
	if e.value == nil || truth == nil {
		return nil
	}
	return func(f *frame, dot reflect.Value) bool { return truth(e.value(f, dot)) }
}

// truthOf returns the function that reports whether a value of a type is true, or nil for types that are left
// to html/template.
func truthOf(t reflect.Type) func(v reflect.Value) bool {
	if t == nil {
		return nil
	}
	switch t.Kind() {
	case reflect.Bool:
		return reflect.Value.Bool
	case reflect.String, reflect.Slice:
		return func(v reflect.Value) bool { return v.Len() > 0 }
	case reflect.Int:
		return func(v reflect.Value) bool { return v.Int() != 0 }
	case reflect.Pointer:
		return func(v reflect.Value) bool { return !v.IsNil() }
	case reflect.Struct:
		return func(reflect.Value) bool { return true }
	case reflect.Interface:
		return func(v reflect.Value) bool {
			truth, _ := template.IsTrue(v.Interface())
			return truth
		}
	}
	return nil
}

// command compiles a command of a pipe: a function or a method with arguments, or a value.
func (c *compiler) command(n *parse.CommandNode, dot reflect.Type) (expr, bool) {
	args := n.Args[1:]
	switch first := n.Args[0].(type) {
	case *parse.IdentifierNode:
		return c.function(first.Ident, args, dot)
	case *parse.FieldNode:
		return c.fields(valueExpr(dot, func(_ *frame, dot reflect.Value) reflect.Value { return dot }), first.Ident, args, dot)
	case *parse.VariableNode:
		base, ok := c.variable(first.Ident[0])
		if !ok {
			return expr{}, false
		}
		return c.fields(base, first.Ident[1:], args, dot)
	}
	if len(args) > 0 {
		return expr{}, false
	}
	return c.argument(n.Args[0], dot)
}

// argument compiles an argument of a command, or a command that is only a value.
func (c *compiler) argument(n parse.Node, dot reflect.Type) (expr, bool) {
	switch n := n.(type) {
	case *parse.DotNode:
		return valueExpr(dot, func(_ *frame, dot reflect.Value) reflect.Value { return dot }), dot != nil
	case *parse.FieldNode, *parse.VariableNode, *parse.IdentifierNode:
		return c.command(&parse.CommandNode{NodeType: parse.NodeCommand, Args: []parse.Node{n}}, dot)
	case *parse.StringNode:
		return constant(n.Text), true
	case *parse.BoolNode:
		return constant(n.True), true
	case *parse.NumberNode:
		digits := strings.Trim(n.Text, "0123456789") == "" // unlike 1.0 and 'a', which have other types
		return constant(int(n.Int64)), n.IsInt && !n.IsComplex && int64(int(n.Int64)) == n.Int64 && digits
	case *parse.PipeNode:
		if len(n.Cmds) == 1 && len(n.Decl) == 0 {
			return c.command(n.Cmds[0], dot)
		}
	}
	return expr{}, false
}

func (c *compiler) variable(name string) (expr, bool) {
	if name == "$" {
		return valueExpr(c.root, func(f *frame, _ reflect.Value) reflect.Value { return f.root }), c.root != nil
	}
	for i := len(c.scope) - 1; i >= 0; i-- {
		if v := c.scope[i]; v.name == name {
			return valueExpr(v.typ, func(f *frame, _ reflect.Value) reflect.Value { return f.vars[v.slot] }), v.typ != nil
		}
	}
	return expr{}, false
}

// fields compiles a chain of fields from a value. The last may be a method with arguments.
func (c *compiler) fields(e expr, names []string, args []parse.Node, dot reflect.Type) (expr, bool) {
	for i, name := range names {
		if e.value == nil || e.typ == nil {
			return expr{}, false
		}
		last := i+1 == len(names)
		t := e.typ
		pointer := t.Kind() == reflect.Pointer
		if pointer {
			t = t.Elem()
		}
		if m, ok := reflect.PointerTo(t).MethodByName(name); ok {
			if !last || t.Kind() == reflect.Interface {
				return expr{}, false
			}
			return c.method(holder(e, pointer), t, m.Name, args, dot)
		}
		if !pointer && t.Kind() == reflect.Map && t.Key() == stringType && t.NumMethod() == 0 {
			e = valueExpr(t.Elem(), inMap(e, name))
			continue
		}
		if t.Kind() != reflect.Struct {
			return expr{}, false
		}
		field, ok := t.FieldByName(name)
		if !ok || !field.IsExported() || !direct(t, field.Index) {
			return expr{}, false
		}
		at, from := field.Index, holder(e, pointer)
		e = valueExpr(field.Type, func(f *frame, dot reflect.Value) reflect.Value { return from(f, dot).FieldByIndex(at) })
	}
	return e, len(args) == 0
}

// inMap returns the function that looks up a key, which must exist.
func inMap(e expr, key string) func(f *frame, dot reflect.Value) reflect.Value {
	k := reflect.ValueOf(key)
	return func(f *frame, dot reflect.Value) reflect.Value {
		v := e.value(f, dot).MapIndex(k)
		if !v.IsValid() {
			panic(unfit{})
		}
		return v
	}
}

// direct reports whether a field, perhaps of an embedded struct, is reached without a pointer.
func direct(t reflect.Type, index []int) bool {
	for _, i := range index[:len(index)-1] {
		if t = t.Field(i).Type; t.Kind() != reflect.Struct {
			return false
		}
	}
	return true
}

// holder returns the function that evaluates the struct that e is, or points to.
func holder(e expr, pointer bool) func(f *frame, dot reflect.Value) reflect.Value {
	if !pointer {
		return e.value
	}
	return func(f *frame, dot reflect.Value) reflect.Value {
		v := e.value(f, dot)
		if v.IsNil() {
			panic(unfit{}) // html/template returns the error
		}
		return v.Elem()
	}
}

// arguments compiles the arguments of a function or a method.
func (c *compiler) arguments(args []parse.Node, dot reflect.Type) (list []expr, ok bool) {
	for _, a := range args {
		e, ok := c.argument(a, dot)
		if !ok {
			return nil, false
		}
		list = append(list, e)
	}
	return list, true
}

// method compiles the call of a method: those of the text catalog, and those that take nothing and return an int.
func (c *compiler) method(on func(f *frame, dot reflect.Value) reflect.Value, t reflect.Type, name string, args []parse.Node, dot reflect.Type) (expr, bool) {
	m, ok := t.MethodByName(name)
	if !ok {
		return expr{}, false // it has a pointer receiver
	}
	list, ok := c.arguments(args, dot)
	if !ok {
		return expr{}, false
	}
	if t == reflect.TypeFor[text.Catalog]() {
		return catalogMethod(on, name, list)
	}
	if m.Type.NumIn() == 1 && m.Type.NumOut() == 1 && m.Type.Out(0) == intType && len(list) == 0 {
		at := m.Index
		return intExpr(func(f *frame, dot reflect.Value) int { return int(on(f, dot).Method(at).Call(nil)[0].Int()) }), true
	}
	return expr{}, false
}

// catalogMethod compiles calls of Get and Count, of which a page has dozens, without reflection.
func catalogMethod(on func(f *frame, dot reflect.Value) reflect.Value, name string, args []expr) (expr, bool) {
	texts := func(f *frame, dot reflect.Value) *text.Catalog {
		v := on(f, dot)
		if !v.CanAddr() {
			panic(unfit{})
		}
		return v.Addr().Interface().(*text.Catalog)
	}
	notText := func(e expr) bool { return e.text == nil }
	switch {
	case name == "Get" && len(args) == 1 && args[0].text != nil:
		key := args[0].text
		return textExpr(func(f *frame, dot reflect.Value) string { return texts(f, dot).Get(key(f, dot)) }), true
	case name == "Get" && len(args) > 1 && !slices.ContainsFunc(args, notText):
		return textExpr(func(f *frame, dot reflect.Value) string {
			var pairs []string
			for _, a := range args[1:] {
				pairs = append(pairs, a.text(f, dot))
			}
			return texts(f, dot).Get(args[0].text(f, dot), pairs...)
		}), true
	case name == "Count" && len(args) == 2 && args[0].text != nil && args[1].typ == intType && args[1].value != nil:
		return textExpr(func(f *frame, dot reflect.Value) string {
			return texts(f, dot).Count(args[0].text(f, dot), int(args[1].value(f, dot).Int()))
		}), true
	}
	return expr{}, false
}
