package serve

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
)

// A guard turns away what other sites make a browser ask, see the package
// comment.
type guard struct {
	port    string
	ip      netip.Addr // that the listener is bound to, perhaps unspecified
	machine string     // the host name of this machine
	name    string     // the host that was asked for, where that is a name
}

func newGuard(addr net.Addr, name string) (guard, error) {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return guard{}, fmt.Errorf("preview: %s is no TCP address", addr)
	}
	ip, _ := netip.AddrFromSlice(tcp.IP)
	if !ip.IsValid() {
		ip = netip.IPv6Unspecified()
	}
	machine, _ := os.Hostname() // without a name there is one host fewer to answer to
	return guard{strconv.Itoa(tcp.Port), ip.Unmap(), machine, name}, nil
}

func (g guard) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !g.knowsHost(r.Host):
			text := fmt.Sprintf("This server answers as http://localhost:%[1]s/ only. "+
				"Through SSH, forward the same port: ssh -L %[1]s:127.0.0.1:%[1]s\n", g.port)
			http.Error(w, text, http.StatusMisdirectedRequest)
		case !sameOrigin(r):
			http.Error(w, "This server answers to its own pages only.", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func (g guard) knowsHost(hostport string) bool {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil { // no port stands for the one of http
		host, port = strings.Trim(hostport, "[]"), "80"
	}
	if port != g.port {
		return false
	}
	if sameName(host, "localhost") || g.name != "" && sameName(host, g.name) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return g.ip.IsUnspecified() && g.machine != "" && sameName(host, g.machine)
	}
	return ip == netip.AddrFrom4([4]byte{127, 0, 0, 1}) || ip == netip.IPv6Loopback() ||
		ip == g.ip && !ip.IsUnspecified() ||
		g.ip.IsUnspecified() && ofThisMachine(ip)
}

// sameName reports whether a name is another but for capitals of ASCII: ſ and K, of more bytes,
// are no letters of a host.
func sameName(a, b string) bool { return len(a) == len(b) && strings.EqualFold(a, b) }

// ofThisMachine looks anew each time: addresses come and go with networks.
func ofThisMachine(ip netip.Addr) bool {
	addrs, err := net.InterfaceAddrs()
	return err == nil && slices.ContainsFunc(addrs, func(a net.Addr) bool {
		prefix, err := netip.ParsePrefix(a.String())
		return err == nil && prefix.Addr() == ip
	})
}

// sameOrigin reports whether no other site is behind the request. Following a
// link from one is fine: its page does not see the answer. Browsers too old to
// send Sec-Fetch-Site are left to the checks of Host and Origin.
func sameOrigin(r *http.Request) bool {
	if origin, ok := r.Header["Origin"]; ok && !(len(origin) == 1 && strings.EqualFold(origin[0], "http://"+r.Host)) {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	}
	return r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}
