package report

import (
	"slices"
	"strings"
)

// upgrade converts a report of schema 1, as it was read, to the current schema.
func upgrade(r *Report) {
	r.Schema = Schema
	said := strings.TrimSuffix(r.Machine.GPU.Detail, "; nvidia-smi was not found")
	if slices.Contains([]string{"libnvidia-ml.so.1 cannot be loaded", "the driver sees no GPU", "CUDA sees no GPU"}, said) {
		said = "" // by gpudocs; the code says it
	}
	r.Machine.GPU.Detail = said
	for i := range r.Checks {
		c := &r.Checks[i]
		c.Asks = asked(c.Kind, c.Want)
		for _, why := range c.reasons() {
			why.upgrade(r.Machine.GPU)
		}
	}
}

// asked reports whether a line of a gpu block asked and demanded nothing, of which schema 1 has only the text.
func asked(kind, want string) bool {
	first, _, _ := strings.Cut(want, " ")
	return kind == KindGPU && want != "" && !strings.ContainsAny(want, "<>=!") && !slices.Contains([]string{"matmul", "memory", "copy"}, first)
}
