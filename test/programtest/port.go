package programtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
)

// FreePort returns a TCP port on which nobody listens, for a server that cannot choose one itself. It is not an ephemeral port,
// which an outgoing connection could take before the server listens.
func FreePort() (int, error) {
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
