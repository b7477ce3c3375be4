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
	return parse(label, machineIn(data), data, false)
}

// ParseMixed is [ParseAny] for a version that was taken from between conflict markers. Git has merged the other lines one by one, so the runs of
// its checks may be those of another version.
func ParseMixed(label string, data []byte) (*Report, error) {
	return parse(label, machineIn(data), data, true)
}

func machineIn(data []byte) string {
	var head struct{ Machine struct{ Name string } }
	_ = json.Unmarshal(data, &head) // parse returns the error
	return head.Machine.Name
}
