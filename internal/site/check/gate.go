package check

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"time"
)

// atOnce bounds the simultaneous requests to a host.
const atOnce = 2

// A gate admits requests to one host, one each interval.
type gate struct {
	interval time.Duration
	inside   chan struct{}
	mu       sync.Mutex
	next     time.Time // when the next request may begin
}

func (a *Asker) gate(address string) *gate {
	host := ""
	if u, err := url.Parse(address); err == nil {
		host = u.Host
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.gates[host] == nil {
		a.gates[host] = &gate{interval: a.Interval, inside: make(chan struct{}, atOnce)}
	}
	return a.gates[host]
}

// enter waits for a turn. The caller calls leave after its request.
func (g *gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g.inside <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	leave = func() { <-g.inside }
	for {
		wait := g.turn(time.Now())
		if wait <= 0 {
			return leave, nil
		}
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			leave()
			return nil, ctx.Err()
		}
	}
}

// turn takes the turn if it has come. Otherwise it returns the time to wait before the next call,
// since there may have been a pause in between.
func (g *gate) turn(now time.Time) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if wait := g.next.Sub(now); wait > 0 {
		return wait
	}
	g.next = now.Add(g.interval)
	return 0
}

// pause admits no request for a while.
func (g *gate) pause(d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if until := time.Now().Add(d); until.After(g.next) {
		g.next = until
	}
}

var errPrivate = errors.New("an address of this machine or of a private network")

// transport connects to public addresses only, unless all are allowed. It checks the dialled
// address, so names of private addresses are rejected too. The proxy of the environment may have
// any address.
func transport(allowPrivate bool) http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	if allowPrivate {
		return t
	}
	var proxies sync.Map
	t.Proxy = func(r *http.Request) (*url.URL, error) {
		u, err := http.ProxyFromEnvironment(r)
		if u != nil {
			proxies.Store(u.Hostname(), true)
		}
		return u, err
	}
	free, guarded := &net.Dialer{Timeout: 10 * time.Second}, &net.Dialer{Timeout: 10 * time.Second, Control: publicOnly}
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, _ := net.SplitHostPort(address)
		if _, ok := proxies.Load(host); ok {
			return free.DialContext(ctx, network, address)
		}
		return guarded.DialContext(ctx, network, address)
	}
	return t
}

// literallyPrivate reports whether a URL contains a private address, which a proxy would connect
// to.
func literallyPrivate(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return err == nil && !public(ip) || strings.EqualFold(u.Hostname(), "localhost")
}

func publicOnly(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !public(at.Addr()) {
		return errPrivate
	}
	return nil
}

// shared are non-public networks in addition to those that net/netip knows: carrier-grade NAT,
// benchmarks, "this network", documentation, reserved
// (https://www.iana.org/assignments/iana-ipv4-special-registry), and NAT64, which can contain any
// IPv4 address.
var shared = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("64:ff9b::/96"),
}

func public(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	for _, p := range shared {
		if p.Contains(ip) {
			return false
		}
	}
	return ip.IsGlobalUnicast() && !ip.IsPrivate()
}
