package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
)

// A request is the input of the subprocess, one JSON document on its standard input.
type request struct {
	Spec    ask.Measure `json:"spec"`
	Backend string      `json:"backend"`
	// Folders may hold cuBLAS.
	Folders []string `json:"folders"`
	// First is the GPU to begin with. Only are the GPUs to measure; nil means all.
	First int   `json:"first"`
	Only  []int `json:"only"`
	// CopyBytes limits the size of a copy. If 0, the subprocess chooses.
	CopyBytes uint64 `json:"copy_bytes"`
	// Hurry shortens warming up and timing to a twentieth, for tests.
	Hurry bool `json:"hurry"`
}

// A line is a JSON document on a line of standard output. One without fields means that
// the subprocess is alive.
type line struct {
	// GPUs is how many GPUs CUDA lists, in the first line.
	GPUs *int `json:"gpus,omitempty"`
	// Begin is the GPU that is measured now.
	Begin *int             `json:"begin,omitempty"`
	Done  *report.Measured `json:"done,omitempty"`
	// Fault is why nothing can be measured.
	Fault *fault `json:"fault,omitempty"`
	// End is the last line.
	End bool `json:"end,omitempty"`
}

// A fault is why something was not measured.
type fault struct {
	// Why is one of the Why codes of package report, Detail the explanation.
	Why    string `json:"why"`
	Detail string `json:"detail"`
}

func (f *fault) Error() string { return f.Detail }

// A resultWriter writes lines.
type resultWriter struct{ w io.Writer }

// errUnread means that the results are no longer read, so measuring can stop.
var errUnread = errors.New("the results are no longer read")

// write writes a line. Its only error is [errUnread].
func (t resultWriter) write(l line) error {
	if json.NewEncoder(t.w).Encode(l) != nil {
		return errUnread
	}
	return nil
}

// keepAlive shows that the subprocess is alive.
func (t resultWriter) keepAlive() error { return t.write(line{}) }

func readRequest(r io.Reader) (q request, err error) {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(&q); err != nil {
		return q, fmt.Errorf("the request cannot be read: %w", err)
	}
	return q, nil
}
