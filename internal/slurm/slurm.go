// Package slurm submits jobs to Slurm and waits for their end. It talks to
// Slurm through its own commands, sbatch, scontrol and scancel, which every
// cluster has and whose options and output have been stable for years; neither
// accounting (sacct) nor the REST daemon is needed.
//
//	job, err := slurm.Submit(ctx, slurm.Script{Args: options.Args, Text: "#!/bin/sh\n..."})
//	info, fate, err := job.Wait(ctx, slurm.Limits{Queue: 30 * time.Minute}, nil)
//
// A job that Slurm does not take is a [*Rejected]. One that is given up, because
// it does not start, runs too long, or because ctx ends, is cancelled, and Wait
// returns only when Slurm has ended it.
//
// Files pass between this machine and the nodes through a [Folder] that all of
// them must see, as is usual on a cluster; there is no other way that works
// wherever sbatch does.
package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// Program is what must be in PATH.
const Program = "sbatch"

// Installed tells whether jobs can be submitted here.
func Installed() bool {
	_, err := exec.LookPath(Program)
	return err == nil
}

// A Script is a job script and how to submit it.
type Script struct {
	// Args are options of sbatch.
	Args []string
	// File is the script's name in Dir; if it is empty, Text is the script.
	File, Text string
	// Dir is where sbatch is run, and where the job runs; "" is the current folder.
	Dir string
	// Env is the environment of sbatch, and by sbatch's default of the job; nil
	// is this process's own.
	Env []string
}

// answerTime is how long a command of Slurm may take; its own time limit for a
// controller that does not answer is shorter.
const answerTime = 2 * time.Minute

// jobNumber is what sbatch --parsable prints: the job's number and, of another
// cluster, its name.
var jobNumber = lazyregexp.New(`(?m)^(\d+)(?:;([\w.-]+))?$`)

// Submit hands a script to Slurm. Once that has begun, the end of ctx does not
// break it off, for that would leave a job that nobody knows of: Wait cancels it.
func Submit(ctx context.Context, s Script) (Job, error) {
	if err := ctx.Err(); err != nil {
		return Job{}, err
	}
	stdout, stderr, err := s.sbatch(context.WithoutCancel(ctx), "--parsable")
	if m := jobNumber.FindStringSubmatch(stdout); m != nil {
		return Job{ID: m[1], Cluster: m[2]}, nil
	}
	return Job{}, s.failed(ctx, stderr, err)
}

// Test asks Slurm, without submitting anything, whether it would take the
// script and when it would start.
func Test(ctx context.Context, s Script) (verdict string, err error) {
	_, stderr, err := s.sbatch(ctx, "--test-only")
	if err != nil {
		return "", s.failed(ctx, stderr, err)
	}
	return said(stderr), nil
}

func (s Script) failed(ctx context.Context, stderr string, err error) error {
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil:
		return fmt.Errorf("sbatch did not tell the number of the job: %s", said(stderr))
	case errors.As(err, &exit) && said(stderr) != "":
		return &Rejected{said(stderr)}
	}
	return fmt.Errorf("sbatch: %w", err)
}

func (s Script) sbatch(ctx context.Context, mode string) (stdout, stderr string, err error) {
	args := append([]string{mode}, s.Args...)
	var stdin io.Reader = strings.NewReader(s.Text)
	if s.File != "" {
		args, stdin = append(args, s.File), nil
	}
	return run(ctx, s, stdin, Program, args...)
}

// run runs one of Slurm's commands.
func run(ctx context.Context, s Script, stdin io.Reader, name string, args ...string) (stdout, stderr string, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdin, cmd.Env = s.Dir, stdin, environ(s.Env)
	cmd.SysProcAttr = apart()
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	return out.String(), problems.String(), err
}

// environ leaves out what a job's environment says of that job, so that what a
// job submits is submitted as from outside.
func environ(env []string) []string {
	if env == nil {
		env = os.Environ()
	}
	inJob := slices.ContainsFunc(env, func(kv string) bool { return strings.HasPrefix(kv, "SLURM_JOB_ID=") })
	devices := []string{"CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK"}
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return strings.HasPrefix(name, "SLURM_") && name != "SLURM_CONF" || inJob && slices.Contains(devices, name)
	})
}

var (
	speaker = lazyregexp.New(`^sbatch: (?:(?:error|fatal|warning): )?`)
	advice  = lazyregexp.New(`^Try "sbatch --help"`)
)

// said is what sbatch has to say, on one line, without its own name.
func said(stderr string) string {
	var lines []string
	for line := range strings.Lines(stderr) {
		line = speaker.ReplaceAllString(strings.TrimSpace(line), "")
		line = strings.TrimPrefix(line, "Batch job submission failed: ")
		if line != "" && !advice.MatchString(line) && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}
