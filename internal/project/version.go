package project

import (
	"runtime/debug"
	"strings"
)

// release is the version in development; a build by go install has its own.
const release = "0.1.0-dev"

// Version returns the version of this program.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || strings.HasPrefix(info.Main.Version, "(") {
		return release
	}
	return strings.TrimPrefix(info.Main.Version, "v")
}

// Generator names this program in the files that it writes.
func Generator() string { return "gpudocs " + Version() }
