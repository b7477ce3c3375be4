package layout

import (
	"reflect"
	"text/template/parse"
)

type condition = func(f *frame, dot reflect.Value) bool

// function compiles the call of one of the functions that every template has.
func (c *compiler) function(name string, args []parse.Node, dot reflect.Type) (expr, bool) {
	list, ok := c.arguments(args, dot)
	if !ok {
		return expr{}, false
	}
	switch name {
	case "or", "and":
		return either(list, name == "or")
	case "not":
		if len(list) == 1 && list[0].condition() != nil {
			is := list[0].condition()
			return boolExpr(func(f *frame, dot reflect.Value) bool { return !is(f, dot) }), true
		}
	case "len":
		if len(list) == 1 && list[0].value != nil && list[0].typ.Kind() == reflect.Slice {
			return intExpr(func(f *frame, dot reflect.Value) int { return list[0].value(f, dot).Len() }), true
		}
	case "eq", "ne", "lt", "le", "gt", "ge":
		if len(list) == 2 {
			return compare(name, list[0], list[1])
		}
	}
	return expr{}, false
}

// either compiles or, or, if or is false, and: the first argument that decides, else the last. The result
// can be written if all arguments are texts.
func either(list []expr, or bool) (expr, bool) {
	if len(list) == 0 {
		return expr{}, false
	}
	var truths []condition
	texts := true
	for _, e := range list {
		is := e.condition()
		if is == nil {
			return expr{}, false
		}
		truths = append(truths, is)
		texts = texts && e.text != nil
	}
	out := expr{truth: func(f *frame, dot reflect.Value) bool {
		for _, is := range truths {
			if is(f, dot) == or {
				return or
			}
		}
		return !or
	}}
	if texts {
		out = textExpr(func(f *frame, dot reflect.Value) (text string) {
			for _, e := range list {
				if text = e.text(f, dot); (text != "") == or {
					break
				}
			}
			return text
		})
	}
	return out, true
}

// compare compiles the comparison of two texts, by eq and ne, or of two numbers.
func compare(name string, a, b expr) (expr, bool) {
	if a.text != nil && b.text != nil && (name == "eq" || name == "ne") {
		return boolExpr(func(f *frame, dot reflect.Value) bool { return (a.text(f, dot) == b.text(f, dot)) == (name == "eq") }), true
	}
	if a.typ != intType || b.typ != intType || a.value == nil || b.value == nil {
		return expr{}, false
	}
	return boolExpr(func(f *frame, dot reflect.Value) bool {
		x, y := a.value(f, dot).Int(), b.value(f, dot).Int()
		switch name {
		case "eq":
			return x == y
		case "ne":
			return x != y
		case "lt":
			return x < y
		case "le":
			return x <= y
		case "gt":
			return x > y
		}
		return x >= y
	}), true
}
