package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// themeDir is where the theme's files are published, below a name made of what
// they hold: a page never meets the style of another version in a cache.
const themeDir = "_theme"

const styleFile = "style.css"

// planTheme makes the theme's assets. A folder named like a file, style.css/, is that file
// in parts: they are joined in the order of their names, so that a theme may
// replace one part of the default's, or add its own. A whole file takes the place of all parts.
func (s *Site) planTheme() error {
	if s.parsed.assets == nil {
		if err := s.readAssets(); err != nil {
			return err
		}
	}
	for name, data := range s.parsed.assets {
		s.files[s.parsed.folder+name] = func(*Site) ([]byte, error) { return data, nil }
	}
	return nil
}

func (s *Site) readAssets() error {
	assets, err := s.themeAssets()
	if err != nil {
		return err
	}
	names := make([]string, 0, len(assets))
	for name := range assets {
		names = append(names, name)
	}
	slices.Sort(names)
	h := sha256.New()
	for _, name := range names {
		fmt.Fprintf(h, "%s %d\n", name, len(assets[name]))
		h.Write(assets[name])
	}
	s.parsed.folder, s.parsed.assets = path.Join(themeDir, hex.EncodeToString(h.Sum(nil))[:8])+"/", assets
	return nil
}

// Asset names a theme's file as it is published now, by the name that another site of the
// same theme may have given it.
func (s *Site) Asset(name string) (now string, ok bool) {
	rest, ok := strings.CutPrefix(name, themeDir+"/")
	_, rest, within := strings.Cut(rest, "/")
	return s.assets + rest, ok && within
}

// themeAssets reads all, by their published names.
func (s *Site) themeAssets() (map[string][]byte, error) {
	css, err := stylesheet()
	if err != nil {
		return nil, err
	}
	assets := map[string][]byte{"chroma.css": css}
	names, err := filesBelow(s.theme, "assets")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTheme, err)
	}
	for _, name := range names {
		to := strings.TrimPrefix(name, "assets/")
		whole := path.Dir(to)
		part := path.Ext(whole) != "" && path.Ext(whole) == path.Ext(to)
		if part && slices.Contains(names, "assets/"+whole) {
			continue
		}
		data, err := fs.ReadFile(s.theme, name)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrTheme, err)
		}
		if !part {
			assets[to] = data
			continue
		}
		if path.Ext(whole) == ".js" {
			data = withoutComments(data)
		}
		if had := assets[whole]; had != nil && !bytes.HasSuffix(had, []byte("\n")) {
			data = slices.Concat([]byte("\n"), data)
		}
		styled := whole != styleFile || assets[whole] != nil
		assets[whole] = slices.Concat(assets[whole], data) // names are sorted
		if !styled {
			assets[whole] = slices.Concat(assets[whole], []byte(s.options.Style))
		}
	}
	if slices.Contains(names, "assets/"+styleFile) {
		assets[styleFile] = slices.Concat(assets[styleFile], []byte(s.options.Style))
	}
	return assets, nil
}

// withoutComments leaves out what a browser has no use for: the lines that are comments, and what lines begin
// with. A script with a text of several lines stays as it is.
func withoutComments(script []byte) []byte {
	if bytes.ContainsRune(script, '`') || bytes.Contains(script, []byte("\\\n")) {
		return script
	}
	var b []byte
	for line := range bytes.Lines(script) {
		if line = bytes.TrimLeft(line, " \t"); !bytes.HasPrefix(line, []byte("//")) {
			b = append(b, line...)
		}
	}
	return b
}
