package theme

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"sync"

	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Compiled is a theme that is ready to make pages. It is safe for use by several goroutines.
type Compiled struct {
	// Warnings are about files of the theme that have no effect.
	Warnings diag.List
	// Assets are the files to publish, by their names below Folder.
	Assets map[string][]byte
	// Folder is where they are published. Its name depends on their contents.
	Folder string

	files     fs.FS
	key       string
	templates *template.Template
	texts     map[string]text.Catalog
}

// CompileOptions are the options of [Cache.Compile].
type CompileOptions struct {
	// Languages are the codes of the languages whose texts are read.
	Languages []string
	// Style is CSS from theme.toml, which is added after the first part of style.css.
	Style string
	// Generated are assets that are not files of the theme.
	Generated map[string][]byte
}

// A Cache has the theme that was compiled last. The zero value is empty.
type Cache struct {
	mu   sync.Mutex
	last *Compiled
}

// Compile reads and checks a theme. If the files and options are those of the last one, that is returned. An error is a
// [*Faults], or says that a file could not be read.
func (c *Cache) Compile(files fs.FS, o CompileOptions) (*Compiled, error) {
	key, err := hashOf(files, o.Languages, o.Style)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last != nil && err == nil && c.last.key == key {
		return c.last, nil
	}
	t := &Compiled{files: files, key: key}
	if t.templates, t.texts, t.Warnings = readTheme(files, o.Languages); t.Warnings.HasErrors() {
		return nil, &Faults{t.Warnings}
	}
	if t.Assets, t.Folder, err = assetsOf(files, o); err != nil {
		return nil, err
	}
	c.last = t
	return t, nil
}

// Text returns the interface texts of a language.
func (t *Compiled) Text(language string) text.Catalog { return t.texts[language] }

// HasTemplate reports whether the theme has a template.
func (t *Compiled) HasTemplate(name string) bool { return t.templates.Lookup(name) != nil }

// Execute returns the output of a template for data.
func (t *Compiled) Execute(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	err := t.ExecuteTo(&b, name, data)
	return b.Bytes(), err
}

// ExecuteTo appends the output of a template for data to a buffer, or nothing if there is an error.
func (t *Compiled) ExecuteTo(b *bytes.Buffer, name string, data any) error {
	size := b.Len()
	err := t.templates.ExecuteTemplate(b, name, data)
	if err == nil {
		return nil
	}
	b.Truncate(size)
	if errors.Is(err, ErrFault) {
		return err
	}
	return &Faults{diag.List{templateFault(t.files, err, t.templates, data)}}
}

// hashOf returns a hash of the names and contents of all files in all layers, and of the options.
func hashOf(theme fs.FS, codes []string, style string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q\n", codes, style)
	for _, layer := range layers(theme) {
		dir := ""
		if l, ok := layer.(Layer); ok {
			dir = l.Dir
		}
		fmt.Fprintf(h, "layer %q\n", dir)
		err := fs.WalkDir(layer, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(layer, name)
			fmt.Fprintf(h, "%q %d\n", name, len(data))
			h.Write(data)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return string(h.Sum(nil)), nil
}
