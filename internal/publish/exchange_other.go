//go:build !linux

package publish

import "errors"

// exchange is not to be had here: swap renames twice.
func exchange(string, string) error { return errors.ErrUnsupported }
