// Package slurm submits jobs to Slurm and waits for their end. It uses Slurm's commands
// sbatch, scontrol and scancel, which every cluster has and whose options and output
// have been stable for years. It does not need the REST daemon, and accounting (sacct) only
// to learn how a job ended that the controller has forgotten.
//
//	job, err := slurm.Submit(ctx, slurm.Script{Args: options.Args, Text: "#!/bin/sh\n..."})
//	info, outcome, err := job.Wait(ctx, slurm.Limits{Queue: 30 * time.Minute}, nil)
//
// A job that Slurm does not accept is a [*Rejected] error. A job that is given up,
// because it does not start, runs too long, or because ctx ends, is cancelled, and Wait
// returns only after its end.
//
// Files pass between this machine and the nodes through a [Folder] that all of them can
// read, as is usual on a cluster. This is the only way that works on every cluster.
package slurm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
)

// Program is the command that must be in PATH.
const Program = "sbatch"

// Installed reports whether jobs can be submitted here.
func Installed() bool {
	_, err := exec.LookPath(Program)
	return err == nil
}

// A Script is a job script and its submission options.
type Script struct {
	// Args are options of sbatch.
	Args []string
	// Text is the script. File is its name in Dir; if empty, sbatch reads the text.
	File, Text string
	// Dir is where sbatch and the job run. If empty, it is the current folder.
	Dir string
	// Env is the environment of sbatch, and by default of the job. If nil, it is that
	// of this process.
	Env []string
}

// answerTime limits a command of Slurm. Slurm's own timeout for a controller that does
// not answer is shorter.
const answerTime = 2 * time.Minute

// jobNumber matches the output of sbatch --parsable: the job's number and, for another
// cluster, its name.
var jobNumber = lazyregexp.New(`(?m)^(\d+)(?:;([\w.-]+))?$`)

// Submit submits a script. Once that has begun, ctx does not interrupt it, because that
// could leave an unknown job; Wait cancels the job instead.
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

// Test asks Slurm, without submitting anything, whether it would accept the script and
// when it would start.
func Test(ctx context.Context, s Script) (verdict string, err error) {
	_, stderr, err := s.sbatch(ctx, "--test-only")
	if err != nil {
		return "", s.failed(ctx, stderr, err)
	}
	return errorMessage(stderr), nil
}

// failed returns the error of a failed sbatch.
func (s Script) failed(ctx context.Context, stderr string, err error) error {
	var exit *exec.ExitError
	var rejected *Rejected
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &rejected):
		return err
	case err == nil:
		return fmt.Errorf("sbatch did not tell the number of the job: %s", errorMessage(stderr))
	case errors.As(err, &exit) && errorMessage(stderr) != "":
		return &Rejected{errorMessage(stderr)}
	}
	return fmt.Errorf("sbatch: %w", err)
}

func (s Script) sbatch(ctx context.Context, mode string) (stdout, stderr string, err error) {
	if err := checkArray(s.Text); err != nil {
		return "", "", err
	}
	c := subprocess.Command{Program: Program, Args: append([]string{mode}, s.Args...), Env: s.Env, Dir: s.Dir}
	if s.File != "" {
		c.Args = append(c.Args, s.File)
	} else {
		c.Stdin = []byte(s.Text)
	}
	return runCommand(ctx, c)
}

// run runs a command of Slurm with its arguments.
func run(ctx context.Context, name string, args ...string) (stdout, stderr string, err error) {
	return runCommand(ctx, subprocess.Command{Program: name, Args: args})
}

// runCommand runs a command of Slurm in its own process group, so that Ctrl-C on the terminal
// does not interrupt an sbatch that is about to submit.
func runCommand(ctx context.Context, c subprocess.Command) (stdout, stderr string, err error) {
	c.Env, c.Limit = environ(c.Env), answerTime
	a := subprocess.Run(ctx, c)
	return string(a.Stdout), a.Stderr, a.Err
}

// environ removes the variables of the current job, so that jobs are submitted as from
// outside, and an option that would make an array of any script. Lists of tasks are not cut
// off.
func environ(env []string) []string {
	if env == nil {
		env = os.Environ()
	}
	inJob := slices.ContainsFunc(env, func(kv string) bool { return strings.HasPrefix(kv, "SLURM_JOB_ID=") })
	devices := []string{"CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK"}
	env = slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return strings.HasPrefix(name, "SLURM_") && name != "SLURM_CONF" || name == "SBATCH_ARRAY_INX" || inJob && slices.Contains(devices, name)
	})
	return append(env, "SLURM_BITSTR_LEN=0")
}

var (
	speaker = lazyregexp.New(`^sbatch: (?:(?:error|fatal|warning): )?`)
	advice  = lazyregexp.New(`^Try "sbatch --help"`)
)

// errorMessage returns the message of sbatch on one line, without its name.
func errorMessage(stderr string) string {
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
