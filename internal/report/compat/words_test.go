package compat

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/text"
)

var update = flag.Bool("update", false, "write testdata/words.txt anew")

var languages = []string{"en", "es", "pt"}

func texts(t *testing.T) map[string]text.Catalog {
	t.Helper()
	all := map[string]text.Catalog{}
	for _, code := range languages {
		all[code] = text.Of(code)
	}
	return all
}

// amiss matches what a sentence has in the place of a missing number or text.
var amiss = regexp.MustCompile(`\[|\]|\{|\}|\(\)|\(,|  |>= *(,|$)|, *$|: *$|CUDA *$|[ (]CUDA[,:)]`)

// TestWords compares the sentences of all verdicts of the table, in every language, with
// testdata/words.txt. go test ./internal/report/compat -update writes it.
func TestWords(t *testing.T) {
	all := texts(t)
	var b strings.Builder
	for _, tt := range verdicts {
		v := Judge(tt.machine, "", tt.what)
		fmt.Fprintf(&b, "# %s: %s\n", tt.what, written(v))
		for _, code := range languages {
			s := Sentence(all[code], v)
			if amiss.MatchString(s) && !strings.Contains(s, "NVIDIA Graphics Device") {
				t.Errorf("%s: %s", code, s)
			}
			fmt.Fprintf(&b, "%s: %s\n", code, s)
		}
	}
	const golden = "testdata/words.txt"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestEveryVerdictHasWords: every verdict that a report can have has its own text in every
// language, and none lacks a number.
func TestEveryVerdictHasWords(t *testing.T) {
	all := texts(t)
	what := []string{"cu124", "cu112", "cu102", "cu132", "cu139", "cu127", "cu999", "torch", "jax", "cupy", "tensorflow", "paddle", "numba"}
	seen := map[string]bool{}
	for _, tt := range verdicts {
		v := Judge(tt.machine, "", tt.what)
		seen[v.Answer+" "+v.By] = true
	}
	for seed := range uint64(8000) {
		r := rand.New(rand.NewPCG(seed, 3))
		m := odd(r)
		for i := range m.GPU.Devices { // names may contain anything
			m.GPU.Devices[i].Name = []string{"GPU", "GeForce", "A100"}[r.IntN(3)]
		}
		for _, e := range m.Environments {
			for i := range e.Frameworks {
				e.Frameworks[i].Version = "1.0"
			}
		}
		if strings.Trim(m.GPU.CUDA, "0123456789.") != "" || m.GPU.CUDA == "." || m.GPU.Compat == "-" {
			continue
		}
		v := Judge(m, "", what[r.IntN(len(what))])
		seen[v.Answer+" "+v.By] = true
		for _, code := range languages {
			s := Sentence(all[code], v)
			later := v
			later.Answer = "maybe" // which has the text for unknown codes
			if s == Sentence(all[code], later) || amiss.MatchString(s) {
				t.Fatalf("%s: %s\nof %+v\non %+v", code, s, v, m)
			}
		}
	}
	for _, pair := range []string{"yes driver", "minor driver", "forward driver", "no driver", "unknown driver", "no compute", "unknown compute", "unknown cudnn",
		"no forward", "unknown forward", "unknown ptx", "no no-driver", "no no-gpu", "no broken", "no cuda", "unknown toolkit", "no cpu-only", "no rocm", "no not-installed", "unknown not-asked", "unknown no-answer"} {
		if !seen[pair] {
			t.Errorf("no report of this test gives %q", pair)
		}
	}
}

// TestEveryTextIsUsed: the table of verdicts uses every text.
func TestEveryTextIsUsed(t *testing.T) {
	data, err := os.ReadFile("../../text/en/machine.toml")
	if err != nil {
		t.Fatal(err)
	}
	golden, err := os.ReadFile("testdata/words.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^(verdict_\S+) = "(.*)"$`).FindAllStringSubmatch(string(data), -1) {
		var parts []string
		for _, p := range regexp.MustCompile(`\{[a-z_]+\}`).Split(m[2], -1) {
			parts = append(parts, regexp.QuoteMeta(p))
		}
		sentence := regexp.MustCompile(`(?m)^en: ` + strings.Join(parts, `[^;]+?`) + `$`)
		if m[1] != "verdict_unknown" && !sentence.Match(golden) {
			t.Errorf("no verdict of the table uses %s", m[1])
		}
	}
}
