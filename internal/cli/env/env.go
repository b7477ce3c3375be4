// Package env is what a command runs in: its streams, the language of its reader, the folder that --site names, and how text,
// diagnostics and the progress of work are shown on a terminal.
//
// Commands get an [Env] and nothing global, so that a test can run them on its own streams.
package env

import (
	"errors"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// Env is what all commands share.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	stdout         *output // as it was at the start
	// Text has the texts of the terminal's language.
	Text text.Catalog
	Site string // --site
	// above is set if Site was found above the current folder, and this was not printed yet.
	above bool
	// live is the progress line on the terminal, or nil.
	live atomic.Pointer[terminal.Line]
	// Also gets the diagnostics that are printed. It may be nil.
	Also func(diag.List)
}

// New returns the environment of a command, in the language that the variables of the process ask for.
func New(stdin io.Reader, stdout, stderr io.Writer) *Env {
	out := &output{Writer: stdout}
	return &Env{Stdin: stdin, Stdout: out, Stderr: stderr, stdout: out, Text: text.Of(text.FromEnv(os.Getenv), "cli")}
}

// An output remembers the first error of a write. A closed pipe (show | head) is not an error.
type output struct {
	io.Writer
	failed atomic.Pointer[error]
}

func (o *output) Write(data []byte) (int, error) {
	n, err := o.Writer.Write(data)
	if err != nil && !errors.Is(err, syscall.EPIPE) {
		o.failed.CompareAndSwap(nil, &err)
	}
	return n, err
}

// Unwritten returns the error with which standard output could not be written, if any. So commands need not look at each write.
func (a *Env) Unwritten() error {
	if err := a.stdout.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// LanguageFlag overrides the locale. It is passed to a run on another machine or node, which then
// uses the language of the user who started it.
const LanguageFlag = "language"

// SetLanguage sets the language of the terminal.
func (a *Env) SetLanguage(code string) error {
	known := text.FromEnv(func(string) string { return code })
	if primary(known) != primary(strings.ToLower(code)) {
		return diag.Say("cli.language-unknown")
	}
	a.Text = text.Of(known, "cli")
	return nil
}

// primary returns a language without its country.
func primary(code string) string {
	code, _, _ = strings.Cut(strings.ReplaceAll(code, "_", "-"), "-")
	return code
}

// FindSite looks for a site above the current folder if neither that nor --site has one.
func (a *Env) FindSite(c *cobra.Command) {
	if c.Flags().Changed("site") || c.Hidden {
		return
	}
	dir, err := project.Find()
	if err != nil {
		a.Warn(err)
	} else if dir != "" {
		a.Site, a.above = dir, true
	}
}

// Open opens the site's folder. It says once which one, if that is above the current folder.
func (a *Env) Open() (*project.Project, error) {
	p, err := project.Open(a.Site)
	if err != nil {
		return nil, err
	}
	if a.above {
		a.Warn(diag.Say("cli.site-above", "folder", a.Site))
	}
	a.above, p.Warn = false, a.Warn
	return p, nil
}
