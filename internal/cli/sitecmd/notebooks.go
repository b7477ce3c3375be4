package sitecmd

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
)

// writeNotebooks writes the notebooks of all pages into a folder. It leaves other files there, and does not write a
// notebook that is unchanged.
func (b *builder) writeNotebooks() error {
	l := &b.loaded
	all, written := l.Render.Notebooks, 0
	if l.Content.Config.Launch == nil { // else they are among those of the site
		l.Diags = append(l.Diags, all.Diags...).Sorted()
	}
	for _, n := range all.List {
		data, err := n.Make()
		if err != nil {
			return err
		}
		file := filepath.Join(b.notebooks, filepath.FromSlash(n.Name))
		if before, err := os.ReadFile(file); err == nil && bytes.Equal(before, data) {
			continue
		}
		if err = os.MkdirAll(filepath.Dir(file), 0o755); err == nil {
			err = atomicfile.Write(file, data, 0o644)
		}
		if err != nil {
			return unwritten(err)
		}
		written++
	}
	number, changed := b.Text.Count("notebooks", len(all.List)), b.Text.Count("changed_files", written)
	b.Println(b.Text.Get("notebooks_written", "notebooks", number, "folder", b.notebooks, "changed", changed))
	return nil
}
