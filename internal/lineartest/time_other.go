//go:build !unix

package lineartest

import "time"

var began = time.Now()

func spent() time.Duration { return time.Since(began) }
