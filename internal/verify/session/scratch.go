package session

import (
	"os"
	"path/filepath"
)

// RemoveAll removes a folder, also where a snippet took away its own permission to.
func RemoveAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(name, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}
