package theme

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/themes"
)

// TestLinks checks that a symbolic link of a theme never publishes a hidden file, and that files that cannot be
// published are reported by name.
func TestLinks(t *testing.T) {
	t.Parallel()
	link := func(to string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink} }
	site := fstest.MapFS{
		".git/config": {Data: []byte("token\n")}, "logo.svg": {Data: []byte("<svg/>")},
		"themes/a/assets/logo.svg":   link("../../../logo.svg"),
		"themes/a/assets/token.txt":  link("../../../.git/config"),
		"themes/a/assets/folder":     link("../../../.git"),
		"themes/a/layouts/gone.html": link("nothing.html"),
		"themes/a/i18n/pipe":         {Mode: fs.ModeNamedPipe},
	}
	_, diags := Open(site, "a", themes.Default(), "1.0")
	var got []string
	for _, d := range diags.Sorted() {
		got = append(got, d.Error())
	}
	want := `themes/a/assets/folder: error: a symbolic link to a folder is not followed
themes/a/assets/token.txt: error: a symbolic link to .git/config, which is hidden, and is not shown
themes/a/i18n/pipe: error: cannot be read: it is not a regular file
themes/a/layouts/gone.html: error: cannot be read: file does not exist`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}
