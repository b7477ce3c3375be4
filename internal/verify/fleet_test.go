package verify

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
	"github.com/gpudocs/gpudocs/internal/verify/session"
	"github.com/gpudocs/gpudocs/internal/verify/tools"
)

var update = flag.Bool("update", false, "write the results of the made-up lab anew")

const fleetDir = "../../test/browser/testdata/fleet"

// fleetRuns is how often each machine has run the checks, every second day. fleetStart is the first time.
const fleetRuns = 6

var fleetStart = time.Date(2026, 11, 14, 6, 30, 0, 0, time.UTC)

// fleetMachines are the made-up machines of the lab in test/browser/testdata/fleet.
var fleetMachines = []struct {
	report.Machine
	nvcc string
	// away is how many of the last runs the machine has missed.
	away int
	// rates are what it measures, by the name of the value; in the last run they are multiplied by last.
	rates map[string]float64
	last  float64
}{
	{Machine: report.Machine{Name: "jaguar", OS: "Ubuntu 22.04.4 LTS", Arch: "amd64", CPU: "AMD EPYC 7742 64-Core Processor", MemoryBytes: 1 << 40, Cores: 128,
		GPU: madeGPUs(4, "NVIDIA A100-SXM4-40GB", 40<<30, "8.0", "550.54.14", "12.4"), Environments: madePython("3.11.9", "2.6.0+cu124", "12.4"),
		Slurm: &report.Slurm{Version: "23.11.4"}},
		nvcc: "12.4.131", rates: map[string]float64{"matmul": 18.9, "bandwidth": 1390, "envio": 24.6, "peer": 218}, last: 1},
	{Machine: report.Machine{Name: "capivara", OS: "Ubuntu 20.04.6 LTS", Arch: "amd64", CPU: "Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz", MemoryBytes: 128 << 30, Cores: 28,
		GPU: madeGPUs(2, "Tesla K80", 11441<<20, "3.7", "460.91.03", "11.2"), Environments: madePython("3.8.10", "1.12.1+cu113", "11.3"),
		Slurm: &report.Slurm{}},
		rates: map[string]float64{"matmul": 2.41, "bandwidth": 158, "envio": 10.1, "peer": 9.7}, last: 0.86},
	{Machine: report.Machine{Name: "mico", OS: "Ubuntu 24.04.1 LTS", Arch: "amd64", CPU: "13th Gen Intel(R) Core(TM) i7-13620H", MemoryBytes: 16 << 30, Cores: 16,
		GPU: madeGPUs(1, "NVIDIA GeForce RTX 4060 Laptop GPU", 8<<30, "8.9", "551.86", "12.4"), Environments: madePython("3.12.3", "2.6.0+cu124", "12.4"),
		Slurm: &report.Slurm{}},
		away: 3, rates: map[string]float64{"matmul": 9.62, "bandwidth": 226, "envio": 4.31}, last: 1},
	{Machine: report.Machine{Name: "tatu", OS: "Debian GNU/Linux 12 (bookworm)", Arch: "amd64", CPU: "Intel(R) Core(TM) i5-10400 CPU @ 2.90GHz", MemoryBytes: 16 << 30, Cores: 12,
		GPU: report.GPU{Status: report.GPUNone, Code: report.CodeNoLibrary}, Environments: madePython("3.11.2", "", ""),
		Slurm: &report.Slurm{}}},
}

func madeGPUs(n int, name string, memory uint64, compute, driver, cuda string) report.GPU {
	g := report.GPU{Status: report.GPUOk, Source: report.SourceNVML, Driver: driver, CUDA: cuda}
	if strings.Contains(name, "Laptop") {
		g.Platform = report.PlatformWSL2
	}
	for i := range n {
		degrees := 34 + 2*i
		g.Devices = append(g.Devices, report.Device{Name: name, MemoryBytes: memory, Compute: compute, Readings: &report.Readings{Temperature: &degrees}})
	}
	return g
}

func madePython(version, torch, cuda string) []report.Environment {
	e := report.Environment{Interpreter: "Python " + version, Frameworks: []report.Framework{}}
	if torch != "" {
		e.Frameworks = append(e.Frameworks, report.Framework{Name: "torch", Version: torch, CUDA: cuda})
	}
	return []report.Environment{e}
}

// fleetValues are what blocks print where their page captures a value, by machine.
var fleetValues = map[string]map[string]string{
	"modelo":                           {"jaguar": "NVIDIA A100-SXM4-40GB", "capivara": "Tesla K80", "mico": "NVIDIA GeForce RTX 4060 Laptop GPU"},
	"memoria":                          {"jaguar": "40960", "capivara": "11441", "mico": "8188"},
	"torch":                            {"jaguar": "2.6.0+cu124", "capivara": "1.12.1+cu113", "mico": "2.6.0+cu124"},
	"produto_ms":                       {"jaguar": "7.31", "capivara": "57.20", "mico": "14.30"},
	"taxa":                             {"jaguar": "18.8", "capivara": "2.4", "mico": "9.6"},
	"tamanho_ms[n=1024,dtype=float32]": {"jaguar": "0.18", "capivara": "1.12", "mico": "0.31"},
	"tamanho_ms[n=4096,dtype=float32]": {"jaguar": "7.40", "capivara": "58.01", "mico": "14.61"},
	"tamanho_ms[n=1024,dtype=float16]": {"jaguar": "0.05", "capivara": "1.31", "mico": "0.12"},
	"tamanho_ms[n=4096,dtype=float16]": {"jaguar": "0.62", "capivara": "61.44", "mico": "3.95"},
}

// fleetOlder are texts of the pages as they were before the last run.
var fleetOlder = strings.NewReplacer("print(2 ** 16)", "print(2 ** 15)", "65536", "32768")

// The made-up results of the lab are those that verify would write on such machines. What snippets print is
// invented here, and judged as any output is.
func TestFleet(t *testing.T) {
	t.Parallel()
	now, older := fleetSite(t, strings.NewReplacer()), fleetSite(t, fleetOlder)
	for _, m := range fleetMachines {
		var r *report.Report
		for n := range fleetRuns - m.away {
			s := older
			if n == fleetRuns-1 {
				s = now
			}
			plan, err := NewPlan(s, Filter{})
			if err != nil {
				t.Fatal(err)
			}
			one := newRun(plan, r, Options{Machine: m.Name, Generator: "made up", Confine: s.Config.Verify, References: s.Config.References,
				Now: func() time.Time { return fleetStart.AddDate(0, 0, 2*n) }})
			one.machine, one.redactor, one.confinement, one.tools = m.Machine, &redactor{}, &confinement{}, tools.Set{}
			one.machine.Answers = []report.Answer{{Ask: "nvcc", Has: m.nvcc != "", Version: m.nvcc}}
			for _, k := range plan.tools() {
				one.tools[k] = &tools.Tool{Name: m.Environments[0].Interpreter}
				if k.Interpreter == session.Bash {
					one.tools[k].Name = "bash 5.1.16"
				}
			}
			last := n == fleetRuns-1-m.away
			for _, l := range plan.Lines {
				c := one.gpuLineOfFleet(l, m.rates, n, last, m.last)
				one.judgeValues(l.Block, c)
				one.blockFinished(l.Block, c)
			}
			for _, session := range plan.Sessions {
				x := one.runner(session)
				for _, b := range session.Chosen() {
					if b.Name == "novo" || b.Name == "mudou" && s == now {
						continue
					}
					c := one.newCheck(b.ID, b.Kind)
					if !x.skip(b, c) {
						x.runOfFleet(b, c, n, last)
					}
					one.judgeValues(b, c)
					one.blockFinished(b, c)
				}
			}
			r = one.report(r)
		}
		data, err := report.Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		file := fleetDir + "/results/" + m.Name + ".json"
		if *update {
			if err := os.WriteFile(file, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(file); err != nil || !bytes.Equal(have, data) {
			t.Errorf("%s is not what the pages give (%v); run with -update", file, err)
		}
	}
}

// fleetSite loads the lab with other texts.
func fleetSite(t *testing.T, other *strings.Replacer) *site.Site {
	t.Helper()
	files, fsys := os.DirFS(fleetDir), fstest.MapFS{}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(name, "results/") {
			return err
		}
		text, err := fs.ReadFile(files, name)
		fsys[name] = &fstest.MapFile{Data: []byte(other.Replace(string(text)))}
		return err
	})
	s, diags := load.Load(fsys, load.Options{})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	return s
}

// gpuLineOfFleet judges a line of a gpu block in the run n.
func (r *run) gpuLineOfFleet(l *Line, rates map[string]float64, n int, last bool, drift float64) *report.Check {
	if l.Measures() == nil {
		return r.gpuLine(l)
	}
	c := r.newCheck(l.ID, site.GPU)
	c.Want = l.String()
	if r.skipWithoutGPU(c) {
		return c
	}
	s := *l.Measures()
	m := &report.Measurement{What: s.What, N: s.N, DType: s.DType, Unit: s.Unit()}
	for i := range r.machine.GPU.Devices {
		g := report.Measured{Device: i, Why: report.WhyNotSupported}
		if rate := rates[s.Name] * (1 - 0.004*float64(i) + 0.003*float64(n%3)); rate > 0 {
			if last && s.What == ask.Matmul {
				rate *= drift
			}
			g = report.Measured{Device: i, Backend: "gpudocs PTX", Runs: 40, Rate: rate, Clock: 1200}
			if s.What == ask.Matmul {
				g.Median = 2 * float64(s.N) * float64(s.N) * float64(s.N) / rate / 1e9
				g.Min, g.P90, g.MaxError, g.Tolerance = g.Median*0.99, g.Median*1.02, 2.1e-7, 1e-5
			}
		}
		m.GPUs = append(m.GPUs, g)
	}
	c.DurationMS = 2100
	judgeMeasurement(c, s, m, r.limits())
	return c
}

var captured = regexp.MustCompile(`<(\w+):\w+( [^>\[]+)?[^>]*>`)

// runOfFleet sets the result of a block in the run n: what the page expects, unless it says otherwise here.
func (x *runner) runOfFleet(b *site.Block, c *report.Check, n int, last bool) {
	want := judge.Choose(b, x.facts(b))
	machine := x.machine.Name
	output := func(e *site.Expect) *report.Stream {
		if e == nil || e.Text == "" {
			return nil
		}
		text := captured.ReplaceAllStringFunc(e.Text, func(s string) string {
			m := captured.FindStringSubmatch(s)
			value := fleetValues[m[1]+b.Combination()][machine]
			if f, err := strconv.ParseFloat(value, 64); err == nil && strings.Contains(value, ".") {
				value = strconv.FormatFloat(f*(1+0.002*float64(n%3)), 'f', 2, 64)
			}
			return value + strings.TrimRight(m[2], " ")
		})
		return &report.Stream{Text: strings.NewReplacer("loss ...", "loss 0.3", "12...", "12.4", "11...", "11.2", "[...]\n", "Traceback (most recent call last):\n",
			": ...", ": [Errno 2] No such file or directory: 'dados.csv'").Replace(text)}
	}
	tool := x.toolOf(b)
	c.Interpreter, c.DurationMS = tool.Name, float64(180+37*len(b.Code)%900)
	out := judge.Output{Step: judge.Step{Stdout: output(want.Stdout), Stderr: output(want.Stderr)}}
	out.Exit = want.Exit
	switch {
	case b.Name == "bf16" && machine == "capivara":
		out.Exit, out.Exception, out.FailLine = 1, "RuntimeError: expected scalar type Float but found BFloat16", b.CodeLine+3
		out.Stdout, out.Stderr = nil, &report.Stream{Text: "Traceback (most recent call last):\n  File \"" + b.File + "\", line " + strconv.Itoa(out.FailLine) + ", in <module>\n" + out.Exception + "\n"}
	case b.Name == "duas" && machine == "jaguar" && n == fleetRuns-2: // a fault that is mended
		out.Exit, out.Exception, out.FailLine = 1, "RuntimeError: CUDA error: out of memory", b.CodeLine+2
		out.Stdout, out.Stderr = nil, &report.Stream{Text: out.Exception + "\n"}
	case b.Name == "instavel" && machine == "tatu" && last:
		first := *c
		judge.Block(b, x.facts(b), &judge.Output{Step: judge.Step{End: session.End{Exit: 7}, Stderr: out.Stderr}}, &first)
		c.Tries = []report.Try{tryOf(&first)}
	case b.Kind == site.Sbatch:
		out.Array = true
		for line := range strings.Lines(out.Stdout.Text) {
			exit := 0
			out.Tasks = append(out.Tasks, report.Task{Index: len(out.Tasks), Exit: &exit, DurationMS: 4000, Bytes: len(line)})
		}
	case b.Recipe != nil:
		out.Build, out.Tool = &judge.Step{End: session.End{Duration: 1450 * time.Millisecond}}, "nvcc "+fleetMachines[0].nvcc
	}
	if b.Kind == site.Pycon { // its examples print what they are to print
		b = &site.Block{Kind: site.Python, Session: b.Session}
	}
	judge.Block(b, x.facts(b), &out, c)
}
