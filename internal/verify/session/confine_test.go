//go:build unix

package session

import (
	"context"
	"testing"
)

// confinements are options for a plain session and, if the machine supports it, for one in a
// sandbox.
func confinements(t *testing.T, interpreter string) []Command {
	t.Helper()
	all := []Command{options(t, interpreter)}
	if err := CheckSandbox(context.Background()); err != nil {
		t.Logf("not tested in a sandbox: %v", err)
		return all
	}
	o := options(t, interpreter)
	o.Sandbox = &Sandbox{Show: []string{o.Path}}
	return append(all, o)
}
