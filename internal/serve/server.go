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

// A Snapshot is one finished build, held in memory or rendered on demand.
// It is used by several goroutines at once.
type Snapshot interface {
	// File returns the file that the site publishes under a slash path such as
	// "pt/index.html". ok is false when there is none; err is a rendering error.
	File(path string) (data []byte, ok bool, err error)
	// Redirect returns the address to which a file sends its readers, below the
	// site's root, and false where it is none that does.
	Redirect(path string) (to string, ok bool)
	// Attached reports whether a file is none that the site makes: it lies beside its
	// pages, and is published as it is.
	Attached(path string) bool
}

// Options say what to serve, and when to build it.
type Options struct {
	// Listener is a TCP listener; Serve closes it.
	Listener net.Listener
	// Build makes a snapshot. Its context ends only when the server does.
	Build func(ctx context.Context, changed []string) (Snapshot, diag.List)
	// Root is the folder to watch.
	Root string
	// Ignore tells which paths below Root do not count; nil ignores none. What
	// is below an ignored folder is not asked about.
	Ignore func(path string, dir bool) bool
	// Folders tells which folders count that Ignore may have left out before, because
	// the last build has come to read files in them; nil: none. It is asked each second.
	Folders func() []string
	// Name is the host by which the listener was asked for, where that is a name: who
	// serves under it means it. Empty for none.
	Name string
	// Tell gets what whoever started the server should know; nil drops it.
	Tell func(diag.Text)
	// Log gets the server's own troubles, a line each; nil drops them.
	Log io.Writer
	// Debounce is how long no further change must come before a build starts:
	// 50ms when 0. It waits at most ten times as long.
	Debounce time.Duration
	// Poll, when set, has the folder looked through this often, without the
	// kernel's help.
	Poll time.Duration
	// Actions are what the pages may have done; nil: nothing. Listener must be one
	// of this machine's own then, which nobody else reaches.
	Actions Actions
}

const (
	// grace is how long requests may go on after the end. It is short because
	// browsers hold connections open that they never used.
	grace = time.Second
	// writeLimit bounds each answer and each event, so that a client that
	// reads nothing does not hold its goroutine.
	writeLimit = 10 * time.Second
	// heartbeat is sent on silent streams, so that a dead one is noticed.
	heartbeat = 15 * time.Second
)

// A Server previews one site. Make it with [New] and call Serve once.
type Server struct {
	options   Options
	log       *log.Logger
	tell      func(diag.Text)
	inbox     *inbox
	streams   chan struct{} // holds one for each stream that is open
	state     atomic.Pointer[state]
	run       string // differs between two servers
	builds    int    // good ones so far; for the build loop only
	heartbeat time.Duration
	notify    func(context.Context, tree, *inbox) error
	actor     *actor // nil without actions
}

// New prepares a server. Nothing is built or answered before Serve.
func New(o Options) *Server {
	o.Debounce = cmp.Or(o.Debounce, 50*time.Millisecond)
	if o.Log == nil {
		o.Log = io.Discard
	}
	if o.Tell == nil {
		o.Tell = func(diag.Text) {}
	}
	s := &Server{
		options:   o,
		log:       log.New(o.Log, "preview: ", 0),
		tell:      o.Tell,
		inbox:     newInbox(),
		streams:   make(chan struct{}, maxStreams()),
		run:       rand.Text()[:8],
		heartbeat: heartbeat,
		notify:    notify,
	}
	if o.Actions != nil {
		s.actor = &actor{Actions: o.Actions, token: rand.Text()}
	}
	s.state.Store(&state{build: s.run + "-0", replaced: make(chan struct{})})
	return s
}

// OpenPath is the address, below this server's, whose visitor may have actions done.
// It holds the token of this start: who knows it may run them. Without actions it is "/".
func (s *Server) OpenPath() string {
	if s.actor == nil {
		return "/"
	}
	return openPath + "#" + s.actor.token
}

// Rebuild asks for a build although no file changed: of what depends on the
// given paths or, without any, of everything. It returns at once.
func (s *Server) Rebuild(changed ...string) {
	if len(changed) == 0 {
		s.inbox.addAll()
	}
	s.inbox.add(changed...)
}

// Serve watches, builds and answers until ctx ends, which is no error. It
// returns after the running build has. Root must be there at the start; where it goes
// later, the last good snapshot is served until it is back.
func (s *Server) Serve(ctx context.Context) error {
	defer s.options.Listener.Close()
	guard, err := newGuard(s.options.Listener.Addr(), s.options.Name)
	if err != nil {
		return err
	}
	if s.actor != nil && !guard.ip.IsLoopback() {
		return fmt.Errorf("preview: actions are for this machine alone, and %s is no address of its own", s.options.Listener.Addr())
	}
	tree, err := newTree(s.options.Root, s.options.Ignore)
	if err != nil {
		return err
	}
	tree.more = s.options.Folders

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
	go func() { failed <- server.Serve(netutil.LimitListener(s.options.Listener, maxConnections())) }()

	select {
	case <-ctx.Done():
	case err = <-failed:
		err = fmt.Errorf("preview: %w", err)
	}
	stop()
	shutdown(server)
	if s.actor != nil {
		s.actor.running.Lock() // its end takes along what it has started, which outlives us else
	}
	return err
}

// httpServer has no time limit on whole requests: event streams are endless.
// Handlers set their own limit when they begin to write.
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
