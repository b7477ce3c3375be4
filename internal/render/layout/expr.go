package layout

import (
	"cmp"
	"reflect"
	"strings"
	"text/template/parse"

	"github.com/gpudocs/gpudocs/internal/text"
)

// An expr evaluates a command of a template. If typ is an interface, the type of the value is known only then.
type expr struct {
	typ   reflect.Type
	value evaluation
}

type evaluation = func(f *frame, dot reflect.Value) reflect.Value

var (
	anyType    = reflect.TypeFor[any]()
	stringType = reflect.TypeFor[string]()
	boolType   = reflect.TypeFor[bool]()
	intType    = reflect.TypeFor[int]()
)

func constant(v any) expr {
	r := reflect.ValueOf(v)
	return expr{r.Type(), func(*frame, reflect.Value) reflect.Value { return r }}
}

// concrete returns the value in an interface, and any other value as it is.
func concrete(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Interface {
		return v.Elem()
	}
	return v
}

// truth reports whether if takes a value for true.
func truth(v reflect.Value) bool {
	v = concrete(v)
	switch v.Kind() {
	case reflect.Invalid:
		return false
	case reflect.Bool:
		return v.Bool()
	case reflect.String, reflect.Slice, reflect.Map:
		return v.Len() > 0
	case reflect.Int:
		return v.Int() != 0
	case reflect.Pointer:
		return !v.IsNil()
	case reflect.Struct:
		return true
	}
	panic(unfit{})
}

// command compiles a command of a pipe: a function or a method with arguments, or a value.
func (c *compiler) command(n *parse.CommandNode, dot reflect.Type) (expr, bool) {
	args := n.Args[1:]
	switch first := n.Args[0].(type) {
	case *parse.IdentifierNode:
		return c.function(first.Ident, args, dot)
	case *parse.FieldNode:
		return c.fields(expr{dot, isDot}, first.Ident, args, dot)
	case *parse.VariableNode:
		return c.fields(c.variable(first.Ident[0]), first.Ident[1:], args, dot)
	}
	e, ok := c.argument(n.Args[0], dot)
	return e, ok && len(args) == 0
}

func isDot(_ *frame, dot reflect.Value) reflect.Value { return dot }

// argument compiles an argument of a command, or a command that is only a value.
func (c *compiler) argument(n parse.Node, dot reflect.Type) (expr, bool) {
	switch n := n.(type) {
	case *parse.DotNode:
		return expr{dot, isDot}, dot != nil
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

// variable returns the value of a variable, without a type if it is not known.
func (c *compiler) variable(name string) expr {
	if name == "$" {
		return expr{c.root, func(f *frame, _ reflect.Value) reflect.Value { return f.root }}
	}
	for i := len(c.scope) - 1; i >= 0; i-- {
		if v := c.scope[i]; v.name == name {
			return expr{v.typ, func(f *frame, _ reflect.Value) reflect.Value { return f.vars[v.slot] }}
		}
	}
	return expr{}
}

// fields compiles a chain of fields from a value. The last may be a method with arguments.
func (c *compiler) fields(e expr, names []string, args []parse.Node, dot reflect.Type) (expr, bool) {
	for i, name := range names {
		if e.typ == nil {
			return expr{}, false
		}
		t, value := e.typ, e.value
		if t.Kind() == reflect.Pointer {
			t, value = t.Elem(), pointed(value)
		}
		switch _, method := reflect.PointerTo(t).MethodByName(name); {
		case method:
			e, ok := c.method(expr{t, value}, name, args, dot)
			return e, ok && i+1 == len(names)
		case e.typ.Kind() == reflect.Map && t.Key() == stringType && t.NumMethod() == 0:
			e = expr{t.Elem(), inMap(value, name)}
		case t.Kind() == reflect.Struct:
			field, ok := t.FieldByName(name)
			if !ok || !field.IsExported() {
				return expr{}, false
			}
			e = expr{field.Type, func(f *frame, dot reflect.Value) reflect.Value { return value(f, dot).FieldByIndex(field.Index) }}
		default:
			return expr{}, false
		}
	}
	return e, e.typ != nil && len(args) == 0
}

// pointed evaluates what a pointer points to. For nil, html/template returns the error.
func pointed(pointer evaluation) evaluation {
	return func(f *frame, dot reflect.Value) reflect.Value {
		v := pointer(f, dot)
		if v.IsNil() {
			panic(unfit{})
		}
		return v.Elem()
	}
}

// inMap evaluates an entry of a map, which must exist.
func inMap(m evaluation, key string) evaluation {
	k := reflect.ValueOf(key)
	return func(f *frame, dot reflect.Value) reflect.Value {
		v := m(f, dot).MapIndex(k)
		if !v.IsValid() {
			panic(unfit{})
		}
		return v
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

// method compiles the call of a method with one result and arguments of just the types of its parameters.
func (c *compiler) method(on expr, name string, args []parse.Node, dot reflect.Type) (expr, bool) {
	m, ok := on.typ.MethodByName(name)
	if !ok || on.typ.Kind() == reflect.Interface || m.Type.NumOut() != 1 { // it has a pointer receiver, or is not known
		return expr{}, false
	}
	list, ok := c.arguments(args, dot)
	fixed := m.Type.NumIn() - 1 // without the receiver
	if m.Type.IsVariadic() {
		fixed--
	}
	if !ok || len(list) < fixed || len(list) > fixed && !m.Type.IsVariadic() {
		return expr{}, false
	}
	for i, a := range list {
		parameter := m.Type.In(min(i, fixed) + 1)
		if i >= fixed {
			parameter = parameter.Elem()
		}
		if a.typ != parameter {
			return expr{}, false
		}
	}
	if name == "Get" && on.typ == reflect.TypeFor[text.Catalog]() && len(list) == 1 {
		// A page has dozens of these calls, which would take half of its time in templates by reflection.
		key := list[0].value
		return expr{stringType, func(f *frame, dot reflect.Value) reflect.Value {
			texts := on.value(f, dot).Interface().(text.Catalog)
			return reflect.ValueOf(texts.Get(key(f, dot).String()))
		}}, true
	}
	return expr{m.Type.Out(0), func(f *frame, dot reflect.Value) reflect.Value {
		in := make([]reflect.Value, len(list))
		for i, a := range list {
			in[i] = a.value(f, dot)
		}
		return on.value(f, dot).Method(m.Index).Call(in)[0]
	}}, true
}

// function compiles the call of one of the functions that every template has.
func (c *compiler) function(name string, args []parse.Node, dot reflect.Type) (expr, bool) {
	list, ok := c.arguments(args, dot)
	if !ok || len(list) == 0 {
		return expr{}, false
	}
	first := list[0]
	switch name {
	case "or", "and":
		return andOr(list, name == "or"), true
	case "not":
		return expr{boolType, func(f *frame, dot reflect.Value) reflect.Value {
			return reflect.ValueOf(!truth(first.value(f, dot)))
		}}, len(list) == 1
	case "len":
		return expr{intType, func(f *frame, dot reflect.Value) reflect.Value {
			return reflect.ValueOf(first.value(f, dot).Len())
		}}, len(list) == 1 && first.typ.Kind() == reflect.Slice
	}
	sameType := len(list) == 2 && first.typ == list[1].typ && (first.typ == stringType || first.typ == intType)
	if holds := comparisons[name]; holds != nil && sameType {
		return comparison(holds, first, list[1]), true
	}
	return expr{}, false
}

// andOr compiles the function or, or and if or is false: the first argument that decides, or else the last.
func andOr(list []expr, or bool) expr {
	t := list[0].typ
	for _, e := range list {
		if e.typ != t {
			t = anyType
		}
	}
	return expr{t, func(f *frame, dot reflect.Value) (v reflect.Value) {
		for _, e := range list {
			if v = e.value(f, dot); truth(v) == or {
				break
			}
		}
		return v
	}}
}

// comparison compiles the comparison of two strings or of two numbers.
func comparison(holds func(order int) bool, a, b expr) expr {
	return expr{boolType, func(f *frame, dot reflect.Value) reflect.Value {
		x, y := a.value(f, dot), b.value(f, dot)
		order := 0
		if a.typ == intType {
			order = cmp.Compare(x.Int(), y.Int())
		} else {
			order = strings.Compare(x.String(), y.String())
		}
		return reflect.ValueOf(holds(order))
	}}
}

// comparisons are the functions that compare, of what strings.Compare returns.
var comparisons = map[string]func(order int) bool{
	"eq": func(order int) bool { return order == 0 },
	"ne": func(order int) bool { return order != 0 },
	"lt": func(order int) bool { return order < 0 },
	"le": func(order int) bool { return order <= 0 },
	"gt": func(order int) bool { return order > 0 },
	"ge": func(order int) bool { return order >= 0 },
}
