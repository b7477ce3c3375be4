package servecmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/cli/verifycmd"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/serve"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

type serveFlags struct {
	addr     string
	open     bool
	verify   bool
	allowRun bool
	machine  string
}

func NewServe(a *env.Env) *cobra.Command {
	f := &serveFlags{}
	c := &cobra.Command{
		Use: "serve",
		RunE: func(c *cobra.Command, _ []string) error {
			if err := verifycmd.NeedsVerify(c, f.verify || f.allowRun); err != nil {
				return err
			}
			return runServe(c.Context(), a, f)
		},
	}
	c.Flags().StringVar(&f.addr, "addr", "127.0.0.1:1313", "")
	c.Flags().BoolVar(&f.open, "open", false, "")
	c.Flags().BoolVar(&f.verify, "verify", false, "")
	c.Flags().BoolVar(&f.allowRun, "allow-run", false, "")
	c.Flags().StringVar(&f.machine, "machine", project.LocalMachine, "")
	return c
}

// A previewer connects the loops of serve: one builds if a file changes (build.go), one verifies if the code of a check
// changes (verify.go), and one makes formulas and diagrams (formulas.go).
type previewer struct {
	*env.Env
	flags  *serveFlags
	reader *project.Reader
	dates  project.Dates
	// options have what the builds keep.
	options render.Options
	told    told
	latest  latest
	// formulas has the newest site for the loop that makes them.
	formulas chan loadedSite
}

// newPreviewer opens the site, whose working directory may be removed and created again.
func newPreviewer(ctx context.Context, a *env.Env, f *serveFlags) (*previewer, error) {
	dir, err := filepath.Abs(a.Site)
	if err != nil {
		return nil, err
	}
	reader, err := project.NewReader(dir)
	if err != nil {
		return nil, err
	}
	reader.Warn = a.Warn
	return &previewer{
		Env:    a,
		flags:  f,
		reader: reader,
		dates:  reader.DatesOf(ctx, "HEAD"),
		options: render.Options{
			Math:     project.NewConverter(),
			Diagrams: project.NewDrawer(),
			Theme:    &theme.Cache{},
			Reports:  &results.Cache{},
			Lazy:     true,
			Root:     "/",
		},
		latest:   latest{changed: make(chan struct{}, 1)},
		formulas: make(chan loadedSite, 1),
	}, nil
}

func runServe(ctx context.Context, a *env.Env, f *serveFlags) error {
	opened, err := a.Open()
	if err != nil {
		return err
	}
	if _, err := fs.Stat(opened.FS, site.ConfigFile); err != nil {
		_, diags := load.Load(opened.FS, load.Options{})
		a.Print(diags)
		return exit.Content(diags, "nothing_serve")
	}
	if err := report.CheckName(f.machine); err != nil {
		return diag.Wrong(err)
	}
	listener, err := listen(f)
	if err != nil {
		return err
	}
	p, err := newPreviewer(ctx, a, f)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	runs := &blockRuns{previewer: p}
	preview := serve.Preview{
		Listener: listener,
		Build:    p.build,
		Root:     p.reader.Dir,
		Ignore:   p.reader.Ignores,
		Folders:  p.reader.Folders,
		Name:     nameIn(f.addr),
		Tell:     func(m diag.Text) { p.Around(func() { p.Warn(m) }) },
		Log:      a.Stderr,
	}
	if f.allowRun {
		preview.Actions = runs
	}
	server := serve.New(preview)
	runs.server = server
	var work sync.WaitGroup
	defer work.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop() // the server may end by itself: the loops end with it
	if f.verify || f.allowRun {
		p.readLocal()
	}
	if f.verify {
		work.Go(func() { p.verifyLoop(ctx, server) })
	}
	work.Go(func() { p.mathLoop(ctx, server) })
	address := "http://" + reachable(listener.Addr())
	a.Println(a.Text.Get("serving", "site", a.Site, "address", address+"/"))
	if f.allowRun {
		a.Println(a.Text.Get("may_run"))
		fmt.Fprintf(a.Stdout, "  %s\n", address+server.OpenPath())
	}
	if f.open {
		forget := p.openIn(address + server.OpenPath())
		defer forget()
	}
	return server.Serve(ctx)
}

// listen opens the address of the server. That of one that may run code is for this machine alone.
func listen(f *serveFlags) (net.Listener, error) {
	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		hint := diag.Say("cli.address-hint")
		if errors.Is(err, syscall.EADDRINUSE) {
			hint = diag.Say("cli.address-in-use-hint")
		}
		return nil, diag.Wrong(diag.Plain(err).WithHint(hint))
	}
	if tcp, ok := listener.Addr().(*net.TCPAddr); f.allowRun && !(ok && tcp.IP.IsLoopback()) {
		listener.Close()
		return nil, diag.Wrong(diag.Say("cli.allow-run-not-loopback", "address", listener.Addr()))
	}
	return listener, nil
}

// nameIn returns the host of an address if it is a name, else "".
func nameIn(addr string) string {
	host, _, _ := net.SplitHostPort(addr)
	if _, err := netip.ParseAddr(host); err == nil {
		return ""
	}
	return host
}

// reachable returns the address to open for a listener's: a server on all addresses of the
// machine is reached as localhost.
func reachable(a net.Addr) string {
	if tcp, ok := a.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
	}
	return a.String()
}
