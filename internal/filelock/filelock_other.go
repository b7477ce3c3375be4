//go:build !unix

package filelock

import (
	"errors"
	"os"
)

func tryLock(*os.File) error { return errors.ErrUnsupported }
