package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/html"
)

// An Answer describes an address.
type Answer struct {
	// Status is the HTTP status after all redirects, or 0 without an answer.
	Status int `json:"status"`
	// Gone is set if the host's name is unknown.
	Gone bool `json:"gone,omitempty"`
	// Private is set if the address was not requested because it is private.
	Private bool   `json:"private,omitempty"`
	Fault   string `json:"fault,omitempty"`
	// Moved is the new address, if all redirects are permanent.
	Moved string `json:"moved,omitempty"`
	// Fragments reports which of the requested fragments exist. All do if the answer is not HTML or
	// too long.
	Fragments map[string]bool `json:"fragments,omitempty"`
	At        time.Time       `json:"at"`
}

// An Asker requests addresses politely: for each host at most two requests at once and one each
// Interval, HEAD before GET, and after 429 none until Retry-After is over. The zero value is ready
// to use.
type Asker struct {
	// UserAgent is the name of the program.
	UserAgent string
	// Interval is 1 s by default, and Timeout, that of a request, 20 s.
	Interval, Timeout time.Duration
	// AllowPrivate allows requests to this machine and private networks.
	AllowPrivate bool
	// Cache may be nil.
	Cache *Cache
	// Progress is called after each answer with the number of answers and addresses, one call at a
	// time. It may be nil.
	Progress func(done, all int)

	once   sync.Once
	client *http.Client
	mu     sync.Mutex
	gates  map[string]*gate
}

// Bounds for one address: redirects, bytes read for anchors, attempts after 429 or 503, and the
// longest wait for such a server.
const (
	maxHops    = 10
	maxBody    = 4 << 20
	maxTries   = 2
	maxWaiting = time.Minute
)

// ask returns the answer of the cache or the server. slots bounds the requests to all hosts. A slot
// is held only during a request, not while waiting for a host's turn.
func (a *Asker) ask(ctx context.Context, slots chan struct{}, address string, fragments []string) (answer Answer, cached bool, err error) {
	a.once.Do(a.prepare)
	if answer, ok := a.Cache.get(address, fragments); ok {
		return answer, true, nil
	}
	q := &question{Asker: a, slots: slots, fragments: fragments}
	answer = q.follow(ctx, address)
	if ctx.Err() != nil {
		return Answer{}, false, ctx.Err()
	}
	answer.At = time.Now().UTC().Truncate(time.Second)
	a.Cache.put(address, answer)
	return answer, false, nil
}

func (a *Asker) prepare() {
	a.gates = map[string]*gate{}
	if a.Interval == 0 {
		a.Interval = time.Second
	}
	if a.Timeout == 0 {
		a.Timeout = 20 * time.Second
	}
	a.client = &http.Client{
		Timeout:       a.Timeout,
		Transport:     transport(a.AllowPrivate),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// A question is the request of one address.
type question struct {
	*Asker
	slots     chan struct{}
	fragments []string
}

// follow requests the address and follows redirects.
func (q *question) follow(ctx context.Context, address string) Answer {
	at, permanent := address, true
	for range maxHops {
		if !q.AllowPrivate && literallyPrivate(at) { // needs no turn
			return Answer{Private: true}
		}
		r, err := q.request(ctx, at)
		if err != nil {
			return unanswered(err)
		}
		to, redirected := target(at, r)
		if !redirected {
			a := Answer{Status: r.status, Fragments: r.fragments}
			if permanent && at != address {
				a.Moved = at
			}
			return a
		}
		permanent = permanent && (r.status == http.StatusMovedPermanently || r.status == http.StatusPermanentRedirect)
		at = to
	}
	return Answer{Status: http.StatusFound}
}

// target returns the target of a redirect.
func target(from string, r reply) (string, bool) {
	if !slices.Contains([]int{301, 302, 303, 307, 308}, r.status) || r.location == "" {
		return "", false
	}
	base, err := url.Parse(from)
	if err != nil {
		return "", false
	}
	to, err := base.Parse(r.location)
	if err != nil || (to.Scheme != "http" && to.Scheme != "https") {
		return "", false
	}
	return to.String(), true
}

// unanswered classifies errors of the network.
func unanswered(err error) Answer {
	dns, isDNS := errors.AsType[*net.DNSError](err)
	u, isURL := errors.AsType[*url.Error](err)
	switch {
	case errors.Is(err, errPrivate):
		return Answer{Private: true}
	case isDNS && dns.IsNotFound:
		return Answer{Gone: true}
	case errors.Is(err, context.DeadlineExceeded), isURL && u.Timeout():
		return Answer{Fault: "no answer in time"}
	case isURL:
		return Answer{Fault: u.Err.Error()}
	}
	return Answer{Fault: err.Error()}
}

// A reply is the reply of a server to one request.
type reply struct {
	status    int
	location  string
	fragments map[string]bool
	retry     time.Duration
}

// request uses HEAD if the header is sufficient, and GET if a server does not support HEAD or
// rejects it.
func (q *question) request(ctx context.Context, address string) (reply, error) {
	method := http.MethodHead
	if len(q.fragments) > 0 {
		method = http.MethodGet
	}
	for tries := 0; ; tries++ {
		r, err := q.exchange(ctx, method, address)
		if method == http.MethodHead && (err != nil || r.status >= 400 && r.status != 429) && ctx.Err() == nil && !errors.Is(err, errPrivate) {
			method = http.MethodGet
			r, err = q.exchange(ctx, method, address)
		}
		if err != nil || (r.status != 429 && r.status != 503) || r.retry > maxWaiting || tries == maxTries {
			return r, err
		}
		q.gate(address).pause(max(r.retry, q.Interval))
	}
}

// exchange waits for the host's turn and makes a request.
func (q *question) exchange(ctx context.Context, method, address string) (reply, error) {
	leave, err := q.gate(address).enter(ctx)
	if err != nil {
		return reply{}, err
	}
	defer leave()
	select {
	case q.slots <- struct{}{}:
		defer func() { <-q.slots }()
	case <-ctx.Done():
		return reply{}, ctx.Err()
	}
	req, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return reply{}, err
	}
	req.Header.Set("User-Agent", q.UserAgent)
	req.Header.Set("Accept", "text/html,*/*;q=0.8")
	resp, err := q.client.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer resp.Body.Close()
	r := reply{status: resp.StatusCode, location: resp.Header.Get("Location"), retry: retryAfter(resp.Header.Get("Retry-After"), time.Now())}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if method == http.MethodGet && resp.StatusCode/100 == 2 {
		r.fragments = anchors(resp.Body, kind == "text/html" || kind == "application/xhtml+xml", q.fragments)
	}
	return r, nil
}

// anchors finds ids in HTML. GitHub puts user-content- before those of authors.
func anchors(body io.Reader, isHTML bool, want []string) map[string]bool {
	ids, out := map[string]bool{}, map[string]bool{}
	if len(want) == 0 {
		return nil
	}
	limited := &io.LimitedReader{R: body, N: maxBody}
	z := html.NewTokenizer(limited)
	for z.Next() != html.ErrorToken {
		for _, a := range z.Token().Attr {
			if a.Key == "id" || a.Key == "name" {
				ids[a.Val] = true
			}
		}
	}
	whole := errors.Is(z.Err(), io.EOF) && limited.N > 0
	for _, f := range want {
		out[f] = !isHTML || !whole || ids[f] || ids["user-content-"+f]
	}
	return out
}

// retryAfter reads seconds or a date, RFC 9110, section 10.2.3.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, 1<<30)) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

func status(code int) string {
	if text := http.StatusText(code); text != "" {
		return fmt.Sprintf("%d (%s)", code, text)
	}
	return strconv.Itoa(code)
}
