package verify

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/test/reporttest"
)

// needNVCC sets NVCC to NVIDIA's compiler in the environment of the tests. It compiles without a GPU.
func needNVCC(t testing.TB) {
	t.Helper()
	found, _ := filepath.Glob(filepath.Join(os.Getenv("GPUDOCS_TEST_VENV"), "lib/python3*/site-packages/nvidia/cu*/bin/nvcc"))
	if os.Getenv("GPUDOCS_TEST_VENV") == "" || len(found) == 0 {
		t.Skip("GPUDOCS_TEST_VENV has no nvcc")
	}
	t.Setenv("NVCC", found[0])
}

const page = "content/pt/p.md"

// TestRecipes runs a program of each language, and one with an error at compile time or at run time, whose
// line on the page is found.
func TestRecipes(t *testing.T) {
	if testing.Short() {
		t.Skip("compilers take seconds, and blocks of recipes run as those of bash do")
	}
	for _, tt := range []struct{ language, program, good, bad string }{
		{"c", "gcc", "#include <stdio.h>\n#include <math.h>\nint main(int n, char **v) { printf(\"%.1f\\n\", sqrt(4.0 * n)); }", "int main(void) {\n  int unused;\n  return x\n}"},
		{"cpp", "g++", "#include <iostream>\nint main() { std::cout << 2.5 << std::endl; }", "int main() {\n\n  return x;\n}"},
		{"fortran", "gfortran", "program p\n  print *, 2\nend program", "program p\n  implicit none\n  y = 1 +\nend program"},
		{"rust", "rustc", "fn main() { println!(\"2\"); }", "fn main() {\n    let unused = 1;\n    x\n}"},
		{"go", "go", "package main\n\nfunc main() { println(\"2\") }", "package main\n\nfunc main() { x }"},
		{"julia", "julia", "println(2)", "f(x) = sqrt(x)\n\nf(-1.0)"},
		{"r", "Rscript", "cat(2)", ""},
		{"octave", "octave", "disp(2)", "x = 1;\ny = 2;\nerror('no')"},
		{"javascript", "node", "console.log(2)", "let x = 1\n\nthrow new Error('no')"},
		{"java", "java", "public class P { public static void main(String[] a) { System.out.println(2); } }", "public class P {\n  int a;\n  int x = y;\n}"},
	} {
		t.Run(tt.language, func(t *testing.T) {
			t.Parallel()
			need(t, tt.program, "bash")
			text := "# P\n\n```" + tt.language + " {run name=good}\n" + tt.good + "\n```\n\n"
			if tt.bad != "" {
				text += "```" + tt.language + " {run name=bad}\n" + tt.bad + "\n```\n"
			}
			site := loadSite(t, map[string]string{page: text})
			r := verify(t, site, noGPU, Options{})
			good := r.Checks[0]
			if good.Outcome != report.Passed || good.Interpreter == "" || good.Stdout.String()+good.Stderr.String() == "" {
				t.Error(reporttest.Text(good))
			}
			if tt.bad == "" {
				return
			}
			bad := r.Checks[1]
			want := &report.Place{File: page, Line: strings.Count(text[:strings.Index(text, "name=bad")], "\n") + 4}
			if bad.Outcome != report.Failed || !cmp.Equal(bad.Reason.Place, want) {
				t.Errorf("want a failure at %v: %s", want, reporttest.Text(bad))
			}
			if compiled := bad.Build != nil; compiled && bad.Reason.Code != report.ReasonBuild {
				t.Errorf("reason %s of a failed build", bad.Reason.Code)
			}
		})
	}
}

// TestBuiltNotRun compiles CUDA C++ on a machine without a GPU: what is built and not run is skipped, what does not
// compile fails, and later blocks of the session are still built.
func TestBuiltNotRun(t *testing.T) {
	if testing.Short() {
		t.Skip("compilers take seconds, and blocks of recipes run as those of bash do")
	}
	need(t, "bash", "g++")
	needNVCC(t)
	site := loadSite(t, map[string]string{page: "# P\n\n```cuda {run name=saxpy session=s}\n" +
		"__global__ void f(float *x) { x[threadIdx.x] = 1; }\nint main() { f<<<1, 1>>>(0); return cudaDeviceSynchronize(); }\n```\n\n" +
		"```bash {run session=s}\n./saxpy\n```\n\n" +
		"```cuda {run name=bad session=s flags=-O0}\nint main() {\n  return x;\n}\n```\n\n" +
		"```cuda {run name=later session=s needs=\"memory >= 8 GiB\"}\nint main() { return 0; }\n```\n\n" +
		"```cuda {run name=refused build=fails}\nint main() { return x; }\n```\n```text {expect stream=stderr}\n[...]\nrefused.cu(1): error: identifier \"x\" is undefined\n[...]\n```\n\n" +
		"```cuda {run name=accepted build=fails}\nint main() { return 0; }\n```\n"})
	r := verify(t, site, noGPU, Options{})
	if diff := cmp.Diff([]string{
		"saxpy skipped needs-unmet (no-library) (gpus >= 1; 0)", "#2 skipped session-skipped (needs-unmet: saxpy) (gpus >= 1; )", "bad failed build-failed (2) :14",
		"later skipped needs-unmet (no-library) (gpus >= 1; 0)", "refused passed", "accepted failed build-passed",
	}, outcomes(r)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var builds []string
	for _, c := range r.Checks {
		if c.Build != nil {
			builds = append(builds, c.Name+" "+string(c.Build.Outcome))
			if !strings.HasPrefix(c.Build.Tool, "nvcc ") || c.Build.DurationMS <= 0 {
				t.Errorf("%s: build %+v", c.Name, c.Build)
			}
		}
	}
	if diff := cmp.Diff([]string{"saxpy passed", "bad failed", "later passed", "refused failed", "accepted passed"}, builds); diff != "" {
		t.Errorf("builds (-want +got)\n%s", diff)
	}
}

// TestRecipeSession runs bash blocks and blocks of C in one session: they share a folder, whatever the current
// folder of bash is.
func TestRecipeSession(t *testing.T) {
	need(t, "bash", "gcc")
	site := loadSite(t, map[string]string{page: "# P\n" +
		"```bash {run session=s}\necho '#define N 7' >n.h\nmkdir sub\ncd sub\nexport ARG=3\n```\n" +
		"```c {run name=seven session=s exit=10}\n#include \"n.h\"\n#include <stdlib.h>\nint main(void) { return N + atoi(getenv(\"ARG\")); }\n```\n" +
		"```bash {run session=s exit=10}\n../seven\n```\n```text {expect}\n```\n" +
		"```c {run session=s name=shout}\n#include <stdio.h>\nint main(void) { puts(\"a\"); fputs(\"b\\n\", stderr); return 0; }\n```\n```text {expect}\na\n```\n```text {expect stream=stderr}\nc\n```\n"})
	got := outcomes(verify(t, site, noGPU, Options{}))
	if diff := cmp.Diff([]string{"#1 passed", "seven passed", "#3 passed", "shout failed output-differs :26"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestSavedHeader: an error in a saved block has its line, and saved blocks are there although a block before is skipped.
func TestSavedHeader(t *testing.T) {
	need(t, "bash", "gcc")
	site := loadSite(t, map[string]string{"gpudocs.toml": "[run.c]\nneeds = \"gpus >= 1\"\n", page: "# P\n" +
		"```c {save=n.h session=s}\n#define N 0\n```\n```c {run session=s}\n#include \"n.h\"\nint main(void) { return N; }\n```\n" +
		"```c {save=m.h session=s}\n#define M 0\n\nint x = y;\n```\n```bash {run session=s}\n./main\n```\n" +
		"```c {run name=bad session=s}\n#include \"m.h\"\nint main(void) { return M; }\n```\n"})
	r := verify(t, site, noGPU, Options{})
	want := []string{"#1 skipped needs-unmet (no-library) (gpus >= 1; 0)", "#2 skipped session-skipped (needs-unmet: #1) (gpus >= 1; )", "bad failed build-failed (1) :12"}
	if diff := cmp.Diff(want, outcomes(r)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if found := r.Checks[2].Reason.Said; !strings.Contains(found, "y") {
		t.Errorf("message %q", found)
	}
}

// TestBadCompilers runs compilers that hang, print without end, are missing, or fail without a place.
func TestBadCompilers(t *testing.T) {
	need(t, "bash", "gcc")
	fsys := map[string]string{
		"gpudocs.toml": "[run.hangs]\nbuild = \"sleep 60\"\nversion = \"echo 1.0\"\n" +
			"[run.loud]\nbuild = \"head -c 100000000 /dev/zero | tr '\\\\0' x; false\"\n" +
			"[run.gone]\nrun = \"no-such-compiler {file}\"\n" +
			"[run.c]\nflags = \"-O0 -Wall\"\n",
		page: "```hangs {run timeout=500ms session=h}\n1\n```\n```bash {run session=h}\ntrue\n```\n```loud {run}\n1\n```\n" +
			"```gone {run}\n1\n```\n```c {run}\nint main(void) { int unused; return 0; }\n```\n",
	}
	r := verify(t, loadSite(t, fsys), noGPU, Options{})
	if diff := cmp.Diff([]string{"#1 error timeout (time: 0.5)", "#2 error session-ended (#1)", "#3 failed build-failed (1)", "#4 skipped no-interpreter (no-such-compiler)", "#5 passed"}, outcomes(r)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if b := r.Checks[2].Build; b == nil || b.Stdout == nil || b.Stdout.Bytes != 100_000_000 || len(b.Stdout.Text) > 70<<10 {
		t.Errorf("the build's output: %+v", b)
	}
	if b := r.Checks[4].Build; b == nil || !strings.Contains(b.Stderr.String(), "unused") {
		t.Errorf("the flags of the site are not used: %+v", b)
	}
}
