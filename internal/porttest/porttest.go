// Package porttest finds ports for servers of tests that cannot choose one themselves.
package porttest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
)

// Free returns a TCP port on which nobody listens. It is not an ephemeral port, which an outgoing connection
// could take before the server listens.
func Free() (int, error) {
	for range 100 {
		l, err := net.Listen("tcp", fmt.Sprintf(":%d", 10000+rand.IntN(20000)))
		if err != nil {
			continue
		}
		defer l.Close()
		return l.Addr().(*net.TCPAddr).Port, nil
	}
	return 0, errors.New("no port is free")
}
