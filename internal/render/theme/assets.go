package theme

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/css"
	"github.com/tdewolff/minify/v2/js"
)

// AssetDir is where the theme's files are published, below a folder whose name depends on their
// contents: a page never uses the style of another version from a cache.
const AssetDir = "_theme"

const styleFile = "style.css"

// AssetName returns the name of a theme's file in a folder, from its name in the folder of any
// version.
func AssetName(folder, name string) (now string, ok bool) {
	rest, ok := strings.CutPrefix(name, AssetDir+"/")
	_, rest, within := strings.Cut(rest, "/")
	return folder + rest, ok && within
}

// assetsOf reads all assets and returns the folder in which they are published.
func assetsOf(files fs.FS, o CompileOptions) (assets map[string][]byte, folder string, err error) {
	if assets, err = readAssets(files, o); err != nil {
		return nil, "", err
	}
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(assets)) {
		fmt.Fprintf(h, "%s %d\n", name, len(assets[name]))
		h.Write(assets[name])
	}
	return assets, path.Join(AssetDir, hex.EncodeToString(h.Sum(nil))[:8]) + "/", nil
}

// readAssets returns the assets by their published names. A folder named like a file, style.css/, is
// that file in parts: they are joined in the order of their names, so that a theme may replace a part
// of the default theme's, or add one. The joined file is minified. A file of that name replaces all parts.
func readAssets(files fs.FS, o CompileOptions) (map[string][]byte, error) {
	assets := maps.Clone(o.Generated)
	if assets == nil {
		assets = map[string][]byte{}
	}
	names, err := filesBelow(files, "assets")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFault, err)
	}
	joined := map[string]bool{}
	for _, name := range names {
		to := strings.TrimPrefix(name, "assets/")
		whole := path.Dir(to)
		part := path.Ext(whole) != "" && path.Ext(whole) == path.Ext(to)
		if part && slices.Contains(names, "assets/"+whole) {
			continue
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrFault, err)
		}
		if !part {
			assets[to] = data
			continue
		}
		joined[whole] = true
		if had := assets[whole]; had != nil && !bytes.HasSuffix(had, []byte("\n")) {
			data = slices.Concat([]byte("\n"), data)
		}
		styled := whole != styleFile || assets[whole] != nil
		assets[whole] = slices.Concat(assets[whole], data) // names are sorted
		if !styled {
			assets[whole] = slices.Concat(assets[whole], []byte(o.Style))
		}
	}
	if slices.Contains(names, "assets/"+styleFile) {
		assets[styleFile] = slices.Concat(assets[styleFile], []byte(o.Style))
	}
	for name := range joined {
		assets[name] = minified(name, assets[name])
	}
	return assets, nil
}

// minified returns a style sheet or a script without what browsers do not need. One with a mistake stays as it is.
func minified(name string, data []byte) []byte {
	var b bytes.Buffer
	err := errors.ErrUnsupported
	switch path.Ext(name) {
	case ".css":
		err = css.Minify(minify.New(), &b, bytes.NewReader(data), nil)
	case ".js":
		err = js.Minify(minify.New(), &b, bytes.NewReader(data), nil)
	}
	if err != nil {
		return data
	}
	return b.Bytes()
}
