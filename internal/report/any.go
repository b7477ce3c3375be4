package report

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// ReadFile reads a report whose file may have any name: a copy, or the older
// version of one. An error is a [github.com/gpudocs/gpudocs/internal/text/diag.Diagnostic] where the
// content is at fault.
func ReadFile(file string) (*Report, error) {
	abs, err := filepath.Abs(file) // of "../" it makes a name that an fs.FS takes
	if err != nil {
		return nil, err
	}
	data, err := readFile(os.DirFS(filepath.Dir(abs)), filepath.Base(abs))
	if err != nil {
		return nil, err
	}
	return ParseAny(file, data)
}

// ParseAny reads a report from bytes that come from anywhere; label says where
// in an error.
func ParseAny(label string, data []byte) (*Report, error) {
	var head struct{ Machine struct{ Name string } }
	_ = json.Unmarshal(data, &head) // Parse says what is wrong with it
	return ParseAs(label, head.Machine.Name, data)
}
