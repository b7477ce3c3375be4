//go:build linux && (amd64 || arm64) && !static

package cuda

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/test/programtest"
)

// integers returns n small integers, whose products and sums float32 holds exactly: one product
// too few or twice is seen.
func integers(r *rand.Rand, n int) []float32 {
	f := make([]float32, n)
	for i := range f {
		f[i] = float32(r.IntN(9) - 4)
	}
	return f
}

// upload copies numbers to the device, with spare bytes after them that are not numbers.
func upload(t *testing.T, c *Context, f []float32, spare int) *Memory {
	t.Helper()
	m := must[*Memory](t)(c.Alloc(uint64(4*len(f) + spare)))
	ok(t, m.Fill(0xff))
	ok(t, m.Write(0, bytesOf(f)))
	return m
}

func product(a, b []float32, m, n, k int) []float32 {
	c := make([]float32, m*n)
	for i := range m {
		for l := range k {
			for j := range n {
				c[i*n+j] += a[i*k+l] * b[l*n+j]
			}
		}
	}
	return c
}

// TestSGEMM runs the kernel's source on the CPU, in several orders of threads: results are exact,
// and nothing outside of the matrices is read or written.
func TestSGEMM(t *testing.T) {
	for _, order := range []string{"forward", "backward", "shuffled"} {
		t.Run(order, func(t *testing.T) {
			t.Parallel()
			child(t, "one", func(t *testing.T) {
				c := context(t)
				g := must[*SGEMM](t)(c.SGEMM())
				for i, s := range [][3]int{
					{1, 1, 1}, {128, 128, 8}, {127, 129, 65}, {257, 64, 31}, {64, 257, 33}, {1, 300, 7}, {300, 1, 9},
					{5, 3, 2049}, {129, 132, 20}, {61, 72, 136}, {9 * 128, 130, 3}, {128, 256, 16}, {256, 128, 40}, {64, 65, 64},
				} {
					m, n, k, spare := s[0], s[1], s[2], i%2*1024
					r := rand.New(rand.NewPCG(1, uint64(i)))
					A, B := integers(r, m*k), integers(r, k*n)
					a, b, to := upload(t, c, A, spare), upload(t, c, B, spare), upload(t, c, make([]float32, m*n), spare)
					ok(t, to.Fill(0xff))
					ok(t, g.Multiply(m, n, k, a, b, to))
					got := make([]byte, to.Size())
					ok(t, to.Read(0, got))
					if !bytes.Equal(got[:4*m*n], bytesOf(product(A, B, m, n, k))) {
						t.Errorf("%v: the product is wrong", s)
					}
					if bytes.Count(got[4*m*n:], []byte{0xff}) != spare {
						t.Errorf("%v: something was written after C", s)
					}
					for _, memory := range []*Memory{a, b, to} {
						ok(t, memory.Free())
					}
				}
				ok(t, c.Close())
			}, "FAKE_CUDA_ORDER="+order)
		})
	}
}

func TestSGEMMRefuses(t *testing.T) {
	child(t, "one", func(t *testing.T) {
		c := context(t)
		g := must[*SGEMM](t)(c.SGEMM())
		small := must[*Memory](t)(c.Alloc(1000))
		for text, err := range map[string]error{
			"no matrix has 0 x 4 elements": g.Multiply(0, 4, 4, small, small, small),
			"1024 bytes":                   g.Multiply(4, 4, 64, small, small, small),
		} {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%v, want %s", err, text)
			}
		}
		is(t, g.Multiply(4, 4, 4, small, small, nil), ErrClosed)
		ok(t, g.Close())
		is(t, g.Close(), ErrClosed)
		is(t, g.Multiply(4, 4, 4, small, small, small), ErrClosed)
		ok(t, c.Close())
		_, err := c.SGEMM()
		is(t, err, ErrClosed)
	})
}

func TestLoad(t *testing.T) {
	// minimal is the shortest PTX that can be loaded.
	const minimal = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry nothing() { ret; }\n"
	for name, tt := range map[string]struct {
		scenario, ptx string
		code          Code
		words         string
	}{
		"empty":     {"one", "", InvalidPTX, "Missing .version directive"},
		"newer PTX": {"two", strings.Replace(minimal, "7.0", "8.5", 1), UnsupportedPTX, "Unsupported .version"},
		"newer GPU": {"one", strings.Replace(minimal, "sm_80", "sm_90", 1), InvalidPTX, "SM version specified by .target is higher"},
	} {
		t.Run(name, func(t *testing.T) {
			child(t, tt.scenario, func(t *testing.T) {
				c := context(t)
				_, err := c.load([]byte(tt.ptx))
				is(t, err, tt.code)
				if err == nil || !strings.Contains(err.Error(), tt.words) {
					t.Error(err)
				}
				ok(t, c.Close())
			})
		})
	}
}

// TestSGEMMPTX compares the PTX with what SGEMM passes, and with its source.
func TestSGEMMPTX(t *testing.T) {
	text := string(sgemmPTX)
	for _, name := range []string{"sgemm_sm50", "sgemm_any_sm50"} {
		_, entry, _ := strings.Cut(text, ".visible .entry "+name+"(")
		head, body, _ := strings.Cut(entry, "{")
		parameters := regexp.MustCompile(`\.param \.(\w+)`).FindAllStringSubmatch(head, -1)
		var types []string
		for _, p := range parameters {
			types = append(types, p[1])
		}
		if !slices.Equal(types, []string{"u64", "u64", "u64", "u32", "u32", "u32"}) || !strings.Contains(head, ".maxntid 256, 1, 1") {
			t.Errorf("%s has the parameters %v in\n%s", name, types, head)
		}
		if body, _, _ = strings.Cut(body, "\n}"); strings.Contains(body, ".local") || strings.Contains(body, "call") {
			t.Errorf("%s uses local memory or calls a function", name)
		}
	}
	if !strings.Contains(text, ".version 6.0\n.target sm_50\n") {
		t.Errorf("it begins with %.100s", text)
	}
	t.Run("generated", func(t *testing.T) {
		programtest.Need(t, "clang-19")
		file := filepath.Join(t.TempDir(), "sgemm.ptx")
		if out, err := exec.Command("sh", "sgemm/ptx.sh", file).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if made, err := os.ReadFile(file); err != nil || !bytes.Equal(made, sgemmPTX) {
			t.Error("go generate ./internal/machine/cuda makes another one", err)
		}
	})
}
