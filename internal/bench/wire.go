package bench

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/gpudocs/gpudocs/internal/measure"
	"github.com/gpudocs/gpudocs/internal/report"
)

// A request is what the child is asked, one JSON document on its standard input.
type request struct {
	Spec    measure.Spec `json:"spec"`
	Backend string       `json:"backend"`
	// Folders may hold cuBLAS and a BLAS of the processor.
	Folders []string `json:"folders"`
	// First is the GPU to begin with, Only those to measure, nil all.
	First int   `json:"first"`
	Only  []int `json:"only"`
	// CopyBytes bounds the size of a copy, 0 leaves it to the child.
	CopyBytes uint64 `json:"copy_bytes"`
	// Hurry shortens warming up and timing to a twentieth, for tests.
	Hurry bool `json:"hurry"`
	// CPU asks for the product on the processor in place of the GPUs.
	CPU bool `json:"cpu"`
}

// A line is what the child has to say, a JSON document on a line of standard
// output. One without a field says that it is at work.
type line struct {
	// GPUs is how many CUDA shows, the first line of a child that measures them.
	GPUs *int `json:"gpus,omitempty"`
	// Begin is the GPU that is measured now.
	Begin *int                `json:"begin,omitempty"`
	Done  *report.Measured    `json:"done,omitempty"`
	CPU   *report.MeasuredCPU `json:"cpu,omitempty"`
	// Fault is why there is nothing to measure with.
	Fault *fault `json:"fault,omitempty"`
	// End is the last line.
	End bool `json:"end,omitempty"`
}

// A fault is why something was not measured.
type fault struct {
	// Why is one of the Why codes of package report, Detail the words for it.
	Why    string `json:"why"`
	Detail string `json:"detail"`
}

func (f *fault) Error() string { return f.Detail }

// A teller writes lines.
type teller struct{ w io.Writer }

func (t teller) say(l line) error { return json.NewEncoder(t.w).Encode(l) }

// alive says that the work goes on.
func (t teller) alive() error { return t.say(line{}) }

func readRequest(r io.Reader) (q request, err error) {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(&q); err != nil {
		return q, fmt.Errorf("the request cannot be read: %w", err)
	}
	return q, nil
}
