package kernels

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// buildTrace is build with testdata/trace.c, which records each access to shared memory.
func buildTrace(t *testing.T, src string) string {
	t.Helper()
	cc := compiler(t)
	dir := t.TempDir()
	program := filepath.Join(dir, "trace")
	for _, arguments := range [][]string{
		{"-c", "-DTRACE", "-fsanitize=thread", "-I" + src, "-o", filepath.Join(dir, "check.o"), "testdata/check.c"},
		{"-o", program, filepath.Join(dir, "check.o"), "testdata/trace.c", "-lm"},
	} {
		out, err := exec.Command(cc, append([]string{"-std=gnu11", "-O1"}, arguments...)...).CombinedOutput()
		if strings.Contains(string(out), "-fsanitize=thread") {
			t.Skipf("the C compiler cannot trace accesses: %s", out)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return program
}

// trace runs a kernel for one whole block, so that no other block uses its shared memory, and
// with a shape for which it fetches elements one by one.
func trace(program string, k Kernel) error {
	wmma := k.MinCompute == 70
	if k.Multiple > 1 || !strings.HasPrefix(k.Name, "sgemm") {
		if err := check(program, k, [3]int{k.TileM, k.TileN, 5 * k.TileK}, racesOnly(wmma)...); err != nil {
			return err
		}
	}
	if k.Multiple > 1 {
		return check(program, k, [3]int{132, 60, 36})
	}
	return check(program, k, [3]int{127, 129, 65}, racesOnly(true)...)
}

func racesOnly(yes bool) []string {
	if yes {
		return append(os.Environ(), "RACES_ONLY=1")
	}
	return nil
}

// TestSharedMemory: no kernel lacks a barrier, whatever the order of its threads, and none has
// bank conflicts.
func TestSharedMemory(t *testing.T) {
	t.Parallel()
	program := buildTrace(t, "src")
	for _, k := range All() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			if err := trace(program, k); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestSharedMemorySees(t *testing.T) {
	t.Parallel()
	try(t, []mutation{
		{true, "sgemm.c", "(TILE + 4)", "(TILE + 0)", "sgemm_sm50", "bank conflict"},
		{false, "sgemm.c", "(TILE + 4)", "(TILE + 0)", "sgemm_sm80", "bank conflict"},
		{false, "tensor.c", "(chunk ^ (row >> 1 & 3))", "chunk", "gemm_bf16_sm80", "bank conflict"},
		{true, "tensor.c", "(chunk ^ (k & 3) * 2)", "chunk", "gemm_tf32_sm80", "bank conflict"},
		{false, "tensor.c", "#define C_PITCH (TILE + 8)", "#define C_PITCH TILE", "gemm_fp16_sm80", "bank conflict"},
		{true, "sgemm_async.h", "barrier();", "", "sgemm_sm80", "no barrier after a "},
		{false, "tensor.c", "\t\tbarrier();\n\t\tUNROLL", "UNROLL", "gemm_fp16_sm80", "no barrier after a "},
		{false, "wmma.c", "own, sum, 16);\n\tbarrier_warp();", "own, sum, 16);", "gemm_fp16_sm70", "no barrier after a write"},
	}, func(t *testing.T, src string, m mutation, k Kernel) {
		if err := trace(buildTrace(t, src), k); err == nil || !strings.Contains(err.Error(), m.want) {
			t.Errorf("%s is not detected: %v", m.want, err)
		}
	})
}
