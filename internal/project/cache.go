package project

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/render/diagram"
	"github.com/gpudocs/gpudocs/internal/render/tex"
	"github.com/gpudocs/gpudocs/internal/site/picture"
)

// CacheFile returns a file of the user's cache folder, which holds formulas, diagrams, smaller images and packed
// programs between runs. It is empty if there is no such folder.
func CacheFile(name string) string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "gpudocs", name)
}

const (
	formulasFile = "formulas"
	diagramsFile = "diagrams"
	imagesFile   = "images"
)

// NewConverter returns a converter of formulas that knows those of earlier runs.
func NewConverter() *tex.Converter { return tex.New(cached(formulasFile)) }

// NewDrawer returns a drawer of diagrams that knows those of earlier runs.
func NewDrawer() *diagram.Drawer { return diagram.New(cached(diagramsFile)) }

// NewScaler returns a scaler of images that knows those of earlier runs.
func NewScaler() *picture.Scaler { return picture.NewScaler(cached(imagesFile)) }

// cached returns the function that reads a cached file whole. It does not read a file that is too large or not a
// regular file: no run has written it, and reading it might never end.
func cached(name string) func() ([]byte, error) {
	return func() ([]byte, error) {
		file := CacheFile(name)
		info, err := os.Stat(file)
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() || info.Size() > memo.MaxTable {
			return nil, fs.ErrInvalid
		}
		return os.ReadFile(file)
	}
}

// StoreDrawings writes converted formulas and drawn diagrams to the cache.
func StoreDrawings(c *tex.Converter, d *diagram.Drawer) {
	store(formulasFile, c)
	store(diagramsFile, d)
}

// StoreImages writes smaller images to the cache.
func StoreImages(s *picture.Scaler) { store(imagesFile, s) }

// store writes a cache to its file if it has something new. An error only costs the next run time, so it is not
// reported.
func store(name string, from interface {
	Fresh() bool
	Store(w io.Writer) error
}) {
	file := CacheFile(name)
	if !from.Fresh() || file == "" || os.MkdirAll(filepath.Dir(file), 0o700) != nil {
		return
	}
	var b bytes.Buffer
	if from.Store(&b) == nil {
		_ = atomicfile.Write(file, b.Bytes(), 0o644)
	}
}
