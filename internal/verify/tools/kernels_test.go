package tools

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// TestProbeKernel checks what is said of kernels that this machine lacks, and of one that never answers.
func TestProbeKernel(t *testing.T) {
	venv := os.Getenv("GPUDOCS_TEST_VENV")
	if venv == "" {
		t.Skip("GPUDOCS_TEST_VENV names no environment with jupyter_client")
	}
	kernels := t.TempDir()
	for name, spec := range map[string]string{
		"hangs": `{"argv": ["sleep", "600"], "display_name": "Hangs", "language": "x"}`,
		"empty": `{"display_name": "Empty", "language": "x"}`,
		"words": `{"argv": [], "display_name": "Words", "language": "x"}`,
		"env":   `{"argv": ["sleep"], "env": {"A": 1}, "display_name": "Env", "language": "x"}`,
		"lost":  `{"argv": ["no-such-program"], "display_name": "Lost", "language": "x"}`,
	} {
		dir := filepath.Join(kernels, "kernels", name)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "kernel.json"), []byte(spec), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("JUPYTER_PATH", kernels)
	defer func(limit time.Duration) { kernelTimeout = limit }(kernelTimeout)
	for _, c := range [][2]string{
		{"lost", "no-such-program"}, {"none", "kernel: none"},
		{"empty", "kernel: empty: kernel.json: argv"}, {"words", "kernel: words: kernel.json: argv"},
		{"env", "kernel: env: kernel.json: env"},
		{"hangs", "kernel-start: hangs"},
	} {
		if c[0] == "hangs" { // the list of kernels takes part of the time too, seconds on a busy machine
			kernelTimeout = 8 * time.Second
		}
		i := Interpreter{Kind: session.Jupyter, Path: filepath.Join(venv, "bin", "python"), Kernel: c[0]}
		if missing, name := i.probeKernel(t.Context()); missing.Error() != "no-interpreter: "+c[1] || name != "" {
			t.Errorf("%s: missing %q, name %q", c[0], missing, name)
		}
	}
}
