package config

import (
	"fmt"

	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// verifyFile is the table [verify] of gpudocs.toml.
type verifyFile struct {
	Memory    string `toml:"memory" doc:"Most memory of a session: 8 GiB. Default: 9/10 of the machine's."`
	Processes *int   `toml:"processes" doc:"Most processes and threads of a session. Default: 4096."`
	Sandbox   string `toml:"sandbox" enum:"bwrap" doc:"Sandbox in which snippets run. Default: none."`
	Drift     string `toml:"drift" doc:"How far values may be from earlier ones: 10%, 10% warn. Default: off."`
}

// With lower limits snippets could not even start, and would all fail without an explanation.
const leastMemory, leastProcesses = 16 << 20, 4

func (c *checker) verify(file verifyFile) site.Verify {
	v := site.Verify{Sandbox: file.Sandbox}
	if file.Memory != "" {
		var err error
		if v.Memory, err = ask.ParseSize(file.Memory); err != nil || v.Memory.Uint64() < leastMemory {
			c.fault(`memory\s*=`, file.Memory, diag.Say("config.memory-limit-invalid", "memory", file.Memory))
		}
	}
	if n := file.Processes; n != nil {
		if v.Processes = *n; *n < leastProcesses {
			c.fault(`processes\s*=`, fmt.Sprint(*n), diag.Say("config.processes-invalid", "n", *n))
		}
	}
	if v.Sandbox != "" && v.Sandbox != site.SandboxBwrap {
		c.fault(`sandbox\s*=`, v.Sandbox, diag.Say("config.sandbox-unknown", "sandbox", v.Sandbox))
	}
	if file.Drift != "" {
		var ok bool
		if v.Drift, ok = site.ParseDrift(file.Drift); !ok {
			c.fault(`drift\s*=`, file.Drift, diag.Say("config.drift-invalid", "text", file.Drift))
		}
	}
	return v
}
