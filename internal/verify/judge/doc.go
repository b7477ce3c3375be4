// Package judge compares what blocks printed with what their pages expect. [Choose] chooses the
// expectations that apply to a machine (expected.go), [Compare] compares a stream with one (compare.go), and
// a [Printed] is what an example of a Python session printed (example.go). [Again] judges an earlier result by
// new expectations (again.go).
package judge
