//go:build !linux || (!amd64 && !arm64) || static

package cuda

import (
	"errors"
	"testing"
)

func TestOpenElsewhere(t *testing.T) {
	t.Parallel()
	if _, err := Open(); !errors.Is(err, ErrUnsupported) {
		t.Error(err)
	}
}
