package kernels

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/test/programtest"
)

// TestPTX compares the table with the PTX that the driver gets.
func TestPTX(t *testing.T) {
	t.Parallel()
	for _, k := range All() {
		text := string(k.PTX())
		_, entry, ok := strings.Cut(text, ".visible .entry "+k.Name+"(")
		if !ok {
			t.Errorf("%s has no entry %s", k.File, k.Name)
			continue
		}
		head, body, _ := strings.Cut(entry, "{")
		if got := regexp.MustCompile(`\.param \.(\w+)`).FindAllString(head, -1); fmt.Sprint(got) != "[.param .u64 .param .u64 .param .u64 .param .u32 .param .u32 .param .u32]" {
			t.Errorf("%s has the parameters %v", k.Name, got)
		}
		for _, want := range []string{fmt.Sprintf(".maxntid %d, 1, 1", k.Threads), ".minnctapersm 2"} {
			if !strings.Contains(head, want) {
				t.Errorf("%s, want %s:\n%s", k.Name, want, head)
			}
		}
		if want := fmt.Sprintf(".target sm_%d\n", k.MinCompute); !strings.Contains(text, want) {
			t.Errorf("%s is not for %s", k.File, want)
		}
		body, _, _ = strings.Cut(body, "\n}")
		if strings.Contains(body, ".local") || strings.Contains(body, "call") {
			t.Errorf("%s uses local memory or calls a function", k.Name)
		}
		if k.Shared > 48<<10 {
			t.Errorf("%s wants %d bytes of shared memory, more than the default limit of a kernel", k.Name, k.Shared)
		}
	}
}

// TestSize: the program contains the PTX of all kernels, within a limit of size.
func TestSize(t *testing.T) {
	t.Parallel()
	var size int64
	files, err := fs.ReadDir(ptx, "ptx")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !slices.ContainsFunc(table, func(k Kernel) bool { return k.File == f.Name() }) {
			t.Errorf("%s has no kernel", f.Name())
		}
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	if size > 300_000 {
		t.Errorf("%d bytes of PTX", size)
	}
}

func TestChoose(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		compute int
		dtype   string
		m, n, k int
		want    string
	}{
		{50, "fp32", 4096, 4096, 4096, "sgemm_sm50"},
		{75, "fp32", 4096, 4096, 4096, "sgemm_sm50"},
		{80, "fp32", 4096, 4096, 4096, "sgemm_sm80"},
		{120, "fp32", 10000, 10000, 10000, "sgemm_sm80"},
		{90, "fp32", 4095, 4095, 4095, "sgemm_any_sm80"},
		{61, "fp32", 128, 130, 128, "sgemm_any_sm50"},
		{61, "fp32", 128, 128, 130, "sgemm_any_sm50"},
		{61, "fp32", 130, 128, 128, "sgemm_sm50"},
		{75, "fp16", 4096, 4096, 4096, "gemm_fp16_sm70"},
		{86, "fp16", 1, 1, 1, "gemm_fp16_sm80"},
		{90, "bf16", 4096, 4096, 4096, "gemm_bf16_sm80"},
		{90, "tf32", 65536, 65536, 65536, "gemm_tf32_sm80"},
		{61, "fp16", 8, 8, 8, "no kernel for fp16 on compute capability 6.1: it needs 7.0"},
		{75, "bf16", 8, 8, 8, "no kernel for bf16 on compute capability 7.5: it needs 8.0"},
		{37, "fp32", 8, 8, 8, "no kernel for fp32 on compute capability 3.7: it needs 5.0"},
		{90, "fp64", 8, 8, 8, "no kernel for fp64 of 8 x 8 x 8; there are fp32, tf32, fp16, bf16 up to 1048576"},
		{90, "fp32", 0, 8, 8, "no kernel for fp32 of 0 x 8 x 8; there are fp32, tf32, fp16, bf16 up to 1048576"},
	} {
		k, err := Choose(c.compute, c.dtype, c.m, c.n, c.k)
		got := k.Name
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%d %s %d x %d x %d: got %s, want %s", c.compute, c.dtype, c.m, c.n, c.k, got, c.want)
		}
	}
}

func TestGrid(t *testing.T) {
	t.Parallel()
	k, err := Choose(80, "fp32", 129, 128, 8)
	if err != nil || k.Grid(129, 128) != 2 || k.Grid(65536, 65536) != 512*512 || k.Grid(1, 1) != 1 {
		t.Error(k, err)
	}
}

// TestGenerated: the PTX is what clang generates from the sources.
func TestGenerated(t *testing.T) {
	t.Parallel()
	programtest.Need(t, "clang-19")
	source, err := os.ReadFile("generate.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^//go:generate ptx (\d+ \d+ \S+) ptx/(\S+)(.*)$`).FindAllStringSubmatch(string(source), -1)
	generated := t.TempDir()
	for _, l := range lines {
		arguments := append([]string{"src/ptx.sh"}, strings.Fields(l[1])...)
		arguments = append(append(arguments, filepath.Join(generated, l[2])), strings.Fields(l[3])...)
		if out, err := exec.Command("sh", arguments...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", arguments, err, out)
		}
	}
	files, err := fs.Glob(ptx, "ptx/*")
	if err != nil || len(files) != len(lines) {
		t.Fatal(len(files), "files and", len(lines), "lines in generate.go", err)
	}
	for _, f := range files {
		want, err := fs.ReadFile(ptx, f)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(generated, filepath.Base(f))); err != nil || string(got) != string(want) {
			t.Errorf("%s is not what clang generates from src; run go generate in internal/machine/cuda/kernels (%v)", f, err)
		}
	}
}
