package sitefile

import (
	"bytes"
	"fmt"
	"io/fs"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// maxFile bounds the size of gpudocs.toml and of a bibliography, in bytes.
const maxFile = 64 << 20

// ReadFile reads a regular file. Reading a named pipe would never end.
func ReadFile(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return nil, diag.Say("report.file-not-regular")
	case err == nil && info.Size() > maxFile: // checked before it is read
		return nil, diag.Say("config.content-file-too-large", "most", maxFile>>20)
	}
	return fs.ReadFile(fsys, name)
}

// InvalidUTF8 reports the first byte that is not valid UTF-8.
func InvalidUTF8(f *diag.File) (diag.Diagnostic, bool) {
	if utf8.Valid(f.Data) {
		return diag.Diagnostic{}, false
	}
	at := 0
	for at < len(f.Data) {
		r, n := utf8.DecodeRune(f.Data[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return f.Error(at, at+1, diag.Say("page.utf8-invalid", "data", fmt.Sprintf("%02x", f.Data[at])).WithHint(diag.Say("page.utf8-hint"))), true
}

// MaxPage bounds a Markdown file, in bytes. A notebook may be larger, because it contains images.
const MaxPage = 16 << 20

// WithoutBOM removes the byte order mark that some editors write.
func WithoutBOM(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\ufeff")) }
