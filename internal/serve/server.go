package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/netutil"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Snapshot is a finished build, in memory or rendered on demand. It is used concurrently.
type Snapshot interface {
	// File returns the file that the site publishes under a slash path such as
	// "pt/index.html". ok is false if there is none. err is a rendering error.
	File(path string) (data []byte, ok bool, err error)
	// Redirect returns the address below the site's root to which a file redirects. ok is false if
	// the file does not redirect.
	Redirect(path string) (to string, ok bool)
	// Attached reports whether a file lies beside the pages and is published as it is.
	Attached(path string) bool
}

// A Preview is what a server shows. Listener, Build and Root are required.
type Preview struct {
	// Listener is a TCP listener; Serve closes it.
	Listener net.Listener
	// Build makes a snapshot. Its context ends with the server.
	Build func(ctx context.Context, changed []string) (Snapshot, diag.List)
	// Root is the folder to watch.
	Root string
	// Ignore reports whether a path below Root, and everything below that, is not watched. The default is
	// to watch everything.
	Ignore func(path string, dir bool) bool
	// Folders returns folders that Ignore may have ignored earlier, but no longer does because the last
	// build reads files in them. It is called every second. It may be nil.
	Folders func() []string
	// Name is the host name of the listener's address, if the user gave a name. Requests may use it.
	Name string
	// Tell gets messages for the user. It may be nil.
	Tell func(diag.Text)
	// Log gets the errors of the HTTP server, a line each. It may be nil.
	Log io.Writer
	// Debounce is the time without further changes after which a build starts. The default is 50ms. The
	// build starts at the latest after ten times that.
	Debounce time.Duration
	// Poll is the interval at which the folder is polled. The default is not to poll, but to use the
	// events of the kernel.
	Poll time.Duration
	// Actions are what pages may run. The default is none. With Actions, Listener must have a loopback
	// address.
	Actions Actions
}

const (
	// grace is how long requests may continue after the end. It is short because browsers keep
	// connections open that they never use.
	grace = time.Second
	// writeLimit bounds the time for each part of an answer and each event, so that a client that reads
	// nothing does not block its goroutine.
	writeLimit = 10 * time.Second
	// heartbeat is the interval of comments on silent streams, which show whether the client is alive.
	heartbeat = 15 * time.Second
)

// A Server previews one site. Create it with [New] and call Serve once.
type Server struct {
	preview   Preview
	log       *log.Logger
	tell      func(diag.Text)
	inbox     *inbox
	streams   chan struct{} // has an element for each open stream
	state     atomic.Pointer[state]
	run       string // a random name
	builds    int    // the number of good builds, for the build loop only
	heartbeat time.Duration
	notify    func(context.Context, tree, *inbox) error
	actor     *actor // nil without actions
}

// New prepares a server. It builds and answers nothing before Serve.
func New(p Preview) *Server {
	p.Debounce = cmp.Or(p.Debounce, 50*time.Millisecond)
	if p.Log == nil {
		p.Log = io.Discard
	}
	if p.Tell == nil {
		p.Tell = func(diag.Text) {}
	}
	s := &Server{
		preview:   p,
		log:       log.New(p.Log, "preview: ", 0),
		tell:      p.Tell,
		inbox:     newInbox(),
		streams:   make(chan struct{}, maxStreams()),
		run:       rand.Text()[:8],
		heartbeat: heartbeat,
		notify:    notify,
	}
	if p.Actions != nil {
		s.actor = &actor{Actions: p.Actions, token: rand.Text()}
	}
	s.state.Store(&state{build: s.run + "-0", replaced: make(chan struct{})})
	return s
}

// OpenPath returns the path of the page that allows the browser to run actions. It contains the token: whoever
// knows it may run actions. Without actions it is "/".
func (s *Server) OpenPath() string {
	if s.actor == nil {
		return "/"
	}
	return openPath + "#" + s.actor.token
}

// Rebuild requests a build as if the given paths had changed, or all paths if none is given. It returns
// at once.
func (s *Server) Rebuild(changed ...string) {
	if len(changed) == 0 {
		s.inbox.addAll()
	}
	s.inbox.add(changed...)
}

// Serve watches, builds and answers until ctx ends; then it returns nil, after the running build. Root
// must exist at the start. If it vanishes later, the last good snapshot is served until it is back.
func (s *Server) Serve(ctx context.Context) error {
	defer s.preview.Listener.Close()
	guard, err := newGuard(s.preview.Listener.Addr(), s.preview.Name)
	if err != nil {
		return err
	}
	if s.actor != nil && !guard.ip.IsLoopback() {
		return fmt.Errorf("preview: actions are for this machine alone, and %s is no address of its own", s.preview.Listener.Addr())
	}
	tree, err := newTree(s.preview.Root, s.preview.Ignore)
	if err != nil {
		return err
	}
	tree.more = s.preview.Folders

	ctx, stop := context.WithCancel(ctx)
	failed := make(chan error, 2)
	var work sync.WaitGroup
	defer work.Wait()
	defer stop()

	server := s.httpServer(ctx, guard)
	work.Go(func() { s.buildOnChange(ctx) })
	work.Go(func() {
		if err := s.watch(ctx, tree); err != nil {
			failed <- err
		}
	})
	go func() { failed <- server.Serve(netutil.LimitListener(s.preview.Listener, maxConnections())) }()

	select {
	case <-ctx.Done():
	case err = <-failed:
		err = fmt.Errorf("preview: %w", err)
	}
	stop()
	shutdown(server)
	if s.actor != nil {
		s.actor.running.Lock() // wait for the action, which ends the processes that it has started
	}
	return err
}

// httpServer returns a server without a time limit for whole requests, because event streams are endless.
// Handlers set a limit when they write.
func (s *Server) httpServer(ctx context.Context, g guard) *http.Server {
	return &http.Server{
		Handler:                      g.wrap(http.HandlerFunc(s.handle)),
		DisableGeneralOptionsHandler: true, // it would answer before the guard
		ReadHeaderTimeout:            10 * time.Second,
		IdleTimeout:                  2 * time.Minute,
		MaxHeaderBytes:               64 << 10,
		ErrorLog:                     s.log,
		// The end of ctx ends the streams, and requests that wait for a build.
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
}

func shutdown(server *http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if server.Shutdown(ctx) != nil {
		server.Close()
	}
}
