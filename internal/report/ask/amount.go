package ask

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Amount parses an amount of memory: "8 GiB".
func Amount(s string) (Value, error) {
	p := &parser{tokens: scan(s), end: len(s)}
	v, err := p.memory(Memory)
	if err != nil || !p.done() {
		return Value{}, diag.Say("blocks.memory-invalid", "name", strings.TrimSpace(s))
	}
	return v, nil
}

// Uint64 returns a count, or an amount of memory in bytes.
func (v Value) Uint64() uint64 { return part(v.parts, 0) }
