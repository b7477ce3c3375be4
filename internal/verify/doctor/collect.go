package doctor

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/report/reason"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// A Section is a part of a diagnosis.
type Section string

// The sections, in the order in which they are shown.
const (
	Machine  Section = "machine"
	GPUs     Section = "gpus"
	Software Section = "cuda"
	Pythons  Section = "pythons"
	Cluster  Section = "slurm"
	Tools    Section = "tools"
	TheSite  Section = "site"
	Found    Section = "findings"
)

// Options are the options of [Collect].
type Options struct {
	// Generator names the program and its version, Machine is the label of this
	// machine in reports.
	Generator, Machine string
	// Site is the site's folder, nil outside of one; Root is its path.
	Site fs.FS
	Root string
	// Previous is the report that verify would continue, and ReportName its name; nil
	// and empty if there is none.
	Previous   *report.Report
	ReportName string
	// Probe asks for the machine's GPUs.
	Probe func(context.Context) report.GPU
	// LookupEnv is the environment.
	LookupEnv func(string) (string, bool)
	// Ready is called with each section, in their order, when it is known. It may be
	// nil.
	Ready func(Section, *Diagnosis)
	// Waiting is called with the section that is waited for. It may be nil.
	Waiting func(Section)
}

// toolkitNames are the CUDA toolkits for which PyTorch's wheels are, or were until
// recently, built.
var toolkitNames = []string{"cu118", "cu121", "cu124", "cu126", "cu128", "cu129", "cu130"}

// Collect asks all questions in parallel, and returns when all are answered. The only
// error is that of ctx.
func Collect(ctx context.Context, o Options) (*Diagnosis, error) {
	if o.Ready == nil {
		o.Ready = func(Section, *Diagnosis) {}
	}
	if o.Waiting == nil {
		o.Waiting = func(Section) {}
	}
	limits := askLimits() // first, because it moves this process to another cgroup for a moment
	q := o.ask(ctx)
	redact := newRedactor(o.Root)
	d := &Diagnosis{Schema: Schema, Generator: o.Generator, Findings: []Finding{}}
	ready := func(s Section, wait func()) {
		o.Waiting(s)
		wait()
		if ctx.Err() == nil {
			o.Ready(s, d)
		}
	}
	ready(Machine, func() {
		d.System = q.system()
		d.Machine = verify.Describe(o.Machine, report.GPU{})
	})
	ready(GPUs, func() { d.Machine.GPU = q.gpu() })
	ready(Software, func() {
		d.CUDA = q.cuda()
		redact.cuda(&d.CUDA)
		for _, name := range toolkitNames {
			d.Toolkits = append(d.Toolkits, compat.Judge(d.Machine, "", name))
		}
	})
	ready(Pythons, func() {
		d.CuBLAS = q.cublas() // which needs the Pythons before they are redacted
		for i := range d.CuBLAS {
			d.CuBLAS[i].Path = redact(d.CuBLAS[i].Path)
		}
		d.Pythons = q.pythons()
		judgePythons(d.Pythons, d.Machine)
		redact.pythons(d.Pythons)
		d.Machine.Environments = environments(d.Pythons)
	})
	ready(Cluster, func() { d.Slurm = q.slurm() })
	ready(Tools, func() {
		tools := q.tools()
		for i := range tools {
			if tools[i].lacks != nil {
				tools[i].lacks = tools[i].lacks.Redacted(redact)
				tools[i].Detail = reason.Lack(text.Catalog{}, tools[i].lacks)
			}
		}
		d.Tools = slices.Insert(tools, 1, pythonTool(d.Pythons), limits) // in the order of importance
		d.Machine.Limits = limits.Detail
	})
	ready(TheSite, func() { d.Site = q.site() })
	ready(Found, func() { d.Findings = findings(d) })
	return d, ctx.Err()
}

// asking starts to answer a question. The function that it returns waits for the answer.
func asking[T any](question func() T) (wait func() T) {
	wait = sync.OnceValue(question)
	go wait()
	return wait
}

// questions are being answered.
type questions struct {
	system  func() System
	gpu     func() report.GPU
	cuda    func() CUDA
	pythons func() []Python
	cublas  func() []Library
	slurm   func() *Slurm
	tools   func() []Tool
	site    func() *Forecast
}

// ask asks all questions. What the site configures is read first by those that
// need it.
func (o Options) ask(ctx context.Context) questions {
	root := os.DirFS("/")
	site := asking(func() *loadedSite { return loadSite(o) })
	q := questions{
		system:  asking(func() System { return askSystem(root, o.getenv) }),
		gpu:     asking(func() report.GPU { return o.Probe(ctx) }),
		cuda:    asking(func() CUDA { return askCUDA(root, o.LookupEnv) }),
		pythons: asking(func() []Python { return askPythons(ctx, site().environments(), o.Root) }),
		slurm:   asking(func() *Slurm { return askSlurm(ctx) }),
		tools:   asking(func() []Tool { return askTools(ctx) }),
	}
	q.cublas = asking(func() []Library { return askCuBLAS(q.pythons()) })
	q.site = asking(func() *Forecast {
		return site().dryRun(ctx, o, func(context.Context) report.GPU { return q.gpu() }, func() bool { return len(q.cublas()) > 0 })
	})
	return q
}

func (o Options) getenv(name string) string {
	value, _ := o.LookupEnv(name)
	return value
}
