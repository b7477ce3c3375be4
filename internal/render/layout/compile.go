package layout

import (
	"reflect"
	"text/template/parse"
)

// A compiler compiles one template for data of one type. Its methods report false for nodes that
// are left to html/template.
type compiler struct {
	linker *linker
	root   reflect.Type
	// scope are the visible variables, the innermost last. slots counts all variables.
	scope []variable
	slots int
}

type variable struct {
	name string
	typ  reflect.Type
	slot int
}

func (c *compiler) list(n *parse.ListNode, dot reflect.Type) (steps, bool) {
	var out steps
	if n == nil {
		return out, true
	}
	seen := len(c.scope)
	defer func() { c.scope = c.scope[:seen] }()
	for _, node := range n.Nodes {
		s, ok := c.node(node, dot)
		if !ok {
			return nil, false
		}
		out = append(out, s)
	}
	return out, true
}

func (c *compiler) node(n parse.Node, dot reflect.Type) (step, bool) {
	switch n := n.(type) {
	case *parse.TextNode:
		text := n.Text
		return func(f *frame, _ reflect.Value) { f.out.Write(text) }, true
	case *parse.CommentNode:
		return func(*frame, reflect.Value) {}, true
	case *parse.ActionNode:
		return c.action(n.Pipe, dot)
	case *parse.IfNode:
		return c.branch(&n.BranchNode, dot, false)
	case *parse.WithNode:
		return c.branch(&n.BranchNode, dot, true)
	case *parse.RangeNode:
		return c.each(n, dot)
	case *parse.TemplateNode:
		return c.template(n, dot)
	}
	return nil, false
}

// action compiles {{.Title}}, whose last commands are html/template's escapers, and {{$x := .Title}}.
func (c *compiler) action(p *parse.PipeNode, dot reflect.Type) (step, bool) {
	if len(p.Decl) > 0 {
		return c.declare(p, dot)
	}
	e, ok := c.command(p.Cmds[0], dot)
	if !ok {
		return nil, false
	}
	chain, ok := escaperNames(p.Cmds[1:])
	to := escapers()[chain]
	return func(f *frame, dot reflect.Value) { to.value(f.out, e.value(f, dot)) }, ok && to != nil
}

// declare compiles the declaration of a variable, which is visible to the end of its list.
func (c *compiler) declare(p *parse.PipeNode, dot reflect.Type) (step, bool) {
	if len(p.Decl) != 1 || p.IsAssign || len(p.Cmds) != 1 {
		return nil, false
	}
	e, ok := c.command(p.Cmds[0], dot)
	if !ok {
		return nil, false
	}
	slot := c.newVar(p.Decl[0].Ident[0], e.typ)
	return func(f *frame, dot reflect.Value) { f.vars[slot] = e.value(f, dot) }, true
}

func (c *compiler) newVar(name string, t reflect.Type) int {
	c.scope = append(c.scope, variable{name, t, c.slots})
	c.slots++
	return c.slots - 1
}

// branch compiles if and with.
func (c *compiler) branch(n *parse.BranchNode, dot reflect.Type, with bool) (step, bool) {
	if len(n.Pipe.Cmds) != 1 || len(n.Pipe.Decl) > 0 {
		return nil, false
	}
	e, ok := c.command(n.Pipe.Cmds[0], dot)
	if !ok {
		return nil, false
	}
	inner := dot
	if with {
		inner = e.typ
	}
	then, ok1 := c.list(n.List, inner)
	other, ok2 := c.list(n.ElseList, dot)
	return func(f *frame, dot reflect.Value) {
		v := e.value(f, dot)
		switch {
		case !truth(v):
			other.run(f, dot)
		case with:
			then.run(f, v)
		default:
			then.run(f, dot)
		}
	}, ok1 && ok2
}

// each compiles range over a slice.
func (c *compiler) each(n *parse.RangeNode, dot reflect.Type) (step, bool) {
	if len(n.Pipe.Cmds) != 1 || n.Pipe.IsAssign {
		return nil, false
	}
	e, ok := c.command(n.Pipe.Cmds[0], dot)
	if !ok || e.typ.Kind() != reflect.Slice {
		return nil, false
	}
	seen := len(c.scope)
	defer func() { c.scope = c.scope[:seen] }()
	key, item := -1, -1
	decl := n.Pipe.Decl
	if len(decl) == 2 {
		key = c.newVar(decl[0].Ident[0], reflect.TypeFor[int]())
	}
	if len(decl) > 0 {
		item = c.newVar(decl[len(decl)-1].Ident[0], e.typ.Elem())
	}
	body, ok1 := c.list(n.List, e.typ.Elem())
	for i := range c.scope[seen:] {
		c.scope[seen+i].typ = nil // after else they have another type, which is left to html/template
	}
	other, ok2 := c.list(n.ElseList, dot)
	return func(f *frame, dot reflect.Value) {
		list := e.value(f, dot)
		for i := range list.Len() {
			v := list.Index(i)
			if key >= 0 {
				f.vars[key] = reflect.ValueOf(i)
			}
			if item >= 0 {
				f.vars[item] = v
			}
			body.run(f, v)
		}
		if list.Len() == 0 {
			other.run(f, dot)
		}
	}, ok1 && ok2
}

// template compiles the call of a template.
func (c *compiler) template(n *parse.TemplateNode, dot reflect.Type) (step, bool) {
	if n.Pipe == nil {
		p, ok := c.linker.program(programKey{n.Name, nil})
		return func(f *frame, _ reflect.Value) { p.run(f.out, reflect.Value{}, f.depth+1) }, ok
	}
	if len(n.Pipe.Cmds) != 1 || len(n.Pipe.Decl) > 0 {
		return nil, false
	}
	e, ok := c.command(n.Pipe.Cmds[0], dot)
	if !ok {
		return nil, false
	}
	p, ok := c.linker.program(programKey{n.Name, e.typ})
	return func(f *frame, dot reflect.Value) { p.run(f.out, e.value(f, dot), f.depth+1) }, ok
}
