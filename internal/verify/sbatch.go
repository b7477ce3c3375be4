package verify

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/slurm"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// jobFile is the name of the script, in a work folder of its own, as a reader
// would have it.
const jobFile = "job.sh"

// sbatch submits a block that is a job script, waits for the end of the job, and
// compares what Slurm wrote to its output file.
func (x *runner) sbatch(ctx context.Context, b *content.Block, c *report.Check) error {
	if x.o.Shared == "" {
		return errors.New("there is no folder that the nodes of a cluster see")
	}
	folder, err := slurm.NewFolder(ctx, x.o.Shared)
	if err != nil {
		return err
	}
	defer folder.Release()
	x.scratch = folder.Path // close removes it
	script, err := x.script(folder, b)
	if err != nil {
		return err
	}
	job, err := slurm.Submit(ctx, script)
	if rejected := (*slurm.Rejected)(nil); errors.As(err, &rejected) {
		c.Outcome, c.Reason = report.Failed, x.slurm("rejected: "+rejected.Message)
		if rejected.Absent(b.Code) { // hardware that is not there is no fault of the script
			c.Outcome = report.Skipped
		}
		return nil
	}
	if err != nil {
		return err
	}
	if err := folder.Holds(job); err != nil {
		return errors.Join(err, job.Cancel())
	}
	info, fate, err := job.Wait(ctx, slurm.Limits{Queue: x.o.QueueWait, Run: x.limit(b)}, nil)
	x.nodes(info)
	c.DurationMS = float64(info.RunTime.Milliseconds())
	if errors.Is(err, slurm.ErrSeveral) {
		c.Outcome, c.Reason = report.Errored, x.slurm(err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	if fate == slurm.NeverStarted || !info.Began() {
		c.Outcome, c.Reason = report.Skipped, x.slurm(info.WhyNotStarted(x.o.QueueWait))
		return nil
	}
	return x.jobEnded(b, c, info, fate)
}

// script writes the job script where the nodes can read what it makes.
func (x *runner) script(folder slurm.Folder, b *content.Block) (slurm.Script, error) {
	work, tmp := folder.Join("work"), folder.Join("tmp")
	err := errors.Join(os.Mkdir(work, 0o700), os.Mkdir(tmp, 0o700),
		os.WriteFile(filepath.Join(work, jobFile), []byte(b.Code), 0o700))
	return slurm.Script{File: jobFile, Dir: work, Env: environ(tmp, "")}, err
}

// JobTest asks Slurm, without submitting anything, whether it would take a job
// script, and when it would start.
func JobTest(ctx context.Context, b *content.Block) (verdict string, err error) {
	return slurm.Test(ctx, slurm.Script{Text: b.Code})
}

func (x *runner) slurm(detail string) *report.Reason {
	return &report.Reason{Code: report.ReasonSlurm, Detail: x.text([]byte(clip(detail)))}
}

// nodes takes the names of a job's nodes for private: Slurm writes them into
// outputs.
func (x *runner) nodes(info slurm.Info) {
	x.hosts = &private{}
	for _, host := range slurm.Names(context.Background(), info.Nodes) {
		x.hosts.host(host)
	}
	if strings.Contains(info.Nodes, "[") {
		x.hosts.add(regexp.QuoteMeta(info.Nodes), "<host>")
	}
}

// jobEnded judges a job that ran.
func (x *runner) jobEnded(b *content.Block, c *report.Check, info slurm.Info, fate slurm.Fate) error {
	err := x.output(c, info)
	switch {
	case fate == slurm.TimedOut:
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonTimeout, Detail: x.limit(b).String()}
	case info.State == "COMPLETED" && err != nil:
		c.Outcome, c.Reason = report.Failed, x.slurm("the job's output file cannot be read: "+err.Error())
	case info.State == "COMPLETED", info.State == "FAILED" && info.Signal == 0 && info.Exit != 0:
		x.judge(b, c, session.Result{Exit: info.Exit})
	default:
		c.Outcome, c.Reason = report.Errored, x.slurm(info.Why())
	}
	return nil
}

// output files what the job wrote. Slurm writes both streams to one file unless
// the script asks for two.
func (x *runner) output(c *report.Check, info slurm.Info) (err error) {
	read := func(file string) (*report.Stream, error) {
		out, err := slurm.ReadOutput(file, keptHead, keptTail)
		s := x.stream(session.Output{Text: out.Text, Cut: out.Cut, Head: out.Head})
		if out.Cut > 0 {
			s.Bytes, s.SHA256 = out.Size, out.SHA256
		}
		return s, err
	}
	c.Stdout, err = read(info.Stdout)
	if info.Stderr != info.Stdout {
		c.Stderr, _ = read(info.Stderr) // what is missing differs from what is expected
	}
	return err
}
