package session

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
)

// RemoveAll removes a folder, even if a snippet has removed its own permission or
// nested it deeper than a path may be long.
func RemoveAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	// Neither program follows links below dir or keeps a folder open for each level.
	_ = exec.Command("chmod", "-R", "u+rwx", "--", dir).Run()
	_ = exec.Command("rm", "-rf", "--", dir).Run()
	_, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(errors.New("a snippet's folder cannot be removed"), err)
}
