package main

import (
	"strconv"

	"github.com/gpudocs/gpudocs/internal/content"
)

// held says how the snippets of a run are held.
func (w words) held(v content.Verify) string {
	text := w.Get("held_none")
	if v.Sandbox != "" {
		text = w.Get("held_sandbox", "name", v.Sandbox)
	}
	if m := v.Memory.String(); m != "" {
		text += w.Get("held_memory", "size", m)
	}
	if v.Processes > 0 {
		text += w.Get("held_processes", "n", strconv.Itoa(v.Processes))
	}
	return text
}
