package ask

// Tree returns the expression as values for JSON: what leaf returns for a comparison, {"not": tree}, {"and": [tree, tree]} or
// {"or": [tree, tree]}, and nil for the zero Expr.
func (e Expr) Tree(leaf func(Expr) any) any {
	switch n := e.root.(type) {
	case *comparison:
		return leaf(Expr{n, n.source})
	case not:
		return map[string]any{"not": Expr{root: n.of}.Tree(leaf)}
	case pair:
		key := "and"
		if n.or {
			key = "or"
		}
		return map[string]any{key: []any{Expr{root: n.left}.Tree(leaf), Expr{root: n.right}.Tree(leaf)}}
	}
	return nil
}

// Parts returns the parts of the version, count or number of bytes that an expression of one comparison compares with.
func (e Expr) Parts() []uint64 { return e.only().value.parts }

// Bounds returns the bounds of a version of which only these are known ([Between]). One of them may be nil.
func (v Value) Bounds() (least, most []uint64) { return v.least, v.most }
