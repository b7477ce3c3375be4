//go:build !unix

package serve

// openFiles is not bounded here by any number that matters.
func openFiles() int { return 2 * mostConnections }
