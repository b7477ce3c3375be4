//go:build !linux && !darwin

package publish

import "errors"

// exchange is not to be had here: swap renames twice.
func exchange(string, string) error { return errors.ErrUnsupported }

// isMount is only known when the renames fail.
func isMount(string) bool { return false }
