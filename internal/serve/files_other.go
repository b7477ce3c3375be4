//go:build !unix

package serve

// openFiles returns a number that bounds nothing: these systems have no relevant limit.
func openFiles() int { return 2 * mostConnections }
