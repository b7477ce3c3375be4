package sitecmd

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown/importer"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// readCall matches a call that reads a file by its path: open("data/a.csv"), pd.read_csv('a.csv'). Group 2 is
// a mode.
var readCall = lazyregexp.New(`\b(?:open|read\w*|load\w*|imread|genfromtxt|fromfile|memmap|File|Path)\(` +
	`\s*[rb]?["']((?:[\w-][\w.-]*/)*[\w-][\w.-]*\.\w{1,8})["'](?:\s*,\s*(?:mode\s*=\s*)?["']([a-z+]{1,3})["'])?`)

// dataFiles returns the files below the folder of a notebook that its code reads by a literal path,
// relative to that folder.
func (t *importTree) dataFiles(name string, r importer.Result) (files []string) {
	if !importer.IsNotebook(name) {
		return nil
	}
	for _, m := range readCall.FindAllStringSubmatch(string(r.Data), -1) {
		file, mode := m[1], m[2]
		info, err := os.Lstat(filepath.Join(t.root, filepath.FromSlash(path.Join(path.Dir(name), file))))
		copied := err == nil && info.Mode().IsRegular() && info.Size() <= site.MaxCopied && !isPage(file)
		if copied && !strings.ContainsAny(mode, "wax+") && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	return files
}

// nameFiles names files in the front matter of a page, so that its sessions get them. It returns a hint
// instead if the page has front matter already.
func nameFiles(page []byte, files []string) ([]byte, diag.Text) {
	list := `["` + strings.Join(files, `", "`) + `"]`
	if bytes.HasPrefix(page, []byte("---")) {
		return page, diag.Say("import.data-front-matter-hint", "list", list)
	}
	eol := "\n"
	if bytes.Contains(page, []byte("\r\n")) {
		eol = "\r\n"
	}
	return append([]byte(strings.Join([]string{"---", "blocks:", "  files: " + list, "---", "", ""}, eol)), page...), diag.Text{}
}
