package content

import (
	"fmt"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/require"
)

// SandboxBwrap shuts snippets in with bubblewrap.
const SandboxBwrap = "bwrap"

// Verify says how snippets are run, whatever they are.
//
//	[verify]
//	memory    = "8 GiB"   # of a session's processes together
//	processes = 512       # and threads
//	sandbox   = "bwrap"   # off without it
type Verify struct {
	// Memory and Processes are zero where the author leaves them to the machine.
	Memory    require.Value
	Processes int
	// Sandbox is SandboxBwrap, or empty.
	Sandbox string
}

// verifyFile is the form of [verify] in gpudocs.toml.
type verifyFile struct {
	Memory    string `toml:"memory"`
	Processes *int   `toml:"processes"`
	Sandbox   string `toml:"sandbox"`
}

// Snippets that could not even start would all fail in a puzzling way.
const leastMemory, leastProcesses = 16 << 20, 4

func (c *configChecker) verify(file verifyFile) Verify {
	v := Verify{Sandbox: file.Sandbox}
	if file.Memory != "" {
		var err error
		if v.Memory, err = require.Amount(file.Memory); err != nil || v.Memory.Uint64() < leastMemory {
			c.fault(`memory\s*=`, file.Memory, diag.Say("%q is not a memory limit", file.Memory), diag.Say(`write it as memory = "8 GiB"; at least 16 MiB`))
		}
	}
	if n := file.Processes; n != nil {
		if v.Processes = *n; *n < leastProcesses {
			c.fault(`processes\s*=`, fmt.Sprint(*n), diag.Say("%d is not a limit of processes", *n), diag.Say("write it as processes = 512; at least 4"))
		}
	}
	if v.Sandbox != "" && v.Sandbox != SandboxBwrap {
		c.fault(`sandbox\s*=`, v.Sandbox, diag.Say("there is no sandbox %q", v.Sandbox), diag.Say(`write sandbox = "bwrap", or leave it out`))
	}
	return v
}
