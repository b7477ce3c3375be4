//go:build !unix

package project

import "os"

// ofOtherUser is only known on Unix.
func ofOtherUser(os.FileInfo) bool { return false }
