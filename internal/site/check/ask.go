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

// An Answer is what is known of an address.
type Answer struct {
	// Status is that of HTTP, behind all redirects, or 0 where nobody answered.
	Status int `json:"status"`
	// Gone is set where the host's name is not known.
	Gone bool `json:"gone,omitempty"`
	// Private is set where the address was refused rather than asked.
	Private bool   `json:"private,omitempty"`
	Fault   string `json:"fault,omitempty"`
	// Moved is the new address, where all redirects are permanent.
	Moved string `json:"moved,omitempty"`
	// Fragments tells of the asked ones whether they are there: yes also where
	// nobody can tell, because it is no HTML or too long.
	Fragments map[string]bool `json:"fragments,omitempty"`
	At        time.Time       `json:"at"`
}

// An Asker asks politely: at most two requests at once and one each Interval for a
// host, HEAD before GET, and no more after 429 until Retry-After is over. Its zero
// value can be used.
type Asker struct {
	// UserAgent names the program.
	UserAgent string
	// Interval is 1 s where it is 0, Timeout of a request 20 s.
	Interval, Timeout time.Duration
	// AllowPrivate lets this machine and private networks be asked.
	AllowPrivate bool
	// Cache may be nil.
	Cache *Cache
	// Progress is told after each address how many of them all are answered, one
	// call at a time. It may be nil.
	Progress func(done, all int)

	once   sync.Once
	client *http.Client
	mu     sync.Mutex
	gates  map[string]*gate
}

// Bounds of one address: redirects, bytes that are read for anchors, tries after
// 429 or 503, and how long such a server may have us wait.
const (
	maxHops    = 10
	maxBody    = 4 << 20
	maxTries   = 2
	maxWaiting = time.Minute
)

// ask returns what the cache or the server says. slots bounds the requests on all
// hosts: one is held during a request only, not while a host's turn is awaited.
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

// A question is one address on its way to an answer.
type question struct {
	*Asker
	slots     chan struct{}
	fragments []string
}

// follow asks, and goes where redirects lead.
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

// target is where a redirect leads.
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

// unanswered sorts errors of the network.
func unanswered(err error) Answer {
	var dns *net.DNSError
	switch {
	case errors.Is(err, errPrivate):
		return Answer{Private: true}
	case errors.As(err, &dns) && dns.IsNotFound:
		return Answer{Gone: true}
	case errors.Is(err, context.DeadlineExceeded):
		return Answer{Fault: "no answer in time"}
	}
	var u *url.Error
	if errors.As(err, &u) {
		if u.Timeout() {
			return Answer{Fault: "no answer in time"}
		}
		err = u.Err
	}
	return Answer{Fault: err.Error()}
}

// A reply is what one server said to one request.
type reply struct {
	status    int
	location  string
	fragments map[string]bool
	retry     time.Duration
}

// request asks with HEAD where the head is enough, and with GET where a server
// does not know HEAD or refuses it.
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

// exchange makes a request in its host's turn.
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

// anchors looks for ids in HTML. GitHub puts user-content- before those of authors.
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
