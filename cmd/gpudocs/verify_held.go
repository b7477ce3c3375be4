package main

import (
	"strconv"

	"github.com/gpudocs/gpudocs/internal/content"
)

// held says how the snippets of a run are held.
func held(v content.Verify) string {
	text := "no sandbox: snippets have your rights"
	if v.Sandbox != "" {
		text = "sandbox " + v.Sandbox + ": reading only, and no network but where it is said"
	}
	if m := v.Memory.String(); m != "" {
		text += "; memory " + m
	}
	if v.Processes > 0 {
		text += "; processes " + strconv.Itoa(v.Processes)
	}
	return text
}
