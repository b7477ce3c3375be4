package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// script writes events as go test -json does. A line is an action, a package, a test or -, and an output.
func script(t *testing.T, lines ...string) string {
	t.Helper()
	var b strings.Builder
	for _, l := range lines {
		f := strings.SplitN(l, " ", 4)
		if len(f) < 3 {
			b.WriteString(l + "\n")
			continue
		}
		e := event{Action: f[0], Package: module + f[1], Test: strings.TrimPrefix(f[2], "-")}
		if len(f) > 3 {
			e.Output = f[3] + "\n"
		}
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(data, '\n'))
	}
	return b.String()
}

func TestRecord(t *testing.T) {
	for _, c := range []struct {
		name   string
		events []string
		want   string
		failed bool
	}{
		{"what passes says nothing", []string{
			"output a TestA === RUN   TestA", "output a TestA     a_test.go:1: logged", "output a TestA --- PASS: TestA (0.00s)", "pass a TestA",
			"output a - PASS", "output a - ok  \ta\t0.1s", "pass a -",
		}, "ok  \ta\t0.1s\n", false},
		{"what fails says all", []string{
			"output a TestA === RUN   TestA", "output a TestA --- PASS: TestA (0.00s)", "pass a TestA",
			"output a TestB === RUN   TestB", "output a TestB     a_test.go:2: wrong", "output a TestB --- FAIL: TestB (0.00s)", "fail a TestB",
			"output a - FAIL", "output a - FAIL\ta\t0.1s", "fail a -",
		}, "    a_test.go:2: wrong\n--- FAIL: TestB (0.00s)\nFAIL\nFAIL\ta\t0.1s\n", true},
		{"so does what panics, and what never ends", []string{
			"output a TestA === RUN   TestA", "output a TestA panic: oh", "output a - FAIL\ta\t0.1s", "fail a -",
			"output b TestB     b_test.go:1: still here",
		}, "panic: oh\nFAIL\ta\t0.1s\n    b_test.go:1: still here\nFAIL\t" + module + "b\t0.000s\n", true},
		{"what does not compile", []string{
			`{"ImportPath":"a","Action":"build-output","Output":"a.go:1: undefined\n"}`, `{"ImportPath":"a","Action":"build-fail"}`,
			"output a - FAIL\ta [build failed]", "fail a -", "go: warning",
		}, "a.go:1: undefined\nFAIL\ta [build failed]\ngo: warning\n", true},
		{"without the go command", []string{"output a TestA --- PASS: TestA (0.00s)", "pass a TestA", "output a - PASS", "pass a -"},
			"ok  \t" + module + "a\t0.000s\n", false},
		{"skips", []string{
			"output a TestA === RUN   TestA", "output a TestA     a_test.go:3: root may", "output a TestA         read everything", "output a TestA --- SKIP: TestA (0.00s)", "skip a TestA",
			"output a TestS/x         > [!root] skip 'no disk'", "output a TestS/x     --- SKIP: TestS/x (0.00s)", "skip a TestS/x", "pass a TestS",
			"output a TestN --- SKIP: TestN (0.00s)", "skip a TestN",
			"output a - ok  \ta\t0.1s", "pass a -", "output b - ?   \tb\t[no test files]", "skip b -",
		}, "ok  \ta\t0.1s\n?   \tb\t[no test files]\nskipped: a TestA: root may read everything\nskipped: a TestN: (no reason)\nskipped: a TestS/x: [!root] skip 'no disk'\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			_, failed, err := record(strings.NewReader(script(t, c.events...)), &out)
			if err != nil || failed != c.failed {
				t.Errorf("failed %v, %v", failed, err)
			}
			if diff := cmp.Diff(c.want, out.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestJudge(t *testing.T) {
	all := outcomes{}
	for _, step := range []string{ // as root, as an ordinary user
		`{"a TestA": "", "a TestB": "root may", "a TestGPU": "no GPU", "a TestNew": "no gcc", "a TestS/x": "no GPU"}`,
		`{"a TestA": "not root", "a TestB": ""}`,
	} {
		if err := all.add([]byte(step)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		list   string
		faults int
		want   string
	}{
		{"# CI has no GPU.\na TestGPU: no GPU\na TestS/*: no GPU\na TestNew: no gcc\n", 0,
			"skipped, as allowed: a TestGPU: no GPU\nskipped, as allowed: a TestNew: no gcc\nskipped, as allowed: a TestS/x: no GPU\n"},
		{"a TestGPU: no GPU\na TestS/*: no GPU\n", 1, "skipped, as allowed: a TestGPU: no GPU\nSKIPPED: a TestNew: no gcc\nskipped, as allowed: a TestS/x: no GPU\n"},
		{"a TestGPU: no GPU\na Test*/*: no GPU\na TestNew: no clang\na TestGone: no GPU\n", 2,
			"skipped, as allowed: a TestGPU: no GPU\nSKIPPED: a TestNew: no gcc\nskipped, as allowed: a TestS/x: no GPU\nNO SUCH TEST: a TestGone\n"},
	} {
		list, err := readList(c.list)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if got := judge(all, list, &out); got != c.faults {
			t.Errorf("%d faults, want %d", got, c.faults)
		}
		if diff := cmp.Diff(c.want, out.String()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
	for _, bad := range []string{"a TestA", "TestA: why", "a Test[: why", "a TestA:"} {
		if _, err := readList(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	if err := all.add([]byte("ok\n")); err == nil {
		t.Error("a file of another kind is accepted")
	}
}

// TestAllowed: the list in the repository is valid.
func TestAllowed(t *testing.T) {
	var out strings.Builder
	if err := judgeFiles("allowed.txt", nil, &out); err == nil || strings.Contains(err.Error(), "is not of the form") {
		t.Error(err)
	}
}
