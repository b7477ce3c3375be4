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
	Slurm SlurmFlags
	// live is the progress line on the terminal, or nil.
	live atomic.Pointer[terminal.Line]
	// Outlets are who else is told of a run, or nil.
	Outlets *outlets
}

// LanguageFlag goes before the locale. By it a run on another machine, or on a node,
// speaks the language of who started it.
const LanguageFlag = "language"

func (a *Env) Speak(code string) error {
	spoken := text.FromEnv(func(string) string { return code })
	if primary(spoken) != primary(strings.ToLower(code)) {
		return diag.Say("cli.gpudocs-speaks-pt")
	}
	a.Text = CatalogOf(spoken)
	return nil
}

// Path returns a path below the site's folder.
func (a *Env) Path(parts ...string) string {
	return filepath.Join(append([]string{a.Site}, parts...)...)
}
