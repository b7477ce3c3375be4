package mygpu

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/themes"
)

// A browser is the script, run in an interpreter.
type browser struct {
	testing.TB
	vm *goja.Runtime
}

func open(t testing.TB) *browser {
	t.Helper()
	b := &browser{t, goja.New()}
	b.must("var gpudocs = {};")
	b.must(string(Script()))
	for _, part := range []string{"10-conditions", "20-software", "30-own", "40-paste", "50-install"} {
		source, err := fs.ReadFile(themes.Default(), "assets/my-gpu.js/"+part+".js")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.vm.RunScript(part, string(source)); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func (b *browser) must(code string) goja.Value {
	b.Helper()
	v, err := b.vm.RunString(code)
	if err != nil {
		b.Fatalf("%v in %.200s", err, code)
	}
	return v
}

// call evaluates code with arguments, which are a, b, ... in it, and decodes the result.
func (b *browser) call(result any, code string, arguments ...any) {
	b.Helper()
	for i, a := range arguments {
		data, err := json.Marshal(a)
		if err != nil {
			b.Fatal(err)
		}
		_ = b.vm.Set("json", string(data))
		b.must(fmt.Sprintf("var %c = JSON.parse(json)", 'a'+i))
	}
	v := b.must("JSON.stringify((function () { var gpu = gpudocs.gpu; return " + code + "; })())")
	if err := json.Unmarshal([]byte(v.String()), result); err != nil {
		b.Fatalf("%v in %s of %s", err, v, code)
	}
}

// long is set for the weekly run, which leaves out nothing.
var long = os.Getenv("GPUDOCS_LONG") != ""

// lab returns machines with all kinds of GPUs and drivers.
func lab() (list []report.Machine) {
	drivers := strings.Fields("418.40.04/10.1 450.51.06/11.0 450.80.02/11.0 460.91.03/11.2 470.256.02/11.4 520.61.05/11.8 525.60.13/12.0 " +
		"530.30.02/12.1 535.183.01/12.2 550.54.13/12.4 550.54.14-grid/12.4 565.57.01/12.7 570.26/12.8 575.57.08/12.9 580.65.06/13.0 595.45.04/13.2 " +
		"527.41/12.0 551.61/12.4 581.15/13.0 540.4.0/12.6 N/A/12.2 / 640.10.01/14.0 999.1/ /")
	cards := []string{"Tesla K80 3.7", "NVIDIA GeForce GTX 1080 Ti 6.1", "Tesla V100-SXM2-16GB 7.0", "Tesla T4 7.5", "NVIDIA A100-SXM4-40GB 8.0", "NVIDIA RTX A6000 8.6", "Orin (nvgpu) 8.7",
		"NVIDIA L4 8.9", "NVIDIA H100 80GB HBM3 9.0", "NVIDIA B200 10.0", "NVIDIA Thor 11.0", "NVIDIA GeForce RTX 5090 12.0", "NVIDIA Graphics Device "}
	for i, d := range drivers {
		at := strings.LastIndex(d, "/")
		for k := range cards {
			for s, system := range []string{"Debian GNU/Linux 12", "windows", "wsl2"} {
				if !long && (i+k)%3 != s {
					continue
				}
				m := report.Machine{Name: "lab", OS: system, Arch: "amd64", GPU: report.GPU{Status: report.GPUOk, Driver: d[:at], CUDA: d[at+1:]}}
				if system == "wsl2" {
					m.OS, m.GPU.Platform = "Ubuntu 22.04", report.PlatformWSL2
				}
				if (i+k)%3 == 0 {
					m.Arch = "arm64"
				}
				for n := range 1 + (i+k)%2 {
					c := cards[(k+n*5)%len(cards)]
					at := strings.LastIndex(c, " ")
					m.GPU.Devices = append(m.GPU.Devices, report.Device{Name: c[:at], Compute: c[at+1:], MemoryBytes: uint64(k) * 11520 << 20})
				}
				if (i+k)%5 == 0 {
					m.GPU.Compat = []string{"11.8", "12.2", "12.4", "13.0"}[(i+k)/5%4]
					m.GPU.CUDA = m.GPU.Compat
				}
				if i+k == 0 {
					m.GPU.Devices = nil
				}
				list = append(list, m)
			}
		}
	}
	return list
}

// asks are what may follow runs: all toolkits of the tables and some that are not there, and builds of frameworks.
func asks() (toolkits []string, frameworks []report.Framework) {
	tables := compat.Tables()
	for _, row := range tables["toolkits"].([][]any) {
		toolkits = append(toolkits, "cu"+strings.ReplaceAll(row[0].(string), ".", ""))
	}
	toolkits = append(toolkits, "cu127", "cu134", "cu139", "cu140", "cu990")
	for _, row := range tables["builds"].([][]any) {
		f := report.Framework{Name: row[0].(string), CUDA: row[1].(string), Version: "0.6.2"}
		if until := row[3].(string); until != "" {
			f.Version = until + ".1"
		}
		if f.Name == "torch" {
			f.Version += "+cu" + strings.ReplaceAll(f.CUDA, ".", "")
		}
		frameworks = append(frameworks, f)
	}
	for _, f := range []string{"torch 2.6.0 12.6", "torch 2.6.0.dev20241112+cu124 12.4", "torch 2.5.0a0+872d972e41.nv24.08 12.6", "torch main+cu128 12.8", "torch 2.9.0+cu128 12.11", "tensorflow 2.18.0 12.5", "numba 0.61.0 12.8", "cupy 13.6.0 12", "jax 0.8.0 "} {
		p := strings.Split(f, " ")
		frameworks = append(frameworks, report.Framework{Name: p[0], Version: p[1], CUDA: p[2]})
	}
	return toolkits, frameworks
}

// TestSameVerdicts: the script judges software as package compat does, with the same sentences.
func TestSameVerdicts(t *testing.T) {
	b := open(t)
	toolkits, frameworks := asks()
	catalogs := []text.Catalog{text.Of("en"), text.Of("pt"), text.Of("es")}
	texts := map[string]any{}
	for _, c := range catalogs {
		texts[c.Code()] = c.Texts("verdict_")
	}
	b.call(new(bool), "gpu.texts = a, true", texts)
	seen, asked := map[string]bool{}, 0
	for i, m := range lab() {
		var want, got []report.Verdict
		var sentences, said []string
		installed := []report.Framework{} // one for each question, or none
		ask := func(f report.Framework, name string) {
			if asked++; asked%9 != 0 && !long {
				return
			}
			m.Environments = nil
			if f.Name != "" {
				m.Environments = []report.Environment{{Frameworks: []report.Framework{f}}}
			}
			v := compat.Judge(m, "", name)
			seen[v.Answer+" "+v.By] = true
			want, sentences, installed = append(want, v), append(sentences, compat.Sentence(catalogs[i%3], v)), append(installed, f)
		}
		for _, name := range append(toolkits, "torch") {
			ask(report.Framework{}, name)
		}
		for _, f := range frameworks {
			ask(f, f.Name)
			ask(f, "paddle")
		}
		m.Environments = nil
		b.call(&got, `answers = b.map(function (v, i) {
			var m = JSON.parse(JSON.stringify(a));
			m.gpu.devices = m.gpu.devices || [];
			if (c[i].name) m.frameworks = [c[i]];
			return gpu.runs(m, v.what);
		})`, m, want, installed)
		b.call(&said, "answers.map(function (v) { return gpu.sentence(v, gpu.texts[a]); })", catalogs[i%3].Code())
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%+v (-Go +script)\n%s", m, d)
		}
		if d := cmp.Diff(sentences, said); d != "" {
			t.Fatalf("%+v (-Go +script)\n%s", m, d)
		}
	}
	for _, pair := range []string{"yes driver", "minor driver", "forward driver", "no driver", "unknown driver", "no compute", "unknown compute", "unknown cudnn",
		"no forward", "unknown forward", "unknown ptx", "no no-gpu", "unknown toolkit", "no not-installed", "unknown not-asked"} {
		if !seen[pair] {
			t.Errorf("no machine of this test gives %q", pair)
		}
	}
}

// conditions are joined at random from these parts.
var conditions = strings.Split(`gpus >= 1;gpus == 2;gpus != 2;gpus < 1;driver >= 550.54.14;driver < 535;driver >= 471;driver < 495;driver >= 590;cuda > 13.0;driver != 550.54.14;cuda >= 12.4;cuda == 12;memory >= 8 GiB;memory > 11.25GiB;`+
	`memory <= 80 GB;memory == 0 B;compute >= 8.0;compute < 7;compute == 8.6;machine == lab;machine != "l?b";gpu == "A100*";gpu == "*";gpu != "NVIDIA [A-H]*";gpu == "Tesla [^KT]*";os == linux;os != windows;`+
	`os == "Debian GNU/*";arch == x86_64;arch != arm64;ram >= 16 GiB;cores >= 8;torch;torch >= 2.1;python >= 3.9;slurm;nvcc >= 12;has("cmake");module("cuda/12");env("torch");`+
	`python("numpy") >= 1.26;python("yaml");runs cu124;runs cu118;runs cu130;runs cu140;runs torch`, ";")

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

// facts are the machine's as the script has them; only what it knows of a reader's machine is left.
func facts(m report.Machine) ask.Machine {
	f := compat.Facts(m, "")
	for _, name := range []ask.Fact{ask.RAM, ask.Cores} {
		delete(f, name)
	}
	f[ask.Label] = ask.Names([]string{"lab"})
	return f
}

// same compares the answers to a requirement.
func (b *browser) same(source string, m report.Machine) {
	b.Helper()
	e, err := ask.Parse(source)
	if err != nil {
		return
	}
	negated, err := ask.Parse("not (" + e.String() + ")")
	if err != nil {
		return // it is nested too deeply
	}
	f := facts(m)
	v := e.Judge(f)
	want := []any{0.0, v.Need, v.Found}
	switch {
	case v.Met():
		want = []any{2.0, "", ""}
	case !negated.Judge(f).Met():
		want[0] = 1.0
	}
	var got []any
	b.call(&got, `(function () {
		a.gpu.devices = a.gpu.devices || [];
		a.gpu.devices.forEach(function (d) { d.exact = true; });
		var f = gpu.facts(a);
		f.os = {names: [[a.os, /^windows/.test(a.os) ? a.os : "linux"]], text: a.os};
		f.machine = {names: [["lab"]], text: "lab"};
		var j = gpu.judge(gpu.parse(b), f);
		return [j.answer, j.need || "", j.found || ""];
	})()`, m, e.String())
	if d := cmp.Diff(want, got); d != "" {
		b.Fatalf("%q on %+v (-Go +script)\n%s", e.String(), m, d)
	}
}

// TestSameAnswers: the script judges requirements as package ask does.
func TestSameAnswers(t *testing.T) {
	b := open(t)
	machines := lab()
	for i, source := range conditions {
		for k := 0; k < len(machines); k += 53 {
			b.same(source, machines[(i+k)%len(machines)])
		}
		for _, card := range []string{"Tesla K80 3.7", "Tesla M10 5.0", "NVIDIA TITAN V 7.0", "NVIDIA A100 8.0", "Tegra X2 6.2", "NVIDIA H100 9.0", "NVIDIA B300 10.3"} { // whose driver is not known
			for _, system := range []string{"Debian GNU/Linux 12", "windows"} {
				at := strings.LastIndexByte(card, ' ')
				name, compute := card[:at], card[at+1:]
				m := report.Machine{Name: "lab", OS: system, Arch: "amd64", GPU: report.GPU{Status: report.GPUOk, Devices: []report.Device{{Name: name, Compute: compute}, {Name: "NVIDIA L4", Compute: "8.9"}}}}
				b.same(source, m)
			}
		}
	}
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 5))
		b.same(joined(r, 4), machines[r.IntN(len(machines))])
	}
}

func FuzzConditions(f *testing.F) {
	for i, c := range conditions {
		f.Add("not ("+c+") or gpus >= 1", uint(i*31))
	}
	f.Add(`gpu == "[\\]a-c]?*" or gpu != '"*'`, uint(7))
	b, machines := open(f), lab()
	f.Fuzz(func(t *testing.T, source string, machine uint) {
		for _, r := range source { // other letters in lower case may differ, and numbers as 0x1p4
			if r >= 0x80 {
				t.Skip()
			}
		}
		if strings.Contains(strings.ToLower(source), "0x") {
			t.Skip()
		}
		b.TB = t
		b.same(source, machines[machine%uint(len(machines))])
	})
}
