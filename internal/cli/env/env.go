package env

import (
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// Env is what all commands share.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Text has the texts of the terminal's language.
	Text  Catalog
	Site  string // --site
	above bool   // Site was found above the current folder, and this was not printed yet
	Slurm SlurmFlags
	// live is the progress line on the terminal, or nil.
	live atomic.Pointer[terminal.Line]
	// Outputs get the events and results of a run too. They may be nil.
	Outputs *outputs
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
	a.Text = CatalogOf(known)
	return nil
}

// primary returns a language without its country.
func primary(code string) string {
	code, _, _ = strings.Cut(strings.ReplaceAll(code, "_", "-"), "-")
	return code
}

// Path returns a path below the site's folder.
func (a *Env) Path(parts ...string) string {
	return filepath.Join(append([]string{a.Site}, parts...)...)
}
