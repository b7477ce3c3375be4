package mygpu

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/test/scripttest"
)

// A browser is the script, run in an interpreter, with the file of a site whose blocks need some things.
type browser struct {
	scripttest.VM
	// sources are the comparisons of the site as they were written.
	sources []string
}

func open(t testing.TB, needs ...string) *browser {
	t.Helper()
	b := &browser{VM: scripttest.New(t)}
	b.Run(string(Script()))
	b.Load("my-gpu.js", "10-conditions", "20-software", "30-own", "35-driver", "40-paste", "50-install")
	w := Words{Tags: tags()}
	for _, source := range needs {
		e, err := ask.Parse(source)
		if err != nil {
			t.Fatal(err)
		}
		w.Blocks = append(w.Blocks, &site.Block{Needs: e})
	}
	w.Pages = []Page{{Title: "CUDA", Needs: []Need{{Compiled: true}, {Compiled: true, Toolkit: "13.0"}, {Demands: w.demands("gpus >= 1"), Compiled: true, Toolkit: "13.0"}}}}
	b.Run(string(w.Script(text.Of("en"))))
	c := &collection{t: text.Of("en"), Trees: map[string]any{}}
	for _, block := range w.Blocks {
		c.add(block.Needs)
	}
	b.sources = c.sources
	return b
}

func (w Words) demands(source string) ask.Expr {
	e, err := ask.Parse(source)
	if err != nil {
		panic(err)
	}
	return e
}

// call evaluates code with arguments, which are a, b, ... in it, and decodes the result.
func (b *browser) call(result any, code string, arguments ...any) {
	b.Helper()
	b.Call(result, "var gpu = gpudocs.gpu; return "+code+";", arguments...)
}

// long is set for the weekly run, which leaves out nothing.
var long = os.Getenv("GPUDOCS_LONG") != ""

// tags are the toolkits of the tables, and some that are not there.
func tags() (list []string) {
	for _, step := range compat.Steps(false) {
		list = append(list, "cu"+strings.ReplaceAll(step.Least, ".", ""))
	}
	return append(slices.Compact(list), "cu127", "cu134", "cu139", "cu140", "cu990")
}

// TestTable: what the script finds in the tables is what package compat says, for all drivers between those of the tables too.
func TestTable(t *testing.T) {
	b := open(t, "runs torch")
	software := wheels()
	for _, tag := range tags() {
		software = append(software, softwareOf(tag))
	}
	seen, asked := map[string]bool{}, 0
	for _, m := range systems {
		list := append(steps(m), compat.Step{Driver: "390.157", Least: "9.1"}, compat.Step{Driver: "999.1", Least: "13.3", Most: "14.0"})
		for _, compute := range append(capabilities(), "13.0") {
			for _, step := range list {
				for i, cuda := range []string{"", step.Least, step.Most, "12.2"} {
					driver := []string{step.Driver, step.Driver + ".99"}[asked%2]
					if i == 3 && !compat.Board(compute) { // whose drivers have other numbers
						continue
					}
					r := rand.New(rand.NewPCG(uint64(asked), 1))
					if asked++; !long && asked%7 != 0 {
						continue
					}
					s := software[r.IntN(len(software))]
					m.GPU.Status, m.GPU.Driver, m.GPU.CUDA = report.GPUOk, driver, cuda
					m.GPU.Devices = []report.Device{{Name: "NVIDIA GPU", Compute: strings.TrimPrefix(compute, "13.0")}} // which is not in the tables
					v := s.judge(m)
					if s.build != nil && !slices.Contains(compat.Wheels(m), *s.build) {
						v = report.Verdict{Answer: report.RunsNo}
					}
					want := map[string]any{"answer": 2.0, "why": ""}
					switch v.Answer {
					case report.RunsNo:
						want["answer"] = 0.0
						if s.build == nil {
							want["why"] = compat.Sentence(text.Of("en"), v)
						}
					case report.RunsUnknown:
						want["answer"] = 1.0
					}
					seen[v.Answer+" "+v.By] = true
					var got map[string]any
					b.call(&got, `(function () {
						var own = {devices: [gpu.device(null, "NVIDIA GPU", 0, d)], driver: a.gpu.driver, cuda: a.gpu.cuda, os: c, arch: a.arch};
						var v = {driver: {least: gpu.parts(a.gpu.driver), most: gpu.parts(a.gpu.driver), text: ""}, cuda: null}, cuda = gpu.parts(a.gpu.cuda);
						if (cuda) v.cuda = {least: cuda, most: cuda, text: a.gpu.cuda};
						var r = gpu.runs(own, b, v);
						return {answer: r.answer, why: r.why};
					})()`, m, s.name, system(m), compute)
					if d := cmp.Diff(want, got); d != "" {
						t.Fatalf("%s on %+v (-compat +script)\n%s", s.name, m, d)
					}
				}
			}
		}
	}
	for _, pair := range []string{"yes driver", "minor driver", "no driver", "no compute", "unknown compute", "unknown toolkit"} {
		if !seen[pair] {
			t.Errorf("no machine of this test gives %q", pair)
		}
	}
}

func softwareOf(tag string) software { return software{name: tag} }

func system(m report.Machine) string {
	switch {
	case m.OS == "windows":
		return "windows"
	case m.GPU.Platform == report.PlatformWSL2:
		return "wsl"
	}
	return "linux"
}

// conditions are joined at random from these parts.
var conditions = strings.Split(`gpus >= 1;gpus == 2;gpus != 2;gpus < 1;driver >= 550.54.14;driver < 535;driver >= 471;driver >= 590;driver != 550.54.14;cuda >= 12.4;cuda == 12;memory >= 8 GiB;memory > 11.25GiB;`+
	`memory <= 80 GB;memory == 0 B;compute >= 8.0;compute < 7;compute == 8.6;gpu == "A100*";gpu == "*";gpu != "NVIDIA [A-H]*";gpu == "Tesla [^KT]*";gpu == "*A1\\0[0]?SXM*";`+
	`gpu == "(A)+ {1}$.|/b";arch == x86_64;arch != arm64;ram >= 16 GiB;cores >= 8;torch;torch >= 2.1;slurm;has("cmake");python("numpy") >= 1.26;runs cu124;runs cu118;runs cu130;runs torch`, ";")

func joined(r *rand.Rand, depth int) string {
	switch n := r.IntN(8); {
	case depth == 0 || n < 3:
		return conditions[r.IntN(len(conditions))]
	case n < 4:
		return "not " + joined(r, depth-1)
	case n < 5:
		return "(" + joined(r, depth-1) + ")"
	case n < 6:
		return joined(r, depth-1) + " or " + joined(r, depth-1)
	case n < 7:
		return joined(r, depth-1) + ", " + joined(r, depth-1)
	}
	return joined(r, depth-1) + " and " + joined(r, depth-1)
}

// TestJudge: the script judges the trees of requirements as package ask does.
func TestJudge(t *testing.T) {
	needs := slices.Clone(conditions)
	for seed := range uint64(300) {
		needs = append(needs, joined(rand.New(rand.NewPCG(seed, 5)), 4))
	}
	b := open(t, needs...)
	var machines []report.Machine
	for _, card := range []string{"Tesla K80 3.7", "NVIDIA A100-SXM4-40GB 8.0", "NVIDIA H100 80GB HBM3 9.0", "NVIDIA A10/B 8.6"} {
		at := strings.LastIndexByte(card, ' ')
		d := report.Device{Name: card[:at], Compute: card[at+1:], MemoryBytes: 11520 << 20}
		driver, cuda := "550.54.14", "12.4"
		if d.Compute == "3.7" {
			driver, cuda = "470.256.02", "11.4"
		}
		machines = append(machines, report.Machine{GPU: report.GPU{Driver: driver, CUDA: cuda, Devices: []report.Device{d}}},
			report.Machine{GPU: report.GPU{Driver: driver, CUDA: cuda, Devices: []report.Device{d, d}}}, report.Machine{GPU: report.GPU{Devices: []report.Device{d}}})
	}
	for i, source := range needs {
		e, _ := ask.Parse(source)
		m := machines[i%len(machines)]
		m.Arch, m.GPU.Status = "amd64", report.GPUOk
		facts := compat.Facts(m, "")
		want := int(e.Judge(facts).Answer)
		var got int
		b.call(&got, `gpu.judge(b, gpu.facts(gpu.own((a.gpu.devices || []).map(function (d) {
			return gpu.device(null, d.name, d.memory_bytes / 1048576, d.compute);
		}), a.gpu.driver, a.gpu.cuda, "linux"))).answer`, m, e.String())
		if got != want {
			t.Errorf("%q on %+v is %d, want %d", e, m, got, want)
		}
	}
}

// TestFacts: the script has the facts that are said to be known of a reader's machine, and no others.
func TestFacts(t *testing.T) {
	b := open(t)
	var got []string
	b.call(&got, `Object.keys(gpu.facts(gpu.read("gpu=rtx-3060&driver=535.54.03")))`)
	want := []string{}
	for _, e := range ask.Table() {
		if e.Readers {
			want = append(want, string(e.Fact))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
