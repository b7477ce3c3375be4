//go:build !unix

package fleet

import "io/fs"

// private trusts the rights of the user's cache folder, which modes do not show here.
func private(fs.FileInfo) bool { return true }
