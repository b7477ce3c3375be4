package kernels

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/test/programtest"
)

// compiler compiles the kernels for the CPU.
func compiler(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("not Linux, to run the kernels on the CPU")
	}
	programtest.Need(t, "cc")
	return "cc"
}

// build compiles the kernels of a folder for the CPU, with testdata/check.c. The optimization
// level is -O2 for a program that runs long, -O0 for one that runs a kernel or two.
func build(t *testing.T, src, level string) string {
	t.Helper()
	cc := compiler(t)
	program := filepath.Join(t.TempDir(), "check")
	out, err := exec.Command(cc, "-std=gnu11", level, "-Wall", "-Wextra", "-Werror", "-I"+src, "-o", program, "testdata/check.c", "-lm").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// check runs a kernel on matrices of one shape.
func check(program string, k Kernel, shape [3]int, env ...string) error {
	cmd := exec.Command(program, k.Name, k.DType, fmt.Sprint(shape[0]), fmt.Sprint(shape[1]), fmt.Sprint(shape[2]))
	cmd.Env = env
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s, %v: %w\n%s", k.Name, shape, err, out)
	}
	return nil
}

// shapes are the tested values of m, n, k of a kernel.
func shapes(k Kernel) [][3]int {
	all := [][3]int{
		{1, 1, 1}, {1, 1, 0}, {128, 128, 8}, {127, 129, 65}, {257, 64, 31}, {64, 257, 33}, {1, 300, 7}, {300, 1, 9},
		{5, 3, 2049}, {128, 128, 127}, {129, 132, 20}, {61, 72, 136}, {9 * 128, 130, 3},
		{k.TileM, k.TileN, k.TileK}, {k.TileM, 2 * k.TileN, 2 * k.TileK}, {2 * k.TileM, k.TileN, 5 * k.TileK}, {k.TileM, k.TileN, 256},
	}
	return slices.DeleteFunc(all, func(s [3]int) bool { return !k.Fits(s[0], s[1], s[2]) })
}

// TestHost runs the kernels' source on the CPU, where an access outside of a matrix ends the
// process, in several orders of threads: the results are correct, and the same.
func TestHost(t *testing.T) {
	t.Parallel()
	program := build(t, "src", "-O2")
	for _, k := range All() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			for _, shape := range shapes(k) {
				if err := check(program, k, shape); err != nil {
					t.Error(err)
				}
			}
		})
	}
	t.Run("table", func(t *testing.T) { checkTable(t, program) })
}

// checkTable checks that a fake libcuda reads the same table of kernels as Go callers.
func checkTable(t *testing.T, program string) {
	out, err := exec.Command(program, "list").Output()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		got[strings.TrimSpace(line)] = true
	}
	for _, k := range All() {
		if line := fmt.Sprintln(k.Name, k.Threads, k.Shared, k.TileM, k.TileN); !got[strings.TrimSpace(line)] {
			t.Errorf("no line %sin\n%s", line, out)
		}
	}
	if len(got) != len(table) {
		t.Errorf("%d kernels on the host, %d in the table", len(got), len(table))
	}
}

// A mutation is a change of the sources that makes a kernel wrong. Uncommon ones only run in
// .ci/long.
type mutation struct {
	common             bool
	file, old, changed string
	kernel             string
	want               string // the expected error
}

// try runs a test for each mutation.
func try(t *testing.T, mutations []mutation, sees func(t *testing.T, src string, m mutation, k Kernel)) {
	t.Helper()
	for _, m := range mutations {
		if !m.common && os.Getenv("GPUDOCS_LONG") == "" {
			continue
		}
		i := slices.IndexFunc(All(), func(k Kernel) bool { return k.Name == m.kernel })
		if i < 0 {
			t.Fatalf("no kernel is %s", m.kernel)
		}
		t.Run(m.kernel+" "+m.old, func(t *testing.T) {
			t.Parallel()
			sees(t, mutant(t, m.file, m.old, m.changed), m, All()[i])
		})
	}
}

// TestHostSees checks that a wrong kernel is detected. See also [TestSharedMemorySees].
func TestHostSees(t *testing.T) {
	t.Parallel()
	try(t, []mutation{
		{false, "sgemm_sync.h", "\t\tbarrier();", "", "sgemm_sm50", ""},
		{true, "sgemm_sync.h", "row < m &&", "(row < m || 1) &&", "sgemm_sm50", ""},
		{false, "sgemm_sync.h", "column < n &&", "(column < n || 1) &&", "sgemm_any_sm50", ""},
		{true, "sgemm_async.h", "cp_async_wait(STAGES - 2)", "cp_async_wait(STAGES - 1)", "sgemm_sm80", ""},
		{false, "sgemm_async.h", "v->a_left && row < v->a_rows", "row < v->a_rows", "sgemm_any_sm80", ""},
		{true, "sgemm.c", "#define STAGES 4", "#define STAGES 5", "sgemm_sm80", ""},
		{true, "sgemm.c", "r >= m || ", "(r >= m && 0) || ", "sgemm_any_sm50", ""},
		{false, "tile.h", "first + in_group", "in_group", "sgemm_any_sm50", ""},
		{false, "tensor.c", "cp_async_wait(STAGES - 2);\n", "cp_async_wait(STAGES - 1);\n", "gemm_fp16_sm80", ""},
		{false, "tensor.c", "\tcp_async_wait(0);", "", "gemm_bf16_sm80", ""},
		{false, "tensor.c", "o->b[i][1] = b[1]", "o->b[i][1] = b[2]", "gemm_fp16_sm80", ""},
		{true, "tensor.c", "(v + 0x1000)", "v", "gemm_tf32_sm80", ""},
		{false, "tensor.c", " & ~0x1fffu", "", "gemm_tf32_sm80", ""},
		{false, "tensor.c", "row < v->a_rows ? v->a_left : 0", "v->a_left", "gemm_fp16_sm80", ""},
		{true, "wmma.c", "\t\tbarrier();\n\t}", "}", "gemm_fp16_sm70", ""},
	}, func(t *testing.T, src string, _ mutation, k Kernel) {
		program := build(t, src, "-O0")
		if !slices.ContainsFunc(shapes(k), func(shape [3]int) bool { return check(program, k, shape) != nil }) {
			t.Error("the wrong kernel was not detected")
		}
	})
}

// mutant copies the sources with one change.
func mutant(t *testing.T, file, was, becomes string) string {
	t.Helper()
	src := t.TempDir()
	if err := os.CopyFS(src, os.DirFS("src")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(src, file)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(text), was) != 1 {
		t.Fatalf("%s does not hold %q once", file, was)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), was, becomes, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	return src
}
