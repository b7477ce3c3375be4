//go:build !unix

package ssh

import "io/fs"

// privateFolder returns true: file modes do not show permissions here.
func privateFolder(fs.FileInfo) bool { return true }
