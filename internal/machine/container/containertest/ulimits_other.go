//go:build !unix

package containertest

import "testing"

// ulimits returns nothing: containers run on Linux only.
func ulimits(testing.TB) string { return "" }
