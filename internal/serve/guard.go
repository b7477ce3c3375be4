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

// A guard refuses requests that other sites make a browser send; see the package comment.
type guard struct {
	port    string
	ip      netip.Addr // of the listener, perhaps unspecified
	machine string     // the host name of this machine
	name    string     // Preview.Name
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
	machine, _ := os.Hostname() // an unknown name is not accepted
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
	if err != nil { // without a port it is 80
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

// sameName reports whether two host names are equal without regard to case, which is that of ASCII: ſ and K,
// which have more bytes, do not count as s and k.
func sameName(a, b string) bool { return len(a) == len(b) && strings.EqualFold(a, b) }

// ofThisMachine reports whether an address is one of this machine. It asks each time, as they change with networks.
func ofThisMachine(ip netip.Addr) bool {
	addrs, err := net.InterfaceAddrs()
	return err == nil && slices.ContainsFunc(addrs, func(a net.Addr) bool {
		prefix, err := netip.ParsePrefix(a.String())
		return err == nil && prefix.Addr() == ip
	})
}

// sameOrigin reports whether the request does not come from another site. A followed link is allowed, because the
// other page does not see the answer. For browsers that are too old to send Sec-Fetch-Site, only Host
// and Origin are checked.
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
