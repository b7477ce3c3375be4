package session

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
)

// RemoveAll removes a folder, even if a snippet has taken away its own permission to, or
// made it deeper than a path may be long.
func RemoveAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	// These follow no link below dir, and keep no folder open for each level.
	_ = exec.Command("chmod", "-R", "u+rwx", "--", dir).Run()
	_ = exec.Command("rm", "-rf", "--", dir).Run()
	_, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(errors.New("a snippet's folder cannot be removed"), err)
}
