package report

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// ReadFile reads a report from a file of any name: a copy, or an older version. If the
// content is invalid, the error is a
// [github.com/gpudocs/gpudocs/internal/text/diag.Diagnostic].
func ReadFile(file string) (*Report, error) {
	abs, err := filepath.Abs(file) // an fs.FS refuses "../"
	if err != nil {
		return nil, err
	}
	data, err := readFile(os.DirFS(filepath.Dir(abs)), filepath.Base(abs))
	if err != nil {
		return nil, err
	}
	return ParseAny(file, data)
}

// ParseAny parses the report of any machine. label names its origin in errors.
func ParseAny(label string, data []byte) (*Report, error) {
	var head struct{ Machine struct{ Name string } }
	_ = json.Unmarshal(data, &head) // ParseAs returns the error
	return ParseAs(label, head.Machine.Name, data)
}
