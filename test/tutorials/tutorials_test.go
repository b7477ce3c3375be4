// Package tutorials runs the site of this repository: every page, with Debian's python3, which
// has PyTorch, and the job scripts in a temporary Slurm cluster.
//
//	GPUDOCS_REQUIRE_TUTORIALS=1 go test ./test/tutorials
//
// This takes a minute, and fails if PyTorch or Slurm is missing. Without the variable the tests are skipped.
//
// Blocks that need a GPU are skipped by their pages; results/ has reports of them.
package tutorials

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gpudocs/gpudocs/internal/machine/container"
	"github.com/gpudocs/gpudocs/internal/machine/container/containertest"
	"github.com/gpudocs/gpudocs/internal/machine/slurm/slurmtest"
	"github.com/gpudocs/gpudocs/internal/report"
	_ "github.com/gpudocs/gpudocs/internal/verify" // the tests run the program; the import makes go test run them again after a change
	"github.com/gpudocs/gpudocs/test/reporttest"
)

// required skips a test unless GPUDOCS_REQUIRE_TUTORIALS is set. If it is, the test fails instead of skipping.
func required(t *testing.T) {
	const name = "GPUDOCS_REQUIRE_TUTORIALS"
	if os.Getenv(name) == "" {
		t.Skip(name + "=1 runs it")
	}
	t.Cleanup(func() {
		if t.Skipped() {
			t.Errorf("%s is set, and this test was skipped", name)
		}
	})
}

// A site is a copy of this repository's site, without its results, so that everything runs.
type site struct {
	dir string
	env []string
}

// python is the interpreter to which Debian's package python3-torch belongs.
const python = "/usr/bin/python3"

// newSite skips the test without PyTorch.
func newSite(t *testing.T, env ...string) site {
	t.Helper()
	if out, err := exec.Command(python, "-c", "import torch").CombinedOutput(); err != nil {
		t.Skipf("%s has no PyTorch (apt-get install python3-torch): %v\n%s", python, err, out)
	}
	s := site{dir: t.TempDir(), env: append(os.Environ(), env...)}
	s.env = append(s.env, "PATH="+filepath.Dir(python)+string(os.PathListSeparator)+os.Getenv("PATH"))
	if nvcc, _ := filepath.Glob(filepath.Join(os.Getenv("GPUDOCS_TEST_VENV"), "lib/python3*/site-packages/nvidia/cu*/bin/nvcc")); len(nvcc) > 0 {
		s.env = append(s.env, "NVCC="+nvcc[0])
	}
	for _, folder := range []string{"content", "env"} {
		if err := os.CopyFS(filepath.Join(s.dir, folder), os.DirFS("../../"+folder)); err != nil {
			t.Fatal(err)
		}
	}
	locks, _ := filepath.Glob(filepath.Join(s.dir, "env/*/uv.lock"))
	for _, lock := range locks { // another lock is another environment, which is on no machine
		if err := os.WriteFile(lock, []byte("# of a test\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	config, err := os.ReadFile("../../gpudocs.toml")
	if err == nil {
		err = os.WriteFile(filepath.Join(s.dir, "gpudocs.toml"), config, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// workDir is a folder that exists during all tests.
var workDir string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "gpudocs-tutorials-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	workDir = dir
	return m.Run()
}

// binary is gpudocs, built once.
var binary = sync.OnceValues(func() (string, error) {
	file := filepath.Join(workDir, "gpudocs")
	if out, err := exec.Command("go", "build", "-C", "../..", "-ldflags=-s -w", "-o", file, "./cmd/gpudocs").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build ./cmd/gpudocs: %w\n%s", err, out)
	}
	return file, nil
})

// verify runs the site's checks, and returns their report.
func (s site) verify(t *testing.T, args ...string) *report.Report {
	t.Helper()
	gpudocs, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(gpudocs, append([]string{"verify", "--site", s.dir, "--machine", "here"}, args...)...)
	cmd.Env = s.env
	out, err := cmd.CombinedOutput()
	t.Logf("%s\n%s", cmd, out)
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != 1 {
		t.Fatal(err)
	}
	r, err := report.ReadFile(filepath.Join(s.dir, "results", "here.json"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// elsewhere are the requirements that no machine of these tests meets: a GPU, and software that
// Debian does not have.
var elsewhere = regexp.MustCompile(`\b(gpus|driver|cuda|memory|compute|runs|uv|tensorflow|jax|mxnet|torch >= 2)\b`)

// maySkip reports whether a check may be skipped. One that follows a skipped block of its
// session may be, because that block is judged by itself. So may one whose environment is not
// there: those of env/ take gigabytes and minutes, so that the tests do without, also where somebody made them.
func maySkip(t *testing.T, c report.Check, also string) bool {
	if c.Reason == nil {
		return false
	}
	switch c.Reason.Code {
	case report.ReasonNoGPU, report.ReasonSessionSkip, report.ReasonEnvironment:
		return true
	case report.ReasonNoInterpreter:
		return os.Getenv("GPUDOCS_TEST_VENV") == "" && strings.Contains(c.Reason.Program, "nvcc")
	}
	if c.Reason.Need == `has("podman")` && containertest.Fault(t, container.Podman) != nil {
		return true
	}
	return elsewhere.MatchString(c.Reason.Need) || also != "" && strings.Contains(c.Reason.Need, also)
}

// whole fails for every check that failed, had an error, or was skipped for a reason other than
// a GPU, software that Debian does not have, or the given one.
func whole(t *testing.T, r *report.Report, also string) {
	t.Helper()
	for _, c := range r.Checks {
		if c.Outcome == report.Passed || c.Outcome == report.Skipped && maySkip(t, c, also) {
			continue
		}
		t.Error(reporttest.Text(c))
	}
}

// passed fails for every named check of the page that has not passed.
func passed(t *testing.T, r *report.Report, page string, names ...string) {
	t.Helper()
	for _, name := range names {
		i := slices.IndexFunc(r.Checks, func(c report.Check) bool { return c.Page == page && c.Name == name })
		switch {
		case i < 0:
			t.Errorf("page %s has no block %s any more: mend this test", page, name)
		case r.Checks[i].Outcome != report.Passed:
			t.Error(reporttest.Text(r.Checks[i]))
		}
	}
}

// TestSite runs all pages on this machine, without access to Slurm: blocks that would submit a
// job are skipped, so that none is submitted to a cluster of the user.
func TestSite(t *testing.T) {
	required(t)
	t.Parallel()
	s := newSite(t, "SLURM_CONF="+filepath.Join(t.TempDir(), "none"))
	r := s.verify(t)
	whole(t, r, "slurm")
	passed(t, r, "clusters", "devices", "time-fault", "time-forms", "checkpoint", "array", "average", "cost", "split")
	passed(t, r, "autores", "primes", "copy", "mistake", "cards", "loss")
	passed(t, r, "kernel", "index", "stride", "answer-overflow")
	passed(t, r, "precisao", "bits", "answer-choose")
	passed(t, r, "kernels-rapidos", "sectors", "banks", "occupancy", "answer-banks")
	passed(t, r, "sem-gpu", "machine", "keep", "answer-sessions")
	passed(t, r, "outras-gpus", "scan", "hipify", "warps", "answer-version")
	passed(t, r, "perfil", "queue", "diagnose", "answer-queue")
	passed(t, r, "conteineres", "mig", "uuid", "answer-mig")
	passed(t, r, "memoria", "activations-by-hand", "pieces", "fragmented", "kv-cache", "answer-kv")
	passed(t, r, "multigpu", "ring", "cost", "answer-ranks")
	t.Run("notebooks", func(t *testing.T) { s.notebooks(t, r) })
	proved := map[string]bool{}
	for _, c := range r.Checks {
		proved[c.Page] = proved[c.Page] || c.Outcome == report.Passed
	}
	for page, any := range proved {
		if !any {
			t.Errorf("of page %s nothing passed", page)
		}
	}
}

// notebooks executes the pages as notebooks: each block that passed does there what it did, and the others, which need what this
// machine lacks, are left out. The notebooks of both languages are valid; those of one are executed, because the code is the same.
func (s site) notebooks(t *testing.T, r *report.Report) {
	if out, err := exec.Command(python, "-c", "import nbclient, nbformat, ipykernel").CombinedOutput(); err != nil {
		t.Fatalf("%s has no Jupyter (apt-get install python3-nbclient python3-ipykernel): %v\n%s", python, err, out)
	}
	folder := filepath.Join(s.dir, "notebooks")
	gpudocs, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gpudocs, "build", "--site", s.dir, "--notebooks", folder, "--base-url", "https://example.org/").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	found, err := filepath.Glob(filepath.Join(folder, "pt", "*.ipynb"))
	if err != nil || len(found) < 9 {
		t.Fatalf("notebooks: %v, %v", found, err)
	}
	skip, checks := map[string][]string{}, map[string]report.Check{}
	args := []string{"notebooks.py", folder, ""}
	for _, file := range found {
		name := "pt/" + filepath.Base(file)
		skip[name] = []string{}
		args = append(args, name)
	}
	for _, c := range r.Checks {
		name := "pt/" + c.Page + ".ipynb"
		checks[name+" "+c.Name] = c
		// Left out is what failed, what had packages of an environment of env/, and CUDA, which is no cell that Python runs. A long
		// shell script is the same process in a notebook as without one, so it runs once.
		longScript := c.Kind == "bash" && c.DurationMS > 1000
		if c.Outcome != report.Passed || len(c.Packages) > 0 || c.Kind == "cuda" || longScript {
			for _, part := range []string{"", "-file", "-2", "-3", "-4"} {
				skip[name] = append(skip[name], c.Name+part)
			}
		}
	}
	data, err := json.Marshal(skip)
	if err != nil {
		t.Fatal(err)
	}
	args[2] = string(data)
	cmd := exec.Command(python, args...)
	cmd.Env = s.env
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, err.(*exec.ExitError).Stderr)
	}
	executed, failed := 0, 0
	for line := range strings.Lines(string(out)) {
		var cell struct {
			Notebook, ID, Error string
			Tags                []string
		}
		if err := json.Unmarshal([]byte(line), &cell); err != nil {
			t.Fatal(err)
		}
		c, known := checks[cell.Notebook+" "+cell.ID]
		fails := slices.Contains(cell.Tags, "raises-exception")
		if known && c.Exit != nil && c.Kind != report.KindPycon {
			executed++
			fails = *c.Exit != 0
		}
		if fails {
			failed++
		}
		if fails != (cell.Error != "") {
			t.Errorf("%s, cell %s: error %q; verify says %+v", cell.Notebook, cell.ID, cell.Error, c)
		}
	}
	if executed < 60 || failed < 10 {
		t.Errorf("only %d blocks were executed, %d of them to fail", executed, failed)
	}
}

// TestSlurm runs the pages about clusters and many GPUs with job submission, in a cluster of two nodes, see
// package slurmtest. Its GPUs are files that Slurm allocates like real ones.
func TestSlurm(t *testing.T) {
	required(t)
	t.Parallel()
	s := newSite(t)
	s.env = append(s.env, "SLURM_CONF="+slurmtest.Start(t).Conf)
	r := s.verify(t, "content/pt/clusters.md", "content/es/clusters.md", "content/pt/multigpu.md", "content/es/multigpu.md")
	whole(t, r, "")
	passed(t, r, "clusters", "ask", "first", "late", "nowhere", "somewhere", "srun", "gpu-job", "per-task", "limit", "signal",
		"array", "array-header", "dependency", "ranks")
	passed(t, r, "multigpu", "slurm-ranks")
}
