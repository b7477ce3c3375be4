package verify

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/test/reporttest"
)

// A rival does with the interpreter alone what gpudocs does with the same number of blocks.
type rival struct {
	name string
	// block is the Markdown of a block, part the rival's code for it; %d is its number.
	block, part string
	// together: one process runs all parts, else each part has its own process.
	together bool
	args     []string
}

// rivals compare equivalent checks: an output that is compared with doctest, one that is only
// recorded with plain bash and python.
var rivals = map[string]rival{
	"doctest":     {"doctest", "```pycon {run session=s}\n>>> %[1]d + 1 - 1\n%[1]d\n```\n", ">>> %[1]d + 1 - 1\n%[1]d\n\n", true, []string{"python3", "-m", "doctest"}},
	"bash":        {"bash", "```bash {run session=s}\necho %d\n```\n", "echo %d\n", true, []string{"bash"}},
	"python":      {"python", "```python {run session=s}\nprint(%d)\n```\n", "print(%d)\n", true, []string{"python3"}},
	"bash-each":   {"bash-each", "```bash {run}\necho %d\n```\n", "echo %d\n", false, []string{"bash"}},
	"python-each": {"python-each", "```python {run}\nprint(%d)\n```\n", "print(%d)\n", false, []string{"python3"}},
}

// run returns the time that the interpreter takes.
func (v rival) run(t testing.TB, blocks int) time.Duration {
	t.Helper()
	dir := t.TempDir()
	parts := make([]string, blocks)
	for i := range parts {
		parts[i] = fmt.Sprintf(v.part, i)
	}
	if v.together {
		parts = []string{strings.Join(parts, "")}
	}
	for i, text := range parts {
		writeText(t, filepath.Join(dir, fmt.Sprint(i)), text)
	}
	began := time.Now()
	for i := range parts {
		args := append(v.args[1:len(v.args):len(v.args)], filepath.Join(dir, fmt.Sprint(i)))
		if out, err := exec.Command(v.args[0], args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %.500s", v.name, err, out)
		}
	}
	return time.Since(began)
}

func (v rival) site(t testing.TB, blocks int) *site.Site {
	var page strings.Builder
	for i := range blocks {
		fmt.Fprintf(&page, v.block, i)
	}
	return loadSite(t, map[string]string{"content/pt/a.md": page.String()})
}

// gpudocs returns the time that gpudocs takes, one session at a time, including the report.
func (v rival) gpudocs(t testing.TB, site *site.Site) time.Duration {
	t.Helper()
	began := time.Now()
	r := verify(t, site, noGPU, Options{Jobs: 1})
	took := time.Since(began)
	for _, c := range r.Checks {
		if c.Outcome != report.Passed {
			t.Fatal(reporttest.Text(c))
		}
	}
	return took
}

// BenchmarkOverhead measures what the engine adds to a block: 1,000 blocks against python -m
// doctest, plain bash and plain python in one process, and 100 against bash and python with a
// process for each. Most of the latter is creating and removing scratch folders:
// TMPDIR=/dev/shm leaves the disk out.
//
//	go test ./internal/verify -run '^$' -bench Overhead -benchtime 3x
func BenchmarkOverhead(b *testing.B) {
	need(b, "bash", "python3")
	for _, name := range []string{"doctest", "bash", "python", "bash-each", "python-each"} {
		v, blocks := rivals[name], 1000
		if !v.together {
			blocks = 100
		}
		b.Run(name, func(b *testing.B) {
			site := v.site(b, blocks)
			var ours, raw time.Duration
			for b.Loop() {
				raw += v.run(b, blocks)
				ours += v.gpudocs(b, site)
			}
			perBlock := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(b.N*blocks) }
			b.ReportMetric(0, "ns/op") // the sum of both, which is meaningless
			b.ReportMetric(perBlock(ours), "ms/block")
			b.ReportMetric(perBlock(raw), "raw-ms/block")
			b.ReportMetric(perBlock(ours-raw), "overhead-ms/block")
		})
	}
}

// TestOneProcess: the blocks of a session start one process.
func TestOneProcess(t *testing.T) {
	need(t, "bash")
	pids := strings.Repeat("```bash {run session=s}\necho $$\n```\n", 50)
	r := verify(t, loadSite(t, map[string]string{"content/pt/a.md": pids}), noGPU, Options{})
	for _, c := range r.Checks {
		if c.Stdout.String() != r.Checks[0].Stdout.String() {
			t.Errorf("%s ran in a process of its own", c.Name)
		}
	}
}

// BenchmarkRecipe measures what the engine adds to blocks that are compiled and run, each in a session of
// its own, against the same commands in one bash script.
//
//	GPUDOCS_TEST_VENV=... go test ./internal/verify -run '^$' -bench Recipe -benchtime 3x
func BenchmarkRecipe(b *testing.B) {
	for _, v := range []struct{ language, program, file, code, command string }{
		{"c", "gcc", "main.c", "int main(void) { return 0 * %d; }\n", "gcc -o main main.c -O2 -lm && ./main\n"},
		{"cuda", "nvcc", "main.cu", "__global__ void f() {}\nint main() { return 0 * %d; }\n", "$NVCC -o main main.cu -O2\n"},
		{"javascript", "node", "main.js", "console.log(%d)\n", "node main.js\n"},
	} {
		b.Run(v.language, func(b *testing.B) {
			if v.program == "nvcc" {
				needNVCC(b)
			} else {
				need(b, v.program)
			}
			const blocks = 10
			var text, script strings.Builder
			for i := range blocks {
				code := fmt.Sprintf(v.code, i)
				fmt.Fprintf(&text, "```%s {run}\n%s```\n", v.language, code)
				fmt.Fprintf(&script, "mkdir %d\ncd %[1]d\ncat >%s <<'EOF'\n%sEOF\n%scd ..\n", i, v.file, code, v.command)
			}
			site := loadSite(b, map[string]string{page: text.String()})
			var raw, ours time.Duration
			took := func(o Options) time.Duration {
				began := time.Now()
				verify(b, site, noGPU, o)
				return time.Since(began)
			}
			for b.Loop() {
				dir := b.TempDir()
				began := time.Now()
				command := exec.Command("bash", "-ec", script.String())
				command.Dir = dir
				if out, err := command.CombinedOutput(); err != nil {
					b.Fatalf("%v: %s", err, out)
				}
				raw += time.Since(began)
				ours += took(Options{Jobs: 1})
			}
			per := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(b.N*blocks) }
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(per(raw), "raw-ms/block")
			b.ReportMetric(per(ours), "ms/block")
			b.ReportMetric(ours.Seconds()/raw.Seconds(), "ratio")
		})
	}
}
