//go:build !unix

package complexitytest

import "time"

var began = time.Now()

func spent() time.Duration { return time.Since(began) }
