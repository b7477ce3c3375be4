package verify

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/test/reporttest"
)

// TestDrift: of thirty reports one is slow, and drift finds it and no other. The times are given.
func TestDrift(t *testing.T) {
	need(t, "bash")
	s := loadSite(t, map[string]string{"content/pt/a.md": "```bash {run name=a}\necho \"$TIME_GIVEN ms\"\n```\n\n```text {expect}\n<time:number ms>\n```\n"})
	runs := driftRuns{t: t, site: s}
	for i := range 30 {
		took := 100 + float64(i*7%11)/2 // up to 5 % more
		if i == 24 {
			took *= 1.2
		}
		t.Setenv("TIME_GIVEN", fmt.Sprint(took))
		if got := runs.next().Drifted(); got != (i == 24) {
			t.Errorf("run %d, %v ms: drifted %v", i, took, got)
		}
	}
	if n := len(runs.last.Checks[0].History); n != report.MaxHistory {
		t.Errorf("%d earlier outcomes", n)
	}
}

// matmul multiplies matrices 15 times, and prints the least CPU time of one multiplication.
const matmul = `#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define N 256
static float a[N][N], b[N][N], c[N][N];
static double now(void) { struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec * 1e3 + t.tv_nsec / 1e6; }
int main(void) {
	double times = atof(getenv("TIMES_AS_LONG")), best = 1e9, sum = 0;
	for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[i][j] = i + j, b[i][j] = i - j;
	for (int run = 0; run < 15; run++) {
		double began = now();
		for (int k = 0; k < 2 * N * times; k++)
			for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) c[i][j] += a[i][k % N] * b[k % N][j];
		double took = now() - began;
		if (took < best) best = took;
	}
	for (int i = 0; i < N; i++) sum += c[i][i];
	fprintf(stderr, "%g\n", sum);
	printf("%.4f ms\n", best);
}
`

// TestDriftOfRealRuns measures a multiplication of matrices, as in a site whose reports are kept. Every
// third run after the first twenty is repeated with one that takes 25 % longer, which must be found.
func TestDriftOfRealRuns(t *testing.T) {
	if os.Getenv("GPUDOCS_LONG") == "" {
		t.Skip("it measures times, which other programs change; GPUDOCS_LONG=1 runs it")
	}
	need(t, "bash")
	need(t, "cc")
	source, program := filepath.Join(t.TempDir(), "m.c"), filepath.Join(t.TempDir(), "m")
	if err := os.WriteFile(source, []byte(matmul), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cc", "-O2", "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("MATMUL", program)
	page := "```bash {run name=a}\n\"$MATMUL\"\n```\n\n```text {expect}\n<time:number ms>\n```\n"
	runs := driftRuns{t: t, site: loadSite(t, map[string]string{"content/pt/a.md": page})}
	judged, alarms, slowed, found := 0, 0, 0, 0
	for i := range 105 {
		t.Setenv("TIMES_AS_LONG", "1")
		d := runs.next()
		if len(d.Captures) == 0 {
			t.Fatal(reporttest.Text(*d))
		}
		if d.Captures[0].Drift.Why == "" {
			judged++
			if d.Drifted() {
				alarms++
			}
		}
		if i >= 20 && i%3 == 0 {
			t.Setenv("TIMES_AS_LONG", "1.25")
			aside := runs
			if slowed++; aside.next().Drifted() {
				found++
			}
		}
	}
	t.Logf("%d false alarms in %d runs; %d of %d slow runs found", alarms, judged, found, slowed)
	if alarms > max(1, judged/20) || found < slowed*9/10 {
		t.Error("too many false alarms, or slow runs that were not found")
	}
}

// driftRuns run a site again and again, once an hour.
type driftRuns struct {
	t    *testing.T
	site *site.Site
	last *report.Report
	n    int
}

func (d *driftRuns) next() *report.Check {
	d.n++
	now := time.Date(2026, 1, 1, d.n, 0, 0, 0, time.UTC)
	d.last, _ = rerun(d.t, d.site, noGPU, d.last, Options{Confine: site.Verify{Drift: site.Drift{Tolerance: 0.1, Warn: true}}, Now: func() time.Time { return now }})
	return &d.last.Checks[0]
}
