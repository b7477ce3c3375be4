package workspace

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
	"github.com/gpudocs/gpudocs/internal/render/diagram"
	"github.com/gpudocs/gpudocs/internal/render/highlight"
	"github.com/gpudocs/gpudocs/internal/render/tex"
)

// KeptFile is where this user's formulas, diagrams, colours of code or packed programs are kept
// between runs, or empty. It can be removed at any time.
func KeptFile(name string) string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "gpudocs", name)
}

const (
	formulasFile = "formulas.json"
	diagramsFile = "diagrams.json"
	coloursFile  = "colours"
	ProgramsDir  = "programs"
	// OutputsDir holds what outputs of builds were made of.
	OutputsDir = "outputs"
)

// Program identifies the code of this program: another program may make other files of the same site.
// It is empty if the program's file cannot be found.
func Program() string {
	file, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(file)
	if err != nil {
		return ""
	}
	return fmt.Sprint(file, info.Size(), info.ModTime().UnixNano())
}

// NewConverter converts formulas, and knows those of earlier runs.
func NewConverter() *tex.Converter {
	return tex.New(func() (io.ReadCloser, error) { return os.Open(KeptFile(formulasFile)) })
}

// NewDrawer draws diagrams, and knows those of earlier runs.
func NewDrawer() *diagram.Drawer {
	return diagram.New(func() (io.ReadCloser, error) { return os.Open(KeptFile(diagramsFile)) })
}

// NewHighlighter colours code, and knows that of earlier runs.
func NewHighlighter() *highlight.Highlighter {
	return highlight.New(func() ([]byte, error) { return readKept(coloursFile, highlight.MaxStored) })
}

// readKept reads such a file whole. One that is too large, or none at all, is not ours any more, and
// reading it might never end.
func readKept(name string, most int64) ([]byte, error) {
	file := KeptFile(name)
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > most {
		return nil, fs.ErrInvalid
	}
	return os.ReadFile(file)
}

// KeepColours writes what is known of code, as keep does, once pages are made.
func KeepColours(h *highlight.Highlighter) {
	if h.Fresh() {
		keepIn(coloursFile, h.Store)
	}
}

// Keep writes what was made of formulas and diagrams, for the next run. Without a
// place to write to, that run makes it again: nothing to bother anyone with.
func Keep(c *tex.Converter, d *diagram.Drawer) {
	if c.Fresh() {
		keepIn(formulasFile, c.Store)
	}
	if d.Fresh() {
		keepIn(diagramsFile, d.Store)
	}
}

func keepIn(name string, store func(io.Writer) error) {
	file := KeptFile(name)
	if file == "" || os.MkdirAll(filepath.Dir(file), 0o700) != nil {
		return
	}
	var b bytes.Buffer
	if store(&b) == nil {
		_ = atomicfile.Write(file, b.Bytes(), 0o644)
	}
}
