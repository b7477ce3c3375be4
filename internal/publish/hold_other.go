//go:build !unix

package publish

import "errors"

// hold is not to be had here: folders cannot be locked.
func hold(string) (release func(), err error) { return nil, errors.ErrUnsupported }
