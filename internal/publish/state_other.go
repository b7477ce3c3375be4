//go:build !linux

package publish

import "io/fs"

// A systemState is known on Linux only.
type systemState struct{ Changed int64 }

func systemStateOf(fs.FileInfo) systemState { return systemState{} }
